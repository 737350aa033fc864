//! Sentences of the server for people: forms of the settings and of signing in.

use std::fmt::Display;

pub(crate) const PASSKEYS_DO_NOT_WORK: &str =
    "Passkeys aren't working at the moment. The server's log has the details.";

pub(crate) const BROWSER_ANSWER_UNREADABLE: &str = "The browser's answer can't be read.";

pub(crate) const ADMINS_ONLY: &str = "Only admins can do this.";

/// The note on a form that cannot be read.
pub(crate) const FORM_CANNOT_BE_READ: &str = "The form can't be read.";

pub(crate) const SERVER_COULD_NOT_SAVE_THIS: &str = "The server could not save this.";

pub(crate) const NOTHING_WAS_CHANGED: &str =
    "Nothing was changed. The server's log has the details.";

pub(crate) const NO_FILE_WAS_CHOSEN: &str = "No file was chosen.";

pub(crate) const FILE_IS_LARGER_THAN_16_MIB: &str = "The file is larger than 16 MiB.";

pub(crate) const CHANGED_MEANWHILE: &str =
    "Someone else changed this after you opened it. Check it again.";

pub(crate) const ADDRESS_IS_MISSING: &str = "Enter a form of address.";

pub(crate) const VERSION_NOT_FOUND: &str = "Version not found.";

pub(crate) const MODEL_NAME_IS_OUT_OF_RANGE: &str =
    "A model name has at most 128 characters and no spaces.";

pub(crate) fn no_number_between(label: &str, least: u32, most: u32) -> String {
    format!("{label}: a whole number from {least} to {most}.")
}

/// A pack's name beside that of its system.
pub(crate) fn pack_of(system: &str, pack: &str) -> String {
    format!("{system} · {pack}")
}

pub(crate) fn test_failed(error: &impl Display) -> String {
    format!("The test failed: {error}")
}

pub(crate) fn model_server_did_not_answer(seconds: u64) -> String {
    format!("The model's server did not answer within {seconds} s.")
}

pub(crate) fn is_one_of_them(model: &str) -> String {
    format!("{model} is one of them.")
}

pub(crate) fn is_not_among_them(model: &str) -> String {
    format!("{model} is not among them; it may still answer.")
}

pub(crate) fn model_server_answers(count: usize, found: &str) -> String {
    format!("The model's server answers and offers {count} models. {found}")
}

pub(crate) fn model_was_checked(model: &str) -> String {
    format!("{model} answered; the results are below.")
}

pub(crate) const CHECK_TAKES_TOO_LONG: &str =
    "There was no time for all questions. Run `jarvis model check` on the server.";

pub(crate) fn trial(word: &str, finding: &str) -> String {
    format!("{word}: {finding}")
}

pub(crate) const PASSKEY_NOT_FOUND: &str = "Passkey not found.";

pub(crate) const PASSKEY_NAME_IS_OUT_OF_RANGE: &str = "A passkey's name has 1 to 64 characters.";

pub(crate) fn account(full_name: &str, user: &str) -> String {
    format!("{full_name} ({user})")
}

pub(crate) fn key_works(account: &str) -> String {
    format!("Your key works. It is for {account}.")
}

pub(crate) fn with_help(message: &str, help: &str) -> String {
    format!("{message} {help}")
}

pub(crate) const NO_OWN_KEY: &str = "There is no key to test.";

pub(crate) const POLICY_CHANGED_MEANWHILE: &str =
    "Someone else changed the policy after you opened it. Check it again.";

pub(crate) fn no_number_up_to(what: &str, most: u32) -> String {
    format!("{what}: a whole number from 1 to {most}.")
}

pub(crate) fn unknown_tier(name: &str) -> String {
    format!("{name}: unknown tier.")
}

pub(crate) fn too_many_targets(most: usize) -> String {
    format!("At most {most} targets can be protected here.")
}

pub(crate) const TWO_PEOPLE_OPTIONS: &str = "Two people: choose one of the three options.";

pub(crate) const CALLS_PER_GRANT: &str = "Calls per grant";

pub(crate) const MINUTES_PER_GRANT: &str = "Minutes per grant";

pub(crate) const NEW_PASSWORDS_DONT_MATCH: &str = "The new passwords don't match.";

pub(crate) const TOO_MANY_TOKENS: &str = "There are too many tokens. Revoke one first.";

pub(crate) const TOKEN_NOT_FOUND: &str = "Token not found.";

pub(crate) const TOKEN_LIFE_IS_OUT_OF_RANGE: &str = "A token is valid for 1 to 365 days.";

pub(crate) const ROLE_OF_TOKEN_IS_TOO_HIGH: &str = "A token can't have a higher role than yours.";

pub(crate) const DECIDING_TOKEN_NEEDS_OPERATOR: &str =
    "A token that can approve and deny needs the role of an operator or admin.";

pub(crate) const CHOOSE_A_TOOLSET: &str = "Choose at least one toolset, or all.";

pub(crate) const HOW_TO_SEND_A_TOKEN: &str = "Send it as the header Authorization: Bearer, on requests and on the websocket. It won't be \
     shown again; the server keeps only its hash.";

pub(crate) const NAME_IS_TAKEN: &str = "Another user has this name.";

pub(crate) const ONE_ADMIN_MUST_REMAIN: &str = "At least one admin must be able to sign in.";

pub(crate) const USER_NOT_FOUND: &str = "User not found.";

pub(crate) fn give_link(name: &str) -> String {
    format!("Give this link to {name}. It works once, within an hour, and won't be shown again.")
}

pub(crate) const INCORRECT_NAME_OR_PASSWORD: &str = "Incorrect name or password.";

pub(crate) fn too_many_attempts(seconds: u64) -> String {
    format!("Too many attempts. Try again in {seconds} s.")
}

pub(crate) const TOO_MANY_SIGN_INS: &str = "Too many people are signing in. Try again in a moment.";

pub(crate) const LONGEST_ANSWER: &str = "Longest answer";

pub(crate) const STEPS_OF_TURN: &str = "Steps of a turn";

pub(crate) const MODEL_CALLS: &str = "model calls";

pub(crate) const HISTORY_OF_NEW_CONVERSATIONS: &str =
    "History that the model sees, in new conversations";

pub(crate) const TIME_TO_DECIDE: &str = "Time to decide on a RED call";

pub(crate) const BUDGET_OF_CONVERSATION: &str = "Budget of a conversation";

pub(crate) const US_CENTS: &str = "US cents";

pub(crate) const BUDGET_OF_PERSON_FOR_A_DAY: &str = "Budget of a person for a day (UTC)";

pub(crate) fn version_of_model_settings(version: u64) -> String {
    format!("version {version} of the model's settings")
}
