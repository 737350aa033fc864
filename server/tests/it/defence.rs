//! Attacks through a browser or the network, one test each. Origins, frames and paths are in
//! `edges`, guesses in `passwords`, stalled clients in the library's own tests.

use protocol::{ErrorCode, Role};
use reqwest::{
    Method, StatusCode,
    header::{CONTENT_TYPE, SET_COOKIE},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    client::{Browser, refusal},
    harness::{Folder, Server, add_user, soon},
};

/// Each of our forms with its fields, and true if it changes something.
const FORMS: [(&str, &str); 8] = [
    ("/sign-in", "name=Operator&password=x"),
    ("/sign-out", ""),
    (
        "/settings",
        "new=correct+horse+battery&again=correct+horse+battery",
    ),
    ("/settings/sessions", ""),
    (
        "/settings/tokens",
        "do=add&name=t&role=admin&days=1&scope=all",
    ),
    ("/settings/keys", "do=set&system=erp&api_key=k&api_secret=s"),
    ("/settings/users", "do=add&name=Eve&role=admin"),
    ("/api/delete", "{}"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_site_sends_no_form_of_ours() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    for (path, body) in FORMS {
        for (header, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            // The kinds of body that a page of another site may send without a preflight.
            for kind in ["application/x-www-form-urlencoded", "text/plain"] {
                let request = browser
                    .request(Method::POST, path)
                    .header(CONTENT_TYPE, kind)
                    .body(body);
                let mut request = request.build().unwrap();
                let headers = request.headers_mut();
                headers.insert(header, value.parse().unwrap());
                let request = reqwest::RequestBuilder::from_parts(reqwest::Client::new(), request);
                let answer = refusal(request).await;
                let expect = (StatusCode::FORBIDDEN, ErrorCode::Forbidden);
                assert_eq!(answer, expect, "{path} {header}: {value} {kind}");
            }
        }
    }
    assert_eq!(browser.get("/").await.status(), StatusCode::OK);
    let users = browser.get("/settings/users").await.text().await.unwrap();
    assert!(!users.contains("Eve"), "{users}");
    server.stop().await;
}

/// Links like passwords (`passwords`): a planted cookie never becomes a session, and the attacker's
/// own session, planted in the victim's browser, ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_planted_cookie_is_never_a_session() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let otto = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start(&folder).await;
    let planted = Browser::with_secret(server.url(), &"0".repeat(64));
    let answer = planted.post(&vera, &[]).await;
    let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
    assert!(!cookie.contains(&"0".repeat(64)), "{cookie}");
    let vera = planted.taking(&answer);
    assert_eq!(vera.get("/").await.status(), StatusCode::OK);
    assert_eq!(planted.get("/").await.status(), StatusCode::UNAUTHORIZED);

    let victim = vera.clone();
    let victim = victim.taking(&victim.post(&otto, &[]).await);
    assert_eq!(victim.get("/").await.status(), StatusCode::OK);
    assert_eq!(vera.get("/").await.status(), StatusCode::UNAUTHORIZED);
    server.stop().await;
}

/// The raw answer of a server to a request.
async fn raw(server: &Server, head: String, body: &[u8]) -> String {
    let address = server.url().trim_start_matches("http://");
    let mut tcp = TcpStream::connect(address).await.unwrap();
    tcp.write_all(head.as_bytes()).await.unwrap();
    for piece in body.chunks(4096) {
        let sent = async {
            let size = format!("{:x}\r\n", piece.len());
            tcp.write_all(size.as_bytes()).await?;
            tcp.write_all(piece).await?;
            tcp.write_all(b"\r\n").await
        };
        // It may hang up before everything is sent.
        if sent.await.is_err() {
            break;
        }
    }
    let mut status = [0; 12];
    soon("an answer", tcp.read_exact(&mut status))
        .await
        .unwrap();
    String::from_utf8_lossy(&status).into_owned()
}

/// A declared length is refused before the body is read (`edges`); this one is not declared.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_without_a_length_is_not_read_for_ever() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let own = server.url().to_owned();
    for (path, kind, bytes) in [
        ("/sign-in", "application/x-www-form-urlencoded", 9 * 1024),
        ("/settings", "application/x-www-form-urlencoded", 9 * 1024),
        (
            "/settings/tokens",
            "application/x-www-form-urlencoded",
            9 * 1024,
        ),
        ("/api/rename", "application/json", 257 * 1024),
    ] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\norigin: {own}\r\ncookie: {}\r\n\
             content-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n",
            own.trim_start_matches("http://"),
            browser.cookie().unwrap(),
        );
        let status = raw(&server, head, &vec![b'x'; bytes]).await;
        assert!(
            ["HTTP/1.1 413", "HTTP/1.1 422"].contains(&status.as_str()),
            "{path}: {status}"
        );
    }
    assert_eq!(browser.get("/").await.status(), StatusCode::OK);
    server.stop().await;
}
