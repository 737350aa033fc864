//! `jarvis mcp`: the server and the token that a client on standard input and output is connected to.

use std::{env, fs, path::Path};

use anyhow::Context;
use mcp_stdio::BridgeTarget;

use crate::texts;

/// The token. As an argument, every user of the machine could read it.
const TOKEN: &str = "JARVIS_TOKEN";
const URL: &str = "JARVIS_URL";
const USUAL_URL: &str = "http://127.0.0.1:7340";

/// Returns the server that a client is connected to.
///
/// # Errors
/// There is no token, or what is given cannot be used.
pub(crate) fn target(
    url: Option<String>,
    door: Option<&str>,
    token_file: Option<&Path>,
    ca_file: Option<&Path>,
) -> anyhow::Result<BridgeTarget> {
    let url = url.or_else(|| env::var(URL).ok());
    let url = url.unwrap_or_else(|| USUAL_URL.to_owned());
    let token = match token_file {
        Some(path) => fs::read_to_string(path)
            .with_context(|| texts::start::cannot_read_token(&path.display()))?,
        None => env::var(TOKEN).context(texts::start::NO_TOKEN_FOR_MCP)?,
    };
    Ok(BridgeTarget::new(&url, door, token.trim(), ca_file)?)
}
