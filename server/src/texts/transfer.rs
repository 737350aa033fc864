//! Sentences of the server for people: exported and imported conversations.

pub(crate) const NOT_EXPORTED_BY_JARVIS: &str = "The file is no conversation that Jarvis exported.";

pub(crate) const NOT_EXPORTED_AS_JSON: &str =
    "The file is no conversation that Jarvis exported as JSON.";

pub(crate) fn unknown_version(version: u64, known: u64) -> String {
    format!("The file has version {version} of the form, and this server knows version {known}.")
}

pub(crate) const FIELDS_ARE_MISSING: &str = "The file has not the fields of a conversation.";

pub(crate) const EXPORT_AGAIN: &str =
    "Nothing was changed. Export the conversation again, as JSON.";

pub(crate) const LIST_OF_EVENTS: &str = "a list of events";

pub(crate) const FILE_HAS_NO_EVENTS: &str = "The file has no events.";

pub(crate) fn bad_event(number: usize, what: &str) -> String {
    format!("Event {number} {what}.")
}

pub(crate) fn too_many_events(most: usize) -> String {
    format!("The file has more than {most} events.")
}

pub(crate) const IS_LARGER_THAN_2_MIB: &str = "is larger than 2 MiB";

pub(crate) const CANNOT_BE_READ: &str = "cannot be read";

pub(crate) const IS_OF_UNKNOWN_KIND: &str = "is of no kind that this server knows";

pub(crate) const IS_NOT_THE_NEXT: &str =
    "is not the one that comes next: one is missing, or comes twice";

pub(crate) const HAS_IMPOSSIBLE_TIME: &str = "has a time that cannot be";

pub(crate) const BELONGS_TO_NO_CONVERSATION: &str = "belongs to no conversation";

pub(crate) const BEGINS_ANOTHER_CONVERSATION: &str = "begins another conversation";

pub(crate) const DOES_NOT_BEGIN_CONVERSATION: &str = "does not begin a conversation";

pub(crate) const HAS_TOO_LARGE_VALUE: &str = "has a text or a number that is too large";

pub(crate) const HAS_SOMETHING_UNKNOWN: &str = "has something that this server does not know";

pub(crate) const CANNOT_BE_KEPT: &str = "cannot be kept";

pub(crate) const CONVERSATION_IS_GONE: &str = "the conversation is gone";

pub(crate) const EVENT_IS_NO_OBJECT: &str = "an event is no object";

pub(crate) fn started_line(created: &str) -> String {
    format!("- Begun: {created}\n")
}

pub(crate) fn imported(imported: &str) -> String {
    format!("- Imported: {imported}\n")
}

pub(crate) fn model_line(model: &str) -> String {
    format!("- Model: {model}\n")
}

pub(crate) const TIMES_ARE_UTC: &str = "- Times are UTC.\n";

pub(crate) fn attached_not_in_this_file(reference: &str) -> String {
    format!("Attached: {reference}, not in this file")
}

pub(crate) fn about(thing: &str) -> String {
    format!("About: {thing}")
}

pub(crate) fn can_run_without_asking(tool: &str, uses: u32, until: &str, by: &str) -> String {
    format!("{tool} can run {uses} more times without asking until {until}; given by {by}.")
}

pub(crate) fn revoked_by(by: &str) -> String {
    format!("revoked by {by}.")
}

pub(crate) fn started(call: &str, tier: &str) -> String {
    format!("{call} started, {tier}.")
}

pub(crate) const IT_RUNS_WITH_THIS_INPUT: &str = "\nIt runs with this input:\n\n";

pub(crate) fn was_refused(call: &str, message: &str) -> String {
    format!("{call} was refused: {message}")
}

pub(crate) const TOOK_EFFECT: &str = "took effect";

pub(crate) const DID_NOT_TAKE_EFFECT: &str = "did not take effect";

pub(crate) const IS_SETTLED: &str = "is settled";

pub(crate) const AS_SYSTEM_SHOWS: &str = "as the system shows";

pub(crate) fn from_here_on(model: &str) -> String {
    format!("{model} from here on.")
}

pub(crate) const INTERRUPTED: &str = "interrupted; it was asked for again.";

pub(crate) const SAID_IN_ANOTHER_BRANCH: &str =
    "what stands above was said in another branch first.";

pub(crate) fn acted_in_another_branch(tool: &str, tier: &str, outcome: &str) -> String {
    format!("{tool} acted in another branch, {tier}: {outcome}.")
}

pub(crate) const EVENT_IS_UNKNOWN: &str = "unknown to this version.";

pub(crate) fn with_this_input(name: &str) -> String {
    format!("{name}, with this input:")
}

pub(crate) const NOT_DECIDED_IN_TIME: &str = "not decided in time";

pub(crate) fn took(name: &str, word: &str, elapsed_ms: u64) -> String {
    format!("{name}: {word} ({})", units::duration(elapsed_ms))
}

pub(crate) fn image_not_in_this_file(image: &str) -> String {
    format!("\nImage: {image}, not in this file\n")
}

pub(crate) const IT_MAY_HAVE_TAKEN_EFFECT: &str = "It may have taken effect.";

pub(crate) fn outcome_unknown(known: &str) -> String {
    format!("outcome unknown: {known}")
}

pub(crate) const UNKNOWN_TO_THIS_VERSION: &str = "unknown to this version";

pub(crate) const UNNAMED_CALL: &str = "a call";

pub(crate) const ANSWER_WAS_CUT_AT_LIMIT: &str = "the answer was cut at a limit.";

pub(crate) const MODEL_DECLINED_TO_ANSWER: &str = "the model declined to answer.";

pub(crate) const STOPPED_BY_PERSON: &str = "stopped by a person.";

pub(crate) fn ended_at_limit(error: &str) -> String {
    format!("ended at a limit: {error}")
}

pub(crate) const ENDED_IN_UNKNOWN_WAY: &str = "ended in a way unknown to this version.";

pub(crate) const IT_TOOK_EFFECT: &str = "it took effect";

pub(crate) const IT_FAILED: &str = "it failed";

pub(crate) const IT_DID_NOT_TAKE_EFFECT: &str = "it did not take effect";

pub(crate) const WHETHER_IT_TOOK_EFFECT_IS_UNKNOWN: &str = "whether it took effect is unknown";
