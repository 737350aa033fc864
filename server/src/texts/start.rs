//! Sentences of the server for people: starting and subcommands.

use std::fmt::Display;

use protocol::Effort;

pub(crate) fn audit_is_intact(rows: i64, head: &impl Display) -> String {
    format!("OK: {rows} rows, head {head}")
}

pub(crate) fn audit_is_broken(seq: i64, why: &impl Display) -> String {
    format!("BROKEN at row {seq}: {why}")
}

pub(crate) fn jarvis_at(version: &str, url: &str) -> String {
    format!("Jarvis {version} at {url}")
}

pub(crate) fn sign_in_with(link: &str) -> String {
    format!("Sign in once with this link: {link}")
}

pub(crate) const SIGN_IN_AS_BEFORE: &str =
    "Sign in with your password or passkey; jarvis sign-in-link makes a link.";

pub(crate) const EXPORT_BROKE_OFF_JSON: &str = "{\"error\":\"The rest could not be read.\"}\n";

pub(crate) const EXPORT_BROKE_OFF_CSV: &str = "The rest could not be read.\r\n";

pub(crate) const NAME_THE_PORT: &str =
    "the server takes a free port; name the address that it printed with --listen";

pub(crate) fn no_such_user(name: &str) -> String {
    format!("no user {name:?} may sign in")
}

pub(crate) const NO_USER_YET: &str = "there is no user yet: start the server once";

pub(crate) const CANNOT_CATCH_SIGINT: &str = "cannot catch SIGINT";

pub(crate) const CANNOT_CATCH_SIGTERM: &str = "cannot catch SIGTERM";

pub(crate) const NO_TOKEN_FOR_MCP: &str =
    "no API token: set JARVIS_TOKEN or name a file with --token-file";

pub(crate) fn cannot_read_token(path: &impl Display) -> String {
    format!("cannot read the API token from {path}")
}

pub(crate) const USAGE_MAY_BE_ESTIMATED: &str =
    "Token counts that the model's server leaves out are estimates; so are the budgets on them.";

pub(crate) fn context_is_short(window: u64, least: u64) -> String {
    format!(
        "The model's server runs it with {window} tokens of context. Jarvis needs {least} or more: \
         raise it there (Ollama: OLLAMA_CONTEXT_LENGTH)."
    )
}

pub(crate) fn rehearsal_model_at(base_url: &str) -> String {
    format!("Rehearsal model at {base_url}")
}

pub(crate) fn rehearsal_key(api_key: &str) -> String {
    format!("Key: {api_key}")
}

pub(crate) const HTTP_SERVER_FAILED: &str = "the HTTP server failed";

pub(crate) const DATABASE_COULD_NOT_BE_CLOSED: &str = "the database could not be closed";

pub(crate) fn cannot_listen(address: &impl Display, source: &impl Display) -> String {
    format!("cannot listen on {address} ({source})")
}

pub(crate) const BUILT_WITHOUT_SITE: &str =
    "This binary was built without its site; build it with cargo xtask build.";

pub(crate) const RECOVERY_FAILED: &str = "unfinished turns could not be taken up";

pub(crate) fn resuming_turns(conversations: usize) -> String {
    format!("Going on with unfinished turns in {conversations} conversations.")
}

pub(crate) fn rehearsal_model_answers(url: &str) -> String {
    format!("No ANTHROPIC_API_KEY: the rehearsal model answers ({url}).")
}

pub(crate) fn thinking_is_limited_by_effort(tokens: u32, effort: Effort) -> String {
    let effort = match effort {
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
        Effort::ExtraHigh => "extra high",
        Effort::Max | Effort::Unknown => "the highest level",
    };
    format!(
        "The model takes no number of thinking tokens: {tokens} (run.max_thinking_tokens) limits its \
         effort to {effort} instead."
    )
}

pub(crate) const NO_EXECUTABLE_IS_RUN: &str = "CLAUDE_CODE_EXECUTABLE is ignored: this server asks the model over its API and runs no other \
     program for it.";

pub(crate) const REHEARSAL_MODEL: &str = "Rehearsal model";

pub(crate) const TRACES_CANNOT_BE_SENT: &str = "traces cannot be sent";

pub(crate) const CANNOT_START_THREADS: &str = "cannot start threads";

pub(crate) const CANNOT_WRITE_TO_STANDARD_OUTPUT: &str = "cannot write to standard output";

pub(crate) fn cannot_read_secret(path: &impl Display, source: &impl Display) -> String {
    format!("cannot read a secret from {path} ({source})")
}

pub(crate) fn secret_is_readable_by_everybody(path: &impl Display) -> String {
    format!("every user of this machine can read {path}; run chmod o= on it")
}
