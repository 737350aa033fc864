//! `/api/v1`: its frame and its first routes, as programs see them.

pub(crate) mod analyses;
mod clients;
mod confirmations;
mod errors;
pub(crate) mod follower;
mod once;
mod origins;
mod reach;
mod reads;
mod runs;
mod stream;
pub(crate) mod trace;

use protocol::Role;
use reqwest::{Method, Response};
use serde_json::Value;

use crate::{
    client::{Browser, send},
    harness::{Folder, Server, add_user},
    tokens::token,
};

const CONVERSATIONS: &str = "/api/v1/conversations";

const LAMPS: &str = "[notices]\nenabled = false\n[lamps]\nenabled = true\n";

/// A server with two people.
struct TwoSignedIn {
    server: Server,
    owner: Browser,
    /// Otto, an operator.
    other: Browser,
}

async fn with_otto(folder: &Folder) -> TwoSignedIn {
    Server::start(folder).await.stop().await;
    let otto = add_user(folder, "Otto", Role::Operator).await;
    let server = Server::start_with(folder, LAMPS).await;
    TwoSignedIn {
        owner: server.sign_in().await,
        other: Browser::sign_in(&format!("{}{otto}", server.url())).await,
        server,
    }
}

/// A program with a token of its owner.
pub(crate) async fn program(
    server: &Server,
    owner: &Browser,
    role: &str,
    toolsets: &[&str],
) -> Browser {
    let token = token(owner, role, toolsets).await.unwrap();
    Browser::new(server.url()).bearing(&token)
}

/// Sends JSON, with a key unless it is empty.
pub(crate) async fn post(program: &Browser, path: &str, key: &str, body: &Value) -> Response {
    let mut request = program.request(Method::POST, path).json(body);
    if !key.is_empty() {
        request = request.header("idempotency-key", key);
    }
    send(request).await
}

pub(crate) async fn get(program: &Browser, path: &str) -> Value {
    let answer = send(program.request(Method::GET, path)).await;
    assert_eq!(answer.status(), 200, "{path}");
    answer.json().await.unwrap()
}

/// Starts a conversation; returns its address.
async fn started(program: &Browser, message: &str) -> String {
    let body = serde_json::json!({ "message": message });
    let answer = post(program, CONVERSATIONS, "", &body).await;
    assert_eq!(answer.status(), 201);
    answer.headers()["location"].to_str().unwrap().to_owned()
}

/// The code of a refusal, which has the one shape.
pub(crate) async fn code(answer: Response) -> String {
    let headers = answer.headers().clone();
    let (status, address) = (answer.status(), answer.url().clone());
    let text = answer.text().await.unwrap();
    let named = format!("{status} of {address}: {text}");
    assert_eq!(headers["content-type"], "application/json", "{named}");
    assert_eq!(headers["cache-control"], "no-store", "{named}");
    let error: Value = serde_json::from_str(&text).expect(&named);
    assert!(error["message"].is_string(), "{named}");
    assert_eq!(
        error["request_id"],
        headers["x-request-id"].to_str().unwrap()
    );
    for member in error.as_object().unwrap().keys() {
        let known = ["code", "message", "help", "request_id"];
        assert!(known.contains(&member.as_str()), "{named}");
    }
    error["code"].as_str().expect(&named).to_owned()
}
