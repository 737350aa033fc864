//! The way to a server as it is configured, for an admin: in full, and without a value that may be a secret.

use std::{iter, path::PathBuf};

use agent::clean_text;
use serde_json::json;

use crate::{config::McpTransport, texts::mcp_servers::setup as texts};

/// The command or the address, each part with its label. Of variables and headers there are the names alone.
pub(super) fn of(transport: &McpTransport) -> Vec<(&'static str, String)> {
    let parts = match transport {
        McpTransport::Command {
            program,
            args,
            env,
            sandbox,
            network,
            readable,
            writable,
            limits: _,
        } => {
            let program = program.to_string_lossy();
            let words: Vec<_> = iter::once(&*program)
                .chain(args.iter().map(String::as_str))
                .collect();
            vec![
                // As in the configuration file: where a word ends is seen.
                (texts::COMMAND, json!(words).to_string()),
                (
                    texts::SANDBOX,
                    texts::sandbox(*sandbox, *network).to_owned(),
                ),
                (texts::READABLE, paths(readable)),
                (texts::WRITABLE, paths(writable)),
                (texts::ENVIRONMENT, env.join("\n")),
            ]
        }
        McpTransport::Http {
            url,
            header,
            secret_file,
            oauth,
            ..
        } => {
            let header = secret_file.as_ref().map(|_| header.as_str());
            let sign_in = texts::sign_in(header, oauth.is_some());
            vec![
                (texts::ADDRESS, without_query(url)),
                (texts::SIGN_IN, sign_in),
            ]
        }
    };
    let told = parts.into_iter().filter(|(_, text)| !text.is_empty());
    told.map(|(label, text)| (label, clean_text(&text)))
        .collect()
}

/// A query may hold a key, and is cut off.
fn without_query(url: &str) -> String {
    match url.split_once('?') {
        Some((address, _)) => format!("{address}?…"),
        None => url.to_owned(),
    }
}

fn paths(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    paths.join("\n")
}
