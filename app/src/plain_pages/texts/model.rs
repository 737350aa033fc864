//! The page of the model.

pub(crate) const SAVED: &str = "Saved; in effect now. Existing conversations keep their model until \
someone chooses another.";

pub(crate) const CHANGEABLE: &str = "Settings you can change now";

pub(crate) const LEAD: &str = "Leave a field empty to use the configuration. Values set by an \
environment variable can't be changed here.";

pub(crate) const FROM_CONFIGURATION: &str = "Settings from the configuration";

pub(crate) const CHANGE_AND_RESTART: &str =
    "Change them in the file or the environment, then restart.";

pub(crate) const API_KEY: &str = "API key";

pub(crate) fn set_from(source: &str) -> String {
    format!("set, from {source}")
}

pub(crate) const NOT_SET: &str = "not set";

pub(crate) const TEST: &str = "Test the connection";

pub(crate) const TEST_MEANS: &str =
    "Asks the model’s server which models it offers. It costs nothing.";

pub(crate) const CHECK: &str = "Check what works";

pub(crate) const CHECK_MEANS: &str = "Asks the model twelve small questions, each for up to 15 seconds and all for up to 45. \
     It costs some tokens. For a slow local model, `jarvis model check` on the server waits longer.";

pub(crate) const EMPTY: &str = "empty";

pub(crate) fn the_default(value: &str) -> String {
    format!("{value}, the default")
}

pub(crate) fn value_from(value: &str, source: &str) -> String {
    format!("{value}, from {source}")
}

pub(crate) fn set_by(variable: &str) -> String {
    format!("Set by {variable}; it can't be changed here.")
}

pub(crate) fn configuration_says(value: &str) -> String {
    format!("The configuration says {value}.")
}

pub(crate) const REHEARSAL: &str =
    "No API key is set, so the rehearsal model answers. It can't be changed.";

pub(crate) const MODEL_OF_NEW: &str = "Model of new conversations";

pub(crate) fn number_in(name: &str, unit: &str) -> String {
    format!("{name}, in {unit}")
}

pub(crate) const AVAILABLE_MODELS: &str = "Available models";

pub(crate) const ADDRESS: &str = "Address";

pub(crate) const API_KEY_HEADER: &str = "API key header";

pub(crate) const SERVER_KIND: &str = "Kind of server";

pub(crate) const LONGEST_PAUSE: &str = "Longest pause in an answer, in seconds";
