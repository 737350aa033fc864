//! Sentences of this panel for people in one place, so that another language is another such
//! module.

pub(crate) const LAMPS: &str = "Lamps";

pub(crate) const GO_TO_LAMPS: &str = "Go to the lamps";

pub(crate) const LOADING_LAMPS: &str = "Loading the lamps…";

pub(crate) const LAMPS_CANNOT_BE_SHOWN: &str = "The lamps cannot be shown";

pub(crate) fn lamp(name: &str) -> String {
    format!("Lamp {name}")
}

pub(crate) const SIMULATED: &str = "Simulated";

pub(crate) const SIMULATED_HOUSE: &str = "Simulated house";

pub(crate) const LAMPS_ARE_SIMULATED: &str = "The lamps are simulated.";

pub(crate) const NOTICES: &str = "Notices";

/// Follows a notice.
pub(crate) const RESOLVED: &str = " Resolved.";
