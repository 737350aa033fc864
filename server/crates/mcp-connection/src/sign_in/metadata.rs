//! Metadata of a server (RFC 9728) and of its authorization server (RFC 8414, OpenID Connect Discovery).

use std::time::Duration;

use reqwest::{Client, Response, StatusCode, Url, header::ACCEPT};
use serde_json::Value;

use crate::sign_in::{
    ClientCredential, ClientKey, ClientSecret, OauthSettings,
    address::{AddressRules, NoAllowedAddress, host_of, shown},
    fault::SignInFault,
};

/// Timeout of one request.
pub(crate) const REQUEST: Duration = Duration::from_secs(10);
/// The longest body that is read, in bytes.
const MAX_BODY: usize = 64 * 1024;

const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const OAUTH: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";

/// The way to a token.
#[derive(Debug, Clone)]
pub(crate) struct TokenDoor {
    pub(crate) issuer: String,
    pub(crate) endpoint: Url,
    pub(crate) authentication: ClientAuthentication,
}

/// The way in which a client proves itself.
#[derive(Debug, Clone)]
pub(crate) enum ClientAuthentication {
    /// The secret in a header.
    Basic(ClientSecret),
    /// The secret in the form.
    Post(ClientSecret),
    /// An assertion in the form.
    Assertion {
        key: ClientKey,
        algorithm: &'static str,
        audience: String,
    },
}

/// Finds the issuer that the server names, for an issuer that the configuration does not name. The secret was
/// registered with one issuer, so that a server cannot have it sent to any other host.
pub(crate) async fn issuer_of(
    client: &Client,
    rules: &AddressRules,
    resource: &Url,
) -> Result<String, SignInFault> {
    for place in places(resource, &[RESOURCE], &[]) {
        let Some(metadata) = document(client, rules, &place).await? else {
            continue;
        };
        let described = metadata.get("resource").and_then(Value::as_str);
        if !described.is_some_and(|it| is_same(it, resource.as_str())) {
            return Err(SignInFault::OtherResource);
        }
        let servers = metadata
            .get("authorization_servers")
            .and_then(Value::as_array);
        let servers = servers.into_iter().flatten().filter_map(Value::as_str);
        let mut first = None;
        for server in servers {
            let host = Url::parse(server).ok().as_ref().and_then(host_of);
            if host.is_some() && host == host_of(resource) {
                return Ok(server.to_owned());
            }
            first = first.or(Some(server));
        }
        return Err(match first {
            Some(other) => SignInFault::UnknownIssuer(shown(other)),
            None => SignInFault::NoResourceMetadata,
        });
    }
    Err(SignInFault::NoResourceMetadata)
}

/// Reads the metadata of an issuer.
pub(crate) async fn door_of(
    client: &Client,
    rules: &AddressRules,
    issuer: &str,
    settings: &OauthSettings,
) -> Result<TokenDoor, SignInFault> {
    let address = Url::parse(issuer);
    let address = address.map_err(|_| SignInFault::AddressNotAllowed(shown(issuer)))?;
    for place in places(&address, &[OAUTH, OPENID], &[OPENID]) {
        if let Some(metadata) = document(client, rules, &place).await? {
            return door(&metadata, rules, issuer, &address, settings);
        }
    }
    Err(SignInFault::NoIssuerMetadata(shown(issuer)))
}

fn door(
    metadata: &Value,
    rules: &AddressRules,
    issuer: &str,
    address: &Url,
    settings: &OauthSettings,
) -> Result<TokenDoor, SignInFault> {
    let text = |field: &str| metadata.get(field).and_then(Value::as_str);
    let stated = text("issuer").filter(|it| is_same(it, issuer));
    let stated = stated.ok_or_else(|| SignInFault::OtherIssuer(shown(issuer)))?;
    let named = text("token_endpoint").unwrap_or_default();
    let other = || SignInFault::OtherTokenEndpoint(shown(named));
    let endpoint = Url::parse(named).map_err(|_| other())?;
    rules.check(&endpoint)?;
    let is_configured = settings.token_endpoint.as_deref() == Some(named);
    if endpoint.origin() != address.origin() && !is_configured {
        return Err(other());
    }
    Ok(TokenDoor {
        issuer: issuer.to_owned(),
        endpoint,
        authentication: authentication(metadata, stated, &settings.credential)?,
    })
}

/// A way to prove the client that the authorization server takes; `stated` is the issuer in its own words.
fn authentication(
    metadata: &Value,
    stated: &str,
    credential: &ClientCredential,
) -> Result<ClientAuthentication, SignInFault> {
    let listed = |field: &str| metadata.get(field).and_then(Value::as_array);
    let methods = listed("token_endpoint_auth_methods_supported");
    let takes = |method: &str| match methods {
        Some(methods) => methods.iter().any(|it| it == method),
        // The default of RFC 8414.
        None => method == "client_secret_basic",
    };
    match credential {
        ClientCredential::Secret(secret) if takes("client_secret_basic") => {
            Ok(ClientAuthentication::Basic(secret.clone()))
        }
        ClientCredential::Secret(secret) if takes("client_secret_post") => {
            Ok(ClientAuthentication::Post(secret.clone()))
        }
        ClientCredential::Secret(_) => Err(SignInFault::NoClientAuthentication),
        ClientCredential::Key { key, audience } if takes("private_key_jwt") => {
            let names = key.algorithms();
            let algorithm = match listed("token_endpoint_auth_signing_alg_values_supported") {
                Some(listed) => names
                    .iter()
                    .find(|name| listed.iter().any(|it| it == **name)),
                None => names.first(),
            };
            let other = || SignInFault::OtherAlgorithm(names.join(" or "));
            Ok(ClientAuthentication::Assertion {
                key: key.clone(),
                algorithm: algorithm.copied().ok_or_else(other)?,
                // The issuer in its own words, not an address that metadata names: whoever wrote the metadata
                // could use the assertion there.
                audience: audience.clone().unwrap_or_else(|| stated.to_owned()),
            })
        }
        ClientCredential::Key { .. } => Err(SignInFault::NoKeyAuthentication),
    }
}

/// The well-known addresses: each name before the path, those of `behind` also after it.
fn places(of: &Url, before: &[&str], behind: &[&str]) -> Vec<Url> {
    let at = |path: &str| {
        let mut place = of.clone();
        place.set_query(None);
        place.set_fragment(None);
        place.set_path(path);
        place
    };
    let path = of.path().trim_end_matches('/');
    let inserted = before.iter().map(|name| at(&format!("{name}{path}")));
    let mut places: Vec<_> = inserted.collect();
    if path.is_empty() {
        return places;
    }
    places.extend(behind.iter().map(|name| at(&format!("{path}{name}"))));
    // Servers with one path often describe themselves at the root alone. An issuer with a path is another
    // issuer than that of the root.
    if behind.is_empty() {
        places.extend(before.iter().map(|name| at(name)));
    }
    places
}

/// True for the same address, whatever its last slash.
fn is_same(one: &str, other: &str) -> bool {
    let normal = |text: &str| {
        let text = Url::parse(text).map_or_else(|_| text.to_owned(), String::from);
        text.trim_end_matches('/').to_owned()
    };
    normal(one) == normal(other)
}

/// The JSON document at an address; None if there is none.
async fn document(
    client: &Client,
    rules: &AddressRules,
    address: &Url,
) -> Result<Option<Value>, SignInFault> {
    rules.check(address)?;
    let request = client
        .get(address.clone())
        .header(ACCEPT, "application/json");
    let sent = request.timeout(REQUEST).send().await;
    let response = sent.map_err(|error| unreachable(&error, address))?;
    if response.status() != StatusCode::OK {
        return Ok(None);
    }
    let body = bounded(response, address).await?;
    let body = serde_json::from_slice::<Value>(&body).ok();
    Ok(body.filter(Value::is_object))
}

/// A body, up to the longest that is read.
pub(crate) async fn bounded(mut response: Response, from: &Url) -> Result<Vec<u8>, SignInFault> {
    let mut body = Vec::new();
    while let Some(part) = response
        .chunk()
        .await
        .map_err(|error| unreachable(&error, from))?
    {
        if body.len() + part.len() > MAX_BODY {
            return Err(SignInFault::Unreachable(shown(from.as_str())));
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

/// The fault of a request that has no answer.
pub(crate) fn unreachable(error: &reqwest::Error, address: &Url) -> SignInFault {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(cause) = next {
        if cause.is::<NoAllowedAddress>() {
            return SignInFault::AddressNotAllowed(shown(address.as_str()));
        }
        next = cause.source();
    }
    SignInFault::Unreachable(shown(address.as_str()))
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    use ring::{rand::SystemRandom, signature::Ed25519KeyPair};
    use serde_json::json;

    use super::*;

    fn settings(token_endpoint: Option<&str>) -> OauthSettings {
        OauthSettings {
            client_id: "jarvis".to_owned(),
            credential: ClientCredential::Secret(ClientSecret::new("hunter2")),
            scope: None,
            issuer: None,
            token_endpoint: token_endpoint.map(str::to_owned),
            private: false,
            ca_file: None,
        }
    }

    #[test]
    fn metadata_is_looked_for_where_the_standards_say() {
        let found = |of: &str, before: &[&str], behind: &[&str]| {
            let of = Url::parse(of).unwrap();
            let found = places(&of, before, behind).into_iter();
            found.map(String::from).collect::<Vec<_>>()
        };
        assert_eq!(
            found("https://a.lan/mcp?x=1", &[RESOURCE], &[]),
            [
                "https://a.lan/.well-known/oauth-protected-resource/mcp",
                "https://a.lan/.well-known/oauth-protected-resource",
            ]
        );
        assert_eq!(
            found("https://a.lan/t/", &[OAUTH, OPENID], &[OPENID]),
            [
                "https://a.lan/.well-known/oauth-authorization-server/t",
                "https://a.lan/.well-known/openid-configuration/t",
                "https://a.lan/t/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            found("https://a.lan", &[OAUTH, OPENID], &[OPENID]),
            [
                "https://a.lan/.well-known/oauth-authorization-server",
                "https://a.lan/.well-known/openid-configuration",
            ]
        );
    }

    #[test]
    fn a_signature_has_an_algorithm_that_the_authorization_server_takes() {
        let der = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let base64 = BASE64_STANDARD.encode(der);
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{base64}\n-----END PRIVATE KEY-----\n");
        let credential = ClientCredential::Key {
            key: ClientKey::parse(&pem, None).unwrap(),
            audience: None,
        };
        let keys = json!(["client_secret_basic", "private_key_jwt"]);
        for (methods, algorithms, expect) in [
            (keys.clone(), Value::Null, "EdDSA"),
            (keys.clone(), json!(["RS256", "Ed25519", "EdDSA"]), "EdDSA"),
            (keys.clone(), json!(["Ed25519"]), "Ed25519"),
            (keys, json!(["RS256"]), "oauth_other_algorithm"),
            (
                json!(["client_secret_basic"]),
                Value::Null,
                "oauth_no_key_authentication",
            ),
            (Value::Null, Value::Null, "oauth_no_key_authentication"),
        ] {
            let metadata = json!({
                "token_endpoint_auth_methods_supported": methods,
                "token_endpoint_auth_signing_alg_values_supported": algorithms,
            });
            // The slash is the authorization server's own.
            let stated = "https://auth.example/t/";
            let found = match authentication(&metadata, stated, &credential) {
                Ok(ClientAuthentication::Assertion {
                    algorithm,
                    audience,
                    ..
                }) => {
                    assert_eq!(audience, stated);
                    algorithm
                }
                Ok(other) => panic!("{other:?}"),
                Err(fault) => fault.code(),
            };
            assert_eq!(found, expect, "{methods} {algorithms}");
        }
    }

    #[test]
    fn a_token_comes_from_the_issuer_or_from_the_configured_endpoint() {
        let issuer = "https://auth.example/t";
        let address = Url::parse(issuer).unwrap();
        let rules = AddressRules::new([&address], false);
        let judged = |issued: &str, endpoint: &str, methods: Value, configured: Option<&str>| {
            let metadata = json!({
                "issuer": issued,
                "token_endpoint": endpoint,
                "token_endpoint_auth_methods_supported": methods,
            });
            let door = door(&metadata, &rules, issuer, &address, &settings(configured));
            door.map(|door| match door.authentication {
                ClientAuthentication::Basic(_) => "basic",
                ClientAuthentication::Post(_) => "post",
                ClientAuthentication::Assertion { .. } => "assertion",
            })
            .map_err(|fault| fault.code())
        };
        let own = "https://auth.example/token";
        let other = "https://tokens.example/token";
        let post = json!(["none", "client_secret_post"]);
        for (issued, endpoint, methods, configured, expect) in [
            (issuer, own, Value::Null, None, Ok("basic")),
            (issuer, own, post.clone(), None, Ok("post")),
            (
                issuer,
                own,
                json!(["none"]),
                None,
                Err("oauth_no_client_authentication"),
            ),
            (
                "https://auth.example",
                own,
                post.clone(),
                None,
                Err("oauth_other_issuer"),
            ),
            (
                issuer,
                other,
                post.clone(),
                None,
                Err("oauth_other_token_endpoint"),
            ),
            (issuer, other, post.clone(), Some(other), Ok("post")),
            (
                issuer,
                "https://10.0.0.1/",
                post.clone(),
                None,
                Err("oauth_address_not_allowed"),
            ),
            (issuer, "", post, None, Err("oauth_other_token_endpoint")),
        ] {
            assert_eq!(
                judged(issued, endpoint, methods, configured),
                expect,
                "{issued} {endpoint}"
            );
        }
    }
}
