//! The answer of a probe in a sandbox: what its process may do, and the limits that it ran into or that the kernel
//! has for it.

mod attempts;

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};

/// Where the hierarchies of control groups are mounted.
const GROUPS: &str = "/sys/fs/cgroup";

/// Findings of a process on itself. None is a limit that is not there, whatever was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confinement {
    /// True if a packet may leave.
    pub reaches: bool,
    /// True if there is no interface but those of every new network.
    pub alone: bool,
    /// True if it may open packet sockets.
    pub packets: bool,
    /// Bytes, by its control groups.
    pub memory: Option<u64>,
    /// Bytes of address space: as many more were refused.
    pub address_space: Option<u64>,
    /// Processes and threads, by its control groups.
    pub tasks: Option<u64>,
    /// Threads that it could start before one was refused.
    pub threads: Option<u64>,
    /// Share of one core, by its control groups.
    pub cpu_pct: Option<u64>,
    /// True if it was stopped and went on while it used a core.
    pub held: bool,
    /// Bytes that its working folder took before that was full.
    pub workspace: Option<u64>,
}

impl Confinement {
    /// Finds out about this process, which uses a core for that if it should.
    pub fn of_this_process(spins: bool) -> Self {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        Self {
            reaches: attempts::reaches(),
            alone: attempts::is_alone(),
            packets: attempts::opens_packet_socket(),
            address_space: attempts::address_space(),
            threads: attempts::threads(),
            held: spins && attempts::is_held(),
            workspace: attempts::fill_workspace(),
            ..Self::of_groups(&groups, Path::new(GROUPS))
        }
    }

    /// The limits of these control groups, by the unified hierarchy or by one for each controller.
    fn of_groups(groups: &str, mounted: &Path) -> Self {
        let limit = |unified: &str, controller: &str, own: &str| {
            groups.lines().find_map(|line| {
                let (_, line) = line.split_once(':')?;
                let (controllers, group) = line.split_once(':')?;
                let group = group.trim_start_matches('/');
                let file = if controllers.is_empty() {
                    mounted.join(group).join(unified)
                } else if controllers.split(',').any(|it| it == controller) {
                    mounted.join(controller).join(group).join(own)
                } else {
                    return None;
                };
                fs::read_to_string(file).ok()
            })
        };
        let number = |text: String| text.trim().parse::<u64>().ok();
        let period = || limit("", "cpu", "cpu.cfs_period_us").and_then(number);
        // `max 100000`, `50000 100000`; the older file has the first number only, -1 for none.
        let cpu_pct = limit("cpu.max", "cpu", "cpu.cfs_quota_us").and_then(|text| {
            let mut numbers = text.split_whitespace().map(str::parse::<u64>);
            let quota = numbers.next()?.ok()?;
            let period = numbers.next().and_then(Result::ok).or_else(period)?;
            quota.saturating_mul(100).checked_div(period)
        });
        Self {
            memory: limit("memory.max", "memory", "memory.limit_in_bytes").and_then(number),
            tasks: limit("pids.max", "pids", "pids.max").and_then(number),
            cpu_pct,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(groups: &str, files: &[(&str, &str)], expect: [Option<u64>; 3]) {
        let mounted = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = mounted.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = Confinement::of_groups(groups, mounted.path());
        let found = [found.memory, found.tasks, found.cpu_pct];
        assert_eq!(found, expect, "{groups}");
    }

    #[test]
    fn limits_are_those_of_the_kernel() {
        let unified = "0::/system.slice/probe.service\n";
        check(
            unified,
            &[
                ("system.slice/probe.service/memory.max", "67108864\n"),
                ("system.slice/probe.service/pids.max", "16\n"),
                ("system.slice/probe.service/cpu.max", "50000 100000\n"),
            ],
            [Some(67_108_864), Some(16), Some(50)],
        );
        check(
            unified,
            &[
                ("system.slice/probe.service/memory.max", "max\n"),
                ("system.slice/probe.service/cpu.max", "max 100000\n"),
            ],
            [None; 3],
        );
        check(
            "8:pids:/probe\n4:memory:/probe\n1:cpu,cpuacct:/probe\n0::/probe\n",
            &[
                ("memory/probe/memory.limit_in_bytes", "67108864\n"),
                ("pids/probe/pids.max", "max\n"),
                ("cpu/probe/cpu.cfs_quota_us", "100000\n"),
                ("cpu/probe/cpu.cfs_period_us", "100000\n"),
            ],
            [Some(67_108_864), None, Some(100)],
        );
        check(
            "1:cpu:/probe\n",
            &[("cpu/probe/cpu.cfs_quota_us", "-1\n")],
            [None; 3],
        );
        check("", &[], [None; 3]);
    }
}
