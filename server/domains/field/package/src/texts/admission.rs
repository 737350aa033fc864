//! Refusals of a device.

pub(crate) const ROOT_EXPIRED: &str = "the root document has expired";
pub(crate) const NOT_YET: &str = "the package is not valid yet";
pub(crate) const EXPIRED: &str = "the package has expired";
pub(crate) const PAYLOAD_DIGEST: &str = "the payload is not the one that was signed";
pub(crate) const PAYLOAD_TEXT: &str = "the payload is not UTF-8";
pub(crate) const OLD_SEQUENCE: &str = "the number of the package is not above those seen before";
pub(crate) const REPLAYED: &str = "the package was there before";
pub(crate) const CLAIM: &str = "the package is not the one that was claimed";

pub(crate) fn device(field: &str) -> String {
    format!("the package is for another device: {field} differs")
}

/// A sentence about a time, with the fault of the clock if there is one: whoever reads it would look in
/// the wrong place.
pub(crate) fn with_clock(sentence: &str, fault: Option<String>) -> String {
    match fault {
        None => sentence.to_owned(),
        Some(fault) => format!("{sentence} (note: {fault})"),
    }
}

pub(crate) fn contradiction(field: &str) -> String {
    format!("the script needs more than the manifest says: {field}")
}

pub(crate) fn sandbox(field: &str) -> String {
    format!("no sandbox of this device enforces {field}")
}
