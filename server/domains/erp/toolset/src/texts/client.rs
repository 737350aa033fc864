//! Texts about the connection to the ERP.

pub(crate) fn not_the_pinned_certificate(seen: &str) -> String {
    format!("its certificate is not the pinned one; its SHA-256 fingerprint is {seen}")
}

pub(crate) fn certificate_is_refused(reason: &str) -> String {
    format!("its certificate is refused: {reason}")
}

pub(crate) const IT_HAS_EXPIRED: &str = "it has expired";
pub(crate) const IT_IS_NOT_VALID_YET: &str = "it is not valid yet";
pub(crate) const SIGNED_BY_NO_TRUSTED_AUTHORITY: &str = "no trusted authority signed it";
pub(crate) const IT_IS_FOR_ANOTHER_NAME: &str = "it is for another name";
pub(crate) const IT_DOES_NOT_PASS_CHECKS: &str = "it does not pass the checks";

pub(crate) const TLS_IS_NOT_POSSIBLE: &str = "TLS with it is not possible";
pub(crate) const CONNECTION_TIMED_OUT: &str = "the connection timed out";
pub(crate) const CONNECTION_FAILED: &str = "the connection failed";
pub(crate) const CLOSED_BEFORE_THE_END: &str = "the connection was closed before the end";

pub(crate) const IT_IS_NOT_JSON: &str = "it is not JSON; the address may not be an ERPNext site";

pub(crate) const IT_IS_COMPRESSED: &str =
    "it is compressed, which was not asked for; the proxy before it must not pack answers";

pub(crate) fn no_field_in_it(field: &str) -> String {
    format!("it has no `{field}`")
}

pub(crate) fn a_redirect(status: u16) -> String {
    format!("it is a redirect ({status}), which is never followed")
}

pub(crate) fn more_than_bytes(bytes: usize) -> String {
    format!("it has more than {bytes} bytes")
}

pub(crate) const UNUSABLE_NAME: &str = "\".\" and \"..\" cannot be names";

pub(crate) const UNUSABLE_CHARACTERS: &str = "the key has characters that no header may have";

pub(crate) fn unreachable(site: &str, cause: &str) -> String {
    format!("No connection to the ERP at {site}: {cause}.")
}

pub(crate) const UNREACHABLE_HELP: &str =
    "Check that the site is up and that this server can reach it.";

pub(crate) fn untrusted(site: &str, cause: &str) -> String {
    format!("The ERP at {site} is not trusted: {cause}.")
}

pub(crate) const UNTRUSTED_HELP: &str =
    "If the certificate was renewed on purpose, put its new fingerprint into the configuration.";

pub(crate) fn timeout(site: &str, milliseconds: u128) -> String {
    format!("The ERP at {site} did not answer within {milliseconds} ms.")
}

pub(crate) const TIMEOUT_HELP: &str = "Ask for less, or try again later.";

pub(crate) fn unusable(site: &str, cause: &str) -> String {
    format!("The ERP at {site} gave an answer that cannot be used: {cause}.")
}
