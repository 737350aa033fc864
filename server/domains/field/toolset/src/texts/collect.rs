//! Collections of diagnostics.

pub(crate) const WAITS: &str = "waits for the device";
pub(crate) const SENDS: &str = "the device sends";
pub(crate) const NOT_DELIVERED: &str =
    "Nothing was collected: the device did not come for it in time, or it was taken back.";
pub(crate) const NOT_COMPLETE: &str = "The device has not sent a whole bundle yet.";
pub(crate) const HELP_NOT_COMPLETE: &str = "Look for it with get_diagnostics later.";
pub(crate) const NOT_ASKED: &str = "No diagnostics were asked for by this call.";
pub(crate) const IS_GONE: &str = "The bundle was removed since.";

pub(crate) fn collect(device: &str) -> String {
    format!("Collect diagnostics from {device}.")
}

pub(crate) fn collected(sections: usize) -> String {
    format!("{sections} sections collected")
}

pub(crate) fn failed(reason: &str) -> String {
    let reason = reason.trim_end_matches('.');
    format!("The device sent no whole bundle: {reason}.")
}
