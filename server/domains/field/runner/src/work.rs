//! The runner at work: events go into the machine of `field-queue`, and its effects are carried out in their
//! order. An entry of the journal is on the disk before the next effect.

mod calls;
mod facts;
mod held;
mod updates;

use std::{
    collections::{BTreeMap, VecDeque},
    time::{Duration, Instant},
};

use field_package::{
    abilities::SandboxAbilities,
    admission::{ClaimedJob, DeviceView, admit},
    ids::{JobId, Sha256Hex},
    policy::DeviceVeto,
    sequence::SeenPackages,
};
use field_queue::{
    journal::JournalEntry,
    message::{JobAnswer, JobCall, JobCallKind},
    report::JobReport,
    runner::{RunnerEffect, RunnerInput, RunnerState, UnitFound, recover, step},
    secret::{ClaimSecret, StartNonce},
};

pub use self::facts::link_report;

use self::{held::HeldPackage, updates::UpdateSchedule};
use crate::{
    clock::{HeardClock, WallClock},
    config::RunnerConfig,
    error::RunnerError,
    identity::{DeviceKey, EnrolledIdentity},
    journal::{JournalFile, load_seen, save_seen},
    launch::{JobSums, LaunchAnswer, LaunchAsk, LauncherClient},
    roots::RootChain,
    server::{
        ApiClient, DeviceLink, SentOffsets, collect,
        link::{ClaimedPackage, ClaimedWorkMessage, EndDetails},
        send_pieces,
    },
    starter::StartedProgram,
};

/// Time between two looks at a running job.
const LOOK: Duration = Duration::from_millis(200);
/// Time between two renewals: a third of a lease of 30 seconds.
const RENEW: Duration = Duration::from_secs(10);
/// Pause of a device that nobody has adopted.
const WAITING: Duration = Duration::from_secs(10);
/// Pause before something is tried again.
const AGAIN: Duration = Duration::from_secs(1);
/// Codes of a launcher that may have started the job before: then nobody knows, and looks will tell.
const MAYBE_STARTED: [&str; 3] = ["already_started", "replayed", "old_sequence"];
/// Code of a job whose sandbox died before its first step.
const NO_STEP: &str = "no_step_began";
/// Code of a job that the launcher never let through.
const NEVER_STARTED: &str = "did_not_run";
/// Seconds that a job is remembered in full: the longest life of a package, and a day.
const KEEP_S: u64 = 8 * 24 * 60 * 60;

/// One device at work.
pub struct FieldRunner {
    link: DeviceLink,
    launcher: LauncherClient,
    config: RunnerConfig,
    journal: JournalFile,
    state: RunnerState,
    seen: SeenPackages,
    abilities: SandboxAbilities,
    began: Instant,
    ticked: Instant,
    held: Option<HeldPackage>,
    /// The job of this life that the launcher runs.
    running: Option<JobId>,
    cancelled: bool,
    offsets: BTreeMap<JobId, SentOffsets>,
    ended: BTreeMap<JobId, EndDetails>,
    started: Option<StartedProgram>,
    schedule: UpdateSchedule,
    /// The launcher knows that the server answers this program.
    reported: bool,
    /// Another program takes the place of this one, which ends.
    replaced: bool,
}

impl FieldRunner {
    /// Opens the device's memory, and begins to report what its journal says.
    ///
    /// # Errors
    /// If the device is not enrolled, or its memory can't be read.
    pub fn open(config: RunnerConfig, wall: WallClock) -> Result<Self, RunnerError> {
        let identity = EnrolledIdentity::load(&config)?;
        let key = DeviceKey::load(&config.state)?;
        let clock = HeardClock::load(&config.state, wall)?;
        let roots = RootChain::load(&config.settings, &config.state, &identity.root_key)?;
        let client = ApiClient::new(&identity.url, config.ca_file.as_deref())?;
        let (journal, entries) = JournalFile::open(&config.state, clock.now().floor)?;
        let (state, _first) = recover(&entries);
        Ok(Self {
            link: DeviceLink::new(client, identity, key, clock, roots),
            launcher: LauncherClient::new(config.socket.clone()),
            seen: load_seen(&config.state)?,
            journal,
            state,
            abilities: SandboxAbilities::default(),
            began: Instant::now(),
            ticked: Instant::now(),
            held: None,
            running: None,
            cancelled: false,
            offsets: BTreeMap::new(),
            ended: BTreeMap::new(),
            started: StartedProgram::of_environment(),
            schedule: UpdateSchedule::new(config.update_minutes),
            reported: false,
            replaced: false,
            config,
        })
    }

    /// Seconds that a claim waits on the server.
    pub fn set_wait(&mut self, seconds: u32) {
        self.link.wait_s = seconds;
    }

    /// Works until something happens that nobody can pass over, or another program takes its place.
    ///
    /// # Errors
    /// If the device's memory can't be written any more: then nothing may start.
    pub async fn run(&mut self) -> Result<(), RunnerError> {
        let mut failures = 0;
        while !self.replaced {
            match self.turn().await {
                Ok(pause) => {
                    failures = 0;
                    tokio::time::sleep(pause).await;
                }
                Err(error) if error.is_fatal() => return Err(error),
                Err(error) => {
                    tracing::warn!(code = error.code(), %error, help = error.help(), "will try again");
                    failures += 1;
                    tokio::time::sleep(DeviceLink::pause(failures)).await;
                }
            }
        }
        tracing::info!("another version takes the program's place");
        Ok(())
    }

    /// One turn, and the pause before the next.
    ///
    /// # Errors
    /// If the server or the launcher does not answer, or the device's memory can't be written.
    pub async fn turn(&mut self) -> Result<Duration, RunnerError> {
        if !self.link.is_adopted()
            && let Err(error) = self.connect().await
        {
            if error.is_outdated() && Box::pin(self.update_outdated()).await? {
                return Ok(Duration::ZERO);
            }
            return Err(error);
        }
        if !self.reported {
            self.report_program()?;
        }
        if self.replaced {
            return Ok(Duration::ZERO);
        }
        if !self.link.is_adopted() {
            tracing::info!(state = self.link.state(), "waiting for a person");
            return Ok(WAITING);
        }
        if let Some(job) = self.running.clone() {
            self.follow(&job).await?;
            if self.ticked.elapsed() > RENEW {
                self.tick().await?;
            }
            return Ok(LOOK);
        }
        if self.state.is_idle() {
            if Box::pin(self.update_if_due()).await {
                return Ok(Duration::ZERO);
            }
            let claim = ClaimSecret::new(rand::random());
            self.input(RunnerInput::Poll(claim)).await?;
            return Ok(Duration::ZERO);
        }
        self.tick().await?;
        Ok(if self.state.is_idle() {
            Duration::ZERO
        } else {
            AGAIN
        })
    }

    async fn tick(&mut self) -> Result<(), RunnerError> {
        self.ticked = Instant::now();
        let now_ms = self.now_ms();
        self.input(RunnerInput::Tick { now_ms }).await
    }

    /// Gives an event to the machine, and carries out all that follows from it.
    async fn input(&mut self, input: RunnerInput) -> Result<(), RunnerError> {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let (state, effects) = step(std::mem::take(&mut self.state), input);
            self.state = state;
            for effect in effects {
                match Box::pin(self.carry_out(effect)).await {
                    Ok(next) => inputs.extend(next),
                    // The next tick asks for it again.
                    Err(error) if !error.is_fatal() => {
                        tracing::warn!(code = error.code(), %error, "not done yet");
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    async fn carry_out(
        &mut self,
        effect: RunnerEffect,
    ) -> Result<Option<RunnerInput>, RunnerError> {
        match effect {
            RunnerEffect::Append(entry) => self.append(&entry).map(|()| None),
            RunnerEffect::Ask(claim) => self.ask(&claim).await,
            RunnerEffect::Admit(job) => self.admit(job),
            RunnerEffect::Call(call) => self.call(&call).await.map(|answer| answer.map(answered)),
            RunnerEffect::Run(job) => self.start(job),
            RunnerEffect::Kill(job) => {
                self.cancelled = true;
                self.launcher.ask(&LaunchAsk::Kill { job }).map(|_| None)
            }
            RunnerEffect::Look(job) => self.look(job),
        }
    }

    fn append(&mut self, entry: &JournalEntry) -> Result<(), RunnerError> {
        match entry {
            JournalEntry::Started { job, .. } => {
                let held = self.held.as_ref().filter(|it| it.claimed.job == *job);
                if let Some(admitted) = held.and_then(|it| it.admitted.as_ref()) {
                    let manifest = &admitted.manifest;
                    self.seen.remember(
                        &admitted.signers,
                        manifest.seq,
                        &manifest.nonce,
                        manifest.expires,
                        admitted.at,
                    );
                    save_seen(&self.config.state, &self.seen)?;
                }
                self.journal.append(entry)
            }
            JournalEntry::Settled { job } => {
                self.journal.append(entry)?;
                self.offsets.remove(job);
                self.ended.remove(job);
                let forgotten = self.launcher.ask(&LaunchAsk::Forget { job: job.clone() });
                if let Err(error) = forgotten {
                    tracing::debug!(%error, %job, "output not forgotten");
                }
                Ok(())
            }
            _ => self.journal.append(entry),
        }
    }

    async fn ask(&mut self, claim: &ClaimSecret) -> Result<Option<RunnerInput>, RunnerError> {
        let nothing = Some(answered(JobAnswer::Nothing));
        match self.link.claim(claim).await {
            Ok(Some(ClaimedWorkMessage::Job(package))) => self.hold(claim, &package),
            Ok(Some(ClaimedWorkMessage::Collect { request })) => {
                let sections = tokio::task::spawn_blocking(collect).await;
                let sections = sections.map_err(|_| RunnerError::Answer("collector"))?;
                if let Err(error) = self.link.send_bundle(&request, &sections).await {
                    tracing::warn!(code = error.code(), %error, "diagnostics not sent");
                }
                Ok(nothing)
            }
            Ok(Some(ClaimedWorkMessage::Unknown) | None) => Ok(nothing),
            // A refusal ends this claim: the same one again would be refused again.
            Err(error) if !error.is_passing() && !error.is_fatal() => {
                tracing::warn!(code = error.code(), %error, "no work");
                tokio::time::sleep(AGAIN).await;
                Ok(nothing)
            }
            Err(error) => Err(error),
        }
    }

    fn hold(
        &mut self,
        claim: &ClaimSecret,
        package: &ClaimedPackage,
    ) -> Result<Option<RunnerInput>, RunnerError> {
        let bad = |_| RunnerError::Answer("job");
        let job = JobId::new(&package.job).map_err(bad)?;
        let epoch = package.epoch();
        self.held = Some(HeldPackage {
            claimed: ClaimedJob {
                job: job.clone(),
                package: Sha256Hex::new(&package.sha256).map_err(bad)?,
            },
            bytes: package.bytes()?,
            renewal: JobCall {
                job: job.clone(),
                epoch,
                claim: claim.clone(),
                kind: JobCallKind::Renew,
            },
            admitted: None,
        });
        let clock = self.link.now();
        let now = clock.server.unwrap_or(clock.floor).max(clock.floor);
        Ok(Some(RunnerInput::Answer {
            answer: JobAnswer::Offer { job, epoch },
            keep_until: now.saturating_add(KEEP_S),
        }))
    }

    /// The runner's own check, then the launcher's: what it refuses must not be started on the server.
    fn admit(&mut self, job: JobId) -> Result<Option<RunnerInput>, RunnerError> {
        let refused = |job: JobId, code: &str| {
            let code = code.to_owned();
            Ok(Some(RunnerInput::NotAdmitted { job, code }))
        };
        let Some(held) = self.held.as_mut().filter(|it| it.claimed.job == job) else {
            return refused(job, "other_claim");
        };
        let identity = self.link.identity();
        let clock = self.link.now();
        let view = DeviceView {
            device: &identity.device,
            key: &identity.key,
            site: &identity.site,
            server: &identity.server,
            root: self.link.roots.newest(),
            seen: &self.seen,
            abilities: &self.abilities,
            // The launcher knows the device's own veto; the runner could be made to forget it.
            veto: &DeviceVeto::default(),
            clock,
        };
        match admit(&held.bytes, &view, &held.claimed) {
            Ok(admitted) => held.admitted = Some(admitted),
            Err(refusal) => {
                tracing::warn!(code = refusal.code(), %refusal, %job, "package refused");
                return refused(job, refusal.code());
            }
        }
        let order = held.order(clock.server);
        match self.launcher.ask(&LaunchAsk::Check(order)) {
            Ok(_) => Ok(Some(RunnerInput::Admitted {
                job,
                nonce: StartNonce::new(rand::random()),
                now_ms: self.now_ms(),
            })),
            Err(RunnerError::Refused { code, message }) => {
                tracing::warn!(code, message, %job, "package refused by the launcher");
                refused(job, &code)
            }
            Err(error) => Err(error),
        }
    }

    fn start(&mut self, job: JobId) -> Result<Option<RunnerInput>, RunnerError> {
        let server = self.link.now().server;
        let held = self.held.as_ref().filter(|it| it.claimed.job == job);
        let Some(order) = held.map(|it| it.order(server)) else {
            let code = "other_claim".to_owned();
            return Ok(Some(RunnerInput::NotStarted { job, code }));
        };
        self.running = Some(job.clone());
        self.cancelled = false;
        match self.launcher.ask(&LaunchAsk::Launch(order)) {
            Ok(_) => Ok(None),
            // Certain: it was not started, and now never will be.
            Err(RunnerError::Refused { code, message })
                if !MAYBE_STARTED.contains(&code.as_str()) =>
            {
                tracing::error!(code, message, %job, "not started");
                self.running = None;
                Ok(Some(RunnerInput::NotStarted { job, code }))
            }
            // The launcher may have started it: looks will tell.
            Err(error) => {
                tracing::warn!(code = error.code(), %error, %job, "no answer to a start");
                Ok(None)
            }
        }
    }

    /// Looks at the job of this life, and sends what it has written.
    async fn follow(&mut self, job: &JobId) -> Result<(), RunnerError> {
        if self.cancelled {
            self.launcher.ask(&LaunchAsk::Kill { job: job.clone() })?;
        }
        let mut offsets = self.offsets.get(job).copied().unwrap_or_default();
        let look = LaunchAsk::Look {
            job: job.clone(),
            offsets: offsets.0,
        };
        match self.launcher.ask(&look)? {
            LaunchAnswer::Running { pieces } => {
                let call = self.held.as_ref().map(|it| it.renewal.clone());
                if let Some(call) = call {
                    let sent = send_pieces(&mut self.link, &call, &mut offsets, &pieces).await;
                    self.offsets.insert(job.clone(), offsets);
                    sent?;
                }
                Ok(())
            }
            LaunchAnswer::Ended { report, sums, .. } => {
                self.running = None;
                self.input(end_of(job.clone(), report, &sums)).await
            }
            LaunchAnswer::NeverStarted => {
                self.running = None;
                self.input(not_started(job.clone(), NEVER_STARTED)).await
            }
            LaunchAnswer::Nothing {
                rebooted, begun, ..
            } => {
                self.running = None;
                let job = job.clone();
                let found = UnitFound::Nothing { rebooted, begun };
                self.input(RunnerInput::Found { job, found }).await
            }
            _ => Err(RunnerError::Launcher("another answer".to_owned())),
        }
    }

    fn look(&mut self, job: JobId) -> Result<Option<RunnerInput>, RunnerError> {
        let offsets = [0; 3];
        let look = LaunchAsk::Look {
            job: job.clone(),
            offsets,
        };
        let found = match self.launcher.ask(&look)? {
            LaunchAnswer::Running { .. } => UnitFound::Running,
            LaunchAnswer::Ended { report, sums, .. } => {
                return Ok(Some(end_of(job, report, &sums)));
            }
            LaunchAnswer::NeverStarted => return Ok(Some(not_started(job, NEVER_STARTED))),
            LaunchAnswer::Nothing {
                rebooted, begun, ..
            } => UnitFound::Nothing { rebooted, begun },
            _ => return Err(RunnerError::Launcher("another answer".to_owned())),
        };
        Ok(Some(RunnerInput::Found { job, found }))
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The end that the launcher has on its disk. No step begins before its record is there, and none of a sandbox that
/// is gone: a lost job without any record ran nothing.
fn end_of(job: JobId, report: JobReport, sums: &JobSums) -> RunnerInput {
    let is_untouched = sums.get("step").is_some_and(|it| it.all == 0);
    if is_untouched && report.how.is_lost() {
        return not_started(job, NO_STEP);
    }
    RunnerInput::Ended { job, report }
}

fn not_started(job: JobId, code: &str) -> RunnerInput {
    let code = code.to_owned();
    RunnerInput::NotStarted { job, code }
}

fn answered(answer: JobAnswer) -> RunnerInput {
    RunnerInput::Answer {
        answer,
        keep_until: 0,
    }
}
