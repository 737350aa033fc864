//! Probes by real starts: what a sandbox does here, not what its version says.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _},
    path::Path,
    process::Command,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{
    abilities::{LevelAbilities, MemoryLimit, SandboxAbilities},
    levels::SandboxLevel,
    steps::ROWS,
};
use field_queue::report::JobEnding;
use serde::{Deserialize, Serialize};

use super::{
    bubblewrap::{Bubblewrap, HostNetwork},
    confinement::Confinement,
    let_begin, own_program, start,
    systemd::{PROBE_CPU_PCT, PROBE_MEMORY, PROBE_TASKS, SystemdUnits, probe_properties},
};
use crate::{
    config::{RunnerConfig, is_root},
    error::RunnerError,
    files, stage,
    stage::{StageFrame, StagePlan, StagedStep, StepLimits},
    texts,
};

/// Memory of a job in sandbox B at most: each process gets that much address space.
const ADDRESS_SPACE: u64 = 512 * 1024 * 1024;
/// Seconds of one probe.
const SECONDS: u32 = 5;
/// Bytes of a probe's output at most.
const MOST: u64 = 256 * 1024;

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeLine {
    pub name: String,
    pub works: bool,
    /// The finding, or the line to change.
    pub detail: String,
}

/// The findings on one device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbedDevice {
    pub abilities: SandboxAbilities,
    pub lines: Vec<ProbeLine>,
}

/// Probes everything that a job may need.
pub fn probe(config: &RunnerConfig) -> ProbedDevice {
    let mut lines = Vec::new();
    let mut levels = BTreeMap::new();
    let mut add = |name: &str, found: Result<String, String>| {
        let works = found.is_ok();
        let (Ok(detail) | Err(detail)) = found;
        lines.push(ProbeLine {
            name: name.to_owned(),
            works,
            detail,
        });
    };
    let controllers = std::fs::read_to_string("/sys/fs/cgroup/cgroup.controllers");
    let controllers = controllers.unwrap_or_default();
    let mut memory = controllers.split_whitespace().any(|it| it == "memory");
    match systemd() {
        Ok(found) => {
            // The limit was seen on a process, which says more than a list.
            memory = found.memory == MemoryLimit::Controller;
            levels.insert(SandboxLevel::Systemd, found);
            add("sandbox A (systemd)", Ok(texts::WORKS.to_owned()));
        }
        Err(error) => add("sandbox A (systemd)", Err(error)),
    }
    match bubblewrap(config) {
        Ok(found) => {
            levels.insert(SandboxLevel::Bubblewrap, found);
            add("sandbox B (bubblewrap)", Ok(texts::WORKS.to_owned()));
        }
        Err(error) => {
            let text = format!("{} {}", error.to_string().trim(), texts::NO_USER_NAMESPACES);
            add("sandbox B (bubblewrap)", Err(text));
        }
    }
    let said = |works: bool, help: &str| {
        works
            .then(|| texts::WORKS.to_owned())
            .ok_or_else(|| help.to_owned())
    };
    add(
        "memory controller",
        said(memory, texts::NO_MEMORY_CONTROLLER),
    );
    // On a thread of its own, which ends restricted.
    let landlock = std::thread::spawn(stage::landlock_works).join();
    add(
        "Landlock",
        said(landlock.unwrap_or(false), texts::NO_LANDLOCK),
    );
    add("ping without rights", said(may_ping(), texts::NO_PING));
    let resolver = std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    let named = resolver
        .lines()
        .any(|line| line.trim_start().starts_with("nameserver"));
    add("DNS server", said(named, texts::NO_RESOLVER));
    let trial = config.state.join("trial");
    let synced =
        files::replace(&trial, b"trial", 0o600).and_then(|()| std::fs::remove_file(&trial));
    add("state folder", said(synced.is_ok(), texts::NO_SPACE));
    for program in programs() {
        let installed = Path::new(program).exists();
        add(program, said(installed, texts::NO_PROGRAM));
    }
    ProbedDevice {
        abilities: SandboxAbilities { levels },
        lines,
    }
}

fn programs() -> Vec<&'static str> {
    let mut programs: Vec<_> = ROWS.iter().map(|row| row.program).collect();
    programs.sort_unstable();
    programs.dedup();
    programs
}

/// True if a process of any user may open a socket for pings.
fn may_ping() -> bool {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ping_group_range");
    let range = range.unwrap_or_default();
    let bounds: Vec<u64> = range.split_whitespace().flat_map(str::parse).collect();
    matches!(bounds.as_slice(), [first, last] if first < last)
}

fn bubblewrap(config: &RunnerConfig) -> Result<LevelAbilities, RunnerError> {
    let wrap = Bubblewrap::new(config, &own_program()?)?;
    let command = wrap.any(HostNetwork::None, 64 * 1024, &BTreeMap::new());
    let plan = plan(
        "/usr/bin/cat",
        &["/proc/self/status", "/proc/net/dev"],
        true,
    );
    let text = output(command, &plan)?;
    let failed = |reason: &str| Err(RunnerError::Sandbox(reason.to_owned()));
    for (field, value) in [
        ("NoNewPrivs:", "1"),
        ("Seccomp:", "2"),
        ("CapEff:", "0000000000000000"),
    ] {
        let found = text.lines().find_map(|line| line.strip_prefix(field));
        if found.map(str::trim) != Some(value) {
            return failed(if field == "Seccomp:" {
                texts::NO_SECCOMP
            } else {
                field
            });
        }
    }
    let interfaces = text.lines().filter(|line| {
        line.split_once(':').is_some_and(|(_, rest)| {
            let figures = rest.split_whitespace();
            figures.clone().count() == 16 && figures.clone().all(|it| it.parse::<u64>().is_ok())
        })
    });
    let others = interfaces.filter(|line| !line.trim_start().starts_with("lo:"));
    if others.count() > 0 {
        return failed("the network is still there");
    }
    Ok(LevelAbilities {
        memory: MemoryLimit::AddressSpace(ADDRESS_SPACE),
        cpu: true,
        tasks: true,
        workspace: true,
        no_network: true,
        listed_network: false,
        raw: false,
    })
}

fn systemd() -> Result<LevelAbilities, String> {
    if !is_root() || !Path::new("/run/systemd/system").exists() {
        return Err(texts::NO_SYSTEMD.to_owned());
    }
    let program = own_program().map_err(|error| error.to_string())?;
    let unit = format!("jarvis-probe-{}.service", std::process::id());
    let command = SystemdUnits::new(&program).any(&unit, &probe_properties(), &BTreeMap::new());
    let plan = plan(&program.to_string_lossy(), &["confinement"], false);
    let text = output(command, &plan);
    let _forgotten = SystemdUnits::result(&unit);
    let text = text.map_err(|error| error.to_string())?;
    let found: Confinement = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(LevelAbilities {
        memory: if found.memory == Some(PROBE_MEMORY) {
            MemoryLimit::Controller
        } else {
            MemoryLimit::None
        },
        cpu: found.cpu_pct == Some(PROBE_CPU_PCT),
        tasks: found.tasks == Some(PROBE_TASKS),
        workspace: true,
        no_network: true,
        // With every address denied, nothing may be reached.
        listed_network: !found.reaches,
        raw: true,
    })
}

fn plan(program: &str, arguments: &[&str], guard: bool) -> StagePlan {
    let mut argv = vec![program.to_owned()];
    argv.extend(arguments.iter().map(|it| (*it).to_owned()));
    StagePlan {
        steps: vec![StagedStep {
            number: 1,
            run: "probe".to_owned(),
            argv,
            seconds: SECONDS,
        }],
        stop_on_failure: true,
        script: None,
        cpu_pct: guard.then_some(100),
        limits: StepLimits {
            address_space: guard.then_some(64 * 1024 * 1024),
            file: 1024 * 1024,
            tasks: guard.then_some(8),
            guard,
        },
    }
}

/// Runs one step in a sandbox and returns its output.
fn output(command: Command, plan: &StagePlan) -> Result<String, RunnerError> {
    let mut child = start(command, plan)?;
    let mut text = Vec::new();
    let mut how = None;
    if let Some(pipe) = child.stdout.take() {
        let mut pipe = BufReader::new(pipe.take(MOST));
        let mut line = Vec::new();
        while let Ok(1..) = pipe.read_until(b'\n', &mut line) {
            match serde_json::from_slice(&line) {
                Ok(StageFrame::Begin { .. }) => {
                    let _gone = let_begin(&mut child);
                }
                Ok(StageFrame::Data { bytes, .. }) => {
                    text.extend(BASE64_STANDARD.decode(bytes).unwrap_or_default());
                }
                Ok(StageFrame::Done { how: end, .. }) => how = Some(end),
                _ => {}
            }
            line.clear();
        }
    }
    let mut complaint = String::new();
    if let Some(pipe) = child.stderr.take() {
        let _read = pipe.take(1024).read_to_string(&mut complaint);
    }
    let _reaped = child.wait();
    let text = String::from_utf8_lossy(&text).into_owned();
    match how {
        Some(JobEnding::Exit(0)) => Ok(text),
        Some(_) => Err(RunnerError::Sandbox(text.trim().escape_debug().to_string())),
        None => Err(RunnerError::Sandbox(
            complaint.trim().escape_debug().to_string(),
        )),
    }
}
