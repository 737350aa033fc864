//! The rows of routes.

use reqwest::{Method, RequestBuilder, header::CONTENT_TYPE};

use super::people;
use crate::client::{Browser, send};

/// Pages and forms for people, not for programs.
const PEOPLE_READ: [u16; 5] = [401, 200, 200, 200, 403];
const PEOPLE_FORM: [u16; 5] = [401, 422, 422, 422, 403];
/// Reads for everybody, programs too.
const PROGRAMS_READ: [u16; 5] = [401, 200, 200, 200, 200];
/// The engine decides on what it would read: `api::reach`.
const PROGRAMS_FORM: [u16; 5] = [401, 422, 422, 422, 422];
/// For tokens, whatever session comes with a request: there is no such run, and no form is a run.
const TOKENS_READ: [u16; 5] = [401, 401, 401, 401, 404];
const TOKENS_FORM: [u16; 5] = [401, 401, 401, 401, 422];
/// Pages and forms for admins alone.
const ADMINS_READ: [u16; 5] = [401, 403, 403, 200, 403];
const ADMINS_FORM: [u16; 5] = [401, 403, 403, 422, 403];
const ADMINS_MISS: [u16; 5] = [401, 403, 403, 404, 403];

/// Method, route as the server names it, the status for nobody, a viewer, an operator, an admin, and
/// a read-only token. A form without fields is enough: `422` shows that it
/// would be read. Signing out ends the session of the other rows, so it is last.
pub(super) const ROUTES: [(&str, &str, [u16; 5]); 82] = [
    ("get", "/healthz", [200; 5]),
    ("get", "/readyz", [200; 5]),
    // Off unless it is configured.
    ("get", "/metrics", [404; 5]),
    ("get", "/sign-in", [200; 5]),
    ("head", "/sign-in", [204; 5]),
    ("post", "/sign-in", [422; 5]),
    ("post", "/sign-in/passkey/begin", [200; 5]),
    ("post", "/sign-in/passkey", [422; 5]),
    ("get", "/settings/passkeys", PEOPLE_READ),
    ("post", "/settings/passkeys", PEOPLE_FORM),
    ("post", "/settings/passkeys/begin", PEOPLE_READ),
    ("post", "/settings/passkeys/add", PEOPLE_FORM),
    ("get", "*", [401, 200, 200, 200, 200]),
    ("any", "/ws", [401, 400, 400, 400, 400]),
    ("get", "/feed/export", [401, 200, 200, 200, 200]),
    ("get", "/chat/{id}/export", [401, 404, 404, 404, 404]),
    ("post", "/files", PEOPLE_FORM),
    ("get", "/files/{id}", [401, 404, 404, 404, 404]),
    ("get", "/qr.svg", [401, 200, 200, 200, 200]),
    ("post", "/chat/import", PEOPLE_FORM),
    ("get", "/settings/import", PEOPLE_READ),
    ("post", "/api/{*function}", [401, 400, 400, 400, 403]),
    ("get", "/api/v1/conversations", PROGRAMS_READ),
    ("post", "/api/v1/conversations", PROGRAMS_FORM),
    (
        "get",
        "/api/v1/conversations/{id}",
        [401, 404, 404, 404, 404],
    ),
    (
        "get",
        "/api/v1/conversations/{id}/events",
        [401, 404, 404, 404, 404],
    ),
    ("post", "/api/v1/conversations/{id}/messages", PROGRAMS_FORM),
    (
        "post",
        "/api/v1/conversations/{id}/stop",
        [401, 404, 404, 404, 404],
    ),
    ("post", "/api/v1/ai/analyses", PROGRAMS_FORM),
    ("post", "/api/v1/ai/scripts", PROGRAMS_FORM),
    ("get", "/api/v1/ai/scripts/{id}", [401, 404, 404, 404, 404]),
    ("get", "/api/v1/confirmations", PROGRAMS_READ),
    (
        "get",
        "/api/v1/confirmations/{id}",
        [401, 404, 404, 404, 404],
    ),
    ("post", "/api/v1/confirmations/{id}", PROGRAMS_FORM),
    ("post", "/api/v1/runs", PROGRAMS_FORM),
    ("get", "/api/v1/runs/{id}", [401, 404, 404, 404, 404]),
    ("get", "/api/v1/tools", PROGRAMS_READ),
    ("get", "/api/v1/systems", PROGRAMS_READ),
    ("get", "/api/v1/audit/head", PROGRAMS_READ),
    ("get", "/api/v1/feed", PROGRAMS_READ),
    ("get", "/api/v1/openapi.json", PROGRAMS_READ),
    ("any", "/api/v1", [401, 404, 404, 404, 404]),
    ("any", "/api/v1/", [401, 404, 404, 404, 404]),
    ("any", "/api/v1/{*unknown}", [401, 404, 404, 404, 404]),
    ("post", "/agui", TOKENS_FORM),
    ("get", "/agui/{thread}/{run}", TOKENS_READ),
    ("post", "/agui/{thread}/{run}/stop", TOKENS_READ),
    // Before anything is read, what it accepts in return.
    ("post", "/mcp", [401, 401, 401, 401, 406]),
    ("post", "/mcp/{door}", [401, 401, 401, 401, 406]),
    ("get", "/settings", PEOPLE_READ),
    ("post", "/settings", PEOPLE_FORM),
    ("get", "/settings/look", PEOPLE_READ),
    ("post", "/settings/look", PEOPLE_FORM),
    ("get", "/settings/notifications", PEOPLE_READ),
    ("get", "/settings/assistant", PEOPLE_READ),
    ("post", "/settings/assistant", PEOPLE_FORM),
    ("post", "/settings/kill-switch", PEOPLE_FORM),
    ("get", "/settings/sessions", PEOPLE_READ),
    ("post", "/settings/sessions", [401, 303, 303, 303, 403]),
    ("get", "/settings/tokens", PEOPLE_READ),
    ("post", "/settings/tokens", PEOPLE_FORM),
    ("get", "/settings/api", PEOPLE_READ),
    ("get", "/settings/keys", PEOPLE_READ),
    ("post", "/settings/keys", PEOPLE_FORM),
    ("get", "/settings/prompts", PEOPLE_READ),
    ("post", "/settings/prompts", PEOPLE_FORM),
    ("get", "/settings/users", [401, 403, 403, 200, 403]),
    ("post", "/settings/users", [401, 403, 403, 422, 403]),
    ("get", "/settings/model", ADMINS_READ),
    ("post", "/settings/model", ADMINS_FORM),
    ("get", "/settings/persona", ADMINS_READ),
    ("post", "/settings/persona", ADMINS_FORM),
    ("get", "/settings/policy", ADMINS_READ),
    ("post", "/settings/policy", ADMINS_FORM),
    ("get", "/settings/systems", ADMINS_READ),
    ("get", "/settings/mcp", ADMINS_READ),
    ("post", "/settings/mcp", ADMINS_FORM),
    // There is no such tool, and no such call.
    ("get", "/settings/mcp/tools/{name}", ADMINS_MISS),
    ("post", "/settings/mcp/tools/{name}", ADMINS_MISS),
    ("get", "/settings/mcp/calls/{id}", ADMINS_MISS),
    ("get", "/sign-out", [401, 405, 405, 405, 403]),
    ("post", "/sign-out", [401, 303, 303, 303, 403]),
];

/// The addresses of routes that are patterns or need a query.
const ADDRESSES: [(&str, &str); 20] = [
    ("*", "/"),
    ("/feed/export", "/feed/export?format=jsonl"),
    (
        "/chat/{id}/export",
        "/chat/cnv_01HF7YAT0004HMASW9NF6YY093/export?format=md",
    ),
    ("/files", "/files?name=x"),
    ("/qr.svg", "/qr.svg?text=x"),
    ("/files/{id}", "/files/x"),
    ("/api/{*function}", "/api/nowhere"),
    (
        "/api/v1/conversations/{id}",
        "/api/v1/conversations/cnv_01HF7YAT0004HMASW9NF6YY093",
    ),
    (
        "/api/v1/conversations/{id}/events",
        "/api/v1/conversations/cnv_01HF7YAT0004HMASW9NF6YY093/events",
    ),
    (
        "/api/v1/conversations/{id}/messages",
        "/api/v1/conversations/cnv_01HF7YAT0004HMASW9NF6YY093/messages",
    ),
    (
        "/api/v1/conversations/{id}/stop",
        "/api/v1/conversations/cnv_01HF7YAT0004HMASW9NF6YY093/stop",
    ),
    (
        "/api/v1/ai/scripts/{id}",
        "/api/v1/ai/scripts/cnv_01HF7YAT0004HMASW9NF6YY093",
    ),
    (
        "/api/v1/confirmations/{id}",
        "/api/v1/confirmations/call_01HF7YAT0004HMASW9NF6YY093",
    ),
    (
        "/api/v1/runs/{id}",
        "/api/v1/runs/cnv_01HF7YAT0004HMASW9NF6YY093",
    ),
    ("/api/v1/{*unknown}", "/api/v1/nowhere"),
    ("/agui/{thread}/{run}", "/agui/a/b"),
    ("/agui/{thread}/{run}/stop", "/agui/a/b/stop"),
    ("/mcp/{door}", "/mcp/homelab-tools"),
    ("/settings/mcp/tools/{name}", "/settings/mcp/tools/none"),
    (
        "/settings/mcp/calls/{id}",
        "/settings/mcp/calls/cnv_01HF7YAT0004HMASW9NF6YY093",
    ),
];

/// The operations of `/api/v1`: method and route.
pub(crate) fn operations() -> Vec<(String, String)> {
    let rows = ROUTES.iter().filter(|(method, ..)| *method != "any");
    let rows = rows.filter(|(_, route, _)| route.starts_with("/api/v1/"));
    let mut rows: Vec<_> = rows
        .map(|(method, route, _)| ((*method).to_owned(), (*route).to_owned()))
        .collect();
    rows.sort();
    rows
}

/// The request of a row, which is an empty form if it is one.
pub(super) fn asked(browser: &Browser, method: &str, route: &str) -> RequestBuilder {
    let mut addresses = ADDRESSES.iter();
    let address = addresses.find(|(known, _)| *known == route);
    let path = address.map_or(route, |(_, address)| address);
    match method {
        "post" => browser
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded"),
        "head" => browser.request(Method::HEAD, path),
        _ => browser.request(Method::GET, path),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_by_role() {
    let (_folder, server, people) = people().await;
    for (method, route, expect) in ROUTES {
        for (who, browser, expect) in people.with(expect) {
            let status = send(asked(browser, method, route)).await.status();
            assert_eq!(status.as_u16(), expect, "{method} {route} for {who}");
        }
    }
    server.stop().await;
}
