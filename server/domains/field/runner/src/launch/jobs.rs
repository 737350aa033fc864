//! Jobs of the launcher: the second check, the fence, the start, and the end.

mod updates;

use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::Child,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::AtomicBool,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{
    abilities::MemoryLimit,
    admission::{AdmittedJob, ClaimedJob, DeviceView, admit},
    ids::{JobId, Sha256Hex},
    levels::SandboxLevel,
    sequence::SeenPackages,
};
use field_queue::report::{JobEnding, JobReport};
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};

use self::updates::LauncherUpdates;
use super::{
    ask::{BUSY, JobSums, LaunchAnswer, LaunchAsk, LaunchOrder},
    fence::StartFence,
    spool::{self, OutputSpool},
    verified_time::VerifiedTime,
};
use crate::{
    clock::{WallClock, system_clock},
    config::RunnerConfig,
    error::RunnerError,
    files,
    identity::EnrolledIdentity,
    journal::{load_seen, save_seen},
    roots::RootChain,
    sandbox::{
        self,
        bubblewrap::Bubblewrap,
        probe::{ProbedDevice, probe},
        systemd::{SystemdUnits, unit},
    },
    stage::{StageFrame, StagePlan, StagedLimits},
    starter::StartedProgram,
    texts,
};

/// Bytes of one record of a stage at most.
const MOST_FRAME: u64 = 128 * 1024;
/// Bytes of a sandbox's own complaint.
const MOST_COMPLAINT: u64 = 1024;

/// The launcher's state.
pub struct Launcher {
    config: RunnerConfig,
    identity: EnrolledIdentity,
    probed: ProbedDevice,
    fence: StartFence,
    wall: WallClock,
    bubblewrap: Option<Bubblewrap>,
    systemd: SystemdUnits,
    trust: Mutex<LauncherTrust>,
    running: Arc<Mutex<Option<RunningSandbox>>>,
    updates: LauncherUpdates,
    /// Another program was installed: no job starts before the launcher has made way for it.
    replaced: AtomicBool,
}

struct LauncherTrust {
    roots: RootChain,
    seen: SeenPackages,
    time: VerifiedTime,
}

struct RunningSandbox {
    job: JobId,
    pid: u32,
    level: SandboxLevel,
    /// The reason that it was ended early.
    cut: Option<JobEnding>,
}

/// The end of a job, on the disk before anybody is told.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SpooledEnd {
    report: JobReport,
    sandbox: String,
    sums: JobSums,
}

impl Launcher {
    /// Opens the launcher's memory, ends what an earlier launcher left, and probes the sandboxes.
    ///
    /// # Errors
    /// If the device is not enrolled, or the memory can't be read: then nothing may start.
    pub fn open(config: RunnerConfig) -> Result<Self, RunnerError> {
        let identity = EnrolledIdentity::load(&config)?;
        files::make_private_folder(&config.fence).map_err(RunnerError::file(&config.fence))?;
        spool::make_folder(&config.fence).map_err(RunnerError::file(&config.fence))?;
        let roots = RootChain::load(&config.settings, &config.fence, &identity.root_key)?;
        SystemdUnits::end_leftovers();
        let stage = sandbox::own_program()?;
        let probed = probe(&config);
        let seen = load_seen(&config.fence)?;
        Ok(Self {
            bubblewrap: Bubblewrap::new(&config, &stage).ok(),
            systemd: SystemdUnits::new(&stage),
            fence: StartFence::open(&config.fence)?,
            trust: Mutex::new(LauncherTrust {
                roots,
                seen,
                time: VerifiedTime::load(&config.fence)?,
            }),
            running: Arc::default(),
            updates: LauncherUpdates::open(&config, StartedProgram::of_environment())?,
            replaced: AtomicBool::new(false),
            wall: system_clock(),
            probed,
            identity,
            config,
        })
    }

    pub(super) fn answer(&self, ask: LaunchAsk) -> LaunchAnswer {
        let done = |result: Result<(), RunnerError>| match result {
            Ok(()) => LaunchAnswer::Done,
            Err(error) => {
                if !error.is_usual() {
                    tracing::warn!(code = error.code(), %error, "refused");
                }
                LaunchAnswer::Refused {
                    code: error.code().to_owned(),
                    message: error.to_string(),
                }
            }
        };
        match ask {
            LaunchAsk::Abilities => LaunchAnswer::Abilities {
                abilities: self.probed.abilities.clone(),
                probes: self.probed.lines.clone(),
            },
            LaunchAsk::Root { envelope } => done(self.add_root(&envelope)),
            LaunchAsk::Check(order) => done(self.check(&order)),
            LaunchAsk::Launch(order) => done(self.launch(&order)),
            LaunchAsk::Look { job, offsets } => self.look(&job, offsets),
            LaunchAsk::Kill { job } => {
                self.cut(&job, JobEnding::Cancelled);
                LaunchAnswer::Done
            }
            LaunchAsk::Forget { job } => {
                let folder = spool::folder(&self.config.fence, job.as_str());
                let busy = self.running().as_ref().is_some_and(|it| it.job == job);
                done(if busy {
                    Err(refused(BUSY, texts::BUSY))
                } else {
                    spool::forget(&folder).map_err(RunnerError::file(folder))
                })
            }
            LaunchAsk::Release(order) => done(self.would_install(&order)),
            LaunchAsk::Install(order) => done(self.install(&order)),
            LaunchAsk::Program => LaunchAnswer::Program(self.updates.report()),
            LaunchAsk::Reported { program } => done(self.updates.reported(&program)),
        }
    }

    fn add_root(&self, envelope: &str) -> Result<(), RunnerError> {
        let bytes = BASE64_STANDARD.decode(envelope);
        let bytes = bytes.map_err(|_| RunnerError::Answer("root"))?;
        self.trust().roots.add(&bytes)
    }

    /// The whole check once more, with the launcher's own memory: whoever has the runner has no signature.
    fn admit(&self, order: &LaunchOrder) -> Result<AdmittedJob, RunnerError> {
        let bytes = BASE64_STANDARD.decode(&order.package);
        let bytes = bytes.map_err(|_| RunnerError::Answer("package"))?;
        let mut trust = self.trust();
        let clock = trust.time.clock((self.wall)(), order.time)?;
        let veto = self.config.veto()?;
        let claim = ClaimedJob {
            job: order.job.clone(),
            package: Sha256Hex::digest(&bytes),
        };
        let view = DeviceView {
            device: &self.identity.device,
            key: &self.identity.key,
            site: &self.identity.site,
            server: &self.identity.server,
            root: trust.roots.newest(),
            seen: &trust.seen,
            abilities: &self.probed.abilities,
            veto: &veto,
            clock,
        };
        admit(&bytes, &view, &claim)
            .map_err(|refusal| refused(refusal.code(), &refusal.to_string()))
    }

    /// The check alone. Of what passes it, it can be certain later that it never started.
    fn check(&self, order: &LaunchOrder) -> Result<(), RunnerError> {
        let admitted = self.admit(order)?;
        let _nothing_starts = self.running();
        self.fence.announce(&admitted.manifest.job)
    }

    fn launch(&self, order: &LaunchOrder) -> Result<(), RunnerError> {
        let admitted = self.admit(order)?;
        let job = admitted.manifest.job.clone();
        let mut running = self.running();
        if running.is_some() || self.is_replaced() {
            return Err(refused(BUSY, texts::BUSY));
        }
        let (memory, staged) = self.limits(admitted.sandbox);
        let plan = StagePlan::of(&admitted, memory, staged);
        let command = match (admitted.sandbox, &self.bubblewrap) {
            (SandboxLevel::Bubblewrap, Some(it)) => it.command(&admitted.manifest),
            (SandboxLevel::Systemd, _) => self.systemd.command(&admitted.manifest),
            _ => return Err(refused("sandbox", texts::NO_USER_NAMESPACES)),
        };
        // From here on this job never starts again, whatever happens.
        self.fence.pass(&job)?;
        self.remember(&admitted)?;
        let folder = spool::folder(&self.config.fence, job.as_str());
        files::make_private_folder(&folder).map_err(RunnerError::file(&folder))?;
        let cap = admitted.manifest.caps.output;
        let spool = OutputSpool::create(&folder, cap, plan.rows());
        let spool = spool.map_err(RunnerError::file(&folder))?;
        let (started, child) = mpsc::sync_channel(1);
        let followed = FollowedJob {
            folder,
            level: admitted.sandbox,
            limit: Duration::from_secs(u64::from(admitted.manifest.timeout_s)),
            running: Arc::clone(&self.running),
            job: job.clone(),
        };
        // A sandbox dies with the thread that started it: this thread lives as long as the job.
        thread::spawn(move || match sandbox::start(command, &plan) {
            Ok(child) => {
                let _told = started.send(Ok(child.id()));
                followed.follow(child, spool);
            }
            Err(error) => {
                let _told = started.send(Err(error));
            }
        });
        let pid = child.recv();
        let pid = pid.map_err(|error| RunnerError::Sandbox(error.to_string()))??;
        // By this digest it is found in the server's audit.
        let approval = admitted.manifest.approval.digest.as_str();
        let sandbox = level_word(admitted.sandbox);
        tracing::info!(%job, sandbox, approval, "job started");
        *running = Some(RunningSandbox {
            job,
            pid,
            level: admitted.sandbox,
            cut: None,
        });
        Ok(())
    }

    fn limits(&self, level: SandboxLevel) -> (MemoryLimit, StagedLimits) {
        let found = self.probed.abilities.levels.get(&level);
        let memory = found.map_or(MemoryLimit::None, |it| it.memory);
        let staged = match level {
            SandboxLevel::Systemd => StagedLimits::FilesOnly,
            _ => StagedLimits::All,
        };
        (memory, staged)
    }

    fn remember(&self, admitted: &AdmittedJob) -> Result<(), RunnerError> {
        let mut trust = self.trust();
        let manifest = &admitted.manifest;
        trust.seen.remember(
            &admitted.signers,
            manifest.seq,
            &manifest.nonce,
            manifest.expires,
            admitted.at,
        );
        trust.time.raise(manifest.issued)?;
        save_seen(&self.config.fence, &trust.seen)
    }

    fn look(&self, job: &JobId, offsets: [u64; 3]) -> LaunchAnswer {
        let folder = spool::folder(&self.config.fence, job.as_str());
        let runs = self.running().as_ref().is_some_and(|it| it.job == *job);
        if runs {
            let pieces = spool::pieces(&folder, offsets);
            return LaunchAnswer::Running { pieces };
        }
        let end = files::read(&folder.join("end.json")).ok().flatten();
        let end = end.and_then(|bytes| serde_json::from_slice::<SpooledEnd>(&bytes).ok());
        match end {
            Some(end) => LaunchAnswer::Ended {
                report: end.report,
                sandbox: end.sandbox,
                sums: end.sums,
                pieces: spool::pieces(&folder, offsets),
            },
            // An order that is late must not make a lie of this answer.
            None if self.fence.bar(job) => LaunchAnswer::NeverStarted,
            // Behind the fence without an end: nobody knows.
            None => LaunchAnswer::Nothing {
                rebooted: self.fence.rebooted_since(job).unwrap_or(false),
                begun: spool::has_begun(&folder),
                pieces: spool::whole_pieces(&folder, offsets),
            },
        }
    }

    fn cut(&self, job: &JobId, how: JobEnding) {
        if let Some(running) = self.running().as_mut().filter(|it| it.job == *job) {
            running.cut.get_or_insert(how);
            end_sandbox(running.level, running.pid, job);
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<RunningSandbox>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trust(&self) -> MutexGuard<'_, LauncherTrust> {
        self.trust.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job whose records are read to the end.
struct FollowedJob {
    folder: std::path::PathBuf,
    level: SandboxLevel,
    limit: Duration,
    running: Arc<Mutex<Option<RunningSandbox>>>,
    job: JobId,
}

impl FollowedJob {
    fn follow(self, mut child: Child, mut spool: OutputSpool) {
        let began = Instant::now();
        let pid = child.id();
        let complaint = child.stderr.take().map(|pipe| {
            thread::spawn(move || {
                let mut text = String::new();
                let mut pipe = pipe;
                let _read = (&mut pipe).take(MOST_COMPLAINT).read_to_string(&mut text);
                let _drained = std::io::copy(&mut pipe, &mut std::io::sink());
                text
            })
        });
        let (frames, arrived) = mpsc::sync_channel(64);
        let reader = child.stdout.take().map(|pipe| {
            thread::spawn(move || {
                let mut pipe = BufReader::new(pipe);
                loop {
                    let mut line = Vec::new();
                    let read = (&mut pipe).take(MOST_FRAME).read_until(b'\n', &mut line);
                    let frame = serde_json::from_slice::<StageFrame>(&line);
                    let (Ok(1..), Ok(frame)) = (read, frame) else {
                        return;
                    };
                    if frames.send(frame).is_err() {
                        return;
                    }
                }
            })
        });
        let mut own_end = None;
        let mut cut = None;
        loop {
            let left = self.limit.saturating_sub(began.elapsed());
            match arrived.recv_timeout(left) {
                Ok(frame) => {
                    let begins = matches!(frame, StageFrame::Begin { .. });
                    match spool.take(frame) {
                        Ok(end) => {
                            own_end = own_end.or(end);
                            if begins {
                                // A stage that is gone begins nothing, and is noticed below.
                                let _gone = sandbox::let_begin(&mut child);
                            }
                        }
                        Err(error) => {
                            tracing::error!(%error, job = %self.job, "output not kept");
                            cut = cut.or(Some(JobEnding::Output));
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => cut = cut.or(Some(JobEnding::Timeout)),
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if spool.is_flooded() {
                cut = cut.or(Some(JobEnding::Output));
            }
            if cut.is_some() {
                end_sandbox(self.level, pid, &self.job);
                // Whatever is still in the pipe is no longer of interest.
                break;
            }
        }
        drop(arrived);
        // From here on the number may become that of another process: nobody kills by it any more.
        if let Some(running) = self.running().as_mut() {
            running.pid = 0;
        }
        if own_end.is_none() {
            end_sandbox(self.level, pid, &self.job);
        }
        let _status = child.wait();
        let _read = reader.map(thread::JoinHandle::join);
        let complaint = complaint.and_then(|it| it.join().ok()).unwrap_or_default();
        let result = match self.level {
            SandboxLevel::Systemd => SystemdUnits::result(&unit(&self.job)),
            _ => None,
        };
        let asked = self.running().as_ref().and_then(|it| it.cut);
        let how = match result.as_deref() {
            Some("oom-kill") => JobEnding::Memory,
            Some("timeout") => JobEnding::Timeout,
            _ => cut
                .or(asked)
                .or(own_end.map(|it| it.0))
                .unwrap_or(JobEnding::Lost),
        };
        if how == JobEnding::Lost {
            tracing::error!(job = %self.job, complaint = complaint.escape_debug().to_string(), "sandbox died");
        }
        let report = JobReport {
            how,
            wall_ms: u64::try_from(began.elapsed().as_millis()).ok(),
            cpu_ms: own_end.and_then(|it| it.1),
            peak_bytes: None,
            tasks: None,
            output_bytes: Some(spool.raw()),
        };
        self.write_end(report, spool);
        *self.running() = None;
    }

    fn running(&self) -> MutexGuard<'_, Option<RunningSandbox>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_end(&self, report: JobReport, spool: OutputSpool) {
        let written = spool.close().and_then(|sums| {
            let end = SpooledEnd {
                report,
                sandbox: level_word(self.level).to_owned(),
                sums,
            };
            let bytes = serde_json::to_vec(&end)?;
            files::replace(&self.folder.join("end.json"), &bytes, 0o600)
        });
        // Without this file the end is unknown, which is true.
        if let Err(error) = written {
            tracing::error!(%error, job = %self.job, "end of a job not written");
        }
    }
}

fn end_sandbox(level: SandboxLevel, pid: u32, job: &JobId) {
    match level {
        SandboxLevel::Systemd => SystemdUnits::kill(&unit(job)),
        _ => {
            // Its namespace of processes dies with it, daemons too.
            if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
                let _gone = kill_process(pid, Signal::KILL);
            }
        }
    }
}

fn level_word(level: SandboxLevel) -> &'static str {
    match level {
        SandboxLevel::Bubblewrap => "bubblewrap",
        SandboxLevel::Systemd => "systemd",
        SandboxLevel::Podman => "podman",
        SandboxLevel::Nsjail => "nsjail",
    }
}

fn refused(code: &str, message: &str) -> RunnerError {
    RunnerError::Refused {
        code: code.to_owned(),
        message: message.to_owned(),
    }
}
