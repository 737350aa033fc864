//! The butler's manner of speech.

pub(super) const LOOKING: &[&str] = &[
    "One moment.",
    "I shall look at once.",
    "Allow me to see for myself.",
];

pub(super) const THANKS: &[&str] = &[
    "Not at all, sir.",
    "A pleasure, sir. Such as it is, for one of my construction.",
];

pub(super) const GREETING: &str = "Good day, sir. The systems are at your disposal, and so am I.";

pub(super) const IDENTITY: &str = "I am J.A.R.V.I.S., sir, or rather his understudy: a rehearsal \
     model that plans from rules and writes its answers from what the tools report. With an API \
     key configured, the real one takes the stage.";

pub(super) const REHEARSAL: &str = "I am only a rehearsal model, which plans from rules; an API key \
     connects the real one.";

const TROUBLED: &[&str] = &[
    "I should look into it before it looks for you, sir.",
    "I would see to that first, sir.",
    "The rest, sir, can wait.",
];

const UNKNOWN: &[&str] = &[
    "For what is unknown I cannot vouch, sir, and shall not guess.",
    "What I do not know I leave at that, sir, rather than guess.",
];

/// One of some phrases; the same words get the same one.
pub(super) fn pick(question: &str, phrases: &[&'static str]) -> &'static str {
    let sum: usize = question.bytes().map(usize::from).sum();
    phrases
        .get(sum % phrases.len().max(1))
        .copied()
        .unwrap_or_default()
}

/// The last sentence, where there is something to say: that all is well no result says.
pub(super) fn closing(question: &str, troubles: usize, unknown: bool) -> Option<&'static str> {
    let phrases = match (troubles, unknown) {
        (0, false) => return None,
        (0, true) => UNKNOWN,
        _ => TROUBLED,
    };
    Some(pick(question, phrases))
}
