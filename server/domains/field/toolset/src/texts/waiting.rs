//! Outcomes of runs.

pub(crate) const NOT_DELIVERED: &str = "the device did not come for it in time";
pub(crate) const CANCELLED: &str = "it was cancelled before it started";
pub(crate) const NOTHING_QUEUED: &str = "No run was queued for this call.";
pub(crate) const TURN_STOPPED: &str = "The turn was stopped.";
pub(crate) const HELP_UNKNOWN: &str =
    "Don't run it again on your own. A person finds out on the page of the run, and says so there.";

pub(crate) fn progress(phase: &str, step: Option<u32>, steps: u32) -> String {
    match (phase, step) {
        ("queued", _) => "waits for the device".to_owned(),
        ("claimed", _) => "the device has it".to_owned(),
        (_, Some(step)) if steps > 0 => format!("step {step} of {steps}"),
        _ => "running".to_owned(),
    }
}

pub(crate) fn is_unknown(run: &str, reason: &str) -> String {
    format!("Nobody knows whether the run {run} took effect: {reason}.")
}

pub(crate) fn was_refused(by_device: bool, reason: &str) -> String {
    let by = if by_device { "device" } else { "server" };
    let reason = reason.trim_end_matches('.');
    format!("the {by} refused it: {reason}")
}

pub(crate) fn never_ran(run: &str, why: &str) -> String {
    format!("Nothing of the run {run} ran: {why}.")
}

pub(crate) fn texts_left_out(most: usize) -> String {
    format!("only the first {most} steps have their text here; get_run has the others")
}

/// The outcome of a run that began. What went wrong comes first: the card of the call has the mark of one
/// that was carried out.
pub(crate) fn over(phase: &str, ran: usize, steps: u32, failed: usize) -> String {
    let cut = if phase == "cut" { "cut short, " } else { "" };
    match failed {
        0 => format!("{cut}{ran} of {steps} steps ran"),
        failed if u32::try_from(ran) == Ok(steps) => {
            format!("{cut}{failed} of {steps} steps failed")
        }
        failed => format!("{cut}{failed} of {steps} steps failed, {ran} ran"),
    }
}

/// The outcome of a script without steps that failed.
pub(crate) fn failed(how: &str) -> String {
    format!("the script failed: {how}")
}

/// A summary with what matters most in it.
pub(crate) fn with_point(summary: &str, point: &str) -> String {
    format!("{summary}: {point}")
}

pub(crate) fn ping(average_ms: Option<f64>, loss: f64) -> String {
    match average_ms {
        Some(average) => format!("round trip {average} ms on average, {loss} % loss"),
        None => format!("no answer, {loss} % loss"),
    }
}

pub(crate) fn was_removed(phase: &str) -> String {
    format!("The run of this call ended as {phase}, and its record was removed since.")
}

#[cfg(test)]
mod tests {
    use super::over;

    #[test]
    fn what_went_wrong_comes_first() {
        for (phase, ran, failed, says) in [
            ("ended", 3, 0, "3 of 3 steps ran"),
            ("ended", 3, 1, "1 of 3 steps failed"),
            ("ended", 2, 1, "1 of 3 steps failed, 2 ran"),
            ("cut", 2, 0, "cut short, 2 of 3 steps ran"),
            ("cut", 2, 1, "cut short, 1 of 3 steps failed, 2 ran"),
        ] {
            assert_eq!(over(phase, ran, 3, failed), says);
        }
    }
}
