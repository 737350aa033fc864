//! The kernel's figures about processes and the machine, and the cores on which processes run.

use std::fs;

use anyhow::{Context, Result};
use rustix::{
    param::clock_ticks_per_second,
    process::{Resource, Rlimit, getrlimit, setrlimit},
    thread::{CpuSet, sched_setaffinity},
};
use serde::{Deserialize, Serialize};

/// The core of the server.
pub(crate) const SERVER: usize = 0;
/// The core of everybody else.
pub(crate) const OTHERS: usize = 1;

/// Keeps this thread, and the processes that it starts, on a core. With a single core nothing
/// can be kept apart.
pub(crate) fn keep_on(core: usize) -> Result<()> {
    if cores() < 2 {
        return Ok(());
    }
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set).with_context(|| format!("cannot run on core {core}"))
}

/// Cores of the machine, whatever this process may use.
pub(crate) fn cores() -> usize {
    let listed = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    listed
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count()
        .max(1)
}

/// Lets this process and those that it starts open as many files as the kernel allows.
pub(crate) fn open_many_files() -> Result<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = Rlimit {
        current: maximum,
        maximum,
    };
    setrlimit(Resource::Nofile, wanted).context("cannot raise the limit of open files")?;
    Ok(maximum.or(current).unwrap_or(u64::MAX))
}

/// The usage of a process.
#[derive(Clone, Copy, Default)]
pub(crate) struct ProcessUsage {
    /// Seconds of processor time, user and system.
    pub(crate) cpu: f64,
    /// Memory in use now, in KiB.
    pub(crate) rss: f64,
}

/// Reads the usage of a process.
pub(crate) fn usage(pid: u32) -> Result<ProcessUsage> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The second field is the name in parentheses and may contain anything.
    let fields = stat.rsplit_once(") ").context("an odd /proc/PID/stat")?.1;
    let ticks: u64 = fields
        .split(' ')
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let rss = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|kib| kib.parse().ok())
        .context("no VmRSS")?;
    Ok(ProcessUsage {
        cpu: ticks as f64 / clock_ticks_per_second() as f64,
        rss,
    })
}

/// The machine, for those who compare figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    cores: usize,
    processor: String,
    kernel: String,
}

impl Machine {
    pub(crate) fn this() -> Self {
        let listed = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = listed
            .lines()
            .find_map(|line| line.strip_prefix("model name"))
            .map(|rest| rest.trim_start_matches([' ', '\t', ':']).to_owned())
            .unwrap_or_default();
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            cores: cores(),
            processor,
            kernel: kernel.trim().to_owned(),
        }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            cores,
            processor,
            kernel,
        } = self;
        write!(f, "{cores} cores, {processor}, Linux {kernel}")
    }
}

/// Processes that wanted to run in the last minute, on average.
pub(crate) fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|load| load.parse().ok())
        .unwrap_or_default()
}
