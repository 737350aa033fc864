//! Sentences about devices, their sessions and their diagnostics.

pub(crate) const NO_SESSION: &str = "The session has ended or never existed.";
pub(crate) const NO_SESSION_HELP: &str = "Open a new session and repeat the request.";
pub(crate) const NO_CHALLENGE: &str =
    "The challenge is unknown, was answered before, or has expired.";
pub(crate) const NO_CHALLENGE_HELP: &str = "Ask for a new challenge and sign that one.";
pub(crate) const KEY_UNKNOWN: &str = "The signature is not from the key of this device.";
pub(crate) const KEY_UNKNOWN_HELP: &str = "Enrol the device again with a new enrolment token.";
pub(crate) const WAITING: &str = "The device has not been adopted yet.";
pub(crate) const WAITING_HELP: &str =
    "Compare the fingerprint on the device's page, then adopt the device.";
pub(crate) const SUSPENDED: &str = "The device is suspended.";
pub(crate) const SUSPENDED_HELP: &str =
    "Read the reason on the device's page and resume the device.";
pub(crate) const RETIRED: &str = "The device is retired.";
pub(crate) const RETIRED_HELP: &str = "Enrol it as a new device.";
pub(crate) const ADOPTED: &str = "The device is adopted already.";
pub(crate) const ENROLMENT_UNKNOWN: &str = "There is no such enrolment.";
pub(crate) const ENROLMENT_EXPIRED: &str = "The enrolment has expired.";
pub(crate) const ENROLMENT_USED: &str = "Another device used this enrolment.";
pub(crate) const ENROLMENT_HELP: &str = "Add the device again on the page of the field devices: each token is for one device and one use.";
pub(crate) const KEY_TAKEN: &str = "The key belongs to another device, or did.";
pub(crate) const KEY_TAKEN_HELP: &str = "Delete the key on the device, so that it makes a new one.";
pub(crate) const BAD_KEY: &str = "The public key is not valid.";
pub(crate) const BAD_PROOF: &str = "The proof is not signed by the key that was sent.";
pub(crate) const RUNNER_HELP: &str = "Install the current version of the runner.";
pub(crate) const REPEAT_HELP: &str = "Wait a minute, then repeat the request.";
pub(crate) const TOO_MANY: &str = "There were too many requests.";
pub(crate) const TOO_MANY_POLLS: &str = "The device already waits for work in other requests.";
pub(crate) const REPORT_HELP: &str = "Update the runner; if it is current, report this as a bug.";
pub(crate) const FAILED: &str = "The server could not complete the request.";
pub(crate) const FAILED_HELP: &str = "Repeat the request later; the server's log has the reason.";
pub(crate) const NO_UPDATE: &str = "There is no newer runner.";
pub(crate) const GO_ON_WITHOUT: &str = "Go on with the version that is there.";
pub(crate) const NOT_FOUND: &str = "There is no such thing on this server.";
pub(crate) const NOT_FOUND_HELP: &str = "Check the identifier.";
pub(crate) const CLONE_REASON: &str = "Two runners use the key of this device in turns.";
pub(crate) const SET_BACK_REASON: &str = "The device reported an older root document than before: it was set back, or another one has its key.";
pub(crate) const ROOT_AHEAD: &str = "The device reports a root document that does not exist.";
pub(crate) const SECTION_UNKNOWN: &str = "The bundle did not announce this section.";
pub(crate) const BUNDLE_UNKNOWN: &str = "There is no such bundle in progress.";
pub(crate) const BUNDLE_HELP: &str = "Announce the bundle again.";
pub(crate) const BUNDLE_OTHER: &str = "Another bundle has this request.";
pub(crate) const SECTION_OFFSET: &str = "The section goes on at another offset.";
pub(crate) const OFFSET_HELP: &str = "Go on from the offset in `right`.";
pub(crate) const SECTION_DIGEST: &str = "The section is not the one that was announced.";
pub(crate) const SITE_EXISTS: &str = "A site with this identifier exists.";
pub(crate) const SITE_ID: &str = "A site's identifier has 1 to 40 characters of a-z, 0-9 and -.";

/// A member of a request that is missing, too long or of another form.
pub(crate) fn bad_member(member: &str) -> String {
    format!("The member `{member}` of the request is missing or not valid.")
}

pub(crate) fn too_large(what: &str, most: u64) -> String {
    format!("{what} is larger than {most} bytes.")
}

pub(crate) fn too_many(what: &str, most: u64) -> String {
    format!("There are more than {most} {what}.")
}

pub(crate) fn runner_too_old(oldest: &str) -> String {
    format!("The runner is older than version {oldest}.")
}

pub(crate) const UPDATE_NO_REPORT: &str = "it ran, but did not report to the server in time";
pub(crate) const UPDATE_NO_START: &str = "it ended at each start";
pub(crate) const UPDATE_UNKNOWN: &str = "the device gives a reason that this server does not know";

pub(crate) fn update_retried(failed: &str, reason: &str, version: &str) -> String {
    format!(
        "The update of the runner to version {failed} failed: {reason}. The device runs version {version} and will \
         try {failed} again."
    )
}

pub(crate) fn update_failed(failed: &str, reason: &str, version: &str) -> String {
    format!(
        "The update of the runner to version {failed} failed: {reason}. The device runs version {version} and won't \
         try {failed} again; release a higher version."
    )
}

pub(crate) fn unreadable(bytes: u64) -> String {
    format!("[not text: {bytes} bytes left out]")
}

pub(crate) const NO_WHOLE_BUNDLE: &str =
    "The device accepted the request but sent no complete diagnostics in time.";
pub(crate) const NOT_READ: &str =
    "The field devices cannot be read right now; what is shown may be out of date.";
pub(crate) const CLOCK_UNSET: &str = "The device's clock was never set.";
pub(crate) const CLOCK_BEHIND: &str = "The device's clock is behind.";
pub(crate) const CLOCK_AHEAD: &str = "The device's clock is ahead.";
/// The place of a look, for the record of looks.
pub(crate) fn export_of(bundle: &str) -> String {
    format!("export of bundle {bundle}")
}

/// The last line of a text that was cut.
pub(crate) const CUT: &str = "[the rest is left out]\n";
