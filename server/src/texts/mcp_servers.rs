//! Sentences of the server for people: MCP servers and their tools.

use agent::clean_text;
use mcp_client::{
    NameHolder, ReviewStanding, ReviewedTool, ServedTool, TierSource, UnusableSchema,
};
use mcp_connection::{ConnectionState, SignInState};
use protocol::Tier;
use serde_json::Value;

pub(crate) fn cannot_start(server: &str) -> String {
    format!("the MCP server {server} cannot be started")
}

pub(crate) const NO_HEADER: &str = "the secret cannot be the value of a header";

const AWAY_IS_NAMED: &str = "Settings and the log say which.";

pub(crate) fn are_away(servers: usize) -> String {
    match servers {
        1 => format!("An MCP server does not answer. {AWAY_IS_NAMED}"),
        servers => format!("{servers} MCP servers do not answer. {AWAY_IS_NAMED}"),
    }
}

/// The state of a connection in a sentence, beside its mark, which is enough for one that is connected.
pub(crate) fn connection(state: &ConnectionState) -> String {
    match state {
        ConnectionState::Starting => "Not connected yet.".to_owned(),
        ConnectionState::Connected => String::new(),
        ConnectionState::Down(fault) => format!("Not connected. {fault}"),
    }
}

pub(crate) const NO_CLIENT_SECRET: &str =
    "the client secret of its sign-in is empty, or its variable is not set";

pub(crate) const NO_CLIENT_KEY: &str = "the file of its private key has none that can sign: it must be P-256, Ed25519, \
     or RSA of 2048 to 4096 bits, as PKCS#8 in PEM without a password (oauth_unusable_key)";

pub(crate) fn sign_in(state: &SignInState) -> String {
    match state {
        SignInState::Pending => "Not signed in yet.".to_owned(),
        SignInState::SignedIn {
            issuer,
            scope,
            seconds_left,
        } => {
            let scope = scope.as_ref().map(|it| format!(" for {it}"));
            let left = seconds_left.map(|it| format!(" The token is valid for {it} seconds."));
            let (scope, left) = (scope.unwrap_or_default(), left.unwrap_or_default());
            format!("Signed in at {issuer}{scope}.{left}")
        }
        SignInState::Failed(fault) => fault.to_string(),
    }
}

pub(crate) const DEFINITION_IS_ANOTHER: &str =
    "This tool has another definition now, or none that can be accepted. Look at it again.";

pub(crate) const CANNOT_BE_CALLED: &str =
    "There is no such test call: the tool is not accepted, or the call is not yours.";

pub(crate) fn no_such_server(server: &str) -> String {
    format!("the configuration has no MCP server {server}")
}

pub(crate) fn no_such_tool(server: &str, tool: &str) -> String {
    format!("{server} lists no tool {tool}")
}

pub(crate) fn digest_is_short(least: usize) -> String {
    format!(
        "name the definition by at least {least} characters of its digest, as jarvis mcp check shows it"
    )
}

pub(crate) fn other_definition(tool: &str, digest: &str) -> String {
    format!(
        "the definition of {tool} is another one now: {digest}. Look at it with jarvis mcp check"
    )
}

pub(crate) fn cannot_be_accepted(tool: &str, state: &str) -> String {
    format!("{tool} cannot be accepted: {state}")
}

pub(crate) fn is_accepted(tool: &str) -> String {
    format!("Accepted {tool}. New conversations have it.")
}

pub(crate) fn is_not_accepted(server: &str, tool: &str) -> String {
    format!("{tool} of {server} is not accepted")
}

pub(crate) fn is_rejected(tool: &str) -> String {
    format!("Rejected {tool}. It does not run.")
}

pub(crate) fn log_line(line: &str) -> String {
    format!("stderr: {line}")
}

/// The word for a tier.
pub(crate) fn tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Green => "GREEN",
        Tier::Yellow => "YELLOW",
        Tier::Red => "RED",
        Tier::Black => "BLACK",
    }
}

/// The reason for a tool's tier.
pub(crate) fn tier_source(source: TierSource) -> String {
    match source {
        TierSource::Configured => "Tier from the configuration file".to_owned(),
        TierSource::Unset => "RED, since the configuration file sets no tier".to_owned(),
        TierSource::Raised(from) => {
            format!("Raised from {} by the server's annotations", tier(from))
        }
    }
}

/// The reason for a tier, and the reason why no conversation has the tool.
pub(crate) fn source_and_state(source: &str, state: &str) -> String {
    format!("{source}; {state}")
}

/// The state of a tool under review.
pub(crate) fn standing(tool: &ReviewedTool) -> String {
    let state = match (&tool.standing, &tool.unusable, &tool.name_holder) {
        (ReviewStanding::NotAllowed, _, _) => "not in the configuration",
        (_, Some(why), _) => unusable(*why),
        (_, None, Some(holder)) => return name_is_taken(holder),
        (ReviewStanding::Unseen, None, None) => "new, not accepted",
        (ReviewStanding::Accepted, None, None) => "accepted",
        (ReviewStanding::Changed(_), None, None) => "changed, disabled until it is accepted again",
    };
    state.to_owned()
}

fn name_is_taken(by: &NameHolder) -> String {
    match by {
        NameHolder::Jarvis => "not offered: its name is taken by a tool of Jarvis's own".to_owned(),
        NameHolder::Server(tool) => {
            format!("not offered: its name is taken by {}", indented(tool))
        }
    }
}

fn unusable(why: UnusableSchema) -> &'static str {
    match why {
        UnusableSchema::TooLarge => "not usable: its schema is too large",
        UnusableSchema::NoObject => "not usable: its schema describes no object",
        UnusableSchema::RefersOutside => "not usable: its schema refers to another document",
        UnusableSchema::HiddenText => "not usable: its schema has characters that cannot be seen",
        UnusableSchema::Open => "not usable: its schema cannot be closed",
    }
}

/// The parts of a definition besides its description, each with its label; cleaned.
pub(crate) fn parts(served: &ServedTool) -> Vec<(&'static str, String)> {
    let parts = [
        ("Input", &served.input_schema),
        ("Output", &served.output_schema),
        ("Annotations", &served.annotations),
    ];
    let parts = parts.into_iter().filter(|(_, part)| !part.is_null());
    parts
        .map(|(label, part)| (label, clean_text(&part.to_string())))
        .collect()
}

/// The lines about a tool. All of its own text is cleaned: it is a stranger's, and goes to a terminal.
pub(crate) fn tool(tool: &ReviewedTool) -> Vec<String> {
    let mut lines = vec![
        format!("{} ({})", tool.name, indented(&tool.served.name)),
        format!("    state:        {}", standing(tool)),
    ];
    if let Some(of) = tool.tier {
        lines.push(format!("    tier:         {}", tier(of)));
    }
    lines.push(format!("    digest:       {}", tool.digest));
    lines.push(format!(
        "    description:  {}",
        indented(&tool.served.description)
    ));
    lines.push(format!(
        "    input:        {}",
        json(&tool.served.input_schema)
    ));
    for (label, part) in [
        ("    output:      ", &tool.served.output_schema),
        ("    annotations: ", &tool.served.annotations),
    ] {
        if !part.is_null() {
            lines.push(format!("{label} {}", json(part)));
        }
    }
    if let ReviewStanding::Changed(changes) = &tool.standing {
        for change in changes {
            lines.push(format!("    changed:      {}", change.field));
            lines.push(format!("        before:   {}", indented(&change.before)));
            lines.push(format!("        after:    {}", indented(&change.after)));
        }
    }
    lines
}

/// The lines about a tool that the configuration names and the server does not list.
pub(crate) fn lacking_tool(name: &str, tool: &str) -> [String; 2] {
    [
        format!("{name} ({})", indented(tool)),
        "    state:        in the configuration, not offered by the server".to_owned(),
    ]
}

fn json(value: &Value) -> String {
    indented(&value.to_string())
}

fn indented(text: &str) -> String {
    clean_text(text).replace('\n', "\n                  ")
}

/// The way to a server.
pub(crate) mod setup {
    pub(crate) const COMMAND: &str = "Command";

    pub(crate) const SANDBOX: &str = "Sandbox";

    pub(crate) const READABLE: &str = "May read";

    pub(crate) const WRITABLE: &str = "May change";

    pub(crate) const ENVIRONMENT: &str = "Variables let through";

    pub(crate) const ADDRESS: &str = "Address";

    pub(crate) const SIGN_IN: &str = "Sign-in";

    pub(crate) fn sandbox(is_on: bool, network: bool) -> &'static str {
        match (is_on, network) {
            (false, _) => "None: it has all rights of Jarvis's user, and the network.",
            (true, false) => "Bubblewrap, without network.",
            (true, true) => "Bubblewrap, with network.",
        }
    }

    pub(crate) fn sign_in(header: Option<&str>, is_oauth: bool) -> String {
        match header {
            Some(header) => format!("Header {header} with a secret."),
            None if is_oauth => "OAuth, with client credentials.".to_owned(),
            None => "None.".to_owned(),
        }
    }
}

/// A test call.
pub(crate) mod call {
    pub(crate) const RUNNING: &str = "It is running.";

    pub(crate) const WAITING: &str = "It waits for your decision; it has not run.";

    pub(crate) const SUCCEEDED: &str = "It succeeded.";

    pub(crate) const FAILED: &str = "It failed.";

    pub(crate) const BLOCKED: &str = "The gate blocked it; it did not run.";

    pub(crate) const DENIED: &str = "It was denied; it did not run.";

    pub(crate) const EXPIRED: &str = "The request expired; it did not run.";

    pub(crate) const WITHDRAWN: &str = "It was withdrawn; it did not run.";

    pub(crate) const CANCELLED: &str = "It was stopped before it ran.";

    pub(crate) const OUTCOME_UNKNOWN: &str = "Its outcome is unknown: it may have run.";

    pub(crate) const WHOLE_INPUT: &str = "Input";

    pub(crate) const NO_OBJECT: &str = "Input: enter an object as JSON.";

    pub(crate) fn no_number(field: &str) -> String {
        format!("{field}: enter a number.")
    }

    pub(crate) fn no_json(field: &str) -> String {
        format!("{field}: enter a value as JSON.")
    }
}
