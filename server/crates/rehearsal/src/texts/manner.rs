//! The butler's manner of speech: phrases that say nothing about a system.

pub(crate) const THANKS: &[&str] = &[
    "Not at all, sir.",
    "A pleasure, sir. Such as it is, for one of my construction.",
];

pub(crate) const GREETING: &str = "Good day, sir. The systems are at your disposal, and so am I.";

pub(crate) const IDENTITY: &str = "I am J.A.R.V.I.S., sir, or rather his understudy: a rehearsal \
     model that plans from rules and writes its answers from what the tools report. With an API \
     key configured, the real one takes the stage.";

pub(crate) const REHEARSAL: &str = "I am only a rehearsal model, which plans from rules; an API \
     key connects the real one.";

pub(crate) const TROUBLED: &[&str] = &[
    "I should look into it before it looks for you, sir.",
    "I would see to that first, sir.",
    "The rest, sir, can wait.",
];

pub(crate) const UNKNOWN: &[&str] = &[
    "For what is unknown I cannot vouch, sir, and shall not guess.",
    "What I do not know I leave at that, sir, rather than guess.",
];

/// The opening of an answer that asks for confirmation of a name: "Do you mean pve?"
pub(crate) const ASKS_BACK: &str = "Do you mean ";

/// `state`: that of the only thing that is meant.
pub(crate) fn do_you_mean(names: &[String], state: Option<&str>) -> String {
    let names = names.join(" or ");
    let state = state.map_or(String::new(), |state| format!(" It is {state}."));
    format!("{ASKS_BACK}{names}, sir?{state}")
}

/// The question with each of the names follows, one a line.
pub(crate) fn do_you_mean_one_of(names: &[String], questions: &str) -> String {
    format!("{ASKS_BACK}{}, sir?\n{questions}", names.join(" or "))
}

pub(crate) const YES_TO_WHAT: &str =
    "Yes to what, sir? Say in one sentence what I shall look up or do.";

/// The model's thought before it calls tools.
pub(crate) fn calls_intended(calls: &[String]) -> String {
    format!(
        "The operator's words call for {}. The calls do not depend on each other, so they go out \
         together.",
        calls.join(", ")
    )
}

pub(crate) fn call_with_input(tool: &str, input: &str) -> String {
    format!("{tool} with {input}")
}

/// Thoughts before an answer.
pub(crate) const NOTHING_TO_READ: &str = "Nothing needs to be read for this. I shall answer.";
pub(crate) const RESULTS_ARE_IN: &str =
    "The results are in. I shall report what they say, trouble first, and no more.";
pub(crate) const SOME_FAILED: &str = "Not every result came back well. I shall say so plainly.";
