//! Identity: fresh sign-ins, the end of accounts, and their audit records.

use protocol::{ClientFrame, CloseCode, Role, ServerFrame, Timestamp, Topic};
use reqwest::StatusCode;
use sha2::{Digest, Sha256};
use store::{HowSet, LinkMaker, NewSession, Store, StoredSecret, SystemEvent};

use crate::{
    client::Browser,
    harness::{Folder, Server, add_user},
};

const MINUTE: i64 = 60 * 1000;

/// Begins a session of the first admin that is `minutes` old, in a folder where no server runs.
/// Returns its secret.
async fn session(folder: &Folder, minutes: i64) -> String {
    let store = Store::open(&folder.data()).await.unwrap();
    let now = store.system_events(1).await.unwrap()[0].0;
    let then = Timestamp(now.0 - minutes * MINUTE);
    let admin = store.accounts().await.unwrap()[0].user.clone();
    let secret = |text: &str| StoredSecret(Sha256::digest(text.as_bytes()).into());
    let text = format!("session of {minutes}");
    let end = Timestamp(i64::MAX);
    store
        .add_sign_in_link(secret("link"), admin.id, &LinkMaker::server(), then, end)
        .await
        .unwrap();
    let session = NewSession {
        secret: secret(&text),
        expires: end,
        address: None,
        browser: None,
        replaces: None,
    };
    let begun = store.sign_in(secret("link"), &session, then).await;
    assert_eq!(begun.unwrap(), Some(admin));
    store.close().await.unwrap();
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_opens_a_way_in_takes_a_fresh_sign_in() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let secret = session(&folder, 16).await;
    let server = Server::start_with(&folder, "[erp]\nsimulated = true\n").await;
    let stale = Browser::with_secret(server.url(), &secret);
    let fresh = server.sign_in().await;
    let user = [("do", "add"), ("name", "Vera"), ("role", "viewer")];
    let token = [
        ("do", "add"),
        ("name", "A program"),
        ("role", "viewer"),
        ("days", "1"),
    ];
    let policy = [("do", "save"), ("version", "0")];
    let back = [("do", "back"), ("version", "0")];
    let page = fresh.get("/settings/users").await.text().await.unwrap();
    let (_, id) = page.split_once("name=\"user\" value=\"").unwrap();
    let (id, _) = id.split_once('"').unwrap();
    let of_user = |what| [("do", what), ("user", id), ("role", "viewer")];
    for (path, fields) in [
        ("/settings/users", &user[..]),
        ("/settings/users", &of_user("link")),
        ("/settings/users", &of_user("role")),
        ("/settings/users", &of_user("disable")),
        ("/settings/users", &of_user("enable")),
        ("/settings/users", &of_user("link_proxy")),
        ("/settings/users", &of_user("unlink_proxy")),
        ("/settings/tokens", &token),
        ("/settings/keys", &[("do", "set"), ("system", "x")]),
        ("/settings/policy", &policy),
        ("/settings/policy", &back),
    ] {
        let refused = stale.post(path, fields).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{path}");
        let back = refused.headers()["set-cookie"].to_str().unwrap();
        assert!(back.contains(&format!("-to={path};")), "{back}");
        let says = refused.text().await.unwrap();
        assert!(says.contains("Sign in again"), "{says}");
        // Who came by a link has nothing else to sign in with.
        assert!(says.contains("jarvis sign-in-link"), "{says}");
        assert_eq!(stale.get(path).await.status(), StatusCode::OK, "{path}");
    }
    let users = fresh.get("/settings/users").await.text().await.unwrap();
    assert!(!users.contains("Vera"));
    let early = "before you enter a key";
    let keys = stale.get("/settings/keys").await.text().await.unwrap();
    assert!(keys.contains(early), "{keys}");
    let keys = fresh.get("/settings/keys").await.text().await.unwrap();
    assert!(!keys.contains(early), "{keys}");
    for (path, fields) in [("/settings/users", &user[..]), ("/settings/tokens", &token)] {
        let done = fresh.post(path, fields).await;
        assert_eq!(done.status(), StatusCode::OK, "{path}");
    }
    let back = fresh.post("/settings/policy", &back).await;
    assert_eq!(back.status(), StatusCode::OK);
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(100).await.unwrap();
    let changed = |event: &SystemEvent| {
        matches!(
            event,
            SystemEvent::RoleSet { .. }
                | SystemEvent::ProxyLinked { .. }
                | SystemEvent::UserDisabled { .. }
                | SystemEvent::SettingsChanged { .. }
        )
    };
    assert!(
        !events.iter().any(|(_, event)| changed(event)),
        "{events:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_page_follows_a_lower_role_at_once() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let otto = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let otto = Browser::sign_in(&format!("{}{otto}", server.url())).await;
    let mut tab = otto.socket().await;
    let board = "homelab".to_owned();
    for topic in [Topic::Feed { after: 0 }, Topic::Board { board }] {
        tab.send(&ClientFrame::Subscribe { topic }).await;
    }
    let (mut feed, mut board) = (false, false);
    tab.until(|frame| {
        feed |= matches!(frame, ServerFrame::Feed { .. });
        board |= matches!(frame, ServerFrame::Board { .. });
        (feed && board).then_some(())
    })
    .await;
    let mut admins = admin.socket().await;

    let users = admin.get("/settings/users").await.text().await.unwrap();
    // Otto is older than the admin of the first start.
    let (_, id) = users.split_once("name=\"user\" value=\"").unwrap();
    let (id, _) = id.split_once('"').unwrap();
    let demote = [("do", "role"), ("user", id), ("role", "viewer")];
    let done = admin.post("/settings/users", &demote).await;
    assert_eq!(done.status(), StatusCode::SEE_OTHER);
    // The connection that carries feed and board ends with the role, and comes back with the new
    // one.
    assert_eq!(tab.closed().await, Some(CloseCode::Restart.number()));
    otto.socket().await.alive().await;
    admins.alive().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_are_on_record_from_their_maker_to_what_was_done_with_them() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let admin = server.sign_in().await;
    let add = [("do", "add"), ("name", "Petra"), ("role", "operator")];
    let made = admin.post("/settings/users", &add).await.text().await;
    let made = made.unwrap();
    let (_, token) = made.split_once("/sign-in?token=").unwrap();
    let link = format!("{}/sign-in?token={}", server.url(), &token[..64]);
    let petra = Browser::sign_in(&link).await;
    let password = "correct horse battery";
    let set = [("new", password), ("again", password)];
    let done = petra.post("/settings", &set).await;
    assert_eq!(done.status(), StatusCode::SEE_OTHER);
    let token = [
        ("do", "add"),
        ("name", "A program"),
        ("role", "viewer"),
        ("days", "1"),
    ];
    let done = petra.post("/settings/tokens", &token).await;
    assert_eq!(done.status(), StatusCode::OK);
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(100).await.unwrap();
    let here = Some("127.0.0.1".to_owned());
    let told: Vec<_> = events
        .into_iter()
        .rev()
        .filter_map(|(_, event)| match event {
            SystemEvent::LinkMade {
                name, by, address, ..
            } => Some(("made", name, Some(by), address)),
            SystemEvent::SignedIn {
                by,
                link_by,
                address,
                ..
            } => Some(("used", by.unwrap(), link_by, address)),
            SystemEvent::PasswordSet {
                by,
                how: HowSet {
                    link_by, address, ..
                },
                ..
            } => Some(("password", by, link_by, address)),
            SystemEvent::TokenAdded {
                by,
                how: HowSet {
                    link_by, address, ..
                },
                ..
            } => Some(("token", by, link_by, address)),
            _ => None,
        })
        .collect();
    let some = |text: &str| Some(text.to_owned());
    let expect = [
        ("made", "Operator", some("the server"), None),
        ("used", "Operator", None, here.clone()),
        ("made", "Petra", some("Operator"), here.clone()),
        ("used", "Petra", some("Operator"), here.clone()),
        ("password", "Petra", some("Operator"), here.clone()),
        ("token", "Petra", some("Operator"), here),
    ];
    let expect = expect.map(|(what, name, by, address)| (what, name.to_owned(), by, address));
    assert_eq!(told, expect);
}
