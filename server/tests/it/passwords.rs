//! Signing in with a password.

use protocol::{CloseCode, ErrorCode};
use reqwest::{
    Method, Response, StatusCode,
    header::{HeaderMap, SET_COOKIE},
};
use store::{Store, SystemEvent};

use crate::{
    client::{Browser, refusal, send},
    harness::{Folder, Server},
};

const PASSWORD: &str = "correct horse battery";

async fn sign_in(browser: &Browser, name: &str, password: &str) -> Response {
    let fields = [("name", name), ("password", password)];
    browser.post("/sign-in", &fields).await
}

/// Sets a password; returns the status and the page's text.
async fn change(browser: &Browser, current: &str, new: &str) -> (StatusCode, String) {
    let fields = [("current", current), ("new", new), ("again", new)];
    let response = browser.post("/settings", &fields).await;
    (response.status(), response.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_is_set_by_link_and_signs_in() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let stranger = Browser::new(server.url());
    let early = sign_in(&stranger, "Operator", "").await;
    assert_eq!(early.status(), StatusCode::FORBIDDEN, "there is none yet");

    let owner = server.sign_in().await;
    let page = owner.get("/settings").await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(!page.text().await.unwrap().contains("Current password"));
    let (status, page) = change(&owner, "", "short").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("at least 12"), "{page}");
    assert_eq!(change(&owner, "", PASSWORD).await.0, StatusCode::SEE_OTHER);

    let other = stranger.taking(&sign_in(&stranger, " operator ", PASSWORD).await);
    assert_eq!(other.get("/").await.status(), StatusCode::OK);
    let answers = [
        sign_in(&stranger, "Operator", "another password").await,
        sign_in(&stranger, "Nobody", PASSWORD).await,
        sign_in(&stranger, "Operator", &"x".repeat(3000)).await,
    ];
    let mut texts = Vec::new();
    for answer in answers {
        assert_eq!(answer.status(), StatusCode::FORBIDDEN);
        assert!(!answer.headers().contains_key(SET_COOKIE));
        let id = answer.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let text = answer.text().await.unwrap().replace(&id, "the request");
        // The form keeps the name that was typed, whoever it names.
        texts.push(text.replace("Nobody", "Operator"));
    }
    assert!(
        texts.iter().all(|text| *text == texts[0]),
        "nothing tells them apart"
    );

    // Whoever signed in with a password has to know it to change it; all other sessions end.
    let page = other.get("/settings").await.text().await.unwrap();
    assert!(page.contains("Current password"));
    let mut tab = owner.socket().await;
    let (status, _) = change(&other, "another password", "battery horse correct").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, _) = change(&other, PASSWORD, "battery horse correct").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(tab.closed().await, Some(CloseCode::SignedOut.number()));
    assert_eq!(other.get("/").await.status(), StatusCode::OK);
    assert_eq!(owner.get("/").await.status(), StatusCode::UNAUTHORIZED);
    let old = sign_in(&stranger, "Operator", PASSWORD).await;
    assert_eq!(old.status(), StatusCode::FORBIDDEN);
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(100).await.unwrap();
    let count = |fits: fn(&SystemEvent) -> bool| events.iter().filter(|(_, e)| fits(e)).count();
    let by_password = |event: &SystemEvent| matches!(event, SystemEvent::SignedInByPassword { .. });
    let set = |event: &SystemEvent| matches!(event, SystemEvent::PasswordSet { .. });
    let known = |event: &SystemEvent| matches!(event, SystemEvent::SignInFailed { user: Some(_), address: Some(a) } if a == "127.0.0.1");
    let unknown =
        |event: &SystemEvent| matches!(event, SystemEvent::SignInFailed { user: None, .. });
    assert_eq!(
        [count(by_password), count(set), count(known), count(unknown)],
        [1, 2, 3, 2]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_somebody_planted_is_not_taken_over() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    assert_eq!(change(&owner, "", PASSWORD).await.0, StatusCode::SEE_OTHER);

    let planted = "0".repeat(64);
    let victim = Browser::with_secret(server.url(), &planted);
    let signed_in = victim.taking(&sign_in(&victim, "Operator", PASSWORD).await);
    assert_ne!(signed_in.cookie(), victim.cookie());
    assert_eq!(victim.get("/").await.status(), StatusCode::UNAUTHORIZED);

    // A session that somebody else knew ends when its browser signs in again.
    let again = signed_in.taking(&sign_in(&signed_in, "Operator", PASSWORD).await);
    assert_ne!(again.cookie(), signed_in.cookie());
    assert_eq!(again.get("/").await.status(), StatusCode::OK);
    assert_eq!(signed_in.get("/").await.status(), StatusCode::UNAUTHORIZED);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn passwords_cannot_be_tried_without_end_nor_from_other_sites() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let stranger = Browser::new(server.url());
    for (header, value) in [
        ("origin", "http://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let fields = [("name", "Operator"), ("password", PASSWORD)];
        let mut headers = HeaderMap::new();
        headers.insert(header, value.parse().unwrap());
        let request = stranger.request(Method::POST, "/sign-in");
        let request = request.headers(headers).form(&fields);
        assert_eq!(
            refusal(request).await,
            (StatusCode::FORBIDDEN, ErrorCode::Forbidden)
        );
    }
    let huge = stranger
        .request(Method::POST, "/sign-in")
        .body(vec![b'x'; 9000]);
    assert_eq!(send(huge).await.status(), StatusCode::PAYLOAD_TOO_LARGE);

    for _ in 0..5 {
        let wrong = sign_in(&stranger, "Operator", "wrong").await;
        assert_eq!(wrong.status(), StatusCode::FORBIDDEN);
    }
    let mut refused = sign_in(&stranger, "Operator", "wrong").await;
    // Hashing in a build without optimisation may take longer than the first wait.
    for _ in 0..5 {
        if refused.status() == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        refused = sign_in(&stranger, "Operator", "wrong").await;
    }
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = refused.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!(wait >= 1, "{wait}");
    // Another name is not locked out, nor is whoever has the machine.
    let other = sign_in(&stranger, "Somebody", "wrong").await;
    assert_eq!(other.status(), StatusCode::FORBIDDEN);
    server.sign_in().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_ends_tokens_if_its_form_says_so() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let add = [
        ("do", "add"),
        ("name", "A program"),
        ("role", "viewer"),
        ("days", "1"),
    ];
    let page = owner.post("/settings/tokens", &add).await.text().await;
    let page = page.unwrap();
    let (_, token) = page.split_once("plain-secret\">").unwrap();
    let (token, _) = token.split_once('<').unwrap();
    let asks = async || {
        let program = Browser::new(server.url()).bearing(token);
        let request = program.request(Method::POST, "/api/status");
        send(request.json(&serde_json::json!({}))).await.status()
    };
    let page = owner.get("/settings").await.text().await.unwrap();
    let (_, tick) = page.split_once("name=\"tokens\"").unwrap();
    let (tick, _) = tick.split_once('>').unwrap();
    assert!(
        tick.contains("value=\"true\"") && tick.contains("checked"),
        "{tick}"
    );
    // A box that is not ticked is not sent.
    assert_eq!(change(&owner, "", PASSWORD).await.0, StatusCode::SEE_OTHER);
    assert_eq!(asks().await, StatusCode::OK);
    let fields = [("new", PASSWORD), ("again", PASSWORD), ("tokens", "true")];
    let set = owner.post("/settings", &fields).await;
    assert_eq!(set.status(), StatusCode::SEE_OTHER);
    assert_eq!(asks().await, StatusCode::UNAUTHORIZED);
    let page = owner.get("/settings/tokens").await.text().await.unwrap();
    assert!(page.contains("None."), "{page}");
    server.stop().await;
}
