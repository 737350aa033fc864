//! Sentences of the homelab for people: commands over SSH.

use std::fmt::Display;

pub(crate) const IT_REFUSED_REQUEST: &str = "it refused the request";

pub(crate) const NO_EXIT_STATUS_CAME: &str = "no exit status came";

pub(crate) const SSH_CONNECTION_FAILED: &str = "the SSH connection failed";

pub(crate) fn readable_by_others(mode: u32) -> String {
    format!("can be read by others (mode {mode:o}); chmod 600 it")
}

pub(crate) const NOT_A_USABLE_KEY: &str =
    "is no Ed25519 or ECDSA key in OpenSSH's format without a passphrase";

pub(crate) const CERTIFICATE: &str = "a certificate";

pub(crate) const VALUE_AFTER_EQUALS_SIGN: &str =
    "values stand in a word of their own, not after an equals sign";

pub(crate) const IT_IS_GIVEN_ALREADY: &str = "it is given already";

pub(crate) const OPTIONS_STAND_AS_LISTED: &str =
    "options stand exactly as in the list, not shortened, joined or moved";

pub(crate) const EXPECTED_SERVICE_NAME: &str =
    "the full name of a system service, such as pveproxy.service";

pub(crate) fn whole_number_from_to(least: u32, most: u32) -> String {
    format!("a whole number from {least} to {most}")
}

pub(crate) fn one_of(words: &str) -> String {
    format!("one of {words}")
}

pub(crate) const EXPECTED_DISK: &str = "a whole disk, such as /dev/sda or /dev/nvme0n1";

pub(crate) const NUMBER_IN_RANGE: &str = "number in the range";

pub(crate) const EXPECTED_WORD: &str = "word that is possible here";

pub(crate) const IT_ONLY_LOOKS: &str = "It only looks; it may be run again.";

pub(crate) fn node_is_protected(node: &str) -> String {
    format!("Node {node} is protected: nothing is done on it from here.")
}

pub(crate) const NOT_CONFIGURED: &str =
    "SSH is not configured, so no command can be run on a node.";

pub(crate) fn not_configured_for_node(node: &str, names: &str) -> String {
    format!("SSH is not configured for node {node:?}; it is for: {names}.")
}

pub(crate) fn command_is_refused(refusal: &impl Display) -> String {
    format!("The command is refused: {refusal}.")
}

pub(crate) const SIGNS_IN_AS: &str = "Signs in as";

pub(crate) fn run_on_node_over_ssh(sent: &str, node: &str) -> String {
    format!("Run `{sent}` on node {node} over SSH, which changes nothing.")
}

pub(crate) fn command_succeeded(program: &str, node: &str) -> String {
    format!("{program} on {node}: done")
}

pub(crate) fn command_exited_with(program: &str, node: &str, code: u32) -> String {
    format!("{program} on {node}: exit code {code}")
}

pub(crate) fn command_output_too_large(program: &str, node: &str) -> String {
    format!("{program} on {node}: cut off, too much output")
}

pub(crate) const NO_SERVICE_OF_THIS_NAME: &str = "no service of this name is on the node";

pub(crate) const OUTPUT_ENDED_EARLY: &str = "it was cut off before its end";

pub(crate) const COMMAND_WROTE_TOO_MUCH: &str =
    "the command wrote too much and was cut off; ask for less";

pub(crate) const MIDDLE_OF_OUTPUT_IS_LEFT_OUT: &str =
    "the middle of the output is left out; ask for less";

pub(crate) fn middle_left_out(head: &str, left_out: usize, tail: &str) -> String {
    format!("{head}[… {left_out} bytes left out …]\n{tail}")
}
