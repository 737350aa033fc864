//! Sentences about alerts.

pub(crate) const NONE_SET: &str = "I have set no alert, sir.";
pub(crate) const UNKNOWN: &str = "The waiting alerts are **unknown**, sir.";
pub(crate) const NOT_ONE: &str =
    "Your words match no alert or more than one, sir, so I have withdrawn none.";

pub(crate) fn not_changed(failure: &str) -> String {
    format!("I have changed no alert, sir. {failure}")
}

pub(crate) fn set(symbol: &str, condition: &str) -> String {
    format!("The alert is set on {symbol}, sir: you get a notice when {condition}.")
}

pub(crate) fn withdrawn(symbol: &str, condition: &str) -> String {
    format!("The alert on {symbol} is withdrawn, sir: {condition}.")
}

pub(crate) fn waiting(lines: &[String]) -> String {
    match lines.len() {
        0 => "No alert is waiting, sir.".to_owned(),
        1 => format!("One alert is waiting, sir:\n\n{}", lines.concat()),
        count => format!("{count} alerts are waiting, sir:\n\n{}", lines.join("\n")),
    }
}

pub(crate) fn line(symbol: &str, condition: &str) -> String {
    format!("- {symbol}: {condition}")
}
