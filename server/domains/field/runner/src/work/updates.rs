//! Updates: now and then, and between jobs, the runner asks for a release, fetches its program, and hands both
//! to the launcher, which verifies them again and installs the program.

use std::time::{Duration, Instant};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::release::{ReleaseRefusal, RunnerRelease};

use super::FieldRunner;
use crate::{
    error::RunnerError,
    launch::{BUSY, LaunchAsk, OTHER_PROGRAM, UpdateOrder},
    programs::{ProgramDownload, downloads_folder},
};

/// Longest time for a part of a download. Jobs are claimed before the next part.
const PART: Duration = Duration::from_secs(60);
/// First pause after a failure; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(60);

/// Codes of the launcher's usual refusals of a release: nothing is fetched, and nothing is wrong.
const NOT_NOW: [&str; 2] = ["release_not_newer", "release_retried_later"];

/// The time of the next request for a release.
pub(super) struct UpdateSchedule {
    period: Duration,
    due: Instant,
    failures: u32,
}

/// The end of a request for a release.
enum UpdateProgress {
    /// There is none that this device would install.
    Current,
    /// A part of its program was fetched.
    Unfinished,
    Installed,
}

impl UpdateSchedule {
    pub(super) fn new(minutes: u32) -> Self {
        Self {
            period: Duration::from_secs(u64::from(minutes) * 60),
            due: Instant::now(),
            failures: 0,
        }
    }

    fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// With jitter: after a fault many devices come back at once.
    fn answered(&mut self) {
        self.failures = 0;
        self.due = Instant::now() + self.period.mul_f64(rand::random_range(0.75..=1.0));
    }

    fn failed(&mut self) {
        let pause = FIRST_PAUSE * (1_u32 << self.failures.min(10));
        self.failures += 1;
        self.due = Instant::now() + pause.min(self.period);
    }
}

impl FieldRunner {
    /// Tells the launcher that the server has answered this program, which ends its trial. Runner and launcher
    /// are one program: if they are not, this one makes way for the one that the starter chooses.
    pub(super) fn report_program(&mut self) -> Result<(), RunnerError> {
        if let Some(started) = &self.started {
            let program = started.sha256.clone();
            match self.launcher.ask(&LaunchAsk::Reported { program }) {
                Err(RunnerError::Refused { code, message }) if code == OTHER_PROGRAM => {
                    tracing::warn!(code, message, "runner restarts");
                    self.replaced = true;
                }
                answer => drop(answer?),
            }
        }
        self.reported = true;
        Ok(())
    }

    /// Asks for a release if it is time, and installs it. True if this program was replaced. A failure is no
    /// reason to stop: the installed version works.
    pub(super) async fn update_if_due(&mut self) -> bool {
        let wants = self.config.updates && self.started.is_some() && self.running.is_none();
        if !wants || !self.schedule.is_due() {
            return false;
        }
        match Box::pin(self.update()).await {
            Ok(UpdateProgress::Current) => self.schedule.answered(),
            // The rest follows after the next claim.
            Ok(UpdateProgress::Unfinished) => {}
            Ok(UpdateProgress::Installed) => {
                self.schedule.answered();
                self.replaced = true;
            }
            Err(error) => {
                tracing::warn!(code = error.code(), %error, help = error.help(), "no update, the installed version goes on");
                self.schedule.failed();
            }
        }
        self.replaced
    }

    /// Updates a runner that the server refuses because of its age. Its root documents may be as old.
    pub(super) async fn update_outdated(&mut self) -> Result<bool, RunnerError> {
        if self.config.updates && self.started.is_some() && self.schedule.is_due() {
            self.link.follow_roots().await?;
            self.hand_on_roots()?;
        }
        Ok(self.update_if_due().await)
    }

    async fn update(&mut self) -> Result<UpdateProgress, RunnerError> {
        let Some(envelope) = self.link.release().await? else {
            return Ok(UpdateProgress::Current);
        };
        let release = RunnerRelease::verified(&envelope, self.link.roots.newest())?;
        let order = UpdateOrder {
            envelope: BASE64_STANDARD.encode(&envelope),
            time: self.link.now().server,
        };
        let folder = downloads_folder(&self.config.state);
        // The launcher has the memory of versions: it decides before anything is fetched.
        match self.launcher.ask(&LaunchAsk::Release(order.clone())) {
            Ok(_) => {}
            Err(error) if error.code() == RunnerError::Trial.code() => {
                // This program reported, and another one is on trial: an answer to an installation was lost.
                return Ok(UpdateProgress::Installed);
            }
            Err(error) if NOT_NOW.contains(&error.code()) => {
                // It may have been installed in an earlier life, which ended before it tidied up.
                ProgramDownload::open(&folder, &release)?.discard()?;
                return Ok(UpdateProgress::Current);
            }
            Err(error) => return Err(error),
        }
        tracing::info!(version = %release.version, bytes = release.bytes, "fetching a new version");
        let mut download = ProgramDownload::open(&folder, &release)?;
        let began = Instant::now();
        while !download.is_whole() {
            if began.elapsed() > PART {
                return Ok(UpdateProgress::Unfinished);
            }
            let piece = self
                .link
                .program_piece(&release.sha256, download.offset())
                .await?;
            if piece.is_empty() {
                // The server has fewer bytes than were signed.
                download.discard()?;
                return Err(ReleaseRefusal::Bytes.into());
            }
            download.append(&piece)?;
        }
        download.check()?;
        match self.launcher.ask(&LaunchAsk::Install(order)) {
            Ok(_) => {
                // If it can't be removed now, the next life does it.
                let _removed = download.discard();
                Ok(UpdateProgress::Installed)
            }
            // It may be installed: the next start finds out.
            Err(RunnerError::Launcher(error)) => {
                tracing::warn!(error, "no answer to an installation, runner restarts");
                Ok(UpdateProgress::Installed)
            }
            Err(error) if error.code() == BUSY => Err(error),
            Err(error) => {
                download.discard()?;
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_at_bounded_intervals_whatever_the_answer() {
        let mut schedule = UpdateSchedule::new(360);
        assert!(schedule.is_due(), "at the start");
        let period = Duration::from_secs(360 * 60);
        let pause = |schedule: &UpdateSchedule, before: Instant| schedule.due - before;
        let mut longest = Duration::ZERO;
        for failure in 0..40 {
            let before = Instant::now();
            schedule.failed();
            let pause = pause(&schedule, before);
            assert!(pause >= FIRST_PAUSE && pause >= longest, "{failure}");
            longest = longest.max(pause.min(period));
        }
        assert_eq!(longest, period, "it grows up to the usual interval");
        let before = Instant::now();
        schedule.answered();
        assert!(!schedule.is_due() && pause(&schedule, before) >= period.mul_f64(0.75));
        assert_eq!(schedule.failures, 0);
    }
}
