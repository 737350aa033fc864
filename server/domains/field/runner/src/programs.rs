//! Programs of the runner beside the packaged one: installed whole, tried, and given up if they do not
//! report.
//!
//! | file | what it is |
//! | --- | --- |
//! | `state.json` | version, lowest version that may follow, the program on trial |
//! | `current` | the program to run; without it the packaged one runs |
//! | `previous` | the one before, for the way back |
//! | `next` | a verified program that is not in use yet |
//!
//! Each file is replaced as a whole, in an order that the next start can finish from any point. A trial
//! counts starts and the time of one start, never the clock of the device, which may be wrong by years.
//!
//! A version that only failed to report is tried again, twice: the network may have been at fault. One that did
//! not start is not.

mod download;
mod state;

use std::{
    fs,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use field_package::{
    ids::Sha256Hex,
    release::{InstalledRunner, MAX_PROGRAM, ReleaseVersion, RunnerRelease},
    root::TrustedRoot,
};

use crate::{error::RunnerError, files};

pub(crate) use self::download::{download_file, downloads_folder};
pub use self::{
    download::ProgramDownload,
    state::{FailureReason, ProgramFailure},
};

use self::state::{ProgramState, ProgramTrial};

/// Starts of a program that never reported.
const MOST_STARTS: u32 = 3;
/// Time within which a program on trial reports.
pub const TRIAL: Duration = Duration::from_secs(5 * 60);

/// The folder of programs and its state.
#[derive(Debug)]
pub struct ProgramFolder {
    folder: PathBuf,
    state: ProgramState,
}

/// A point of an installation or of the way back, after which a test stops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InstallPoint {
    NextWritten,
    PreviousKept,
    StateWritten,
    ReasonKept,
    ProgramBack,
    NextRemoved,
    Done,
}

impl ProgramFolder {
    /// Opens the folder, and finishes an installation or a way back that was interrupted. `packaged` is the
    /// version of the packaged program, which runs if it is as new as the installed one and no trial stands.
    ///
    /// # Errors
    /// If a file can't be read or written.
    pub fn open(folder: &Path, packaged: ReleaseVersion) -> Result<Self, RunnerError> {
        fs::create_dir_all(folder).map_err(RunnerError::file(folder))?;
        make_enterable(folder)?;
        let state = ProgramState::read(folder)?.unwrap_or_else(|| ProgramState::new(packaged));
        let folder = folder.to_owned();
        let mut opened = Self { folder, state };
        opened.take_next()?;
        if let Some(reason) = opened.must_go_back()? {
            opened.give_up(reason)?;
        }
        opened.prefer_packaged(packaged)?;
        Ok(opened)
    }

    /// True while a program has not reported, as the process that installs programs wrote it. Nothing is
    /// repaired: that process may be running.
    ///
    /// # Errors
    /// If the state can't be read.
    pub fn has_trial(folder: &Path) -> Result<bool, RunnerError> {
        Ok(ProgramState::read(folder)?.is_some_and(|state| state.trial.is_some()))
    }

    pub fn version(&self) -> ReleaseVersion {
        self.state.version
    }

    /// The version that was given up last, None if what is installed is as new. Only a newer one is installed, or
    /// the same once more if it is retried.
    pub fn failure(&self) -> Option<ProgramFailure> {
        let failure = self.state.failure();
        failure.filter(|it| it.version > self.version())
    }

    /// True while the program has not reported yet.
    pub fn is_on_trial(&self) -> bool {
        self.state.trial.is_some()
    }

    /// The program to run, None for the packaged one.
    ///
    /// # Errors
    /// If the folder can't be read.
    pub fn program(&self) -> Result<Option<PathBuf>, RunnerError> {
        let path = self.file("current");
        let exists = path.try_exists().map_err(RunnerError::file(&path))?;
        Ok(exists.then_some(path))
    }

    /// Checks that a release may be installed here, before its program is fetched. The first offer of a version
    /// that did not report begins its wait.
    ///
    /// # Errors
    /// If it may not, or not yet, or the state can't be written.
    pub fn admit(
        &mut self,
        envelope: &[u8],
        root: &TrustedRoot,
        now: u64,
    ) -> Result<RunnerRelease, RunnerError> {
        let release = RunnerRelease::verified(envelope, root)?;
        let retried = self.failure();
        let retried = retried.filter(|it| it.version == release.version && it.is_retried());
        let installed = InstalledRunner {
            // What failed here is not tried again, with the one exception.
            version: match retried {
                Some(_) => self.version(),
                None => self.state.failed.unwrap_or_default().max(self.version()),
            },
            minimum: self.state.minimum,
            architecture: std::env::consts::ARCH,
        };
        release.admit(&installed, root, now)?;
        if let Some(failure) = retried {
            self.await_retry(failure, now)?;
        }
        Ok(release)
    }

    /// Waits for the next try of a version. The wait begins when the version is offered: then the server answers
    /// the installed one, and the time is known. Each write moves the end to an earlier time, so a runner that lies
    /// about the time causes few.
    fn await_retry(&mut self, failure: ProgramFailure, now: u64) -> Result<(), RunnerError> {
        let latest = now.saturating_add(failure.wait_s().unwrap_or_default());
        match failure.retry_at {
            Some(at) if at <= now => return Ok(()),
            Some(at) if at <= latest => {}
            // Not begun, or the clock went back: that makes no wait longer.
            _ => self.write(ProgramState {
                failure: Some(ProgramFailure {
                    retry_at: Some(latest),
                    ..failure
                }),
                ..self.state.clone()
            })?,
        }
        Err(RunnerError::RetryLater)
    }

    /// Installs a program, for the next start. It is on trial until [`Self::confirm`].
    ///
    /// # Errors
    /// If the release may not be installed, the program is another one, one is on trial already, or a file
    /// can't be written.
    pub fn install(
        &mut self,
        envelope: &[u8],
        program: &[u8],
        root: &TrustedRoot,
        now: u64,
    ) -> Result<ReleaseVersion, RunnerError> {
        self.install_until(envelope, program, root, now, InstallPoint::Done)
    }

    fn install_until(
        &mut self,
        envelope: &[u8],
        program: &[u8],
        root: &TrustedRoot,
        now: u64,
        last: InstallPoint,
    ) -> Result<ReleaseVersion, RunnerError> {
        if self.is_on_trial() {
            return Err(RunnerError::Trial);
        }
        let release = self.admit(envelope, root, now)?;
        release.check_program(program)?;
        let next = self.file("next");
        files::replace(&next, program, 0o755).map_err(RunnerError::file(&next))?;
        // A service's mask takes the rights of others, and the runner is another user.
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&next, mode).map_err(RunnerError::file(&next))?;
        if last == InstallPoint::NextWritten {
            return Ok(release.version);
        }
        self.keep_previous()?;
        if last == InstallPoint::PreviousKept {
            return Ok(release.version);
        }
        self.write(ProgramState {
            version: release.version,
            minimum: self.state.minimum.max(release.minimum),
            trial: Some(ProgramTrial {
                before: self.version(),
                sha256: release.sha256,
                starts: 0,
                ended: None,
            }),
            ..self.state.clone()
        })?;
        if last == InstallPoint::StateWritten {
            return Ok(release.version);
        }
        self.take_next()?;
        Ok(release.version)
    }

    /// Counts a start of the program. True if it was given up instead: then the one before is in its place.
    ///
    /// # Errors
    /// If a file can't be written: then nothing may start.
    pub fn started(&mut self) -> Result<bool, RunnerError> {
        let mut state = self.state.clone();
        let Some(trial) = &mut state.trial else {
            return Ok(false);
        };
        if trial.starts >= MOST_STARTS {
            self.give_up(FailureReason::NoStart)?;
            return Ok(true);
        }
        trial.starts += 1;
        self.write(state)?;
        Ok(false)
    }

    /// Gives a program up that has run for this long and has not reported. True if it did.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn overdue(&mut self, running: Duration) -> Result<bool, RunnerError> {
        if !self.is_on_trial() || running < TRIAL {
            return Ok(false);
        }
        self.give_up(FailureReason::NoReport)?;
        Ok(true)
    }

    /// Ends the trial of exactly this program, which has reported to the server. False if another one is on
    /// trial.
    ///
    /// # Errors
    /// If the state can't be written.
    pub fn confirm_program(&mut self, program: &Sha256Hex) -> Result<bool, RunnerError> {
        match &self.state.trial {
            Some(trial) if trial.sha256 != *program => Ok(false),
            _ => self.confirm().map(|()| true),
        }
    }

    /// Ends the trial: the program has reported to the server.
    ///
    /// # Errors
    /// If the state can't be written.
    pub fn confirm(&mut self) -> Result<(), RunnerError> {
        if !self.is_on_trial() {
            return Ok(());
        }
        self.write(ProgramState {
            trial: None,
            ..self.state.clone()
        })
    }

    /// Puts the program before in its place. Repeating it changes nothing, so the state comes last.
    fn give_up(&mut self, reason: FailureReason) -> Result<(), RunnerError> {
        self.give_up_until(reason, InstallPoint::Done)
    }

    fn give_up_until(
        &mut self,
        reason: FailureReason,
        last: InstallPoint,
    ) -> Result<(), RunnerError> {
        let Some(mut trial) = self.state.trial.clone() else {
            return Ok(());
        };
        if trial.ended.is_none() {
            trial.ended = Some(reason);
            self.write(ProgramState {
                trial: Some(trial.clone()),
                ..self.state.clone()
            })?;
        }
        if last == InstallPoint::ReasonKept {
            return Ok(());
        }
        let (previous, current) = (self.file("previous"), self.file("current"));
        if previous
            .try_exists()
            .map_err(RunnerError::file(&previous))?
        {
            link_over(&previous, &current)?;
        } else {
            // Before it there was the packaged one.
            remove(&current)?;
        }
        if last == InstallPoint::ProgramBack {
            return Ok(());
        }
        remove(&self.file("next"))?;
        if last == InstallPoint::NextRemoved {
            return Ok(());
        }
        self.write(ProgramState {
            version: trial.before,
            failed: Some(self.state.version),
            failure: Some(self.state.failed_now(reason)),
            trial: None,
            ..self.state.clone()
        })
    }

    /// The reason of a way back that was interrupted. A trial whose program is not in use is one as well: what
    /// reports then would confirm a version that does not run.
    fn must_go_back(&self) -> Result<Option<FailureReason>, RunnerError> {
        let Some(trial) = &self.state.trial else {
            return Ok(None);
        };
        if trial.ended.is_some() {
            return Ok(trial.ended);
        }
        let program = read_program(&self.file("current"))?;
        let runs = program.is_some_and(|program| Sha256Hex::digest(&program) == trial.sha256);
        Ok((!runs).then_some(FailureReason::NoStart))
    }

    /// Lets a packaged program run that is as new as the installed one. The state comes first, so that a
    /// removal that was interrupted is done by the next start.
    fn prefer_packaged(&mut self, packaged: ReleaseVersion) -> Result<(), RunnerError> {
        if self.is_on_trial() || packaged < self.version() {
            return Ok(());
        }
        if packaged > self.version() {
            self.write(ProgramState {
                version: packaged,
                ..self.state.clone()
            })?;
        }
        remove(&self.file("current"))
    }

    /// Keeps the program in use for the way back.
    fn keep_previous(&self) -> Result<(), RunnerError> {
        let previous = self.file("previous");
        match self.program()? {
            Some(current) => link_over(&current, &previous),
            None => remove(&previous),
        }
    }

    /// Gives the program on trial its name, unless it has it.
    fn take_next(&self) -> Result<(), RunnerError> {
        let Some(trial) = &self.state.trial else {
            return Ok(());
        };
        let (next, current) = (self.file("next"), self.file("current"));
        let program = read_program(&next)?;
        // Another file of that name belongs to no trial.
        if program.is_none_or(|program| Sha256Hex::digest(&program) != trial.sha256) {
            return Ok(());
        }
        fs::rename(&next, &current).map_err(RunnerError::file(&current))?;
        files::sync_folder(&current).map_err(RunnerError::file(current))
    }

    fn write(&mut self, state: ProgramState) -> Result<(), RunnerError> {
        let path = self.file("state.json");
        let bytes = serde_json::to_vec(&state).map_err(io::Error::from);
        let bytes = bytes.map_err(RunnerError::file(&path))?;
        files::replace(&path, &bytes, 0o644).map_err(RunnerError::file(path))?;
        self.state = state;
        Ok(())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Lets everybody enter the folder. A service's mask takes the rights of others, and the runner is another
/// user.
fn make_enterable(folder: &Path) -> Result<(), RunnerError> {
    let found = fs::metadata(folder).map_err(RunnerError::file(folder))?;
    if found.permissions().mode() & 0o777 == 0o755 {
        return Ok(());
    }
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder, mode).map_err(RunnerError::file(folder))
}

/// Reads a program, None if there is none. A larger file is cut, and then has another digest.
fn read_program(path: &Path) -> Result<Option<Vec<u8>>, RunnerError> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RunnerError::file(path)(error)),
    };
    let mut bytes = Vec::new();
    let mut file = file.take(MAX_PROGRAM + 1);
    file.read_to_end(&mut bytes)
        .map_err(RunnerError::file(path))?;
    Ok(Some(bytes))
}

/// Gives a file a second name, in place of what had it. A reader finds the old file or the new one.
fn link_over(from: &Path, to: &Path) -> Result<(), RunnerError> {
    let part = to.with_extension("link");
    remove(&part)?;
    fs::hard_link(from, &part).map_err(RunnerError::file(&part))?;
    fs::rename(&part, to).map_err(RunnerError::file(to))?;
    // Of two names of one file a rename changes nothing, and leaves both.
    remove(&part)?;
    files::sync_folder(to).map_err(RunnerError::file(to))
}

fn remove(path: &Path) -> Result<(), RunnerError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RunnerError::file(path)(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
