//! Sentences of these pages for people in one place, so that another language is another such module.

pub(crate) mod access;
pub(crate) mod api;
pub(crate) mod model;
pub(crate) mod policy;
pub(crate) mod settings;
pub(crate) mod sign_in;

pub(crate) const JARVIS: &str = "Jarvis";

pub(crate) fn title_of_document(title: &str) -> String {
    format!("{title} · Jarvis")
}

pub(crate) const NAME: &str = "Name";

pub(crate) const ROLE: &str = "Role";

pub(crate) const NONE: &str = "None.";

pub(crate) const SAVE: &str = "Save";

pub(crate) const SAVED: &str = "Saved.";

pub(crate) const COPIED: &str = "Copied";

/// Without a clipboard.
pub(crate) const SELECTED: &str = "Selected; copy it yourself";

pub(crate) const COPY: &str = "Copy";

pub(crate) const DELETE: &str = "Delete";

pub(crate) const REMOVE: &str = "Remove";

pub(crate) const PASSKEYS_NEED_JAVASCRIPT: &str = "Passkeys need JavaScript.";

/// A command of the server.
pub(crate) const SIGN_IN_LINK_COMMAND: &str = "jarvis sign-in-link";

pub(crate) const RESTORE_VERSION: &str = "Restore this version";
