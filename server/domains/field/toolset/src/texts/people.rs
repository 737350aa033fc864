//! Acts of people on devices.

pub(crate) const SAFE_TO_REPEAT: &str = "A repetition of the call changes nothing else.";
pub(crate) const SITE: &str = "Site";
pub(crate) const FINGERPRINT: &str = "Key fingerprint";
pub(crate) const STANDING: &str = "State now";
pub(crate) const CONTACT: &str = "Contact";
pub(crate) const FINDING: &str = "Finding";

pub(crate) fn is_empty(field: &str) -> String {
    format!("{field}: it is empty.")
}

pub(crate) fn new_device(name: &str) -> String {
    format!("new device {name}")
}

pub(crate) fn site(name: &str, is_new: bool) -> String {
    if is_new {
        format!("{name} (a new site)")
    } else {
        name.to_owned()
    }
}

pub(crate) fn enrol(name: &str, site: &str, hours: u32) -> String {
    let hours = match hours {
        1 => "1 hour".to_owned(),
        hours => format!("{hours} hours"),
    };
    format!("Make a token with which the device {name} can enrol at {site} within {hours}.")
}

pub(crate) const TOKEN_MADE: &str = "token made; it is shown once, to the person who made it";
pub(crate) const TOKEN_LOST: &str =
    "token made, but it was never shown: withdraw it and add the device again";
pub(crate) const NO_TOKEN_MADE: &str = "No token was made.";
pub(crate) const NO_TOKEN: &str = "There is no token to show: each one is shown once, for a few minutes, to the person who made it.";
pub(crate) const HELP_NO_TOKEN: &str =
    "Withdraw it on the page of the keys, and add the device again.";

pub(crate) fn withdraw(name: &str) -> String {
    format!("Withdraw the enrolment token for the device {name}.")
}

pub(crate) const WITHDRAWN: &str = "withdrawn: the token is worth nothing more";

pub(crate) fn adopt(name: &str, site: &str) -> String {
    format!(
        "Adopt the device {name} at {site}. First compare its key fingerprint with the one that the device shows: \
         from then on it gets approved runs."
    )
}

pub(crate) fn suspend(name: &str) -> String {
    format!(
        "Suspend the device {name}: a run on it is cancelled, and nothing starts on it until it is resumed."
    )
}

pub(crate) fn resume(name: &str) -> String {
    format!("Take the device {name} back into service: approved runs may start on it again.")
}

pub(crate) fn retire(name: &str) -> String {
    format!("Retire the device {name}, and cancel the runs that wait for it.")
}

pub(crate) const RETIRED_FOR_GOOD: &str =
    "A retired device never comes back with its key; it can only be added again as a new device.";

/// Standings after a change.
pub(crate) const NOW_WAITING: &str = "waiting";
pub(crate) const NOW_ADOPTED: &str = "adopted: approved runs may start on it";
pub(crate) const NOW_SUSPENDED: &str = "suspended: nothing starts on it";
pub(crate) const NOW_RETIRED: &str = "retired for good";

pub(crate) fn at_site(name: &str) -> String {
    format!("site {name}")
}

pub(crate) fn edit(name: &str) -> String {
    format!("Change what is said about the device {name}.")
}

pub(crate) const NAME: &str = "Name";
pub(crate) const CRITICAL: &str = "Critical";
pub(crate) const METERED: &str = "Metered line";

/// A value before and after a change.
pub(crate) fn from_to(from: &str, to: &str) -> String {
    format!("{from} → {to}")
}

pub(crate) const NOTHING_TO_CHANGE: &str = "Say what is to change: name, critical or metered.";
pub(crate) const EDITED: &str = "changed";

pub(crate) fn hide_public(site: &str) -> String {
    format!(
        "Hide public addresses at {site}: a model gets tokens for them. What was stored before stays as it \
         is, and a conversation in which one stands may not go on."
    )
}

pub(crate) fn show_public(site: &str) -> String {
    format!(
        "Show public addresses at {site}: from now on a model and viewers read them as they are. Private \
         addresses stay hidden."
    )
}

pub(crate) const PUBLIC_ADDRESSES: &str = "Public addresses";
pub(crate) const HIDDEN: &str = "hidden";
pub(crate) const SHOWN: &str = "shown";

pub(crate) const RENAME: &str = "Rename";
pub(crate) const MARK_CRITICAL: &str = "Mark as critical";
pub(crate) const UNMARK_CRITICAL: &str = "No longer critical";
pub(crate) const MARK_METERED: &str = "Mark the line as metered";
pub(crate) const UNMARK_METERED: &str = "Line no longer metered";

pub(crate) fn resolve(title: &str) -> String {
    format!("Record what was the case with the run “{title}”.")
}

/// Words of people on a run.
pub(crate) const IT_RAN: &str = "It ran.";
pub(crate) const IT_DID_NOT_RUN: &str = "It did not run.";
pub(crate) const NOBODY_CAN_TELL: &str = "Nobody can tell.";

pub(crate) const RESOLVED: &str = "recorded; nothing of the run is repeated";

pub(crate) const ADOPT: &str = "Adopt";
pub(crate) const REJECT: &str = "Reject the device";
pub(crate) const SUSPEND: &str = "Suspend";
pub(crate) const RESUME: &str = "Resume";
pub(crate) const RETIRE: &str = "Retire";
pub(crate) const WITHDRAW: &str = "Withdraw";
