//! Inside a sandbox: runs the steps of a plan one after the other, and tells the launcher about them.
//!
//! The plan comes by standard input and records leave by standard output, so nothing of a script is in an
//! argument of a shell, a unit or bubblewrap. A step begins when the launcher has its beginning on the disk. Each
//! step is this program once more, which puts the limits on itself and then becomes the step's program: no code
//! runs between fork and exec.

mod cpu;
mod files;
mod frames;
mod guard;
mod limits;
mod plan;
mod processes;

use std::{
    io::{self, BufRead as _, Read, Write as _},
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use field_package::manifest::WORKDIR;
use field_queue::report::JobEnding;

pub use self::{
    frames::{FrameStream, StageFrame},
    guard::landlock_works,
    limits::become_step,
    plan::{StagePlan, StagedLimits, StagedStep, StepLimits},
};

use self::cpu::CpuShare;

/// Bytes of a plan at most.
const MOST_PLAN: u64 = 512 * 1024;
/// Bytes of output in one record.
const PIECE: usize = 16 * 1024;
/// Time between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(2);
/// Time between two looks at a job, where the stage enforces limits.
const LOOK: Duration = Duration::from_millis(20);
/// Path of this program inside sandbox B.
pub(crate) const STAGE: &str = "/stage";
/// Path of a free script inside.
const SCRIPT: &str = "/job/script";

/// Runs the plan of standard input to its end.
///
/// # Errors
/// If there is no plan, or the launcher is gone.
pub fn run() -> io::Result<()> {
    // It ends all processes of its user, which outside a sandbox are somebody's.
    if rustix::process::getuid().is_root() || std::env::current_dir()? != Path::new(WORKDIR) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // What a step writes into the launcher's pipe would pass for a record: no step opens our descriptors.
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    (&mut input).take(MOST_PLAN).read_until(b'\n', &mut bytes)?;
    let plan: StagePlan = serde_json::from_slice(&bytes)?;
    if let Some(script) = &plan.script {
        std::fs::write(SCRIPT, script)?;
    }
    let share = Arc::new(Mutex::new(CpuShare::new(plan.cpu_pct, plan.burst_ms)));
    if plan.cpu_pct.is_some() {
        let share = Arc::clone(&share);
        thread::spawn(move || hold(&share));
    }
    let began = Instant::now();
    let mut how = JobEnding::Exit(0);
    for step in &plan.steps {
        send(&StageFrame::Begin {
            step: step.number,
            at_ms: millis(began.elapsed()),
        })?;
        wait_to_begin(&mut input)?;
        let started = Instant::now();
        let end = one_step(step, &plan.limits);
        // What a step left behind must not outlive it, nor write into the output of the next one.
        let end = end.unwrap_or(JobEnding::Exit(126));
        send(&StageFrame::End {
            step: step.number,
            ms: millis(started.elapsed()),
            end,
        })?;
        how = end;
        if plan.stop_on_failure && end != JobEnding::Exit(0) {
            break;
        }
    }
    let cpu_ms = plan
        .cpu_pct
        .and_then(|_| share.lock().ok().map(|it| it.used_ms()));
    send(&StageFrame::Done { how, cpu_ms })
}

/// Waits until the beginning of a step is on the disk. Without a launcher nothing begins.
fn wait_to_begin(input: &mut impl Read) -> io::Result<()> {
    input.read_exact(&mut [0])
}

/// Keeps a job to its limits for as long as the stage lives.
fn hold(share: &Mutex<CpuShare>) {
    let mut stopped = false;
    loop {
        files::hold();
        stopped = cpu::hold(share, stopped);
        thread::sleep(LOOK);
    }
}

fn one_step(step: &StagedStep, limits: &StepLimits) -> io::Result<JobEnding> {
    let limits = serde_json::to_string(limits)?;
    let mut child = Command::new("/proc/self/exe")
        .args(["step", &limits, "--"])
        .args(&step.argv)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let readers = [
        child
            .stdout
            .take()
            .map(|pipe| follow(step.number, FrameStream::Out, pipe)),
        child
            .stderr
            .take()
            .map(|pipe| follow(step.number, FrameStream::Err, pipe)),
    ];
    let end = wait(&mut child, Duration::from_secs(u64::from(step.seconds)));
    processes::kill_all();
    for reader in readers.into_iter().flatten() {
        let _joined = reader.join();
    }
    end
}

/// Waits for a step; past its time it is asked to end, and then ended.
fn wait(child: &mut Child, limit: Duration) -> io::Result<JobEnding> {
    let group = child.id();
    let (ended, end) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            let _sent = ended.send(child.wait());
        });
        let mut timed_out = false;
        let mut patience = limit;
        loop {
            match end.recv_timeout(patience) {
                Ok(status) => {
                    let status = status?;
                    return Ok(if timed_out {
                        JobEnding::Timeout
                    } else {
                        ending(status)
                    });
                }
                Err(RecvTimeoutError::Timeout) if !timed_out => {
                    timed_out = true;
                    patience = GRACE;
                    processes::terminate_group(group);
                }
                Err(RecvTimeoutError::Timeout) => processes::kill_all(),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
    })
}

fn ending(status: ExitStatus) -> JobEnding {
    match (status.code(), status.signal()) {
        (Some(code), _) => JobEnding::Exit(code),
        (None, Some(number)) => JobEnding::Signal {
            number,
            core: status.core_dumped(),
        },
        (None, None) => JobEnding::Lost,
    }
}

fn follow(
    step: u32,
    stream: FrameStream,
    mut pipe: impl Read + Send + 'static,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut buffer = vec![0; PIECE];
        // Always drained: a step must not wait for its reader.
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            let frame = StageFrame::data(step, stream, &buffer[..length]);
            if send(&frame).is_err() {
                return;
            }
        }
    })
}

/// Sends one record, in one write.
fn send(frame: &StageFrame) -> io::Result<()> {
    let mut line = serde_json::to_vec(frame)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
