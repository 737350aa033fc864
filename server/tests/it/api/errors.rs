//! Refusals: each has its status, its code and the one shape, wherever it comes from.

use reqwest::{Method, RequestBuilder, StatusCode, header::CONTENT_TYPE};
use serde_json::{Value, json};

use super::{CONVERSATIONS, code, post, program};
use crate::{
    client::{Browser, new_conversation, send},
    harness::{Folder, QUIET, Server},
};

fn json_text(program: &Browser, path: &str, text: impl Into<String>) -> RequestBuilder {
    let request = program.request(Method::POST, path);
    request
        .header(CONTENT_TYPE, "application/json; charset=utf-8")
        .body(text.into())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_error_has_one_shape() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "operator", &[]).await;
    let request = |method, path: &str| program.request(method, path);
    let start = |text: &str| json_text(&program, CONVERSATIONS, text);
    let keyed = |keys: &[&str]| {
        let mut request = start(r#"{"message": "Hello"}"#);
        for key in keys {
            request = request.header("idempotency-key", *key);
        }
        request
    };
    let gone = format!("{CONVERSATIONS}/{}", new_conversation());
    let follow = |id: &str| {
        let request = request(Method::GET, &format!("{gone}/events"));
        request.header("last-event-id", id)
    };
    let card = |id: &str| request(Method::GET, &format!("/api/v1/confirmations/{id}"));
    let long = "k".repeat(256);
    let huge = format!(r#"{{"message": "{}"}}"#, "x".repeat(1 << 20));
    let pieces = huge.as_bytes().chunks(64 * 1024).map(<[u8]>::to_vec);
    let pieces: Vec<_> = pieces.map(Ok::<_, std::io::Error>).collect();
    // Without a length, which would be enough to refuse it.
    let endless = reqwest::Body::wrap_stream(futures::stream::iter(pieces));
    let nobody = Browser::new(server.url());
    let foreign = "http://elsewhere.example";
    for (request, status, expect) in [
        (request(Method::GET, "/api/v1"), 404, "not_found"),
        (request(Method::GET, "/api/v1/"), 404, "not_found"),
        (request(Method::POST, "/api/v1"), 404, "not_found"),
        (request(Method::POST, "/api/v1/"), 404, "not_found"),
        (request(Method::POST, "/api/v1/status"), 404, "not_found"),
        (request(Method::DELETE, "/api/v1/a/b/c"), 404, "not_found"),
        (request(Method::GET, "/api/v1//"), 404, "not_found"),
        (
            request(Method::GET, &format!("{gone}/a/b")),
            404,
            "not_found",
        ),
        (
            request(Method::PUT, CONVERSATIONS),
            405,
            "method_not_allowed",
        ),
        (request(Method::DELETE, &gone), 405, "method_not_allowed"),
        (
            request(Method::GET, &format!("{gone}/stop")),
            405,
            "method_not_allowed",
        ),
        (request(Method::GET, &gone), 404, "conversation_not_found"),
        (
            request(Method::GET, &format!("{CONVERSATIONS}/nonsense")),
            404,
            "conversation_not_found",
        ),
        (
            json_text(&program, &format!("{gone}/stop"), ""),
            404,
            "conversation_not_found",
        ),
        (follow("1"), 404, "conversation_not_found"),
        (card("nonsense"), 404, "confirmation_not_found"),
        (card("..%2Fconversations"), 404, "confirmation_not_found"),
        (card("call_%00"), 404, "confirmation_not_found"),
        (card("a/b"), 404, "not_found"),
        (follow("1; drop"), 400, "last_event_id_invalid"),
        (follow("-1"), 400, "last_event_id_invalid"),
        (
            request(Method::GET, &format!("{CONVERSATIONS}?limit=0")),
            400,
            "malformed",
        ),
        (
            request(Method::GET, &format!("{CONVERSATIONS}?limit=101")),
            400,
            "malformed",
        ),
        (
            request(Method::GET, &format!("{CONVERSATIONS}?limit=many")),
            400,
            "malformed",
        ),
        (
            request(Method::GET, &format!("{CONVERSATIONS}?page=2")),
            400,
            "malformed",
        ),
        (
            request(Method::GET, &format!("{CONVERSATIONS}?cursor=AAAA")),
            400,
            "cursor_invalid",
        ),
        (start("{"), 400, "malformed"),
        (start("\u{0}"), 400, "malformed"),
        (start(""), 422, "body_invalid"),
        (start("[]"), 422, "body_invalid"),
        (start(r#"["Hello"]"#), 422, "body_invalid"),
        (start(r#"{"message": 5}"#), 422, "body_invalid"),
        (
            start(r#"{"message": "a", "user": "b"}"#),
            422,
            "body_invalid",
        ),
        (start(r#"{"message": "a", "mode": 1}"#), 422, "body_invalid"),
        (
            start(r#"{"message": "a", "from": "x"}"#),
            422,
            "body_invalid",
        ),
        (
            start(r#"{"message": "a", "mode": "yolo"}"#),
            400,
            "mode_unknown",
        ),
        (
            start(r#"{"message": "a", "mode": ""}"#),
            400,
            "mode_unknown",
        ),
        (
            start(r#"{"message": "a", "mode": "Plan"}"#),
            400,
            "mode_unknown",
        ),
        (start(r#"{"message": " "}"#), 400, "message_empty"),
        (
            start(r#"{"message": "a", "toolsets": ["none"]}"#),
            404,
            "toolset_not_found",
        ),
        (
            start(r#"{"message": "a", "packs": ["none"]}"#),
            404,
            "pack_not_found",
        ),
        (start(&huge), 413, "body_too_large"),
        (
            program
                .request(Method::POST, CONVERSATIONS)
                .header(CONTENT_TYPE, "application/json")
                .body(endless),
            413,
            "body_too_large",
        ),
        (
            request(Method::POST, CONVERSATIONS).body(r#"{"message": "a"}"#),
            415,
            "unsupported_media_type",
        ),
        (
            request(Method::POST, CONVERSATIONS).form(&[("message", "a")]),
            415,
            "unsupported_media_type",
        ),
        (keyed(&["two words"]), 400, "idempotency_key_invalid"),
        (keyed(&[""]), 400, "idempotency_key_invalid"),
        (keyed(&[&long]), 400, "idempotency_key_invalid"),
        (keyed(&["one", "two"]), 400, "idempotency_key_invalid"),
        (
            nobody.request(Method::GET, CONVERSATIONS),
            401,
            "not_signed_in",
        ),
        (
            nobody.request(Method::GET, "/api/v1/nowhere"),
            401,
            "not_signed_in",
        ),
        // Browsers ask like this, and get no page here.
        (
            nobody
                .request(Method::GET, CONVERSATIONS)
                .header("accept", "text/html"),
            401,
            "not_signed_in",
        ),
        (
            nobody
                .bearing("jarvis_token_0")
                .request(Method::GET, CONVERSATIONS),
            401,
            "not_signed_in",
        ),
        (
            start(r#"{"message": "a"}"#).header("origin", foreign),
            403,
            "forbidden",
        ),
        (
            request(Method::GET, CONVERSATIONS).header("host", "elsewhere.example"),
            403,
            "forbidden",
        ),
    ] {
        let named = format!("{request:?}");
        let answer = send(request).await;
        let headers = answer.headers().clone();
        assert_eq!(answer.status().as_u16(), status, "{named}");
        assert_eq!(code(answer).await, expect, "{named}");
        assert_eq!(headers.contains_key("www-authenticate"), status == 401);
        assert_eq!(headers.contains_key("allow"), status == 405, "{named}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
    // A program is not told to sign in.
    let wrong = nobody.bearing("jarvis_token_0");
    let told = send(wrong.request(Method::GET, "/agui/thread/run")).await;
    let told: Value = told.json().await.unwrap();
    let message = told["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("This token isn't known"), "{told}");
    // Nothing of all that has begun anything.
    let list: Value = super::get(&program, CONVERSATIONS).await;
    assert_eq!(list, json!({ "conversations": [], "next": null }));
    server.stop().await;
}

/// A browser's cookie works here too, for pages of ours alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_site_does_nothing_with_a_cookie() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let cookie = owner.cookie().unwrap();
    let url = format!("{}{CONVERSATIONS}", server.url());
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let body = json!({ "message": "Hello" });
    let from = |origin: &str| {
        let request = http.post(&url).json(&body).header("cookie", cookie);
        request.header("origin", origin)
    };
    let refused = send(from("http://elsewhere.example")).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert_eq!(code(refused).await, "forbidden");
    let own = send(from(server.url())).await;
    assert_eq!(own.status(), StatusCode::CREATED);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_of_a_program_is_in_answer_and_error() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "viewer", &[]).await;
    for (sent, taken) in [
        ("job-17.a_b", true),
        ("a b", false),
        ("x\tset-cookie: a=b", false),
        ("%0d%0aset-cookie:a=b", false),
        (&*"x".repeat(65), false),
    ] {
        for path in [CONVERSATIONS, "/api/v1/nowhere"] {
            let request = program.request(Method::GET, path);
            let answer = send(request.header("x-request-id", sent)).await;
            let id = answer.headers()["x-request-id"].to_str().unwrap();
            assert_eq!(id == sent, taken, "{sent}: {id}");
            assert!(!answer.headers().contains_key("set-cookie"), "{sent}");
            if !answer.status().is_success() {
                assert_eq!(code(answer).await, "not_found");
            }
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_too_much_is_told_when_to_come_back() {
    let folder = Folder::new();
    let more = format!("{QUIET}[limits]\nuser_commands = 20\n");
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let program = program(&server, &owner, "operator", &[]).await;
    let stop = format!("{CONVERSATIONS}/{}/messages", new_conversation());
    let body = json!({ "message": "Hello" });
    let mut refused = None;
    for _ in 0..20 {
        let answer = post(&program, &stop, "", &body).await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
            break;
        }
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }
    let refused = refused.unwrap();
    let left = refused.headers()["ratelimit"].to_str().unwrap();
    assert!(left.starts_with("\"changes\";r="), "{left}");
    let after: u64 = refused.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=60).contains(&after), "{after}");
    assert_eq!(code(refused).await, "rate_limited");
    // Reading costs nothing, and says what is left.
    let read = send(program.request(Method::GET, CONVERSATIONS)).await;
    assert_eq!(read.status(), StatusCode::OK);
    let policy = read.headers()["ratelimit-policy"].to_str().unwrap();
    assert!(policy.starts_with("\"changes\";q=10;w=30,"), "{policy}");
    assert!(read.headers().contains_key("ratelimit"));
    server.stop().await;
}
