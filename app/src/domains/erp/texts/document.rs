//! The page of a document.

pub(crate) const BREADCRUMB: &str = "Breadcrumb";
pub(crate) const DOCUMENT_CANNOT_BE_SHOWN: &str = "The document cannot be shown";
pub(crate) const LOADING: &str = "Loading…";
pub(crate) const FIELDS: &str = "Fields";
pub(crate) const FIELDS_NOTE: &str = "empty fields and zeros are left out";
pub(crate) const NO_FIELDS: &str = "No other field is set.";
pub(crate) const GLANCE: &str = "At a glance";
pub(crate) const GLANCE_CANNOT_BE_SHOWN: &str = "The glance cannot be shown";
pub(crate) const LEDGER: &str = "Ledger";
pub(crate) const LEDGER_CANNOT_BE_SHOWN: &str = "The ledger cannot be shown";
pub(crate) const POSTS_NOTHING: &str = "Documents of this type post to no ledger.";
pub(crate) const PREVIEW: &str = "Preview: what submitting it now would post.";
pub(crate) const POSTED: &str = "Posted lines.";
pub(crate) const WOULD_POST_NOTHING: &str = "Submitting it now would post no lines.";
pub(crate) const POSTED_NOTHING: &str = "It posted no lines.";
pub(crate) const TAKEN_BACK: &str = "Lines that were taken back when it was cancelled.";
pub(crate) const BALANCED: &str = "Debit equals credit.";
pub(crate) const NOT_BALANCED: &str = "Debit differs from credit.";
pub(crate) const NO_LINES: &str = "No lines.";
pub(crate) const LINKS: &str = "Links";
pub(crate) const LINKS_CANNOT_BE_SHOWN: &str = "The links cannot be shown";
pub(crate) const CAME_FROM: &str = "Came from";
pub(crate) const THIS: &str = "This document";
pub(crate) const HANGS_ON_IT: &str = "Submitted documents that hang on it";
pub(crate) const NOTHING_LINKED: &str = "none";

pub(crate) fn hidden(count: u32) -> String {
    match count {
        1 => "1 that the key may not read".to_owned(),
        _ => format!("{count} that the key may not read"),
    }
}

pub(crate) const HISTORY: &str = "History";
pub(crate) const HISTORY_CANNOT_BE_SHOWN: &str = "The history cannot be shown";
pub(crate) const CREATED: &str = "created it";
pub(crate) const CHANGED: &str = "changed it";
pub(crate) const SUBMITTED: &str = "submitted it";
pub(crate) const CANCELLED: &str = "cancelled it";
pub(crate) const COMMENTED: &str = "commented";
pub(crate) const WORKFLOW: &str = "moved it in the workflow";
pub(crate) const NOTED: &str = "noted";
pub(crate) const BEFORE: &str = "before";
pub(crate) const AFTER: &str = "after";
pub(crate) const CALLS: &str = "Calls of Jarvis";
pub(crate) const CALLS_CANNOT_BE_SHOWN: &str = "The calls of Jarvis cannot be shown";
pub(crate) const NO_CALLS: &str = "None that acted on this document.";
pub(crate) const DRAFTS: &str = "Drafts made from it already";
pub(crate) const REFRESH: &str = "Read again";

pub(crate) fn rows(shown: usize, of: u32) -> String {
    match (u32::try_from(shown).ok() == Some(of), of) {
        (true, 1) => "1 row".to_owned(),
        (true, _) => format!("{of} rows"),
        (false, _) => format!("the first {shown} of {of} rows"),
    }
}

pub(crate) const TOTAL: &str = "Total";

pub(crate) fn in_workflow(name: &str, state: &str) -> String {
    format!("{name}: {state}")
}

/// `roles`: those of the ERP that can take the next step.
pub(crate) fn waits_for(roles: &str) -> String {
    format!(
        "It waits for somebody with the role {roles} who did not make it. They decide in the ERP, or here with \
         their own key of the ERP (Settings, Your keys)."
    )
}

pub(crate) fn steps_unknown(reason: &str) -> String {
    format!("The steps of its workflow are unknown: {reason}.")
}

pub(crate) const CREATED_BY_KEY: &str = "Created with Jarvis's key";

/// The age and the user follow.
pub(crate) const LAST_CHANGED: &str = "Last changed ";

pub(crate) fn by(user: &str) -> String {
    format!(" by {user}")
}

/// The age follows.
pub(crate) const READ: &str = "Read ";
