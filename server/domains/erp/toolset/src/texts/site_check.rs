//! Texts of the check of a site.

pub(crate) const OK: &str = "ok";
pub(crate) const DIFFERS: &str = "differs";
pub(crate) const NOT_TRIED: &str = "not tried";
pub(crate) const UNUSABLE: &str = "refused";

pub(crate) const CONNECTION: &str = "connection";
pub(crate) const IDENTITY: &str = "user";
pub(crate) const CLOCK: &str = "clock";
pub(crate) const SHAPE_OF_TYPES: &str = "shape of getdoctype";
pub(crate) const NO_LIMIT: &str = "lists with limit 0";
pub(crate) const UNSAVED: &str = "run_doc_method of an unsaved document";
pub(crate) const OWN_NAME: &str = "a name of the caller's over v2";
pub(crate) const LOCKED_CANCEL: &str = "locked cancel by PUT";

/// The checks that need a connection.
pub(crate) const UNTRIED: [&str; 5] = [SHAPE_OF_TYPES, NO_LIMIT, UNSAVED, OWN_NAME, LOCKED_CANCEL];

pub(crate) const NO_CONNECTION: &str = "The site cannot be used with this configuration.";
pub(crate) const NEEDS_V1: &str =
    "It goes by version 1 of the REST API, which the configuration leaves out.";
pub(crate) const NEEDS_WRITE: &str =
    "It makes a document and takes it back; allow that with --write.";

pub(crate) fn with_help(message: &str, help: Option<&str>) -> String {
    match help {
        Some(help) => format!("{message} {help}"),
        None => message.to_owned(),
    }
}

pub(crate) fn connected(site: &str, versions: &[String]) -> String {
    if versions.is_empty() {
        format!("{site} answers; it does not tell its version.")
    } else {
        format!("{site} answers: {}.", versions.join(", "))
    }
}

pub(crate) fn user(user: &str, narrowed: &[String], zone: &str) -> String {
    if narrowed.is_empty() {
        format!("{user}, narrowed by no User Permission; time zone {zone}.")
    } else {
        format!(
            "{user}, narrowed to {}; time zone {zone}.",
            narrowed.join("; ")
        )
    }
}

pub(crate) fn rights_on(doctype: &str) -> String {
    format!("rights on {doctype}")
}

pub(crate) fn may(all: &str, own: &str) -> String {
    match (all, own) {
        ("", "") => "none".to_owned(),
        (all, "") => all.to_owned(),
        ("", own) => format!("{own} (own documents only)"),
        (all, own) => format!("{all}; of own documents {own}"),
    }
}

pub(crate) const NO_SUCH_TYPE: &str = "The site has no such type.";

pub(crate) fn clock(seconds: i64) -> String {
    match seconds {
        0 => "The site's clock agrees with this machine's, within a second.".to_owned(),
        1.. => format!("The site's clock is {seconds} s ahead of this machine's."),
        _ => format!("The site's clock is {} s behind this machine's.", -seconds),
    }
}

pub(crate) const NO_TYPES: &str = "It answers with no list of types.";
pub(crate) const FIRST_IS_ANOTHER: &str = "The first type is not the one that was asked for.";
pub(crate) const NO_FIELDS: &str = "The type has no fields with name and kind.";
pub(crate) const NO_RIGHTS_IN_TYPES: &str = "The type has no rows of rights.";

pub(crate) fn tables_without_types(tables: &[&str]) -> String {
    format!(
        "The types of these tables are missing: {}.",
        tables.join(", ")
    )
}

pub(crate) fn type_has(doctype: &str, fields: usize, tables: usize, rights: usize) -> String {
    format!(
        "{doctype} has {fields} fields, {tables} tables with their types, and {rights} rows of rights."
    )
}

pub(crate) const NO_SMALL_TYPE: &str = "There is no small type with rows to try it on.";

pub(crate) fn rows_without_limit(doctype: &str, total: u64, v1: u64, v2: u64) -> String {
    format!(
        "Of {total} rows of {doctype}, v1 gives {v1} and v2 gives {v2}; expected {total} and 0."
    )
}

pub(crate) const NO_MASTERS: &str =
    "It needs a company, an item, and a customer or warehouse that this user may read.";
pub(crate) const POST_NEEDS_WRITE: &str =
    "The site refuses it by GET; allow a POST, which saves nothing, with --write.";
pub(crate) const BY_GET: &str = "The site answers by GET";
pub(crate) const BY_POST_ONLY: &str = "The site answers by POST only";
pub(crate) const FILLS_NOTHING: &str =
    "The document came back without currency, account, price list or due date.";

pub(crate) fn filled_in(how: &str, fields: &[&str]) -> String {
    format!("{how}, and fills in {}.", fields.join(", "))
}

pub(crate) const OF_THE_CHECK: &str = "Made by jarvis erp check. It can be deleted.";
pub(crate) const NAME_IS_A_KEY: &str = "The name is taken, and refused a second time.";
pub(crate) const NAME_IS_IGNORED: &str =
    "The name is ignored, although this is version 16 or newer.";
pub(crate) const NAME_IS_IGNORED_AS_BEFORE: &str = "The name is ignored, as known of version 15.";
pub(crate) const NAME_TAKEN_TWICE: &str = "The same name was taken twice.";

pub(crate) fn second_was(reason: &str) -> String {
    format!("The second document was refused, but not as a duplicate: {reason}.")
}

pub(crate) const CANCEL_IS_LOCKED: &str =
    "With an old \"modified\" it is refused, with the newest it is done.";
pub(crate) const CANCELLED_UNLOCKED: &str =
    "The document is not submitted any longer, although the \"modified\" was old.";
pub(crate) const STALE_IS_ANOTHER_ERROR: &str =
    "An old \"modified\" is refused, but not as a conflict of versions.";
pub(crate) const NOT_CANCELLED_BY_PUT: &str = "The newest \"modified\" did not cancel it.";

pub(crate) fn is_left(doctype: &str, name: &str, reason: &str) -> String {
    format!("{doctype} {name} is left on the site, because it could not be deleted: {reason}.")
}

pub(crate) fn no_type(doctype: &str) -> String {
    format!("The site has no type {doctype}.")
}

pub(crate) fn has_workflow(doctype: &str) -> String {
    format!("A workflow governs {doctype} on this site.")
}

pub(crate) fn lacks_rights(rights: &[&str], doctype: &str) -> String {
    format!(
        "This user lacks the right to {} {doctype}.",
        rights.join(", ")
    )
}
