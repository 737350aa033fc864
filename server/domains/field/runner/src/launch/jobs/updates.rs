//! Releases at the launcher: verified again with its own root documents, read out of the runner's folder,
//! installed between jobs. Whoever has the runner can make root run nothing that was not signed.

use std::{
    fs::OpenOptions,
    io::{self, Read as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{
    clock::DeviceClock,
    ids::Sha256Hex,
    release::{ReleaseRefusal, ReleaseVersion, RunnerRelease},
    root::TrustedRoot,
};

use super::{Launcher, refused};
use crate::{
    config::RunnerConfig,
    error::RunnerError,
    launch::{
        UpdateOrder,
        ask::{BUSY, FailedVersion, OTHER_PROGRAM, ProgramReport},
    },
    programs::{ProgramFolder, download_file, downloads_folder},
    starter::{StartedProgram, digest, packaged_version},
    texts,
};

/// The launcher's folder of programs. Without a starter there is none, and nothing is installed: nobody
/// would go back from a program that does not work.
pub(super) struct LauncherUpdates {
    enabled: bool,
    downloads: PathBuf,
    started: Option<StartedProgram>,
    /// Version of this very program.
    version: ReleaseVersion,
    programs: Mutex<Option<ProgramFolder>>,
}

impl LauncherUpdates {
    pub(super) fn open(
        config: &RunnerConfig,
        started: Option<StartedProgram>,
    ) -> Result<Self, RunnerError> {
        let programs = started
            .as_ref()
            .map(|it| ProgramFolder::open(&config.programs, it.packaged));
        let programs = programs.transpose()?;
        let version = match (&started, &programs) {
            (Some(started), Some(folder)) => running(started, folder)?,
            _ => packaged_version(),
        };
        Ok(Self {
            enabled: config.updates,
            downloads: downloads_folder(&config.state),
            programs: Mutex::new(programs),
            version,
            started,
        })
    }

    /// The program of this device, for its server.
    pub(super) fn report(&self) -> ProgramReport {
        let programs = self.programs();
        let failure = programs.as_ref().and_then(ProgramFolder::failure);
        ProgramReport {
            version: self.version.to_string(),
            failed: failure.map(|failure| FailedVersion {
                version: failure.version.to_string(),
                reason: failure.reason.word().to_owned(),
                tries: failure.tries,
                retried: failure.is_retried(),
            }),
        }
    }

    /// Checks that a release would be installed.
    fn admit(
        &self,
        envelope: &[u8],
        root: &TrustedRoot,
        clock: DeviceClock,
    ) -> Result<RunnerRelease, RunnerError> {
        let mut programs = self.programs();
        let folder = self.folder(&mut programs)?;
        if folder.is_on_trial() {
            return Err(RunnerError::Trial);
        }
        let time = clock.time().map_err(RunnerError::Clock)?;
        folder.admit(envelope, root, time.now)
    }

    /// Installs a release with the program in the runner's folder.
    fn install(
        &self,
        envelope: &[u8],
        root: &TrustedRoot,
        clock: DeviceClock,
    ) -> Result<ReleaseVersion, RunnerError> {
        let release = self.admit(envelope, root, clock)?;
        let program = read_download(&self.downloads, &release)?;
        let time = clock.time().map_err(RunnerError::Clock)?;
        let mut programs = self.programs();
        let folder = self.folder(&mut programs)?;
        folder.install(envelope, &program, root, time.now)
    }

    /// Ends the trial of a program whose runner has reported. The runner's word is enough: a runner that lies
    /// keeps only what was signed.
    pub(super) fn reported(&self, program: &Sha256Hex) -> Result<(), RunnerError> {
        let Some(started) = &self.started else {
            return Ok(());
        };
        let other = || refused(OTHER_PROGRAM, texts::OTHER_PROGRAM);
        if started.sha256 != *program {
            return Err(other());
        }
        let mut programs = self.programs();
        let Some(folder) = programs.as_mut() else {
            return Ok(());
        };
        let was_on_trial = folder.is_on_trial();
        if !folder.confirm_program(program)? {
            return Err(other());
        }
        if was_on_trial {
            tracing::info!(version = %folder.version(), "installed version has reported, it stays");
        }
        Ok(())
    }

    fn folder<'a>(
        &self,
        programs: &'a mut MutexGuard<'_, Option<ProgramFolder>>,
    ) -> Result<&'a mut ProgramFolder, RunnerError> {
        let folder = programs.as_mut().filter(|_| self.enabled);
        folder.ok_or_else(|| refused("updates_off", texts::UPDATES_OFF))
    }

    fn programs(&self) -> MutexGuard<'_, Option<ProgramFolder>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The version of the program that the starter started: if the installed one is damaged, it is the packaged one.
fn running(
    started: &StartedProgram,
    folder: &ProgramFolder,
) -> Result<ReleaseVersion, RunnerError> {
    let is_started = |path: &Path| digest(path).is_ok_and(|it| it == started.sha256.as_str());
    Ok(match folder.program()? {
        Some(path) if !is_started(&path) => started.packaged,
        _ => folder.version(),
    })
}

impl Launcher {
    /// True once another program was installed. The starter starts it when this process ends.
    pub(in crate::launch) fn is_replaced(&self) -> bool {
        self.replaced.load(Ordering::SeqCst)
    }

    pub(super) fn would_install(&self, order: &UpdateOrder) -> Result<(), RunnerError> {
        let envelope = decoded(order)?;
        let mut trust = self.trust();
        let clock = trust.time.clock((self.wall)(), order.time)?;
        let admitted = self.updates.admit(&envelope, trust.roots.newest(), clock);
        admitted.map(drop)
    }

    pub(super) fn install(&self, order: &UpdateOrder) -> Result<(), RunnerError> {
        let envelope = decoded(order)?;
        // Kept until the end, so that no job starts meanwhile.
        let running = self.running();
        if running.is_some() || self.is_replaced() {
            return Err(refused(BUSY, texts::BUSY));
        }
        let mut trust = self.trust();
        let clock = trust.time.clock((self.wall)(), order.time)?;
        let installed = self.updates.install(&envelope, trust.roots.newest(), clock);
        let version = installed?;
        self.replaced.store(true, Ordering::SeqCst);
        tracing::info!(%version, "new version installed, launcher restarts");
        Ok(())
    }
}

fn decoded(order: &UpdateOrder) -> Result<Vec<u8>, RunnerError> {
    let bytes = BASE64_STANDARD.decode(&order.envelope);
    bytes.map_err(|_| RunnerError::Answer("release"))
}

/// Reads a program from the runner's folder, where nothing is believed: no link is followed, no pipe is waited
/// for, and one byte more than was signed is read at most. The bytes that are checked later are these, so
/// nothing is gained by changing the file meanwhile.
fn read_download(folder: &Path, release: &RunnerRelease) -> Result<Vec<u8>, RunnerError> {
    let path = download_file(folder, &release.sha256);
    let read = || {
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
            .open(&path)?;
        let mut bytes = Vec::new();
        if file.metadata()?.is_file() {
            let mut file = file.take(release.bytes.saturating_add(1));
            file.read_to_end(&mut bytes)?;
        }
        Ok::<_, io::Error>(bytes)
    };
    read().map_err(|error| {
        // Root tells nobody what is there: a link could lead anywhere.
        tracing::debug!(%error, "program of a release not read");
        ReleaseRefusal::Bytes.into()
    })
}

#[cfg(test)]
mod tests;
