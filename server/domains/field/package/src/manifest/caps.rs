//! Limits of a job. Every one of them is enforced, or the job is refused.

use serde::{Deserialize, Serialize};

/// Limits in the units of their names; sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobCaps {
    /// Share of one core.
    pub cpu_pct: u32,
    pub memory: u64,
    /// Threads and processes of the whole job.
    pub tasks: u32,
    /// Size of the working folder.
    pub workspace: u64,
    /// Output that is kept.
    pub output: u64,
    /// Largest file.
    pub file: u64,
    /// Processes of the job's user.
    pub procs: u32,
}

impl Default for JobCaps {
    fn default() -> Self {
        Self {
            cpu_pct: 50,
            memory: 64 * MIB,
            tasks: 32,
            workspace: 16 * MIB,
            output: MIB,
            file: 8 * MIB,
            procs: 32,
        }
    }
}

const MIB: u64 = 1024 * 1024;

impl JobCaps {
    /// The first limit that is outside its bounds.
    pub(super) fn outside(&self) -> Option<&'static str> {
        let bounds = [
            ("caps.cpu_pct", u64::from(self.cpu_pct), 1, 100),
            ("caps.memory", self.memory, 4 * MIB, 512 * MIB),
            ("caps.tasks", u64::from(self.tasks), 1, 128),
            ("caps.workspace", self.workspace, 64 * 1024, 64 * MIB),
            ("caps.output", self.output, 1024, 16 * MIB),
            ("caps.file", self.file, 1024, 64 * MIB),
            ("caps.procs", u64::from(self.procs), 1, 128),
        ];
        let outside = bounds
            .into_iter()
            .find(|(_, value, least, most)| !(least..=most).contains(&value));
        outside.map(|(name, ..)| name)
    }
}
