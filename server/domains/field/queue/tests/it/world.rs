//! A server with jobs, devices with disks, and a network between them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use field_package::ids::JobId;
use field_queue::{
    journal::{self, MAGIC},
    message::{JobAnswer, JobCall, JobCallKind},
    report::{JobEnding, JobReport},
    runner::{self, RunnerEffect, RunnerInput, RunnerState, UnitFound},
    secret::{ClaimHash, ClaimSecret, StartNonce},
    server::{self, FinalState, ServerEffect, ServerInput, ServerJob, ServerState, StartCheck},
};

pub(crate) struct World {
    pub(crate) jobs: Vec<ServerJob>,
    pub(crate) devices: Vec<Device>,
    /// In flight; any of them may be the next to arrive.
    pub(crate) network: Vec<Packet>,
    /// Starts of each job on any device: the ledger that neither machine sees.
    pub(crate) runs: BTreeMap<JobId, u32>,
    /// A disk was copied, so two devices may speak for one claim.
    pub(crate) cloned: bool,
    /// Launchers refuse what the server has let start.
    pub(crate) refuses: bool,
    now: u64,
    counter: u64,
}

#[derive(Default)]
pub(crate) struct Device {
    disk: Vec<u8>,
    /// None while it is off.
    pub(crate) state: Option<RunnerState>,
    /// Jobs that run or ran in its sandbox, which outlives the runner.
    units: BTreeMap<JobId, Option<JobReport>>,
    /// Jobs whose sandbox died before their first step, which its launcher remembers.
    failed: BTreeSet<JobId>,
    /// Events that come from the device itself.
    pub(crate) local: VecDeque<RunnerInput>,
    now_ms: u64,
}

#[derive(Clone)]
pub(crate) enum Packet {
    Claim { device: usize, claim: ClaimHash },
    Call { device: usize, call: JobCall },
    Answer { device: usize, answer: JobAnswer },
}

pub(crate) fn job_id(number: usize) -> JobId {
    JobId::new(&format!("run_{number:026}")).unwrap()
}

impl World {
    pub(crate) fn new(jobs: usize, devices: usize) -> Self {
        let mut world = Self {
            jobs: (0..jobs)
                .map(|number| ServerJob::queued(job_id(number), 1_600, 60))
                .collect(),
            devices: Vec::new(),
            network: Vec::new(),
            runs: BTreeMap::new(),
            cloned: false,
            refuses: false,
            now: 1_000,
            counter: 0,
        };
        for device in 0..devices {
            world.devices.push(Device {
                disk: MAGIC.to_vec(),
                ..Device::default()
            });
            world.restart(device, false);
        }
        world
    }

    pub(crate) fn poll(&mut self, device: usize) {
        let secret = self.secret();
        self.device(device, RunnerInput::Poll(secret), None);
    }

    /// Lets time pass on the server and looks at all jobs.
    pub(crate) fn pass(&mut self, seconds: u64) {
        self.now += seconds;
        for at in 0..self.jobs.len() {
            self.server(at, ServerInput::Tick, None);
        }
    }

    pub(crate) fn cancel(&mut self, job: usize) {
        self.server(job % self.jobs.len(), ServerInput::Cancel, None);
    }

    pub(crate) fn tick(&mut self, device: usize, ms: u64, crash: Option<usize>) {
        self.devices[device].now_ms += ms;
        let now_ms = self.devices[device].now_ms;
        self.device(device, RunnerInput::Tick { now_ms }, crash);
    }

    /// Delivers one packet. With `crash`, the receiver dies after that many effects.
    pub(crate) fn deliver(
        &mut self,
        at: usize,
        repeat: bool,
        check: StartCheck,
        crash: Option<usize>,
    ) {
        if self.network.is_empty() {
            return;
        }
        let at = at % self.network.len();
        let packet = if repeat {
            self.network[at].clone()
        } else {
            self.network.swap_remove(at)
        };
        match packet {
            Packet::Claim { device, claim } => {
                let has = |job: &&ServerJob| job.has_claim(claim);
                let queued = |job: &&ServerJob| matches!(job.state, ServerState::Queued { .. });
                let mut jobs = self.jobs.iter();
                let job = jobs.clone().find(has).or_else(|| jobs.find(queued));
                let Some(id) = job.map(|job| job.job.clone()) else {
                    let answer = JobAnswer::Nothing;
                    self.network.push(Packet::Answer { device, answer });
                    return;
                };
                let at = self.jobs.iter().position(|job| job.job == id).unwrap();
                self.answer(at, ServerInput::Claim(claim), device, crash);
            }
            Packet::Call { device, call } => {
                let at = self
                    .jobs
                    .iter()
                    .position(|job| job.job == call.job)
                    .unwrap();
                self.answer(at, ServerInput::Call { call, check }, device, crash);
            }
            Packet::Answer { device, answer } => {
                let input = RunnerInput::Answer {
                    answer,
                    keep_until: 100_000,
                };
                self.device(device, input, crash);
            }
        }
    }

    pub(crate) fn lose(&mut self, at: usize) {
        if !self.network.is_empty() {
            self.network.swap_remove(at % self.network.len());
        }
    }

    /// Lets a running unit end.
    pub(crate) fn finish(&mut self, device: usize, ending: JobEnding, crash: Option<usize>) {
        let running = self.devices[device]
            .units
            .iter()
            .find(|(_, end)| end.is_none());
        let Some(job) = running.map(|(job, _)| job.clone()) else {
            return;
        };
        let report = JobReport {
            how: ending,
            wall_ms: Some(self.counter),
            cpu_ms: None,
            peak_bytes: None,
            tasks: None,
            output_bytes: None,
        };
        self.devices[device]
            .units
            .insert(job.clone(), Some(report.clone()));
        self.device(device, RunnerInput::Ended { job, report }, crash);
    }

    /// Loses what runs with its launcher.
    pub(crate) fn lose_unit(&mut self, device: usize, begun: bool) {
        let units = &mut self.devices[device].units;
        let running = units.iter().find(|(_, end)| end.is_none());
        let Some(job) = running.map(|(job, _)| job.clone()) else {
            return;
        };
        units.remove(&job);
        let found = UnitFound::Nothing {
            rebooted: false,
            begun,
        };
        self.device(device, RunnerInput::Found { job, found }, None);
    }

    /// Lets the sandbox of a running unit die before its first step.
    pub(crate) fn fail_unit(&mut self, device: usize) {
        let units = &mut self.devices[device].units;
        let running = units.iter().find(|(_, end)| end.is_none());
        let Some(job) = running.map(|(job, _)| job.clone()) else {
            return;
        };
        units.remove(&job);
        self.devices[device].failed.insert(job.clone());
        self.device(device, no_step(job), None);
    }

    /// True if a job was let start, and none of its steps began.
    pub(crate) fn has_failed(&self, job: &JobId) -> bool {
        self.devices.iter().any(|it| it.failed.contains(job))
    }

    /// The next event of the device itself.
    pub(crate) fn local(&mut self, device: usize, crash: Option<usize>) {
        if let Some(input) = self.devices[device].local.pop_front() {
            self.device(device, input, crash);
        }
    }

    pub(crate) fn crash(&mut self, device: usize) {
        self.devices[device].state = None;
        self.devices[device].local.clear();
    }

    pub(crate) fn restart(&mut self, device: usize, reboot: bool) {
        self.crash(device);
        if reboot {
            self.devices[device].units.clear();
        }
        let contents = journal::read(&self.devices[device].disk).expect("a journal");
        let entries = contents.entries;
        self.devices[device].disk.truncate(contents.whole);
        if contents.whole == 0 {
            self.devices[device].disk = MAGIC.to_vec();
        }
        let (state, effects) = runner::recover(&entries);
        self.devices[device].state = Some(state);
        self.carry_out(device, effects, None);
    }

    /// Another device starts with a copy of this one's disk: the same key, twice.
    pub(crate) fn clone_disk(&mut self, from: usize, to: usize) {
        if from != to {
            self.cloned = true;
            self.devices[to].disk = self.devices[from].disk.clone();
            self.devices[to].units.clear();
            self.restart(to, true);
        }
    }

    fn device(&mut self, device: usize, input: RunnerInput, crash: Option<usize>) {
        let Some(state) = self.devices[device].state.take() else {
            return;
        };
        let (state, effects) = runner::step(state, input);
        self.devices[device].state = Some(state);
        self.carry_out(device, effects, crash);
    }

    fn carry_out(&mut self, device: usize, effects: Vec<RunnerEffect>, crash: Option<usize>) {
        for (at, effect) in effects.into_iter().enumerate() {
            let dies = crash == Some(at);
            match effect {
                RunnerEffect::Append(entry) => {
                    let record = journal::record(&entry).unwrap();
                    // Power goes in the middle of the write.
                    let written = if dies { record.len() / 2 } else { record.len() };
                    self.devices[device].disk.extend(&record[..written]);
                }
                _ if dies => {}
                RunnerEffect::Ask(claim) => self.network.push(Packet::Claim {
                    device,
                    claim: claim.hash(),
                }),
                RunnerEffect::Call(call) => self.network.push(Packet::Call { device, call }),
                RunnerEffect::Admit(job) => {
                    self.counter += 1;
                    let mut nonce = [0; 16];
                    nonce[..8].copy_from_slice(&self.counter.to_le_bytes());
                    let input = if self.counter.is_multiple_of(11) {
                        RunnerInput::NotAdmitted {
                            job,
                            code: "expired".to_owned(),
                        }
                    } else {
                        RunnerInput::Admitted {
                            job,
                            nonce: StartNonce::new(nonce),
                            now_ms: self.devices[device].now_ms,
                        }
                    };
                    self.devices[device].local.push_back(input);
                }
                RunnerEffect::Run(job) => {
                    self.counter += 1;
                    if self.refuses || self.counter.is_multiple_of(13) {
                        let code = "busy".to_owned();
                        let input = RunnerInput::NotStarted { job, code };
                        self.devices[device].local.push_back(input);
                    } else {
                        let runs = self.runs.entry(job.clone()).or_default();
                        *runs += 1;
                        assert_eq!(*runs, 1, "{job} was started twice");
                        self.devices[device].units.insert(job, None);
                    }
                }
                RunnerEffect::Kill(job) => {
                    let end = self.devices[device].units.get_mut(&job);
                    if let Some(end) = end.filter(|end| end.is_none()) {
                        let report = JobReport {
                            how: JobEnding::Cancelled,
                            wall_ms: None,
                            cpu_ms: None,
                            peak_bytes: None,
                            tasks: None,
                            output_bytes: None,
                        };
                        *end = Some(report.clone());
                        let input = RunnerInput::Ended { job, report };
                        self.devices[device].local.push_back(input);
                    }
                }
                RunnerEffect::Look(job) if self.devices[device].failed.contains(&job) => {
                    self.devices[device].local.push_back(no_step(job));
                }
                RunnerEffect::Look(job) => {
                    let found = match self.devices[device].units.get(&job) {
                        None => UnitFound::Nothing {
                            rebooted: false,
                            begun: false,
                        },
                        Some(None) => UnitFound::Running,
                        Some(Some(report)) => UnitFound::Ended(report.clone()),
                    };
                    self.devices[device]
                        .local
                        .push_back(RunnerInput::Found { job, found });
                }
            }
            if dies {
                self.crash(device);
                return;
            }
        }
    }

    fn answer(&mut self, at: usize, input: ServerInput, device: usize, crash: Option<usize>) {
        for effect in self.server(at, input, crash) {
            if let ServerEffect::Answer(answer) = effect {
                self.network.push(Packet::Answer { device, answer });
            }
        }
    }

    /// One step of the server; the effects that were carried out before it died.
    fn server(&mut self, at: usize, input: ServerInput, crash: Option<usize>) -> Vec<ServerEffect> {
        let before = self.jobs[at].clone();
        let (after, effects) = server::step(before.clone(), input.clone(), self.now);
        let commits = effects.first() == Some(&ServerEffect::Commit);
        assert!(
            commits || before == after,
            "a change was not written: {before:?} {after:?}"
        );
        let lived = crash.unwrap_or(usize::MAX);
        if commits && lived > 0 {
            lawful(&before, &after, &input);
            self.jobs[at] = after;
        }
        effects.into_iter().take(lived).collect()
    }

    fn secret(&mut self) -> ClaimSecret {
        self.counter += 1;
        let mut bytes = [1; 32];
        bytes[..8].copy_from_slice(&self.counter.to_le_bytes());
        ClaimSecret::new(bytes)
    }
}

fn no_step(job: JobId) -> RunnerInput {
    let code = "no_step_began".to_owned();
    RunnerInput::NotStarted { job, code }
}

/// The laws of each transition that is written.
fn lawful(before: &ServerJob, after: &ServerJob, input: &ServerInput) {
    assert!(after.epoch() >= before.epoch(), "an epoch went back");
    match (&before.state, &after.state) {
        (ServerState::Running { .. }, ServerState::Queued { .. } | ServerState::Claimed { .. }) => {
            panic!("a job that ran is queued again: {before:?} {after:?}");
        }
        (ServerState::Final { state, .. }, ServerState::Final { state: now, .. }) => {
            assert_eq!(state, now, "an end changed");
        }
        (ServerState::Final { .. }, _) => panic!("an end did not stay: {after:?}"),
        (ServerState::Queued { .. }, ServerState::Running { .. }) => {
            panic!("a job that nobody had claimed runs");
        }
        _ => {}
    }
    if let ServerState::Final {
        state: FinalState::Ended(report) | FinalState::Cut(report),
        ..
    } = &after.state
        && !before.is_final()
    {
        let ServerInput::Call { call, .. } = input else {
            panic!("a result came from nowhere");
        };
        assert_eq!(call.kind, JobCallKind::End(report.clone()));
        assert_eq!(call.epoch, before.epoch(), "a result of an older epoch");
        assert!(
            matches!(before.state, ServerState::Running { claim, .. } if claim == call.claim.hash())
        );
    }
}
