//! Texts about the site, its key, and what is known of it.

pub(crate) const NO_KEY: &str =
    "The ERP took the request for a guest's, so it did not accept the key.";

pub(crate) const HELP_KEY: &str = "Check api_key and api_secret.";

pub(crate) fn system_manager(user: &str) -> String {
    format!(
        "The ERP user {user} has System Manager, which passes nearly every check; this key is not used."
    )
}

pub(crate) fn rights_unknown(user: &str) -> String {
    format!(
        "The ERP does not tell the roles of {user}, so it cannot be ruled out that the key can do everything."
    )
}

pub(crate) const HELP_NARROW_KEY: &str = "In the ERP, add a User with only the roles for the work (such as \
    Sales User, Accounts User), narrow it by User Permission to its company, and make its key under API Access.";

pub(crate) const NOT_READ_YET: &str = "the ERP has not been read yet";

pub(crate) const NOT_A_DOCUMENT: &str = "this is no document of the ERP";

pub(crate) const NOT_READ_IN_THIS_RUN: &str = "not read yet; get_doc reads it";
