//! Failures of the ports.

pub(crate) const UNKNOWN_DEVICE: &str = "There is no such device.";
pub(crate) const UNKNOWN_SITE: &str = "There is no such site.";
pub(crate) const UNKNOWN_BUNDLE: &str = "There is no such bundle of diagnostics.";
pub(crate) const UNKNOWN_SECTION: &str = "The bundle has no such section.";
pub(crate) const UNKNOWN_PROPOSAL: &str = "There is no such proposal or version.";
pub(crate) const UNKNOWN_RUN: &str = "There is no such run.";
pub(crate) const UNKNOWN_ENROLMENT: &str = "There is no such enrolment.";
pub(crate) const ENROLMENT_USED: &str = "A device has used this enrolment.";
pub(crate) const HELP_ENROLMENT_USED: &str = "Retire that device on its page.";
pub(crate) const OTHER_STANDING: &str = "The device's state has changed, so nothing was done.";
pub(crate) const NOT_UNKNOWN: &str = "The outcome of this run isn't unknown.";
pub(crate) const ALREADY_RESOLVED: &str = "Somebody has resolved this run already.";
pub(crate) const NEWER_VERSION: &str = "The proposal has a newer version.";
pub(crate) const NOT_ADOPTED: &str = "The device isn't adopted, so it gets no work.";
pub(crate) const OTHER_KEY: &str = "The device has another key than the one that was approved.";
pub(crate) const CANNOT_ENFORCE: &str =
    "The device can't enforce the limits of this run, and they are never weakened.";
pub(crate) const OTHER_POLICY: &str = "The policy has changed since the script was judged.";
pub(crate) const ONE_PERSON: &str = "A run of high risk takes the approval of two persons.";
pub(crate) const KILL_SWITCH: &str = "The kill switch is on.";
pub(crate) const NOT_ALLOWED: &str = "This role can't see hidden values.";
pub(crate) const QUEUE_FULL: &str = "The device's queue is full.";
pub(crate) const TOO_MUCH: &str = "It is larger than what is stored.";
pub(crate) const NO_KEY: &str = "No key to sign runs is available.";
pub(crate) const STORAGE: &str = "The data of field devices can't be read or written now.";

pub(crate) const HELP_DEVICE: &str = "Take the identifier from list_devices.";
pub(crate) const HELP_BUNDLE: &str = "get_diagnostics without a bundle lists those of a device.";
pub(crate) const HELP_SECTION: &str = "get_diagnostics with the bundle lists its sections.";
pub(crate) const HELP_PROPOSAL: &str = "Take proposal and version from propose_script.";
pub(crate) const HELP_RUN: &str = "Take the identifier from list_runs.";
pub(crate) const HELP_NEWER_VERSION: &str = "Read the newest version and propose a change of it.";
pub(crate) const HELP_ADOPT: &str = "An operator adopts it on the page of the device.";
pub(crate) const HELP_READ_AGAIN: &str = "Read the device again.";
pub(crate) const HELP_ENFORCE: &str = "get_device says which limits it has.";
pub(crate) const HELP_CHECK_AGAIN: &str = "Check the script again with check_script.";
pub(crate) const HELP_TWO_PERSONS: &str =
    "Somebody else than the person who asked approves it on its card.";
pub(crate) const HELP_QUEUE: &str = "Wait for its runs, or cancel some.";
pub(crate) const HELP_KEYS: &str = "The page of the keys shows which there are.";
pub(crate) const HELP_LOG: &str = "Details are in the server's log.";

pub(crate) const VALUES_NOT_READ: &str = "The hidden values of the site can't be read now.";

pub(crate) fn no_such_value(token: &str) -> String {
    format!("There is no value {token} at this site.")
}

pub(crate) fn value_of_another_site(token: &str) -> String {
    format!("{token} belongs to another site. Use values of one site only.")
}
