//! Sentences of the homelab for people: mistakes in the configuration.

pub(crate) const AT_LEAST_ONE_IS_NEEDED: &str = "at least one is needed";

pub(crate) const MUST_BE_AT_LEAST_1: &str = "must be at least 1";

pub(crate) const MUST_BE_AT_MOST_1000: &str = "must be at most 1000";

pub(crate) const MUST_BE_AT_MOST_100: &str = "must be at most 100";

pub(crate) const NO_NODE_MACS: &str = "No hardware address of a node is configured.";

pub(crate) fn no_node_mac(node: &str, known: &str) -> String {
    format!("No hardware address is configured for a node {node:?}; there is one for: {known}.")
}

pub(crate) const NODE_MACS_HELP: &str = "The operator sets it under proxmox.node_macs.";

pub(crate) const MUST_LOOK_LIKE_USER_REALM_NAME: &str = "must look like user@realm!name";

pub(crate) const MUST_BE_TOKEN_SECRET_UUID: &str = "must be the token's secret, a UUID";

pub(crate) const MUST_LOOK_LIKE_NAME_REALM: &str = "must look like name@realm";

pub(crate) const IS_MISSING_BESIDE_TOKEN_ID: &str = "is missing beside token_id";

pub(crate) const IS_MISSING_BESIDE_TOKEN_SECRET: &str = "is missing beside token_secret";

pub(crate) const IS_MISSING_BESIDE_USERNAME: &str = "is missing beside username";

pub(crate) const IS_MISSING_BESIDE_PASSWORD: &str = "is missing beside password";

pub(crate) const CREDENTIALS_MISSING: &str =
    "is missing: give token_id and token_secret, or username and password";

pub(crate) const CREDENTIALS_TWICE: &str =
    "give either token_id and token_secret, or username and password";

pub(crate) const MUST_BEGIN_WITH_HTTPS: &str = "must begin with https://";

pub(crate) const MUST_BE_ONLY_HTTPS_HOST: &str = "must be only https://host or https://host:port";

pub(crate) const PORT_CANNOT_BE_SET: &str = "the port cannot be set";

pub(crate) fn no_fingerprint(text: &str) -> String {
    format!("{text:?} is not a SHA-256 fingerprint of 32 hexadecimal bytes")
}

pub(crate) const MUST_BE_NAME_OF_ACCOUNT: &str = "must be the name of an account";

pub(crate) const IS_MISSING: &str = "is missing";

pub(crate) fn host_is_no_address(name: &str) -> String {
    format!("{name}: host must be a name or an address, port from 1")
}

pub(crate) fn host_keys_are_missing(name: &str) -> String {
    format!(
        "{name}: host_keys is missing; read them on the node itself from \
         /etc/ssh/ssh_host_ed25519_key.pub, or name a known_hosts file"
    )
}

pub(crate) fn neither_key_nor_fingerprint(name: &str, text: &str) -> String {
    format!("{name}: {text:?} is neither a public key nor a SHA256 fingerprint")
}

pub(crate) fn revokes_no_key(number: i64) -> String {
    format!("line {number} revokes something that is no key")
}

pub(crate) const NOT_SIX_BYTES: &str = "is not six hexadecimal bytes such as 9C:6B:00:1A:42:14";

pub(crate) const IS_ALL_ZEROS: &str = "is all zeros";

pub(crate) const ADDRESS_OF_ALL_MACHINES: &str = "is the address of all machines";

pub(crate) const ADDRESS_OF_A_GROUP: &str = "is the address of a group of machines";
