//! Sentences of the server for people: mistakes in the configuration.

use std::fmt::Display;

pub(crate) fn cannot_read(path: &impl Display, error: &impl Display) -> String {
    format!("cannot read {path}: {error}")
}

pub(crate) fn is_refused(path: &impl Display, why: &str) -> String {
    format!("{path} is refused: {why}")
}

pub(crate) const IT_BELONGS_TO_ANOTHER_USER: &str = "it belongs to another user";

pub(crate) const OTHERS_CAN_WRITE_IT: &str = "other users can write it; run chmod go-w on it";

pub(crate) const LINK_OF_ANOTHER_USER: &str = "a link to it belongs to another user";

pub(crate) fn others_can_write_folder(folder: &impl Display) -> String {
    format!("other users can write its folder {folder}; run chmod go-w on that")
}

pub(crate) fn folder_of_another_user(folder: &impl Display) -> String {
    format!("its folder {folder} belongs to another user")
}

pub(crate) const EXCHANGED_WHILE_READ: &str = "it was exchanged while it was read";

pub(crate) const TOO_MANY_LINKS: &str = "too many links";

pub(crate) const BASE_URL_IS_NO_ADDRESS: &str = "model.base_url: expected http://… or https://…";

pub(crate) fn no_kinds_of_notices(known: &str) -> String {
    format!("notices.off: expected a list of kinds of notices, which are {known}")
}

pub(crate) fn or_set_variable(name: &str) -> String {
    format!(", or set {name} in the environment")
}

pub(crate) fn readable_by_everybody(name: &str, file: &impl Display, instead: &str) -> String {
    format!("{name}: every user of this machine can read it here; run chmod 600 {file}{instead}")
}

/// A table whose entries have no names to show.
pub(crate) fn entries(count: usize) -> String {
    match count {
        0 => "(empty)".to_owned(),
        1 => "(1 entry)".to_owned(),
        count => format!("({count} entries)"),
    }
}

pub(crate) fn expected(name: &str, expected: &str) -> String {
    format!("{name}: expected {expected}")
}

pub(crate) fn unknown_key(name: &str, expected: &str) -> String {
    format!("unknown key {name}; {expected}")
}

pub(crate) fn unknown_environment_variable(name: &str, expected: &str) -> String {
    format!("unknown environment variable {name}; {expected}")
}

pub(crate) const NO_HOME_FOLDER: &str =
    "server.data_dir: there is no home folder; name one with --data-dir";

pub(crate) const CERT_AND_KEY_GO_TOGETHER: &str = "server.tls_cert and server.tls_key go together";

pub(crate) const ORIGINS_ARE_NO_ORIGINS: &str =
    "server.allowed_origins: expected origins such as https://front.lan, without a path";

pub(crate) const PUBLIC_URL_IS_NO_ADDRESS: &str =
    "server.public_url: expected http://… or https://…";

pub(crate) fn listens_without_tls(address: &impl Display) -> String {
    format!(
        "server.listen: {address} can be reached from other machines, and without TLS anybody on \
         the way can read the session. Set server.tls_cert and server.tls_key, or put a reverse \
         proxy with TLS in front and name its address in server.trusted_proxies, or listen on \
         127.0.0.1"
    )
}

pub(crate) fn metrics_token_is_short(least: usize) -> String {
    format!("metrics.token: expected at least {least} characters")
}

pub(crate) fn metrics_need_token(address: &impl Display) -> String {
    format!(
        "metrics.listen: {address} can be reached from other machines; set metrics.token, or listen \
         on 127.0.0.1"
    )
}

pub(crate) fn header_already_used(header: &impl Display) -> String {
    format!("sign_in.proxy: the header {header} says something else")
}

pub(crate) const ONE_HEADER_FOR_BOTH: &str = "sign_in.proxy: one header cannot say both";

pub(crate) const SIGN_OUT_URL_IS_NO_ADDRESS: &str =
    "sign_in.proxy.sign_out_url: expected http://… or https://…";

pub(crate) const GROUPS_NEED_HEADER: &str =
    "sign_in.proxy: groups need groups_header, which names them";

pub(crate) const HEADER_NEEDS_GROUPS: &str =
    "sign_in.proxy.groups_header: set viewer_groups, operator_groups or admin_groups beside it";

pub(crate) const PROXY_NEEDS_ADDRESSES: &str =
    "sign_in.proxy: set addresses, or nobody is believed";

pub(crate) fn did_you_mean(name: &str) -> String {
    format!("did you mean {name}?")
}

pub(crate) fn expected_one_of(known: &str) -> String {
    format!("expected one of: {known}")
}

pub(crate) const A_PATH: &str = "a path";

pub(crate) const ADDRESS_AND_PORT: &str = "an address and port such as 127.0.0.1:7340";

pub(crate) const TRUE_OR_FALSE: &str = "true or false";

pub(crate) const LIST_OF_TEXTS: &str = "a list of texts (in the environment: separated by commas)";

pub(crate) const LIST_OF_TOOLS: &str =
    "a list of names of tools (in the environment: a JSON array)";

pub(crate) const NAME_OF_HEADER: &str = "the name of a header such as Remote-User";

pub(crate) fn whole_number_from_to(least: u32, most: u32) -> String {
    format!("a whole number from {least} to {most}")
}

pub(crate) fn list_of_whole_numbers(least: u32, most: u32) -> String {
    format!(
        "a list of whole numbers from {least} to {most} (in the environment: separated by commas)"
    )
}

pub(crate) fn no_log_filter(filter: &str) -> String {
    format!("log.filter: {filter:?} is not a filter such as info,agent=debug")
}

pub(crate) const LOGGING_WAS_STARTED_BEFORE: &str = "logging was started before";

pub(crate) fn version_of_stored_policy(version: u64) -> String {
    format!("version {version} of the stored policy")
}

pub(crate) fn is_wrong(key: &str, why: &impl Display) -> String {
    format!("{key}: {why}")
}

pub(crate) fn too_many_webhooks(most: usize) -> String {
    format!("webhooks: at most {most} endpoints can be set")
}

pub(crate) fn no_name_of_webhook(longest: usize) -> String {
    format!("webhooks: a name has 1 to {longest} small letters, digits, _ and -")
}

pub(crate) fn webhook_is_no_table(name: &str) -> String {
    format!("webhooks.{name}: expected a table for each endpoint, such as [webhooks.pager]")
}

pub(crate) fn webhook_needs_secret(name: &str) -> String {
    format!("webhooks.{name}: set secret or secret_file, one of them")
}

pub(crate) fn too_many_mcp_servers(most: usize) -> String {
    format!("mcp: at most {most} servers can be set")
}

pub(crate) const NO_NAME_OF_MCP_SERVER: &str =
    "mcp: a name has 1 to 20 small letters, digits and hyphens";

pub(crate) fn name_is_of_domain(name: &str) -> String {
    format!("mcp.{name}: a domain has this name")
}

pub(crate) fn mcp_needs_command_or_url(name: &str) -> String {
    format!("mcp.{name}: set command or url, one of them")
}

pub(crate) fn too_many_mcp_children(programs: usize, most: usize) -> String {
    format!(
        "mcp_limits.children (mcp_too_many_children): {programs} MCP servers run in a sandbox, and at most {most} may at \
         once. Raise the limit, or remove a server"
    )
}

pub(crate) fn too_much_mcp_memory(mib: u64, most: u32) -> String {
    format!(
        "mcp_limits.memory_mib (mcp_too_much_memory): the memory_mib of all sandboxed MCP servers are {mib} together, and \
         at most {most} are allowed. Raise the limit, or lower theirs"
    )
}

pub(crate) fn is_only_for(key: &str, other: &str) -> String {
    format!("{key}: only with {other}")
}

pub(crate) fn oauth_or_header(key: &str) -> String {
    format!("{key}: it needs no secret_file and no header, which would sign in another way")
}

pub(crate) fn oauth_needs_credential(key: &str) -> String {
    format!("{key}: set client_secret_file, client_secret_env or private_key_file, one of them")
}

pub(crate) const ADDRESS_OF_SIGN_IN: &str = "https://, or http:// with an address of this machine or a private network as a number, and no \
     user name";

pub(crate) const CLIENT_ID: &str = "the identifier of a client";

pub(crate) const KEY_ID: &str = "the identifier of a key";

pub(crate) const AUDIENCE: &str =
    "the name or address by which the authorization server knows itself";

pub(crate) const SCOPES: &str = "scopes with a space between them";

pub(crate) const VARIABLE_OF_SECRET: &str =
    "the name of a variable, in capital letters, that does not begin with JARVIS_";

pub(crate) const PROGRAM_AND_ARGUMENTS: &str = "a list of a program and its arguments";

pub(crate) const ABSOLUTE_PATHS: &str = "a list of absolute paths";

pub(crate) const ADDRESS_OF_MCP_SERVER: &str = "http:// or https://, a host, and no user name";

pub(crate) const FINGERPRINTS: &str = "a list of SHA-256 fingerprints";

pub(crate) const TIERS_OF_TOOLS: &str = "green, yellow or red";

pub(crate) const RECOVERY_OF_TOOLS: &str = "pure, idempotent or unsafe";

pub(crate) const OR_NAME_SECRET_FILE: &str = ", or name another file with secret_file";

pub(crate) fn no_kinds_of_messages(key: &str, known: &str) -> String {
    format!("{key}: expected a list of kinds, which are {known}")
}
