//! Sentences about charts in one place, so that another language is another such module.

pub(crate) mod alerts;
pub(crate) mod answers;
pub(crate) mod past;
pub(crate) mod plans;
pub(crate) mod reports;

/// At the end of an answer: from when on the candles are made up.
pub(crate) fn simulated_from(time: &str) -> String {
    format!("\n\nNote, sir, that the candles from {time} on are simulated.")
}

/// `1 report`, `2 reports`.
fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}
