//! Programs of runners as the toolset knows them, and updates that failed in words.

use field::ports::{KnownProgram, RunnerUpdateFailure, UpdateFailureReason};
use field_tables::{ReportedProgram, UpdateFault};

use crate::texts::devices as texts;

/// The program of a device. All of it is numbers and closed words, so nothing is to be covered.
pub(super) fn known_program(reported: &ReportedProgram) -> KnownProgram {
    KnownProgram {
        version: reported.version.clone(),
        failed: reported.failed.as_ref().map(|failed| RunnerUpdateFailure {
            version: failed.version.clone(),
            reason: match failed.fault {
                UpdateFault::NoReport => UpdateFailureReason::NoReport,
                UpdateFault::NoStart => UpdateFailureReason::NoStart,
                UpdateFault::Unknown => UpdateFailureReason::Unknown,
            },
            tries: failed.tries,
            is_retried: failed.is_retried,
        }),
    }
}

/// An update that failed, in one sentence or two; without the number of tries, since each text is another notice.
pub(super) fn failed_update(reported: &ReportedProgram) -> Option<String> {
    let failed = reported.failed.as_ref()?;
    let reason = match failed.fault {
        UpdateFault::NoReport => texts::UPDATE_NO_REPORT,
        UpdateFault::NoStart => texts::UPDATE_NO_START,
        UpdateFault::Unknown => texts::UPDATE_UNKNOWN,
    };
    let (failed_version, version) = (&failed.version, &reported.version);
    Some(if failed.is_retried {
        texts::update_retried(failed_version, reason, version)
    } else {
        texts::update_failed(failed_version, reason, version)
    })
}
