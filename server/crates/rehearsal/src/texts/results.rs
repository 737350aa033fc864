//! Sentences about single results: what a command printed, what failed, what is unknown or lacking.

pub(crate) fn wants_attention(troubles: usize) -> &'static str {
    match troubles {
        1 => "One matter wants your attention:\n\n",
        _ => "These matters want your attention:\n\n",
    }
}

pub(crate) fn more_troubles(count: usize) -> String {
    format!("- and {count} more like these\n")
}

pub(crate) const FOUND: &str = "This is what I have found, sir.";

/// Words before the names that exist where another was looked for.
pub(crate) const KNOWN_NAMES: &str = " Names that exist there: ";

pub(crate) fn known_names(names: &str) -> String {
    format!("{KNOWN_NAMES}{names}.")
}

/// `place`: empty, or as in [`on_place`].
pub(crate) fn note_on(thing: &str, place: &str, note: &str, known_names: &str) -> String {
    format!("{thing}{place}: {note}, sir.{known_names}")
}

pub(crate) fn on_place(kind: &str, place: &str) -> String {
    format!(" on {kind} {place}")
}

pub(crate) fn is_word(thing: &str, place: &str, word: &str) -> String {
    format!("{thing}{place} is {word}, sir.")
}

pub(crate) fn command_says(command: &str, place: &str) -> String {
    format!("{command}{place} says, sir:")
}

pub(crate) fn command_ended(command: &str, place: &str, code: u64) -> String {
    format!("{command}{place} ended with exit code {code}, sir:")
}

pub(crate) const PRINTED_NOTHING: &str = "It printed nothing.";

pub(crate) fn more_lines(count: usize) -> String {
    match count {
        1 => "1 more line is in the result.".to_owned(),
        count => format!("{count} more lines are in the result."),
    }
}

pub(crate) fn effect_unknown(call: &str, known: &str) -> String {
    format!("whether {call} took effect is **unknown**: {known}")
}

pub(crate) fn call_failed(call: &str, target: Option<&str>, failure: &str) -> String {
    let target = target.map_or(String::new(), |target| format!(" for {target}"));
    format!("{call}{target} failed: {failure}")
}

pub(crate) fn reports(call: &str) -> String {
    format!("{call} reports as follows, sir.")
}

pub(crate) fn unknown(what: &str, reason: &str) -> String {
    format!("{what}: **unknown** ({reason})")
}

pub(crate) const NOT_ALL_READ: &str = "I could not read everything, sir.";
/// The same after another sentence.
pub(crate) const AND_NOT_ALL_READ: &str = " Not everything could be read.";

pub(crate) fn none_without(nouns: &str, lack: &str) -> String {
    format!("There are no {nouns} without {lack}, sir.")
}

pub(crate) fn unknown_values(reason: &str) -> String {
    format!("Unknown: {reason}")
}

pub(crate) const NO_DETAILS: &str = "No further details.";
pub(crate) const NO_REASON: &str = "no reason was given";

pub(crate) fn has_none(name: &str, lack: &str) -> String {
    format!("{name} has **no {lack}**")
}

pub(crate) fn have_none(count: usize, nouns: &str, lack: &str, names: &[String]) -> String {
    format!("{count} {nouns} have **no {lack}**: {}", names.join(", "))
}

pub(crate) fn shown_of(shown: u64, of: u64) -> String {
    format!("The result contains {shown} of {of}.")
}

/// A value under its label, of a thing, with the amount that it is a part of.
pub(crate) fn value(label: &str, of: Option<&str>, value: &str, whole: Option<&str>) -> String {
    let is_many = label.ends_with('s') && !label.ends_with("ss") && !label.ends_with("us");
    let is = if is_many { "are" } else { "is" };
    let part = |of: Option<&str>| of.map_or(String::new(), |of| format!(" of {of}"));
    let (of, whole) = (part(of), part(whole));
    format!("The {label}{of} {is} {value}{whole}, sir.")
}

pub(crate) fn figure_at(label: &str, value: &str) -> String {
    format!("{label} at {value}")
}

/// `figures`: those that say most of how it fares.
pub(crate) fn in_state(target: &str, state: &str, figures: Option<&str>) -> String {
    let figures = figures.map_or(String::new(), |figures| format!(", with {figures}"));
    format!("{target} is {state}, sir{figures}.")
}

pub(crate) fn figures_of(target: &str) -> String {
    format!("These are the figures of {target}, sir.")
}

pub(crate) fn is_not(name: &str, quality: &str) -> String {
    format!("{name} is **not {quality}**")
}

pub(crate) fn has_high_figure(name: &str, label: &str, value: &str) -> String {
    format!("{name}: {label} at **{value}**")
}

pub(crate) fn unknown_field(name: &str, field: &str, reason: &str) -> String {
    format!("{name}: {field} **unknown** ({reason})")
}

pub(crate) fn more_rows(count: usize) -> String {
    format!("… and {count} more.")
}
