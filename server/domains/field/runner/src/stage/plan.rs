//! The plan of a stage: the steps of an admitted package as arguments, and the limits of each.

use std::collections::BTreeMap;

use field_package::{
    abilities::MemoryLimit,
    admission::{AdmittedJob, AdmittedPayload},
    manifest::JobManifest,
};
use serde::{Deserialize, Serialize};

use super::{SCRIPT, cpu::BURST_MS};

/// The work of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagePlan {
    pub steps: Vec<StagedStep>,
    pub stop_on_failure: bool,
    /// Text of free sh, which the first step runs.
    pub script: Option<String>,
    /// Share of one core that the stage enforces; None where the sandbox does.
    pub cpu_pct: Option<u32>,
    /// Milliseconds of a core that the job may be ahead of that share.
    pub burst_ms: u64,
    pub limits: StepLimits,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StagedStep {
    /// From 1.
    pub number: u32,
    /// Word of the row, `sh` for free sh.
    pub run: String,
    /// The first is an absolute path.
    pub argv: Vec<String>,
    pub seconds: u32,
}

/// Limits that a step puts on itself before it becomes its program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLimits {
    /// Bytes of address space of each process; None where the sandbox counts memory.
    pub address_space: Option<u64>,
    /// Bytes of a file.
    pub file: u64,
    /// Threads and processes; None where the sandbox counts them.
    pub tasks: Option<u32>,
    /// Landlock and the filter of system calls; false where systemd has loaded its own.
    pub guard: bool,
}

impl StagePlan {
    /// The plan of a job in a sandbox with this limit of memory, which enforces limits itself or leaves
    /// them to the stage.
    pub fn of(job: &AdmittedJob, memory: MemoryLimit, staged: StagedLimits) -> Self {
        let manifest = &job.manifest;
        let own = staged == StagedLimits::All;
        let (steps, script) = steps(&job.payload, manifest);
        let stop_on_failure = match &job.payload {
            AdmittedPayload::Steps(script) => script.stops_on_failure(),
            AdmittedPayload::Sh(_) => true,
        };
        let caps = &manifest.caps;
        let address_space = match memory {
            MemoryLimit::AddressSpace(_) => Some(caps.memory),
            MemoryLimit::Controller | MemoryLimit::None => None,
        };
        Self {
            steps,
            stop_on_failure,
            script,
            cpu_pct: own.then_some(caps.cpu_pct),
            burst_ms: BURST_MS,
            limits: StepLimits {
                address_space,
                file: caps.file,
                tasks: own.then_some(caps.tasks.min(caps.procs)),
                guard: own,
            },
        }
    }

    /// Words of the steps by their numbers.
    pub(crate) fn rows(&self) -> BTreeMap<u32, String> {
        let rows = self
            .steps
            .iter()
            .map(|step| (step.number, step.run.clone()));
        rows.collect()
    }
}

/// Limits that the stage enforces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StagedLimits {
    All,
    /// The sandbox counts the whole job: files and descriptors are left.
    FilesOnly,
}

fn steps(payload: &AdmittedPayload, manifest: &JobManifest) -> (Vec<StagedStep>, Option<String>) {
    match payload {
        AdmittedPayload::Steps(script) => {
            let steps = script.steps().iter().zip(1..);
            let planned = steps.map(|(step, number)| StagedStep {
                number,
                run: step.row().name.word().to_owned(),
                argv: step.argv(),
                seconds: step.seconds(),
            });
            (planned.collect(), None)
        }
        AdmittedPayload::Sh(script) => {
            let mut argv = vec!["/bin/sh".to_owned(), SCRIPT.to_owned()];
            argv.extend(manifest.args.iter().cloned());
            let step = StagedStep {
                number: 1,
                run: "sh".to_owned(),
                argv,
                seconds: manifest.timeout_s,
            };
            (vec![step], Some(script.text().to_owned()))
        }
    }
}
