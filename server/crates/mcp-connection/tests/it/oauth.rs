//! Sign-in with client credentials.

use std::collections::BTreeSet;

use agent::ports::Progress;
use mcp_client::{ServerFault, ServerResult, ToolServer as _};
use mcp_connection::{
    ConnectFault, ConnectionState, HttpSettings, McpConnection, OauthSettings, SignInState,
};
use serde_json::{Value, json};

use crate::{
    authorized::{Authorized, ECHO, Listening, SECRET, TokenRules, new_key},
    real_world::is_connected,
};

/// `jarvis:hunter2-secret` in base64.
const BASIC: &str = "Basic amFydmlzOmh1bnRlcjItc2VjcmV0";

async fn names(connection: &McpConnection) -> Result<Vec<String>, ConnectFault> {
    let listed = connection.listed_once().await?;
    Ok(listed.into_iter().map(|tool| tool.name).collect())
}

async fn call(connection: &McpConnection) -> Result<ServerResult, ServerFault> {
    let progress = Progress::ignored();
    connection.call("act", json!({}), &progress).await
}

/// The code at the end of the fault's sentence. The secret is in no form of the fault.
fn code(fault: &ConnectFault) -> String {
    let (sentence, debug) = (fault.to_string(), format!("{fault:?}"));
    for hidden in [SECRET, "token-"] {
        assert!(!sentence.contains(hidden), "{sentence}");
        assert!(!debug.contains(hidden), "{debug}");
    }
    let code = sentence
        .strip_suffix(')')
        .and_then(|it| it.rsplit_once('('));
    code.map_or(sentence.clone(), |(_, code)| code.to_owned())
}

#[tokio::test]
async fn a_token_is_fetched_for_the_server_and_sent_to_it_alone() {
    let world = Authorized::start().await;
    world.set(|rules| rules.expires_in = Some(3600));
    let connection = world.connection(Authorized::settings());
    assert_eq!(connection.sign_in(), Some(SignInState::Pending));
    assert_eq!(names(&connection).await.unwrap(), ["act"]);

    let asked = world.issuer.seen("POST /token");
    assert_eq!(asked.len(), 1, "{asked:?}");
    let asked = &asked[0];
    assert_eq!(asked.authorization.as_deref(), Some(BASIC));
    let resource = world.tools.url.replace(':', "%3A").replace('/', "%2F");
    let form = format!("grant_type=client_credentials&resource={resource}%2Fmcp");
    assert_eq!(asked.body, form);
    let posted = world.tools.seen("POST /mcp");
    assert!(posted.len() > 2, "{posted:?}");
    for request in posted {
        assert_eq!(request.authorization.as_deref(), Some("Bearer token-1"));
    }
    for server in [&world.tools, &world.issuer] {
        let read = server.seen("GET /.well-known");
        assert_eq!(read.len(), 1, "{read:?}");
        assert_eq!(read[0].authorization, None);
    }
    let Some(SignInState::SignedIn {
        issuer,
        scope,
        seconds_left: Some(3000..=3600),
    }) = connection.sign_in()
    else {
        panic!("{:?}", connection.sign_in());
    };
    assert_eq!(
        (issuer, scope.as_deref()),
        (world.issuer.url.clone(), Some("files.read"))
    );
}

#[tokio::test]
async fn the_secret_goes_the_way_that_the_metadata_names_to_the_configured_issuer() {
    let world = Authorized::start().await;
    world.set(|rules| {
        let post = json!(["client_secret_post"]);
        rules
            .metadata
            .insert("token_endpoint_auth_methods_supported", post);
    });
    let connection = world.connection(OauthSettings {
        scope: Some("files.read files.write".to_owned()),
        issuer: Some(world.issuer.url.clone()),
        ..Authorized::settings()
    });
    assert_eq!(names(&connection).await.unwrap(), ["act"]);
    let asked = world.issuer.seen("POST /token");
    assert_eq!(asked[0].authorization, None);
    let end = "&scope=files.read+files.write&client_id=jarvis&client_secret=hunter2-secret";
    assert!(asked[0].body.ends_with(end), "{}", asked[0].body);
    // Where the issuer is configured, nobody else is asked for it.
    assert!(world.tools.seen("GET /.well-known").is_empty());
}

#[tokio::test]
async fn a_client_with_a_key_signs_anew_for_each_token() {
    let world = Authorized::start().await;
    let pem = world.wants_key();
    world.set(|rules| rules.expires_in = Some(0));
    let settings = Authorized::with_key(&pem, None);
    assert!(format!("{settings:?}").contains("ClientKey(…)"));
    let connection = world.connection(settings);
    assert_eq!(names(&connection).await.unwrap(), ["act"]);
    let asked = world.issuer.seen("POST /token");
    assert!(asked.len() > 1, "{asked:?}");
    for request in asked {
        assert_eq!(request.authorization, None);
        assert!(!request.body.contains("client_secret"), "{}", request.body);
    }
}

#[tokio::test]
async fn an_assertion_of_another_key_or_for_somebody_else_is_refused() {
    let world = Authorized::start().await;
    let pem = world.wants_key();
    let elsewhere = Some("https://elsewhere.example".to_owned());
    for settings in [
        Authorized::with_key(&new_key().0, None),
        Authorized::with_key(&pem, elsewhere),
        OauthSettings {
            client_id: "somebody".to_owned(),
            ..Authorized::with_key(&pem, None)
        },
    ] {
        let fault = names(&world.connection(settings)).await.unwrap_err();
        assert_eq!(code(&fault), "oauth_refused");
        assert!(fault.to_string().contains("invalid_client"), "{fault}");
    }
    // Some authorization servers want to be called by the address of their token endpoint.
    let endpoint = format!("{}/token", world.issuer.url);
    world.set(|rules| rules.audience = Some(endpoint.clone()));
    let connection = world.connection(Authorized::with_key(&pem, Some(endpoint)));
    assert_eq!(names(&connection).await.unwrap(), ["act"]);
}

#[tokio::test]
async fn a_token_is_renewed_at_its_end_and_once_after_a_refusal() {
    let world = Authorized::start().await;
    world.set(|rules| rules.expires_in = Some(0));
    assert_eq!(
        names(&world.connection(Authorized::settings()))
            .await
            .unwrap(),
        ["act"]
    );
    let posted = world.tools.seen("POST /mcp");
    assert!(posted.len() > 2 && world.asked() >= posted.len());
    let tokens: BTreeSet<_> = posted.iter().map(|it| it.authorization.clone()).collect();
    assert_eq!(tokens.len(), posted.len());

    let world = Authorized::start().await;
    let connection = world.connection(Authorized::settings());
    let running = is_connected(&connection).await;
    assert_eq!(world.asked(), 1);
    world.set(|rules| rules.refused = 1);
    assert_eq!(call(&connection).await.unwrap().content, "done");
    assert_eq!(call(&connection).await.unwrap().content, "done");
    assert_eq!(world.asked(), 2);
    running.stop().await;
}

#[tokio::test]
async fn a_server_that_refuses_every_token_is_not_asked_in_a_loop() {
    let world = Authorized::start().await;
    world.set(|rules| rules.refused = usize::MAX);
    let connection = world.connection(Authorized::settings());
    for _ in 0..3 {
        let fault = names(&connection).await.unwrap_err();
        assert_eq!(code(&fault), "oauth_token_refused");
    }
    assert_eq!((world.asked(), world.tools.seen("POST /mcp").len()), (2, 2));
    assert!(matches!(connection.sign_in(), Some(SignInState::Failed(_))));
}

#[tokio::test]
async fn a_scope_that_is_missing_is_named_and_ends_no_connection() {
    let world = Authorized::start().await;
    let connection = world.connection(Authorized::settings());
    let running = is_connected(&connection).await;
    world.set(|rules| rules.call = Some((403, Value::Null)));
    let answer = call(&connection).await.unwrap();
    let told = answer.content.as_str().unwrap();
    assert!(answer.is_error);
    for part in ["files.write", "oauth_insufficient_scope"] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(connection.state(), ConnectionState::Connected);
    world.set(|rules| rules.call = None);
    assert_eq!(call(&connection).await.unwrap().content, "done");
    assert_eq!(world.asked(), 1);
    running.stop().await;
}

#[tokio::test]
async fn metadata_that_leads_elsewhere_is_refused_before_the_secret_is_sent() {
    type Change = fn(&mut TokenRules);
    let cases: [(Change, &str); 8] = [
        (
            |rules| {
                let servers = json!(["https://auth.example/"]);
                rules.resource.insert("authorization_servers", servers);
            },
            "oauth_unknown_issuer",
        ),
        (
            |rules| {
                rules.resource.insert("authorization_servers", json!([]));
            },
            "oauth_no_resource_metadata",
        ),
        (
            |rules| {
                let other = json!("https://other.example/mcp");
                rules.resource.insert("resource", other);
            },
            "oauth_other_resource",
        ),
        (
            |rules| {
                let other = json!("https://auth.example");
                rules.metadata.insert("issuer", other);
            },
            "oauth_other_issuer",
        ),
        (
            |rules| {
                rules.metadata.insert("issuer", Value::Null);
            },
            "oauth_other_issuer",
        ),
        (
            |rules| {
                let other = json!("https://auth.example/token");
                rules.metadata.insert("token_endpoint", other);
            },
            "oauth_other_token_endpoint",
        ),
        (
            |rules| {
                let private = json!("http://10.0.0.1/token");
                rules.metadata.insert("token_endpoint", private);
            },
            "oauth_address_not_allowed",
        ),
        (
            |rules| {
                let keys = json!(["private_key_jwt"]);
                rules
                    .metadata
                    .insert("token_endpoint_auth_methods_supported", keys);
            },
            "oauth_no_client_authentication",
        ),
    ];
    for (change, expected) in cases {
        let world = Authorized::start().await;
        world.set(change);
        let fault = names(&world.connection(Authorized::settings())).await;
        assert_eq!(code(&fault.unwrap_err()), expected);
        assert_eq!(world.asked(), 0, "{expected}");
        assert!(world.tools.seen("POST /mcp").is_empty(), "{expected}");
    }
}

#[tokio::test]
async fn the_words_of_an_authorization_server_are_not_repeated() {
    for (error, told) in [("invalid_client", "invalid_client"), (ECHO, "HTTP 400")] {
        let world = Authorized::start().await;
        world.set(|rules| rules.error = Some(error));
        let fault = names(&world.connection(Authorized::settings())).await;
        let fault = fault.unwrap_err();
        assert_eq!(code(&fault), "oauth_refused");
        assert!(fault.to_string().contains(told), "{fault}");
        assert_eq!(world.asked(), 1);
    }
}

#[tokio::test]
async fn neither_a_token_nor_a_secret_follows_a_redirect() {
    let elsewhere = Listening::start().await;
    let world = Authorized::start().await;
    let connection = world.connection(Authorized::settings());
    let running = is_connected(&connection).await;
    let redirect = (302, json!(elsewhere.url));
    world.set(|rules| rules.call = Some(redirect.clone()));
    assert_eq!(call(&connection).await, Err(ServerFault::Lost));
    running.stop().await;

    world.issuer.answers(move |_| redirect.clone());
    let connection = world.connection(OauthSettings {
        issuer: Some(world.issuer.url.clone()),
        ..Authorized::settings()
    });
    let fault = names(&connection).await.unwrap_err();
    assert_eq!(code(&fault), "oauth_no_issuer_metadata");
    assert!(elsewhere.seen("").is_empty());
}

#[tokio::test]
async fn a_sign_in_needs_tls_and_has_no_secret_in_its_debug_form() {
    let with = |url: &str, issuer: Option<&str>| {
        let http = HttpSettings::new(url, None, Vec::new(), None).unwrap();
        http.with_sign_in(OauthSettings {
            issuer: issuer.map(str::to_owned),
            ..Authorized::settings()
        })
    };
    for (url, issuer) in [
        ("http://tools.example/mcp", None),
        ("https://tools.example/mcp", Some("http://auth.example")),
    ] {
        let fault = with(url, issuer).unwrap_err().to_string();
        assert!(fault.contains("oauth_address_not_allowed"), "{fault}");
    }
    let debug = format!("{:?}", with("https://tools.example/mcp", None).unwrap());
    assert!(
        debug.contains("jarvis") && !debug.contains(SECRET),
        "{debug}"
    );
}
