//! Signing in and out, and the pages that stay closed without it.

use protocol::{CloseCode, ErrorCode, Role};
use reqwest::{
    Method, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, SET_COOKIE},
};

use crate::{
    client::{Browser, refusal, send},
    harness::{Folder, Server, add_user},
};

/// Wrong cookies are no better than none.
fn strangers(server: &Server) -> [Browser; 2] {
    [
        Browser::new(server.url()),
        Browser::with_secret(server.url(), &"0".repeat(64)),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_opens_without_a_session() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    for browser in strangers(&server) {
        for path in [
            "/",
            "/chat/cnv_01HF7YAT0004HMASW9NF6YY093",
            "/nowhere",
            "/ws",
        ] {
            let page = browser.get(path).await;
            assert_eq!(page.status(), StatusCode::UNAUTHORIZED, "{path}");
            let kind = page.headers()[CONTENT_TYPE].to_str().unwrap();
            assert!(kind.starts_with("text/html"), "{path}: {kind}");
            assert!(page.text().await.unwrap().contains("Sign in"), "{path}");
        }
        for (method, path) in [
            (Method::GET, "/"),
            (Method::GET, "/nowhere"),
            (Method::DELETE, "/"),
            (Method::POST, "/sign-out"),
            (Method::POST, "/api/frame"),
            (Method::POST, "/api/status"),
            (Method::POST, "/api/conversations"),
            (Method::POST, "/api/conversation"),
            (Method::POST, "/api/rename"),
            (Method::POST, "/api/delete"),
            (Method::POST, "/api/nowhere"),
        ] {
            let request = browser.request(method.clone(), path);
            let answer = refusal(request.header("origin", server.url()).body("{}")).await;
            let expect = (StatusCode::UNAUTHORIZED, ErrorCode::NotSignedIn);
            assert_eq!(answer, expect, "{method} {path}");
        }
        let upgrade = browser.upgrade().header("origin", server.url());
        assert_eq!(
            refusal(upgrade.header(ACCEPT, "text/html")).await,
            (StatusCode::UNAUTHORIZED, ErrorCode::NotSignedIn)
        );
        let alive = browser.get("/healthz").await;
        assert_eq!(alive.status(), StatusCode::OK);
        assert_eq!(alive.text().await.unwrap(), "ok\n");
        assert_eq!(browser.get("/readyz").await.status(), StatusCode::OK);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_works_once() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = Browser::new(server.url());
    let path = server.link().strip_prefix(server.url()).unwrap();

    let form = browser.get("/sign-in").await;
    assert_eq!(form.status(), StatusCode::OK);
    assert!(!form.headers().contains_key(SET_COOKIE));
    for wrong in ["/sign-in?token=", "/sign-in?token=00"] {
        for response in [browser.get(wrong).await, browser.post(wrong, &[]).await] {
            assert_eq!(response.status(), StatusCode::FORBIDDEN, "{wrong}");
            assert!(!response.headers().contains_key(SET_COOKIE));
        }
    }
    // Programs that open links before a person does use nothing up, however they look.
    let looked = send(browser.request(Method::HEAD, path)).await;
    assert_eq!(looked.status(), StatusCode::NO_CONTENT);
    for _ in 0..2 {
        let page = browser.get(path).await;
        assert_eq!(page.status(), StatusCode::OK);
        assert_eq!(page.headers()["cache-control"], "no-store");
        assert!(!page.headers().contains_key(SET_COOKIE));
        let page = page.text().await.unwrap();
        assert!(page.contains("Sign in as Operator"), "{page}");
        assert!(page.contains(&format!("action=\"{path}\"")), "{page}");
    }
    // A page of another site that sends the form for the person.
    let lured = browser.request(Method::POST, path);
    let lured = send(lured.header("sec-fetch-site", "cross-site")).await;
    assert_eq!(lured.status(), StatusCode::FORBIDDEN);

    let first = browser.post(path, &[]).await;
    assert_eq!(first.status(), StatusCode::SEE_OTHER);
    assert_eq!(first.headers()["location"], "/");
    assert_eq!(first.headers()["cache-control"], "no-store");
    let cookie = first.headers()[SET_COOKIE].to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }

    for again in [browser.get(path).await, browser.post(path, &[]).await] {
        assert_eq!(again.status(), StatusCode::FORBIDDEN);
        assert!(!again.headers().contains_key(SET_COOKIE));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_makes_no_link_once_an_admin_has_a_password() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let other = add_user(&folder, "Vera", Role::Operator).await;
    let server = Server::start(&folder).await;
    // An operator's password does not sign an admin in.
    let vera = Browser::sign_in(&format!("{}{other}", server.url())).await;
    let password = "correct horse battery";
    let set = [("new", password), ("again", password)];
    assert_eq!(
        vera.post("/settings", &set).await.status(),
        StatusCode::SEE_OTHER
    );
    server.stop().await;

    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    assert_eq!(
        admin.post("/settings", &set).await.status(),
        StatusCode::SEE_OTHER
    );
    server.stop().await;

    let server = Server::start(&folder).await;
    assert_eq!(server.printed_link(), None);
    let by_name = [("name", "OPERATOR"), ("password", password)];
    let browser = Browser::new(server.url());
    let signed_in = browser.post("/sign-in", &by_name).await;
    assert_eq!(signed_in.status(), StatusCode::SEE_OTHER);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_wanted_to_go_somewhere_gets_there() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let stranger = Browser::new(server.url());
    let shut = stranger.get("/hud").await;
    assert_eq!(shut.status(), StatusCode::UNAUTHORIZED);
    let way = shut.headers()[SET_COOKIE].to_str().unwrap();
    assert!(way.contains("HttpOnly") && way.contains("=/hud;"), "{way}");
    let (way, _) = way.split_once(';').unwrap();

    let path = server.link().strip_prefix(server.url()).unwrap();
    let request = stranger.request(Method::POST, path).header("cookie", way);
    let in_now = send(request).await;
    assert_eq!(in_now.headers()["location"], "/hud");
    let cookies: Vec<_> = in_now.headers().get_all(SET_COOKIE).iter().collect();
    assert!(cookies[1].to_str().unwrap().contains("Max-Age=0"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_out_ends_one_session_in_all_its_tabs() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let old = server.sign_in().await;
    server.stop().await;

    // Sessions outlive the server.
    let server = Server::start(&folder).await;
    let (_, secret) = old.cookie().unwrap().split_once('=').unwrap();
    let old = Browser::with_secret(server.url(), secret);
    let other = server.sign_in().await;
    let mut tabs = [old.socket().await, old.socket().await];
    let mut other_tab = other.socket().await;

    let response = send(old.request(Method::POST, "/sign-out")).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    let cookie = response.headers()[SET_COOKIE].to_str().unwrap();
    assert!(cookie.contains("Max-Age=0"), "{cookie}");
    for tab in &mut tabs {
        assert_eq!(tab.closed().await, Some(CloseCode::SignedOut.number()));
    }
    assert_eq!(
        refusal(old.request(Method::POST, "/api/frame")).await,
        (StatusCode::UNAUTHORIZED, ErrorCode::NotSignedIn)
    );

    other_tab.alive().await;
    assert_eq!(other.get("/").await.status(), StatusCode::OK);
    server.stop().await;
}
