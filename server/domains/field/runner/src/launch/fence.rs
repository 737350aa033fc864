//! The fence: one file for each job that was ever started here, made before the start and never removed. Beside
//! them a note says which job may come next: only of that one it can be certain that it never passed.

use std::path::{Path, PathBuf};

use field_package::ids::JobId;

use crate::{error::RunnerError, files, texts};

/// In place of a life of the device: the job was kept from passing.
const BARRED: &[u8] = b"barred";
/// Name of the note; no job has it.
const NEXT: &str = "next";

/// The folder of fences.
#[derive(Debug, Clone)]
pub(super) struct StartFence {
    folder: PathBuf,
    boot: String,
}

impl StartFence {
    pub(super) fn open(folder: &Path) -> Result<Self, RunnerError> {
        let folder = folder.join("started");
        files::make_private_folder(&folder).map_err(RunnerError::file(&folder))?;
        files::sync_folder(&folder).map_err(RunnerError::file(&folder))?;
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let boot = boot.map_err(RunnerError::file("/proc/sys/kernel/random/boot_id"))?;
        Ok(Self {
            folder,
            boot: boot.trim().to_owned(),
        })
    }

    /// Notes the job that may come next. Nothing passes meanwhile.
    pub(super) fn announce(&self, job: &JobId) -> Result<(), RunnerError> {
        if self.folder.join(job.as_str()).exists() {
            return Err(already_started());
        }
        let note = self.folder.join(NEXT);
        let written = files::replace(&note, self.note(job).as_bytes(), 0o600);
        written.map_err(RunnerError::file(note))
    }

    /// Lets a job through. Only the first of all who try, in any life of the device, gets through.
    pub(super) fn pass(&self, job: &JobId) -> Result<(), RunnerError> {
        // From here on nobody says that it never passed, whatever becomes of its file.
        let note = self.folder.join(NEXT);
        if let Err(error) = std::fs::remove_file(&note)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(RunnerError::file(note)(error));
        }
        let path = self.folder.join(job.as_str());
        match files::create_once(&path, self.boot.as_bytes(), 0o600) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(already_started())
            }
            Err(error) => Err(RunnerError::file(path)(error)),
        }
    }

    /// Keeps a job that certainly never passed from passing in any life of the device. False if it passed, or if
    /// nobody knows: that its file is missing says nothing, because somebody may have emptied the folder or
    /// brought back an older one. Its note says something, in the life of the device in which it was written.
    pub(super) fn bar(&self, job: &JobId) -> bool {
        let path = self.folder.join(job.as_str());
        let note = std::fs::read(self.folder.join(NEXT));
        let is_next = note.is_ok_and(|found| found == self.note(job).as_bytes());
        (is_next && files::create_once(&path, BARRED, 0o600).is_ok())
            || std::fs::read(&path).is_ok_and(|found| found == BARRED)
    }

    /// True if the job passed in an earlier life of the device; None if it never did.
    pub(super) fn rebooted_since(&self, job: &JobId) -> Option<bool> {
        let boot = std::fs::read_to_string(self.folder.join(job.as_str())).ok()?;
        let boot = boot.trim();
        // Empty if the launcher died before it had written the boot: that is an interrupted start.
        Some(!boot.is_empty() && boot != self.boot)
    }

    fn note(&self, job: &JobId) -> String {
        format!("{job} {}", self.boot)
    }
}

fn already_started() -> RunnerError {
    RunnerError::Refused {
        code: "already_started".to_owned(),
        message: texts::ALREADY_STARTED.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(number: u32) -> JobId {
        JobId::new(&format!("run_{number:026}")).unwrap()
    }

    /// The same folder in another life of the device.
    fn rebooted(fence: &StartFence) -> StartFence {
        StartFence {
            boot: "another life".to_owned(),
            ..fence.clone()
        }
    }

    fn refusal(result: Result<(), RunnerError>) -> String {
        result.unwrap_err().code().to_owned()
    }

    #[test]
    fn a_job_passes_once_in_any_life_of_the_device() {
        let folder = tempfile::tempdir().unwrap();
        let fence = StartFence::open(folder.path()).unwrap();
        let job = job(1);
        assert_eq!(fence.rebooted_since(&job), None, "it never passed");
        fence.pass(&job).unwrap();
        assert_eq!(fence.rebooted_since(&job), Some(false));
        let rebooted = rebooted(&fence);
        assert_eq!(rebooted.rebooted_since(&job), Some(true));
        std::fs::write(fence.folder.join(job.as_str()), "").unwrap();
        assert_eq!(fence.rebooted_since(&job), Some(false));
        for fence in [fence, rebooted] {
            assert_eq!(refusal(fence.pass(&job)), "already_started");
        }
    }

    #[test]
    fn a_job_is_barred_where_it_is_certain_that_it_never_passed() {
        let folder = tempfile::tempdir().unwrap();
        let fence = StartFence::open(folder.path()).unwrap();
        let rebooted = rebooted(&fence);
        let (passed, next) = (job(1), job(2));
        fence.announce(&passed).unwrap();
        fence.pass(&passed).unwrap();
        assert!(!fence.bar(&passed), "it passed");
        assert_eq!(refusal(fence.announce(&passed)), "already_started");
        std::fs::remove_file(fence.folder.join(passed.as_str())).unwrap();
        assert!(!fence.bar(&passed), "somebody removed its file");
        assert!(!fence.bar(&next), "nobody announced it");
        fence.announce(&next).unwrap();
        assert!(!fence.bar(&passed), "another one is next");
        assert!(!rebooted.bar(&next), "nobody knows in another life");
        assert!(fence.bar(&next));
        // For good, whatever is asked next.
        fence.announce(&job(3)).unwrap();
        for fence in [fence, rebooted] {
            assert!(fence.bar(&next));
            assert_eq!(refusal(fence.pass(&next)), "already_started");
        }
    }
}
