//! Sentences for people: why a call waits, is refused or is asked for again.

use std::fmt::Display;

pub(crate) const COULD_NOT_DECIDE: &str =
    "Whether this may run could not be decided, so it does not.";

pub(crate) fn comment_is_too_long(kibibytes: usize) -> String {
    format!("The comment is longer than {kibibytes} KiB.")
}

pub(crate) const KILL_SWITCH_BLOCKS_ACTIONS: &str = "The kill switch is on: actions are blocked.";

pub(crate) const NEEDS_APPROVAL_EVERY_TIME: &str = "This call needs approval every time.";

pub(crate) fn grant_uses_out_of_range(uses: u32) -> String {
    format!("A grant covers 1 to {uses} calls.")
}

pub(crate) const GRANT_ENDS_WITHIN_24_HOURS: &str = "A grant ends within 24 hours.";

pub(crate) fn grant_ends_within_minutes(minutes: u32) -> String {
    format!("A grant ends within {minutes} minutes.")
}

pub(crate) fn approval_is_needed_again(sentence: &str) -> String {
    format!("{sentence} Approval is needed again.")
}

pub(crate) const CHANGED_SINCE_SHOWN: &str =
    "Its target or the policy has changed since this was shown, so approval is needed again.";

pub(crate) const INPUT_WAS_CHANGED: &str = "The input was changed.";

pub(crate) fn takes_too_much_to_show(takes: &str, most: &str) -> String {
    format!("What this would do takes {takes} to show, and a card shows {most} at most.")
}

pub(crate) const SPLIT_IT: &str = "Split it into smaller requests.";

pub(crate) const CANNOT_BE_SHOWN: &str =
    "The tool described its effect in a form that cannot be shown.";

pub(crate) const PLAN_MODE: &str = "This conversation is in plan mode: nothing runs.";

pub(crate) const MODE_IS_UNKNOWN: &str =
    "The conversation's mode is unknown to this server: nothing runs.";

pub(crate) fn no_such_tool(name: &str) -> String {
    format!("There is no tool named {name:?}.")
}

pub(crate) const TOOL_IS_NOT_PART: &str = "This tool is not part of this conversation.";

pub(crate) const TOOL_IS_REDEFINED: &str = "The definition of this tool has changed since this conversation began. A new conversation can use \
     the new one.";

pub(crate) const BLACK_NEVER_RUNS: &str =
    "This is BLACK: it never runs from here, whoever asks. It must be done by hand.";

pub(crate) const RELAYED_BY_PROGRAM: &str =
    "A program asks for this, for a model elsewhere. Nothing in it comes from your own words.";

pub(crate) const ROLE_IS_READ_ONLY: &str =
    "This person's role is read-only: actions need an operator.";

pub(crate) const ROLE_COULD_NOT_BE_READ: &str =
    "The person's role could not be read, so actions are blocked.";

pub(crate) const KILL_SWITCH_IS_ON: &str =
    "The kill switch is on: only reading is possible until a person lifts it.";

pub(crate) const KILL_SWITCH_COULD_NOT_BE_READ: &str =
    "The state of the kill switch could not be read, so actions are blocked.";

pub(crate) const WAS_DENIED_BEFORE: &str =
    "This very call was denied before, and no message has come since.";

pub(crate) fn maybe_in_result_of(name: &str) -> String {
    format!("it may be in the result of {name}")
}

pub(crate) const MAYBE_IN_FILE: &str = "it may be in a file, an image or quoted text";

pub(crate) fn in_result_of(name: &str) -> String {
    format!("it came up in the result of {name}")
}

pub(crate) const IN_SUMMARY_OF_SYSTEMS: &str = "it came up in the summary of the systems";

pub(crate) const IN_FILE: &str = "it came up in a file or in quoted text";

pub(crate) const IN_PLAN: &str = "it came up in the plan";

pub(crate) fn when_refused(name: &str) -> String {
    format!("it came up when {name} was refused or denied")
}

pub(crate) const ONLY_IN_CONFIGURATION: &str = "it is only in the configuration";

pub(crate) fn leave_it_alone(value: &str) -> String {
    format!("Your words name {value}, but seem to say to leave it alone.")
}

pub(crate) fn another_waits(target: &str, sentence: &str) -> String {
    format!("Another request on {target} is waiting for a decision: {sentence}")
}

pub(crate) const CHOSEN_BY_MODEL: &str = "the model chose it";

pub(crate) const SOURCE_IS_UNKNOWN: &str = "its source is unknown";

pub(crate) fn is_not_in_your_words(value: &str, source: &str) -> String {
    format!("{value} is not in your words; {source}.")
}

pub(crate) fn is_true_or_left_out(name: &str) -> String {
    format!("{name:?} is either true or left out.")
}

pub(crate) fn input_is_invalid(problems: &str) -> String {
    format!("The input is invalid: {problems}.")
}

pub(crate) const INPUT_IS_NOT_OBJECT: &str = "The input is not an object.";

pub(crate) const NOTHING_WAS_CHANGED: &str = "Nothing was changed.";

pub(crate) fn cannot_be_changed(name: &str) -> String {
    format!("{name:?} cannot be changed.")
}

pub(crate) fn policy_protects(named: &str) -> String {
    format!("The policy protects {named}.")
}

pub(crate) const POLICY_NAMES_THIS_TOOL: &str = "The policy names this tool.";

pub(crate) const POLICY_REQUIRES_IT: &str = "The policy requires it for every request.";

pub(crate) const POLICY_REQUIRES_IT_IF_IRREVERSIBLE: &str =
    "The policy requires it for irreversible calls.";

pub(crate) const THE_SYSTEM: &str = "the system";

pub(crate) fn read_with(tool: &str) -> String {
    format!("Read with {tool}.")
}

pub(crate) const IT_ONLY_READS: &str = "It only reads, so there is nothing to find out.";

pub(crate) fn input_does_not_fit(error: &impl Display) -> String {
    format!("The input does not fit the tool: {error}.")
}

pub(crate) const NO_SUCH_BOARD_HERE: &str = "No such board here.";
