//! Pages of other origins: the listed ones, with a token, and no others.

use reqwest::{Method, RequestBuilder, Response, StatusCode, header::COOKIE};
use serde_json::{Value, json};

use super::{CONVERSATIONS, code, get, program};
use crate::{
    client::{Browser, send},
    harness::{Folder, QUIET, Server},
};

const LISTED: &str = "https://front.lan";

const ALLOWED: &str = "access-control-allow-origin";

/// Origins that look like the listed one, or like none.
const OTHERS: [&str; 8] = [
    "https://elsewhere.example",
    "https://front.lan.elsewhere.example",
    "https://elsewhere.example/https://front.lan",
    "https://front.lan:8443",
    "http://front.lan",
    "https://FRONT.lan",
    "https://front.lan/",
    "null",
];

async fn listing() -> (Folder, Server) {
    let folder = Folder::new();
    let more = format!("{QUIET}[server]\nallowed_origins = [\"{LISTED}\"]\n");
    let server = Server::start_with(&folder, &more).await;
    (folder, server)
}

/// The same request as a browser sends it for a page of an origin.
fn from(request: RequestBuilder, origin: &str) -> RequestBuilder {
    let request = request.header("origin", origin);
    request.header("sec-fetch-site", "cross-site")
}

/// The question of a browser before a request.
async fn asks(server: &Server, origin: &str, path: &str) -> Response {
    let request = Browser::new(server.url()).request(Method::OPTIONS, path);
    let request = from(request, origin).header("access-control-request-method", "POST");
    send(request.header("access-control-request-headers", "authorization")).await
}

/// Fails unless a page of the listed origin may read an answer, and no cookie may come with it.
fn is_open(answer: &Response) {
    let headers = answer.headers();
    assert_eq!(headers[ALLOWED], LISTED);
    assert!(!headers.contains_key("access-control-allow-credentials"));
    let vary = headers.get_all("vary").iter();
    let vary: Vec<_> = vary.map(|value| value.to_str().unwrap()).collect();
    assert!(vary.contains(&"origin"), "{vary:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_page_with_a_token_uses_the_api() {
    let (_folder, server) = listing().await;
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "operator", &[]).await;
    for path in [
        CONVERSATIONS,
        "/api/v1/confirmations/call_x",
        "/api/v1/nowhere",
    ] {
        let allowed = asks(&server, LISTED, path).await;
        assert_eq!(allowed.status(), StatusCode::NO_CONTENT, "{path}");
        is_open(&allowed);
        let headers = allowed.headers()["access-control-allow-headers"].to_str();
        for header in [
            "authorization",
            "content-type",
            "idempotency-key",
            "last-event-id",
            "x-request-id",
        ] {
            let mut named = headers.as_ref().unwrap().split(", ");
            assert!(named.any(|name| name == header), "{header}");
        }
    }
    let body = json!({ "message": "Hello" });
    let start = program.request(Method::POST, CONVERSATIONS).json(&body);
    let begun = send(from(start, LISTED)).await;
    assert_eq!(begun.status(), StatusCode::CREATED);
    is_open(&begun);
    let exposed = begun.headers()["access-control-expose-headers"].to_str();
    for header in ["location", "x-request-id", "retry-after", "ratelimit"] {
        let mut named = exposed.as_ref().unwrap().split(", ");
        assert!(named.any(|name| name == header), "{header}");
    }
    let address = begun.headers()["location"].to_str().unwrap();
    let events = program.request(Method::GET, &format!("{address}/events"));
    let events = send(from(events, LISTED).header("last-event-id", "1")).await;
    assert_eq!(events.status(), StatusCode::OK);
    is_open(&events);
    drop(events);
    // What went wrong can be read there, too.
    let nowhere = program.request(Method::GET, "/api/v1/nowhere");
    let gone = send(from(nowhere, LISTED)).await;
    is_open(&gone);
    assert_eq!(code(gone).await, "not_found");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_is_not_listed_is_refused_also_with_a_token() {
    let (_folder, server) = listing().await;
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "operator", &[]).await;
    let start = || {
        let body = json!({ "message": "Hello" });
        program.request(Method::POST, CONVERSATIONS).json(&body)
    };
    for origin in OTHERS {
        let asked = asks(&server, origin, CONVERSATIONS).await;
        assert!(!asked.headers().contains_key(ALLOWED), "{origin}");
        assert_eq!(code(asked).await, "forbidden", "{origin}");
        let refused = send(from(start(), origin)).await;
        assert!(!refused.headers().contains_key(ALLOWED), "{origin}");
        assert_eq!(code(refused).await, "forbidden", "{origin}");
        // A browser keeps the answer from the page.
        let read = send(from(program.request(Method::GET, CONVERSATIONS), origin)).await;
        assert!(!read.headers().contains_key(ALLOWED), "{origin}");
    }
    let two = from(from(start(), LISTED), "https://elsewhere.example");
    let refused = send(two).await;
    assert!(!refused.headers().contains_key(ALLOWED));
    assert_eq!(code(refused).await, "forbidden");
    // Only the interfaces of programs are open.
    for path in ["/api/conversations", "/api/v1x", "/feed/export", "/"] {
        let asked = asks(&server, LISTED, path).await;
        assert_eq!(asked.status(), StatusCode::FORBIDDEN, "{path}");
        assert!(!asked.headers().contains_key(ALLOWED), "{path}");
    }
    let list: Value = get(&program, CONVERSATIONS).await;
    assert_eq!(list["conversations"], json!([]));
    server.stop().await;
}

/// A browser would send the cookie from a page on the same machine, whatever the answer says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_page_does_nothing_with_a_cookie() {
    let (_folder, server) = listing().await;
    let owner = server.sign_in().await;
    let reader = program(&server, &owner, "viewer", &[]).await;
    let body = json!({ "message": "Hello" });
    let start = |who: &Browser| {
        let request = who.request(Method::POST, CONVERSATIONS).json(&body);
        request.header(COOKIE, owner.cookie().unwrap())
    };
    let nobody = Browser::new(server.url()).bearing("jarvis_token_none");
    // The cookie of an admin makes no token stronger, and a false one not true.
    for (who, expect) in [(&reader, "role_not_enough"), (&nobody, "not_signed_in")] {
        let refused = send(from(start(who), LISTED)).await;
        is_open(&refused);
        assert_eq!(code(refused).await, expect);
    }
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("{}{CONVERSATIONS}", server.url());
    for request in [http.get(&url), http.post(&url).json(&body)] {
        let request = request.header(COOKIE, owner.cookie().unwrap());
        let refused = send(from(request, LISTED)).await;
        is_open(&refused);
        assert_eq!(code(refused).await, "not_signed_in");
    }
    let list: Value = get(&reader, CONVERSATIONS).await;
    assert_eq!(list["conversations"], json!([]));
    server.stop().await;
}
