//! Worker tasks: UPIDs, how far a task is at a moment, its log.

use std::fmt;

use crate::access::Caller;

/// The unique id of a task, as in `UPID:NODE:PID:PSTART:STARTTIME:TYPE:ID:USER:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Upid {
    pub node: &'static str,
    pub pid: u32,
    pub pstart: u32,
    /// Unix seconds.
    pub start: i64,
    pub kind: &'static str,
    pub id: String,
    pub user: Caller,
}

impl fmt::Display for Upid {
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

/// What happens to the cluster when a task ends well.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    Nothing,
    /// The guest runs.
    Up(u32),
    /// The guest is down.
    Down(u32),
    /// The guest is down, and a start of its own follows.
    Reboot(u32),
    /// The HA manager was told; it acts on its own.
    Manage {
        vmid: u32,
        up: bool,
    },
    /// The unit runs afresh.
    Service {
        node: &'static str,
        service: &'static str,
    },
}

/// A worker task with its fate.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub upid: Upid,
    /// Begin and end in Unix seconds with fractions. A task may lie in the future.
    pub begin: f64,
    pub end: f64,
    /// The exit status that it ends with.
    pub exit: String,
    pub effect: Effect,
    /// Log lines with the moment of each.
    pub log: Vec<(f64, String)>,
    /// Guests that it locks, each from and until a moment.
    pub locks: Vec<(u32, f64, f64)>,
    /// The end was dealt with.
    pub settled: bool,
}

impl Task {
    pub(crate) fn begun(&self, now: f64) -> bool {
        self.begin <= now
    }

    pub(crate) fn running(&self, now: f64) -> bool {
        self.begin <= now && now < self.end
    }

    pub(crate) fn ended(&self, now: f64) -> bool {
        self.end <= now
    }

    /// `OK` and `WARNINGS: n` are success.
    pub(crate) fn failed(&self) -> bool {
        self.exit != "OK" && !self.exit.starts_with("WARNINGS: ")
    }

    /// The class that `statusfilter` knows.
    pub(crate) fn class(&self) -> &'static str {
        match self.exit.as_str() {
            "OK" => "ok",
            "unexpected status" => "unknown",
            exit if exit.starts_with("WARNINGS: ") => "warning",
            _ => "error",
        }
    }

    /// Whether it acts on this guest.
    pub(crate) fn is_about(&self, vmid: u32) -> bool {
        self.upid.id.parse() == Ok(vmid)
    }

    /// The log as far as it is written.
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
