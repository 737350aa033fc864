//! Sentences for people of this crate in one place, so that another language is another such module.

pub(crate) mod budget;
pub(crate) mod calls;
pub(crate) mod files;
pub(crate) mod gate;
pub(crate) mod redaction;
pub(crate) mod replay;

pub(crate) const CONNECTION_WAS_REFUSED: &str = "the connection was refused";

pub(crate) const CONNECTION_WAS_RESET: &str = "the connection was reset";

pub(crate) const THERE_IS_NO_ROUTE_TO_HOST: &str = "there is no route to the host";

pub(crate) const NETWORK_IS_UNREACHABLE: &str = "the network is unreachable";

pub(crate) const ADDRESS_IS_NOT_AVAILABLE: &str = "the address is not available";

pub(crate) const CONNECTION_TIMED_OUT: &str = "the connection timed out";

pub(crate) const CONNECTION_WAS_CLOSED_BEFORE_END: &str =
    "the connection was closed before the end";

pub(crate) const WHAT_CAME_BACK_CANNOT_BE_READ: &str = "what came back cannot be read";

pub(crate) const OPERATING_SYSTEM_DID_NOT_ALLOW_CONNECTION: &str =
    "the operating system did not allow the connection";

pub(crate) const ITS_NAME_CANNOT_BE_RESOLVED: &str = "its name cannot be resolved";

pub(crate) fn no_answer_yet(millis: u128) -> String {
    format!("no answer yet, after {millis} ms")
}

pub(crate) fn no_answer_within(millis: u128) -> String {
    format!("no answer within {millis} ms")
}

pub(crate) const NO_TOOLSET_KNOWS_IT: &str = "no toolset of this conversation knows such a thing";

pub(crate) const TOO_LARGE: &str = "too large";

pub(crate) const PERSONA_HAS_INVISIBLE_CHARACTERS: &str =
    "A persona can't contain invisible characters.";

pub(crate) fn persona_too_long(most: usize) -> String {
    format!("A persona has at most {most} characters.")
}

pub(crate) fn address_is_refused(most: usize) -> String {
    format!(
        "A form of address has at most {most} letters, digits, spaces, dots, hyphens and \
         apostrophes."
    )
}

pub(crate) fn carry_out(plan: &str) -> String {
    format!("Carry out: {plan}")
}

pub(crate) fn result_was_cut(bytes: usize, max_bytes: usize) -> String {
    format!(
        "The result had {bytes} bytes and was cut to about {max_bytes}. Ask for less, such as one \
         item or a filter, to see the rest."
    )
}

pub(crate) fn rows_left_out(count: usize) -> String {
    format!("… {count} more left out")
}

pub(crate) fn left_out(count: usize) -> String {
    format!("{count} more left out")
}

pub(crate) fn bytes_left_out(count: usize) -> String {
    format!("… {count} more bytes left out")
}

pub(crate) fn nothing_is_known(kind: &str) -> String {
    format!("nothing is known of a {kind}")
}
