//! Cancellations.

pub(crate) const PHASE: &str = "Run now";
pub(crate) const SAFE_TO_REPEAT: &str = "A repetition of the call cancels nothing else.";

pub(crate) fn cancel(title: &str, device: &str) -> String {
    format!("Cancel the run “{title}” on {device}.")
}

pub(crate) fn outcome(outcome: &str) -> &'static str {
    match outcome {
        "cancelled" => "cancelled: nothing of it ran",
        "asked" => "it may have started; the device is asked to end it",
        _ => "it was over before",
    }
}
