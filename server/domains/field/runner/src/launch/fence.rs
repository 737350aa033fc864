//! The fence: one file for each job that was ever started here, made before the start and never removed.

use std::path::{Path, PathBuf};

use field_package::ids::JobId;

use crate::{error::RunnerError, files, texts};

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

    /// Lets a job through. Only the first of all who try, in any life of the device, gets through.
    pub(super) fn pass(&self, job: &JobId) -> Result<(), RunnerError> {
        let path = self.folder.join(job.as_str());
        match files::create_once(&path, self.boot.as_bytes(), 0o600) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(RunnerError::Refused {
                    code: "already_started".to_owned(),
                    message: texts::ALREADY_STARTED.to_owned(),
                })
            }
            Err(error) => Err(RunnerError::file(path)(error)),
        }
    }

    /// True if the job passed in an earlier life of the device; None if it never did.
    pub(super) fn rebooted_since(&self, job: &JobId) -> Option<bool> {
        let boot = std::fs::read_to_string(self.folder.join(job.as_str())).ok()?;
        let boot = boot.trim();
        // Empty if the launcher died before it had written the boot: that is an interrupted start.
        Some(!boot.is_empty() && boot != self.boot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_passes_once_in_any_life_of_the_device() {
        let folder = tempfile::tempdir().unwrap();
        let fence = StartFence::open(folder.path()).unwrap();
        let job = JobId::new("run_00000000000000000000000001").unwrap();
        assert_eq!(fence.rebooted_since(&job), None, "it never passed");
        fence.pass(&job).unwrap();
        assert_eq!(fence.rebooted_since(&job), Some(false));
        let rebooted = StartFence {
            boot: "another life".to_owned(),
            ..fence.clone()
        };
        assert_eq!(rebooted.rebooted_since(&job), Some(true));
        std::fs::write(folder.path().join(job.as_str()), "").unwrap();
        assert_eq!(fence.rebooted_since(&job), Some(false));
        for fence in [fence, rebooted] {
            let code = fence.pass(&job).unwrap_err().code().to_owned();
            assert_eq!(code, "already_started");
        }
    }
}
