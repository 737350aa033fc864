//! The processes of a job: all that the stage's own user has in this sandbox, but the stage itself.

use std::os::unix::fs::MetadataExt as _;

use rustix::process::{Pid, Signal, getpid, getuid, kill_process, kill_process_group};

/// Processes of the job. Process 1 is the sandbox's own.
pub(super) fn of_job() -> Vec<Pid> {
    let (own, user) = (getpid(), getuid().as_raw());
    let Ok(folder) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let found = folder.flatten().filter_map(|entry| {
        let number: i32 = entry.file_name().to_str()?.parse().ok()?;
        let pid = Pid::from_raw(number)?;
        // A process that is not dumpable belongs to root here; the stage is the only one.
        let ours = entry.metadata().is_ok_and(|it| it.uid() == user);
        (number > 1 && pid != own && ours).then_some(pid)
    });
    found.collect()
}

/// Kills whatever a step has left, daemons too, until there is nothing more.
pub(super) fn kill_all() {
    // A process that forks while it is looked for is found in the next round.
    for _ in 0..64 {
        let alive: Vec<_> = of_job().into_iter().filter(is_alive).collect();
        if alive.is_empty() {
            return;
        }
        for pid in alive {
            let _gone = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

pub(super) fn terminate_group(group: u32) {
    let group = i32::try_from(group).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        let _gone = kill_process_group(group, Signal::TERM);
    }
}

pub(super) fn signal_all(signal: Signal) {
    for pid in of_job() {
        let _gone = kill_process(pid, signal);
    }
}

/// False for a process that has ended and waits for its parent.
fn is_alive(pid: &Pid) -> bool {
    stat(*pid).is_some_and(|it| it.0 != "Z")
}

/// State and ticks of a process.
pub(super) fn stat(pid: Pid) -> Option<(String, u64)> {
    let path = format!("/proc/{}/stat", pid.as_raw_nonzero());
    let text = std::fs::read_to_string(path).ok()?;
    // The name may hold blanks and parentheses.
    let (_, rest) = text.rsplit_once(") ")?;
    let parts: Vec<_> = rest.split(' ').collect();
    let ticks = |at: usize| parts.get(at)?.parse::<u64>().ok();
    Some(((*parts.first()?).to_owned(), ticks(11)? + ticks(12)?))
}
