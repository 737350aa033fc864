//! `[mcp.NAME.oauth]`: the sign-in to a server with OAuth 2 client credentials.

use std::path::PathBuf;

use mcp_connection::is_sign_in_address;
use serde::Deserialize;
use toml::Spanned;

use super::super::{reader::Reader, source::Setting};
use super::are_unset;
use crate::texts;

/// The sign-in to a server as it is configured.
#[derive(Debug, Clone)]
pub struct McpOauth {
    pub client_id: String,
    pub credential: McpCredential,
    pub scope: Option<String>,
    pub issuer: Option<String>,
    pub token_endpoint: Option<String>,
    /// True if hosts that are not named here may be in a private network.
    pub private: bool,
    pub ca_file: Option<PathBuf>,
}

/// The place of what proves a client, read at the start.
#[derive(Debug, Clone)]
pub enum McpCredential {
    SecretFile(Setting<PathBuf>),
    /// A variable of the server's own environment, with the secret.
    SecretVariable(String),
    /// A private key that signs.
    KeyFile {
        file: Setting<PathBuf>,
        /// The identifier under which the authorization server knows it.
        id: Option<String>,
        /// The audience of what it signs, if that is not the issuer.
        audience: Option<String>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OauthTable {
    client_id: Spanned<String>,
    client_secret_file: Option<Spanned<PathBuf>>,
    client_secret_env: Option<Spanned<String>>,
    private_key_file: Option<Spanned<PathBuf>>,
    key_id: Option<Spanned<String>>,
    audience: Option<Spanned<String>>,
    scope: Option<Spanned<String>>,
    issuer: Option<Spanned<String>>,
    token_endpoint: Option<Spanned<String>>,
    #[serde(default)]
    private: bool,
    ca_file: Option<PathBuf>,
}

/// The sign-in of a table; none if something is wrong, which is reported. No wrong value is repeated: somebody may
/// have written the secret in its place.
pub(super) fn read(
    r: &mut Reader<'_>,
    key: &impl Fn(&str) -> String,
    url: &Spanned<String>,
    written: &Spanned<OauthTable>,
) -> Option<McpOauth> {
    let table = written.get_ref();
    let mut is_right = true;
    let mut expect =
        |value: Option<&Spanned<String>>, part: &str, expected: &str, is: ValueCheck| {
            if let Some(value) = value.filter(|value| !is(value.get_ref())) {
                let source = r.source_at(value.span().start);
                r.refuse(&source, texts::config::expected(&key(part), expected));
                is_right = false;
            }
        };
    let address = texts::config::ADDRESS_OF_SIGN_IN;
    expect(Some(url), "url", address, is_sign_in_address);
    for (part, value) in [
        ("oauth.issuer", &table.issuer),
        ("oauth.token_endpoint", &table.token_endpoint),
    ] {
        expect(value.as_ref(), part, address, is_sign_in_address);
    }
    let (id, scope) = (Some(&table.client_id), table.scope.as_ref());
    expect(id, "oauth.client_id", texts::config::CLIENT_ID, is_visible);
    expect(scope, "oauth.scope", texts::config::SCOPES, is_visible);
    let (key_id, audience) = (table.key_id.as_ref(), table.audience.as_ref());
    expect(key_id, "oauth.key_id", texts::config::KEY_ID, is_visible);
    let expected = texts::config::AUDIENCE;
    expect(audience, "oauth.audience", expected, is_visible);
    let variable = table.client_secret_env.as_ref();
    let expected = texts::config::VARIABLE_OF_SECRET;
    expect(variable, "oauth.client_secret_env", expected, is_variable);
    let source = r.source_at(written.span().start);
    if table.private_key_file.is_none() {
        let of_key = [
            ("oauth.key_id", table.key_id.is_some()),
            ("oauth.audience", table.audience.is_some()),
        ];
        is_right &= are_unset(r, key, &source, &of_key, "private_key_file");
    }
    let text = |value: &Option<Spanned<String>>| value.as_ref().map(|it| it.get_ref().clone());
    let setting = |file: &Spanned<PathBuf>| Setting {
        source: r.source_at(file.span().start),
        value: file.get_ref().clone(),
    };
    let credential = match (
        &table.client_secret_file,
        &table.client_secret_env,
        &table.private_key_file,
    ) {
        (Some(file), None, None) => McpCredential::SecretFile(setting(file)),
        (None, Some(variable), None) => McpCredential::SecretVariable(variable.get_ref().clone()),
        (None, None, Some(file)) => McpCredential::KeyFile {
            file: setting(file),
            id: text(&table.key_id),
            audience: text(&table.audience),
        },
        _ => {
            let wrong = texts::config::oauth_needs_credential(&key("oauth"));
            r.refuse(&source, wrong);
            return None;
        }
    };
    is_right.then(|| McpOauth {
        client_id: table.client_id.get_ref().clone(),
        credential,
        scope: text(&table.scope),
        issuer: text(&table.issuer),
        token_endpoint: text(&table.token_endpoint),
        private: table.private,
        ca_file: table.ca_file.clone(),
    })
}

type ValueCheck = fn(&str) -> bool;

/// True for a text of the characters that identifiers and scopes can have.
fn is_visible(text: &str) -> bool {
    let is_part = |c: char| c == ' ' || c.is_ascii_graphic();
    !text.trim().is_empty() && text.trim() == text && text.chars().all(is_part)
}

/// True for a name of a variable that is none of Jarvis's own, which are settings.
fn is_variable(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let is_name = text.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    is_name && text.chars().all(is_part) && !text.starts_with("JARVIS_")
}
