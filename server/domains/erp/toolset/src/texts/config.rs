//! Texts about values of the configuration; each follows the name of its field.

pub(crate) const MUST_BE_AN_API_KEY: &str =
    "must be the API key of a user, as ERPNext shows it under the user's API Access";

pub(crate) const MUST_BE_AN_API_SECRET: &str =
    "must be the API secret that ERPNext showed once when the key was made";

pub(crate) const HAS_AN_EMPTY_NAME: &str = "has an empty name";

pub(crate) const MUST_BE_AT_LEAST_1: &str = "must be at least 1";

pub(crate) const MUST_BE_FROM_1_TO_8: &str = "must be from 1 to 8";

pub(crate) const MUST_LOOK_LIKE_AN_ADDRESS: &str =
    "must look like https://erp.example.org, without user, path or query";

pub(crate) const MUST_BE_HTTPS: &str =
    "must begin with https://; http is for this machine's own addresses only";

pub(crate) const MUST_BE_32_BYTES: &str = "must be SHA-256 fingerprints: 32 hexadecimal bytes each";

pub(crate) fn is_not_pem(error: &impl std::fmt::Display) -> String {
    format!("is not PEM: {error}")
}

pub(crate) const HAS_NO_CERTIFICATE: &str = "has no certificate in it";

pub(crate) const MUST_BE_AT_MOST_TYPE_ABOVE: &str = "must be at most type_above";

pub(crate) const MUST_BE_A_PERCENTAGE: &str = "must be from 0 to 100";

pub(crate) const MUST_BE_FROM_1_TO_100: &str = "must be from 1 to 100";

pub(crate) const MUST_BE_A_FIELD_NAME: &str =
    "must be the name of a field, such as jarvis_call: small letters, digits and underscores";

pub(crate) const MUST_BE_OBJECTS: &str =
    "must be things with their type, such as company/Aldergate Holding or doctype/Payment Entry";

pub(crate) const MUST_POST_NOTHING: &str = "may only name types that post to no ledger and bind nobody: Job Card, Material Request, Packing Slip, \
     Pick List, Request for Quotation, Supplier Quotation, Timesheet, Work Order";
