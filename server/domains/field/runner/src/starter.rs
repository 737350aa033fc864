//! The starter of both services: it starts the newest program that works here.
//!
//! It is the packaged program, which no release replaces, so the way back never depends on the program that
//! failed. The launcher's starter is root's: it counts the starts of a program on trial and gives it up if it
//! does not report. The runner's starter only reads, and ends its program when another one takes its place.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use field_package::{hex, ids::Sha256Hex, release::ReleaseVersion};
use rustix::process::{Signal, set_parent_process_death_signal};
use sha2::{Digest as _, Sha256};

use crate::{
    config::RunnerConfig,
    error::RunnerError,
    programs::{ProgramFolder, TRIAL},
    sandbox::own_program,
};

/// Variable with the digest of the program that was started.
const PROGRAM_VARIABLE: &str = "JARVIS_RUNNER_PROGRAM";
/// Variable with the version of the packaged program.
const PACKAGED_VARIABLE: &str = "JARVIS_RUNNER_PACKAGED";
/// Time between two looks at a program on trial, or at the program's file.
const LOOK: Duration = Duration::from_secs(1);

/// The program that a starter started, in the words of its environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedProgram {
    /// Version of the packaged program.
    pub packaged: ReleaseVersion,
    pub sha256: Sha256Hex,
}

/// The starter of one service.
#[derive(Debug)]
pub struct ProgramStarter {
    packaged_program: PathBuf,
    packaged: ReleaseVersion,
    programs: PathBuf,
    arguments: Vec<OsString>,
    trial: Duration,
}

/// The end of a trial, as the starter sees it.
enum TrialEnd {
    Reported,
    Overdue,
    Ended(ExitStatus),
}

impl StartedProgram {
    /// None if a person started this program: then it is not replaced.
    pub fn of_environment() -> Option<Self> {
        let packaged = std::env::var(PACKAGED_VARIABLE).ok()?;
        let sha256 = std::env::var(PROGRAM_VARIABLE).ok()?;
        Some(Self {
            packaged: ReleaseVersion::read(&packaged).ok()?,
            sha256: Sha256Hex::new(&sha256).ok()?,
        })
    }

    /// Lets this process end with its starter: two launchers at once would each believe that they are alone.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn end_with_starter() -> Result<(), RunnerError> {
        set_parent_process_death_signal(Some(Signal::KILL))
            .map_err(|error| RunnerError::Launcher(error.to_string()))
    }
}

impl ProgramStarter {
    /// A starter of this program, which is the packaged one, with the arguments of a service.
    ///
    /// # Errors
    /// If the system does not tell which program this is.
    pub fn new(config: &RunnerConfig, arguments: Vec<OsString>) -> Result<Self, RunnerError> {
        Ok(Self {
            packaged_program: own_program()?,
            packaged: packaged_version(),
            programs: config.programs.clone(),
            arguments,
            trial: TRIAL,
        })
    }

    /// Runs the launcher's program until it ends. One on trial is given up after too many starts, or if it
    /// does not report in time; the next start is that of the program before it.
    ///
    /// # Errors
    /// If no program can be started, or the folder of programs can't be read or written.
    pub fn launch(&self) -> Result<Option<ExitStatus>, RunnerError> {
        let mut folder = self.folder()?;
        if folder.started()? {
            self.log_given_up(&folder);
        }
        let (program, on_trial) = (folder.program()?, folder.is_on_trial());
        // From here on the program writes there, until it ends.
        drop(folder);
        let mut child = self.start(program.as_deref(), on_trial)?;
        if on_trial {
            match self.wait_for_report(&mut child)? {
                TrialEnd::Ended(status) => return Ok(Some(status)),
                TrialEnd::Reported => {}
                TrialEnd::Overdue => {
                    end(&mut child)?;
                    let mut folder = self.folder()?;
                    // It may have reported at the last moment.
                    if folder.overdue(TRIAL)? {
                        self.log_given_up(&folder);
                    }
                    return Ok(None);
                }
            }
        }
        child.wait().map(Some).map_err(process_failed)
    }

    /// Runs the runner's program until it ends, or another program takes its place.
    ///
    /// # Errors
    /// If no program can be started.
    pub fn run(&self) -> Result<Option<ExitStatus>, RunnerError> {
        let current = self.programs.join("current");
        let before = identity(&current)?;
        let mut child = self.start(before.map(|_| &*current), false)?;
        loop {
            if let Some(status) = child.try_wait().map_err(process_failed)? {
                return Ok(Some(status));
            }
            if identity(&current)? != before {
                tracing::info!("another version took the program's place, runner restarts");
                end(&mut child)?;
                return Ok(None);
            }
            thread::sleep(LOOK);
        }
    }

    fn folder(&self) -> Result<ProgramFolder, RunnerError> {
        ProgramFolder::open(&self.programs, self.packaged)
    }

    /// Starts a program, the packaged one if there is none. If one that has reported does not start now,
    /// the packaged one runs as well: a damaged file must not end the service.
    fn start(&self, program: Option<&Path>, on_trial: bool) -> Result<Child, RunnerError> {
        if let Some(program) = program {
            match self.spawn(program) {
                Err(error) if !on_trial => {
                    tracing::error!(%error, "installed version does not start, the packaged one runs");
                }
                started => return started.map_err(RunnerError::file(program)),
            }
        }
        let program = &self.packaged_program;
        self.spawn(program).map_err(RunnerError::file(program))
    }

    fn spawn(&self, program: &Path) -> io::Result<Child> {
        Command::new(program)
            .args(&self.arguments)
            .env(PACKAGED_VARIABLE, self.packaged.to_string())
            .env(PROGRAM_VARIABLE, digest(program)?)
            .spawn()
    }

    fn wait_for_report(&self, child: &mut Child) -> Result<TrialEnd, RunnerError> {
        let began = Instant::now();
        while began.elapsed() < self.trial {
            if let Some(status) = child.try_wait().map_err(process_failed)? {
                return Ok(TrialEnd::Ended(status));
            }
            if !ProgramFolder::has_trial(&self.programs)? {
                return Ok(TrialEnd::Reported);
            }
            thread::sleep(LOOK.min(self.trial));
        }
        Ok(TrialEnd::Overdue)
    }

    fn log_given_up(&self, folder: &ProgramFolder) {
        let Some(failure) = folder.failure() else {
            return;
        };
        tracing::error!(
            failed = %failure.version,
            reason = failure.reason.word(),
            tries = failure.tries,
            retried = failure.is_retried(),
            version = %folder.version(),
            "version did not report and was given up, the one before runs"
        );
    }
}

/// The version of this program, without what may follow its three numbers.
pub(crate) fn packaged_version() -> ReleaseVersion {
    let version = env!("CARGO_PKG_VERSION").split(['-', '+']).next();
    ReleaseVersion::read(version.unwrap_or_default()).unwrap_or_default()
}

/// Device and number of a file, which change when another one takes its place. None if there is none.
fn identity(path: &Path) -> Result<Option<(u64, u64)>, RunnerError> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some((found.dev(), found.ino()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RunnerError::file(path)(error)),
    }
}

/// SHA-256 of a file.
pub(crate) fn digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex::write(&digest.finalize())),
            length => digest.update(&piece[..length]),
        }
    }
}

fn end(child: &mut Child) -> Result<(), RunnerError> {
    // One that has ended already is no error.
    child.kill().map_err(process_failed)?;
    child.wait().map(drop).map_err(process_failed)
}

fn process_failed(error: io::Error) -> RunnerError {
    RunnerError::Launcher(error.to_string())
}

#[cfg(test)]
mod tests;
