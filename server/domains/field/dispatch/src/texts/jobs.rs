//! Sentences about jobs and what they are made of.

pub(crate) const STALE: &str = "The claim is not the current one and never will be again.";
pub(crate) const STALE_HELP: &str = "Drop the job; its journal entry is settled.";
pub(crate) const GONE: &str = "The job is over, or another start came first.";
pub(crate) const GONE_HELP: &str = "Do not run it; settle its journal entry.";
pub(crate) const NOT_STARTED: &str = "The job has not started, so it has no output.";
pub(crate) const LOG_OFFSET: &str = "The log goes on at another offset.";
pub(crate) const LOG_FULL: &str = "The log is as long as the package allows.";
pub(crate) const LOG_FULL_HELP: &str = "Send no more of this stream.";
pub(crate) const KILL_SWITCH: &str = "The kill switch is on.";
pub(crate) const POLICY_CHANGED: &str = "The policy has changed since the script was approved.";
pub(crate) const APPROVE_AGAIN: &str = "Check the script again and ask for a new approval.";
pub(crate) const KILL_SWITCH_HELP: &str = "Turn it off, and ask for a new approval.";
pub(crate) const KEY_REVOKED: &str = "The key that signed the package is no longer valid.";
pub(crate) const EXPIRED: &str = "The package has expired.";
pub(crate) const APPROVER_GONE: &str =
    "A person who approved the script is disabled, or may no longer approve.";
pub(crate) const NOT_ADOPTED: &str = "The device is not adopted, so it gets no jobs.";
pub(crate) const NOT_ADOPTED_HELP: &str = "Adopt or resume the device first.";
pub(crate) const QUEUE_FULL: &str = "Too many jobs are waiting for this device.";
pub(crate) const QUEUE_FULL_HELP: &str = "Wait until some of them have ended, or cancel them.";
pub(crate) const REMOVED: &str = "The job of this call was removed after it had ended.";
pub(crate) const TOO_LARGE: &str = "The package is too large.";
pub(crate) const TOO_LARGE_HELP: &str = "Split the script.";
pub(crate) const BUSY: &str = "Other jobs were queued at the same time.";

/// Why a start was refused, and what to do, by the code of the check.
pub(crate) fn start_refused(code: &str) -> (&'static str, &'static str) {
    match code {
        "kill_switch" => (KILL_SWITCH, KILL_SWITCH_HELP),
        "key_revoked" => (KEY_REVOKED, APPROVE_AGAIN),
        "policy_changed" => (POLICY_CHANGED, APPROVE_AGAIN),
        "approver_gone" => (APPROVER_GONE, APPROVE_AGAIN),
        "expired" => (EXPIRED, APPROVE_AGAIN),
        _ => ("", ""),
    }
}

pub(crate) const NOT_ENFORCED: &str =
    "No sandbox of the device enforces what the script needs, or it did not start.";
pub(crate) const SANDBOX_DIED: &str = "The sandbox on the device ended before the first step.";
pub(crate) const VETO: &str = "The device's own rules forbid it.";
pub(crate) const VETO_HELP: &str = "Change the script, or veto.toml on the device.";
pub(crate) const DEVICE_CLOCK: &str = "The clock of the device is wrong.";
pub(crate) const DEVICE_CLOCK_HELP: &str =
    "Set it or start time synchronisation there, and ask for a new approval.";
pub(crate) const NOT_TRUSTED: &str = "The device does not trust the signature of the package.";
pub(crate) const NOT_TRUSTED_HELP: &str =
    "Check the job key and the root document on the page of the keys.";
pub(crate) const SEEN_BEFORE: &str = "The device has seen this package or a newer one before.";
pub(crate) const INTERRUPTED: &str = "The device was interrupted before it could start the job.";
pub(crate) const LAUNCHER_BUSY: &str =
    "The device was still busy with another job or with an update.";
pub(crate) const DEVICE_FILES: &str =
    "The launcher on the device could not read or write one of its files.";
pub(crate) const DEVICE_FILES_HELP: &str =
    "Check its settings and the free space there, and ask for a new approval.";

/// Why a device refused a job, and what to do, by the code of its check: the runner sends no words.
pub(crate) fn device_refused(code: &str) -> (&'static str, &'static str) {
    match code {
        "sandbox" => (NOT_ENFORCED, NO_SANDBOX_HELP),
        "no_step_began" => (SANDBOX_DIED, NO_SANDBOX_HELP),
        "veto" => (VETO, VETO_HELP),
        "clock" | "time_and_clock" | "not_yet" => (DEVICE_CLOCK, DEVICE_CLOCK_HELP),
        "expired" => (EXPIRED, APPROVE_AGAIN),
        "key_unknown" | "key_threshold" | "key_repeated" | "signature" | "root_expired" => {
            (NOT_TRUSTED, NOT_TRUSTED_HELP)
        }
        "already_started" | "old_sequence" | "replayed" => (SEEN_BEFORE, APPROVE_AGAIN),
        "did_not_run" => (INTERRUPTED, APPROVE_AGAIN),
        "busy" => (LAUNCHER_BUSY, APPROVE_AGAIN),
        "file" | "config" => (DEVICE_FILES, DEVICE_FILES_HELP),
        _ => ("", ""),
    }
}

pub(crate) fn no_sandbox(field: &str) -> String {
    format!("No sandbox of the device enforces `{field}`.")
}

pub(crate) const NO_SANDBOX_HELP: &str =
    "Run the check on the device: it names what is missing and how to add it.";

pub(crate) fn bad_manifest(reason: &str) -> String {
    let reason = reason.trim_end_matches('.');
    format!("The script cannot be packaged: {reason}.")
}
