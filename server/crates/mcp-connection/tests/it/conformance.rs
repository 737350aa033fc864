//! The protocol's own conformance suite for clients. It starts a server for each scenario, and this very program as
//! the client.

use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use agent::ports::Progress;
use mcp_client::{ServedTool, ToolServer as _};
use mcp_connection::{
    ClientCredential, ClientKey, ClientSecret, HttpSettings, McpConnection, OauthSettings,
    ServerSettings, ServerTransport,
};
use serde_json::{Map, Value, json};
use tokio::{process::Command, time::timeout};

use crate::{
    real::{node, variable},
    real_world::{PATIENCE, run},
};

/// The suite sets it for the client that it starts.
const SCENARIO: &str = "MCP_CONFORMANCE_SCENARIO";
/// Scenarios that may fail, each with its reason.
const EXPECTED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/conformance-expected.yml"
);
const CURRENT: &str = "2026-07-28";
const OLDER: &str = "2025-11-25";

/// Scenarios that are run, with their revisions.
const SCENARIOS: [(&str, &str); 15] = [
    ("tools_call", OLDER),
    ("elicitation-sep1034-client-defaults", OLDER),
    ("tools_call", CURRENT),
    ("request-metadata", CURRENT),
    ("sep-2322-client-request-state", CURRENT),
    ("http-standard-headers", CURRENT),
    ("http-custom-headers", CURRENT),
    ("http-invalid-tool-headers", CURRENT),
    ("json-schema-ref-no-deref", CURRENT),
    ("json-schema-2020-12-preservation", OLDER),
    ("json-schema-2020-12-preservation", CURRENT),
    ("auth/client-credentials-basic", OLDER),
    ("auth/client-credentials-basic", CURRENT),
    ("auth/client-credentials-jwt", OLDER),
    ("auth/client-credentials-jwt", CURRENT),
];

/// Scenarios that are not run, in one revision or in any, with the reason in front. One that the suite adds has to go
/// to the one list or the other, and one that it drops has to go.
const LEFT_OUT: [(&str, &[&str]); 5] = [
    (
        "its server answers the question for its revisions with an empty result, which no revision has; `tools_call` \
         has the handshake of the older one",
        &["initialize", "sse-retry"],
    ),
    (
        "signs a person in: a server is asked by Jarvis, with a secret, a key or a header of the configuration",
        &[
            "auth/metadata-default",
            "auth/metadata-var1",
            "auth/metadata-var2",
            "auth/metadata-var3",
            "auth/basic-cimd",
            "auth/scope-from-www-authenticate",
            "auth/scope-from-scopes-supported",
            "auth/scope-omitted-when-undefined",
            "auth/scope-step-up",
            "auth/scope-retry-limit",
            "auth/token-endpoint-auth-basic",
            "auth/token-endpoint-auth-post",
            "auth/token-endpoint-auth-none",
            "auth/pre-registration",
            "auth/2025-03-26-oauth-metadata-backcompat",
            "auth/2025-03-26-oauth-endpoint-fallback",
            "auth/resource-mismatch",
            "auth/offline-access-scope",
            "auth/offline-access-not-supported",
            "auth/authorization-server-migration",
            "auth/iss-supported",
            "auth/iss-not-advertised",
            "auth/iss-supported-missing",
            "auth/iss-wrong-issuer",
            "auth/iss-unexpected",
            "auth/iss-normalized",
            "auth/metadata-issuer-mismatch",
            "auth/enterprise-managed-authorization",
        ],
    ),
    (
        "an extension that is not there: no token is bound to a key",
        &["auth/dpop", "auth/dpop-nonce"],
    ),
    (
        "an extension that is not there: no platform gives Jarvis an identity to exchange for a token",
        &["auth/wif-jwt-bearer"],
    ),
    (
        "an extension that is not there: no skills of a server are read",
        &[
            "sep-2640-client-no-prefetch",
            "sep-2640-client-verify-digest",
            "sep-2640-client-verify-size",
            "sep-2640-client-verify-frontmatter",
        ],
    ),
];

/// The tool by which a scenario is shown what the client has kept of the schema of its other one.
const ECHO: &str = "json_schema_echo";

fn suite_of(modules: &Path) -> PathBuf {
    modules.join("@modelcontextprotocol/conformance/dist/index.js")
}

/// The names of the suite's scenarios for clients: of one revision, or of all and of extensions.
async fn names(modules: &Path, version: Option<&str>) -> BTreeSet<String> {
    let mut command = Command::new(node(modules));
    command.arg(suite_of(modules)).args(["list", "--client"]);
    if let Some(version) = version {
        command.args(["--spec-version", version]);
    }
    let output = command.env("NO_COLOR", "1").kill_on_drop(true).output();
    let output = timeout(PATIENCE, output).await.unwrap().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let names = told.lines().filter_map(|line| {
        let name = line.strip_prefix("  - ")?.split(' ').next()?;
        Some(name.to_owned())
    });
    let names: BTreeSet<_> = names.collect();
    assert!(output.status.success() && !names.is_empty(), "{told}");
    names
}

#[tokio::test]
async fn every_scenario_of_the_suite_is_run_or_left_out_for_a_reason() {
    let modules = variable("JARVIS_MCP");
    let mut not_run = BTreeSet::new();
    for version in [None, Some(OLDER), Some(CURRENT)] {
        let mut missed = names(&modules, version).await;
        missed.retain(|name| {
            let mut run = SCENARIOS.iter().filter(|(run, _)| run == name);
            !run.any(|(_, of)| version.is_none_or(|version| version == *of))
        });
        not_run.extend(missed);
    }
    let left_out = LEFT_OUT.iter().flat_map(|(_, names)| names.iter());
    let left_out: BTreeSet<_> = left_out.map(|name| (*name).to_owned()).collect();
    assert_eq!(not_run, left_out);
}

#[tokio::test]
async fn the_conformance_suite_is_content_with_the_client() {
    let modules = variable("JARVIS_MCP");
    let suite = suite_of(&modules);
    let own = env::current_exe().unwrap();
    // The suite puts the address of its server behind it.
    let client = format!("{} --exact conformance::client_of_the_suite", own.display());
    for (scenario, version) in SCENARIOS {
        let output = Command::new(node(&modules))
            .arg(&suite)
            .args(["client", "--command", &client, "--scenario", scenario])
            .args(["--spec-version", version, "--expected-failures", EXPECTED])
            // An extension is part of no revision, and would be passed over.
            .arg("--force")
            .env("NO_PROXY", "127.0.0.1,localhost")
            .env("NO_COLOR", "1")
            .kill_on_drop(true)
            .output();
        let output = timeout(PATIENCE, output).await.unwrap().unwrap();
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8_lossy(&told);
        assert!(output.status.success(), "{scenario} {version}: {told}");
        // A client that does nothing would pass as well.
        let passed = told.lines().find_map(|line| line.strip_prefix("Passed: "));
        let is_vacuous = passed.is_none_or(|passed| passed.starts_with("0/"));
        let is_expected = told.contains("Expected failures");
        assert!(is_expected || !is_vacuous, "{scenario} {version}: {told}");
    }
}

/// The client: it connects to the address in its last argument, and calls every tool that is listed. Without a
/// scenario there is nothing to do.
#[tokio::test]
async fn client_of_the_suite() {
    if env::var_os(SCENARIO).is_none() {
        return;
    }
    let url = env::args().next_back().unwrap();
    let mut http = HttpSettings::new(&url, None, Vec::new(), None).unwrap();
    if let Some(oauth) = oauth() {
        http = http.with_sign_in(oauth).unwrap();
    }
    let connection = McpConnection::new(ServerSettings {
        name: "suite".to_owned(),
        transport: ServerTransport::Http(http),
        start_timeout: PATIENCE,
        message_bytes: 1024 * 1024,
    });
    let lists = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&lists);
    let running = run(&connection, move |tools| *noted.lock().unwrap() = tools).await;
    let listed: Vec<ServedTool> = lists.lock().unwrap().clone();
    for (tool, arguments) in calls(&listed) {
        let progress = Progress::ignored();
        let answer = connection.call(&tool, arguments, &progress);
        // The suite judges the requests; what it answers is data.
        let _answer = timeout(PATIENCE / 6, answer).await;
    }
    running.stop().await;
}

/// The scenario's own data for the client.
fn context() -> Value {
    let context = env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
    serde_json::from_str(&context).unwrap_or_default()
}

/// The registration of the client, if the scenario has one.
fn oauth() -> Option<OauthSettings> {
    let context = context();
    let text = |field: &str| context[field].as_str().map(str::to_owned);
    let credential = match text("private_key_pem") {
        Some(pem) => ClientCredential::Key {
            key: ClientKey::parse(&pem, None).unwrap(),
            audience: None,
        },
        None => ClientCredential::Secret(ClientSecret::new(text("client_secret")?)),
    };
    Some(OauthSettings {
        client_id: text("client_id")?,
        credential,
        scope: None,
        issuer: None,
        token_endpoint: None,
        private: false,
        ca_file: None,
    })
}

/// The calls that the scenario asks for, in its data or by its tool, or else one of each tool.
fn calls(listed: &[ServedTool]) -> Vec<(String, Value)> {
    let context = context();
    if let Some(calls) = context["toolCalls"].as_array() {
        let calls = calls.iter().map(|call| {
            let name = call["name"].as_str().unwrap();
            (name.to_owned(), call["arguments"].clone())
        });
        return calls.collect();
    }
    if listed.iter().any(|tool| tool.name == ECHO) {
        let others = listed.iter().filter(|tool| tool.name != ECHO);
        let echo = |tool: &ServedTool| (ECHO.to_owned(), json!({ "schema": tool.input_schema }));
        return others.map(echo).collect();
    }
    let calls = listed
        .iter()
        .map(|tool| (tool.name.clone(), sample(&tool.input_schema)));
    calls.collect()
}

/// An input with the fields that a schema requires.
fn sample(schema: &Value) -> Value {
    let required = schema["required"].as_array().into_iter().flatten();
    let fields = required.filter_map(|name| {
        let name = name.as_str()?;
        let value = match schema["properties"][name]["type"].as_str() {
            Some("number" | "integer") => json!(2),
            Some("boolean") => json!(true),
            Some("object") => json!({}),
            Some("array") => json!([]),
            _ => json!("text"),
        };
        Some((name.to_owned(), value))
    });
    Value::Object(fields.collect::<Map<_, _>>())
}
