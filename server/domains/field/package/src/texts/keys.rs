//! Refusals of keys, signatures and root documents.

pub(crate) const NO_KEY: &str = "this is not a public key";
pub(crate) const WEAK: &str = "this key is weak: anybody can make signatures for it";
pub(crate) const BASE64: &str =
    "base64 is padded, of the standard alphabet, and without trailing bits";
pub(crate) const SIGNATURES: &str = "an envelope has 1 to 8 signatures";
pub(crate) const REPEATED: &str = "one key signed twice";
pub(crate) const BAD_SIGNATURE: &str = "a signature does not belong to these bytes";
pub(crate) const OTHER_TYPE: &str = "the signed document is of another type";
pub(crate) const ROOT_UNKNOWN: &str =
    "the root document is not signed by the root key of the enrolment";
pub(crate) const ROOT_ROLLED_BACK: &str =
    "the root document is older than the one that the device has";
pub(crate) const ROOT_GAP: &str = "root documents are taken one after the other, without a gap";
pub(crate) const ROOT_RESTORED: &str = "a key that was revoked stays revoked";

pub(crate) fn unknown_key(fingerprint: &str) -> String {
    format!("the key {fingerprint} is not one of the keys for this")
}

pub(crate) fn too_few(signed: usize, threshold: usize) -> String {
    format!("{threshold} keys have to sign, {signed} did")
}

pub(crate) fn root_keys(role: &str) -> String {
    format!(
        "the keys of the role {role} are not as they must be: 1 to 8 different keys, and a threshold that they can reach"
    )
}
