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

pub(crate) fn no_sandbox(field: &str) -> String {
    format!("No sandbox of the device enforces `{field}`.")
}

pub(crate) const NO_SANDBOX_HELP: &str =
    "Run the check on the device: it names what is missing and how to add it.";

pub(crate) fn bad_manifest(reason: &str) -> String {
    let reason = reason.trim_end_matches('.');
    format!("The script cannot be packaged: {reason}.")
}
