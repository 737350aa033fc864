//! Sentences of the homelab for people: answers and refusals of Proxmox.

use std::fmt::Debug;

pub(crate) const NO_UPID_OF_THIS_GUEST: &str = "no UPID of this guest in it";

pub(crate) const NO_UPID_OF_THIS_SERVICE: &str = "no UPID of this service in it";

pub(crate) const PART_IS_MISSING_OR_OF_ANOTHER_KIND: &str =
    "a part of it is missing or of another kind than expected";

pub(crate) const INVALID_PATH_SEGMENT: &str = "a name that cannot be part of a path";

pub(crate) const ADDRESS_HAS_NO_PATH: &str = "the address has no path";

pub(crate) fn more_than_bytes(most: usize) -> String {
    format!("more than {most} bytes")
}

pub(crate) const TLS_WITH_IT_IS_NOT_POSSIBLE: &str = "TLS with it is not possible";

pub(crate) const CONNECTION_TIMED_OUT: &str = "the connection timed out";

pub(crate) const CONNECTION_FAILED: &str = "the connection failed";

pub(crate) const CONNECTION_WAS_CLOSED_BEFORE_END: &str =
    "the connection was closed before the end";

pub(crate) const IT_IS_NOT_JSON: &str = "it is not JSON";

pub(crate) const NO_DATA_IN_IT: &str = "no `data` in it";

pub(crate) fn redirect_which_is_never_followed(status: u16) -> String {
    format!("a redirect ({status}), which is never followed")
}

pub(crate) const NO_MESSAGE: &str = "no message";

pub(crate) const UNUSABLE_CHARACTERS: &str = "unusable characters";

pub(crate) const SECOND_FACTOR_REQUIRED: &str = "the user needs a second factor; use an API token";

pub(crate) const NO_TICKET_IN_ANSWER: &str = "no ticket in the answer";

pub(crate) fn is_not_pem(error: &impl Debug) -> String {
    format!("is not PEM: {error:?}")
}

pub(crate) const HAS_NO_CERTIFICATE_IN_IT: &str = "has no certificate in it";

pub(crate) fn not_the_pinned_certificate(seen: &str) -> String {
    format!("its certificate is not the pinned one; it showed SHA-256 {seen}")
}

pub(crate) fn its_certificate_is_refused(reason: &str) -> String {
    format!("its certificate is refused: {reason}")
}

pub(crate) const IT_HAS_EXPIRED: &str = "it has expired";

pub(crate) const IT_IS_NOT_VALID_YET: &str = "it is not valid yet";

pub(crate) const IT_WAS_REVOKED: &str = "it was revoked";

pub(crate) const SIGNED_BY_NO_TRUSTED_AUTHORITY: &str =
    "no authority that is trusted here signed it";

pub(crate) const IT_IS_FOR_ANOTHER_NAME: &str = "it is for another name";

pub(crate) const SIGNATURE_OF_NO_TRUSTED_AUTHORITY: &str =
    "no authority that is trusted here made its signature";

pub(crate) const IT_IS_DAMAGED: &str = "it is damaged";

pub(crate) const IT_DOES_NOT_PASS_CHECKS: &str = "it does not pass the checks";

pub(crate) const LIST_OF_RIGHTS_CANNOT_BE_READ: &str = "the list of rights cannot be read";

pub(crate) fn rights_unknown(reason: &str) -> String {
    format!("rights unknown: {reason}")
}

pub(crate) const TASK_LEFT_NO_EXIT_STATUS: &str = "the task left no exit status";

pub(crate) const UNEXPECTED_STATUS: &str = "unexpected status";

pub(crate) const PROXMOX_LOST_TRACK_OF_TASK: &str = "Proxmox lost track of the task";
