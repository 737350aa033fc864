//! Worker tasks: UPIDs, state at a time, log.

use std::fmt;

use crate::access::SimCaller;

/// UPID, the unique id of a task: `UPID:NODE:PID:PSTART:STARTTIME:TYPE:ID:USER:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SimUpid {
    pub node: &'static str,
    pub pid: u32,
    pub pstart: u32,
    /// Start in Unix seconds.
    pub start: i64,
    pub kind: &'static str,
    pub id: String,
    pub user: SimCaller,
}

impl fmt::Display for SimUpid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            node,
            pid,
            pstart,
            start,
            kind,
            id,
            user,
        } = self;
        write!(
            f,
            "UPID:{node}:{pid:08X}:{pstart:08X}:{start:08X}:{kind}:{id}:{}:",
            user.id()
        )
    }
}

/// Effect of a successful task on the cluster.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TaskEffect {
    Nothing,
    /// The guest is up.
    Up(u32),
    /// The guest is down.
    Down(u32),
    /// The guest is down, and a separate start follows.
    Reboot(u32),
    /// The HA manager has the request and acts on it later.
    Manage {
        vmid: u32,
        up: bool,
    },
    /// The unit is restarted.
    Service {
        node: &'static str,
        service: &'static str,
    },
}

/// A worker task with its outcome.
#[derive(Clone, Debug)]
pub(crate) struct SimTask {
    pub upid: SimUpid,
    /// Start and end in fractional Unix seconds. A task may be in the future.
    pub begin: f64,
    pub end: f64,
    /// The final exit status.
    pub exit: String,
    pub effect: TaskEffect,
    /// Log lines with their times.
    pub log: Vec<(f64, String)>,
    /// Locked guests, each with the start and end of the lock.
    pub locks: Vec<(u32, f64, f64)>,
    /// True once the effect of the end has been applied.
    pub settled: bool,
}

impl SimTask {
    pub(crate) fn begun(&self, now: f64) -> bool {
        self.begin <= now
    }

    pub(crate) fn running(&self, now: f64) -> bool {
        self.begin <= now && now < self.end
    }

    pub(crate) fn ended(&self, now: f64) -> bool {
        self.end <= now
    }

    /// Returns whether it failed; `OK` and `WARNINGS: n` are success.
    pub(crate) fn failed(&self) -> bool {
        self.exit != "OK" && !self.exit.starts_with("WARNINGS: ")
    }

    /// The class in `statusfilter`.
    pub(crate) fn class(&self) -> &'static str {
        match self.exit.as_str() {
            "OK" => "ok",
            "unexpected status" => "unknown",
            exit if exit.starts_with("WARNINGS: ") => "warning",
            _ => "error",
        }
    }

    /// Returns whether it concerns this guest.
    pub(crate) fn is_about(&self, vmid: u32) -> bool {
        self.upid.id.parse() == Ok(vmid)
    }

    /// The log lines written so far.
    pub(crate) fn lines(&self, now: f64) -> Vec<String> {
        let written = self.log.iter().filter(|(at, _)| *at <= now.min(self.end));
        let mut lines: Vec<String> = written.map(|(_, line)| line.clone()).collect();
        if self.ended(now) {
            lines.push(match self.class() {
                "ok" => "TASK OK".to_owned(),
                "warning" => format!("TASK {}", self.exit),
                _ => format!("TASK ERROR: {}", self.exit),
            });
        }
        lines
    }
}
