//! Texts about the keys that people have for themselves.

pub(crate) const ERP_USER: &str = "ERP user";

pub(crate) fn erp_will_see(user: &str) -> String {
    format!("The ERP will see {user}, not you")
}

pub(crate) const ERP_WILL_SEE_DETAIL: &str = "The ERP's history and its rules on self-approval count this as \
    that user's own work. Enter a key of your own in Settings, Your keys.";

pub(crate) fn other_user(before: &str, after: &str) -> String {
    format!("It would now run as the ERP user {after}, not as {before}.")
}

pub(crate) fn key_changed_since(why: &str) -> String {
    format!(
        "{why} But the person's own key has changed since, so it may have been looked for under \
        another ERP user."
    )
}

pub(crate) const LOST: &str = "The person's own key for the ERP cannot be read: the key file on the server was \
    lost or replaced.";

pub(crate) const HELP_LOST: &str = "Restore secrets.key from a backup. Otherwise enter the key again in Settings, \
    Your keys, or remove it there.";

pub(crate) const STORAGE_FAILED: &str =
    "The person's own key for the ERP could not be read or stored.";

pub(crate) fn is_the_sites(user: &str) -> String {
    format!("This key belongs to {user}, the user that Jarvis itself works with.")
}

/// On the page where it is entered and tested.
pub(crate) const REFUSED: &str = "The ERP refused this API key.";
pub(crate) const HELP_REFUSED: &str = "Check that key and secret are complete and belong together. For new ones, open your own User in the ERP, then \
     Settings, API Access, Generate Keys.";

pub(crate) const HELP_OWN_USER: &str =
    "In the ERP, open your own User, then Settings, API Access, Generate Keys.";

pub(crate) const IS_NO_KEY: &str =
    "An API key and its secret have 1 to 140 characters, without spaces and colons.";

pub(crate) const NO_SUCH_TOOL: &str = "This tool is not there for this person.";
