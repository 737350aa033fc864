//! Signing in through a reverse proxy: only one that is listed.

use protocol::{CloseCode, ErrorCode, Role, Timestamp};
use reqwest::{
    Method, Response, StatusCode,
    header::{ACCEPT, HeaderMap, SET_COOKIE},
};
use store::{LinkMaker, Store, SystemEvent};

use crate::{
    client::{Browser, refusal, send},
    harness::{Folder, Server, add_user},
    socket::Socket,
};

const HERE: &str = "[notices]\nenabled = false\n[sign_in.proxy]\naddresses = [\"127.0.0.1\"]\n";

/// A page as the proxy asks for it.
async fn page(browser: &Browser, lines: &[(&'static str, &str)]) -> Response {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(*name, value.parse().unwrap());
    }
    let request = browser.request(Method::GET, "/settings").headers(headers);
    send(request.header(ACCEPT, "text/html")).await
}

/// The same browser with the cookie of an answer.
fn keeping(browser: &Browser, answer: &Response) -> Browser {
    let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
    let (_, secret) = cookie.split(';').next().unwrap().split_once('=').unwrap();
    Browser::with_secret(&browser.url, secret)
}

/// Links accounts of a folder where no server runs, as an admin does.
async fn link(folder: &Folder, names: &[&str]) {
    let store = Store::open(&folder.data()).await.unwrap();
    let now = Timestamp(1_700_000_000_000);
    for account in store.accounts().await.unwrap() {
        if names.contains(&account.user.name.as_str()) {
            let by = LinkMaker::server();
            let linked = store.link_to_proxy(account.user.id, true, &by, now);
            linked.await.unwrap();
        }
    }
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_else_says_who_somebody_is() {
    let folder = Folder::new();
    for elsewhere in [
        "",
        "[sign_in.proxy]\naddresses = [\"192.0.2.0/24\", \"::1\"]\n",
        "[server]\ntrusted_proxies = [\"127.0.0.1\"]\n",
    ] {
        let server = Server::start_with(&folder, elsewhere).await;
        let browser = Browser::new(server.url());
        for lines in [
            &[("remote-user", "Operator")][..],
            &[
                ("remote-user", "Operator"),
                ("x-forwarded-for", "192.0.2.1"),
            ],
            &[("remote-user", "Operator"), ("forwarded", "for=192.0.2.1")],
            &[("x-forwarded-user", "Operator")],
        ] {
            let answer = page(&browser, lines).await;
            let status = answer.status();
            assert_eq!(status, StatusCode::UNAUTHORIZED, "{elsewhere} {lines:?}");
            // No session: at most the address where they wanted to go.
            for cookie in answer.headers().get_all(SET_COOKIE) {
                assert!(cookie.to_str().unwrap().contains("-to=/"), "{cookie:?}");
            }
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_proxy_signs_in_and_its_word_is_needed_each_time() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    add_user(&folder, "Vera", Role::Viewer).await;
    link(&folder, &["Operator", "Vera"]).await;
    let server = Server::start_with(&folder, HERE).await;
    let browser = Browser::new(server.url());
    let vera = [("remote-user", "vera")];

    // Two names are none, and an unknown user stays out.
    for lines in [
        &[("remote-user", "Vera"), ("remote-user", "Operator")][..],
        &[("remote-user", "Vera, Operator")],
        &[("remote-user", "Nobody")],
    ] {
        let answer = page(&browser, lines).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{lines:?}");
        assert!(!answer.headers().contains_key(SET_COOKIE));
    }
    let upgrade = browser
        .upgrade()
        .header("origin", server.url())
        .header("remote-user", "Nobody");
    let expect = (StatusCode::FORBIDDEN, ErrorCode::Forbidden);
    assert_eq!(refusal(upgrade).await, expect);

    let answer = page(&browser, &vera).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let tab = keeping(&browser, &answer);
    assert!(answer.text().await.unwrap().contains("Vera, viewer"));
    let again = page(&tab, &vera).await;
    assert_eq!(again.status(), StatusCode::OK);
    assert!(
        !again.headers().contains_key(SET_COOKIE),
        "the same session"
    );
    // A password would be a way past the proxy.
    let fields = [
        ("new", "correct horse battery"),
        ("again", "correct horse battery"),
    ];
    let set = tab.request(Method::POST, "/settings").form(&fields);
    let set = send(set.header("remote-user", "vera")).await;
    assert_eq!(set.status(), StatusCode::UNPROCESSABLE_ENTITY);

    // The cookie alone is nothing: a thief has not passed the proxy.
    assert_eq!(tab.get("/").await.status(), StatusCode::UNAUTHORIZED);
    // Another user in the same browser is another session, and the old one has ended.
    let answer = page(&tab, &[("remote-user", "Operator")]).await;
    let other = keeping(&tab, &answer);
    assert!(answer.text().await.unwrap().contains("Operator, admin"));
    let lost = page(&tab, &vera).await;
    assert!(
        lost.headers().contains_key(SET_COOKIE),
        "{:?}",
        lost.status()
    );

    let out = other.request(Method::POST, "/sign-out");
    let out = send(out.header("remote-user", "Operator")).await;
    assert_eq!(out.status(), StatusCode::OK);
    let cookie = out.headers()[SET_COOKIE].to_str().unwrap();
    assert!(cookie.contains("Max-Age=0"), "{cookie}");
    assert!(out.text().await.unwrap().contains("still recognises you"));
    // Links and passwords sign in as before.
    assert_eq!(
        server.sign_in().await.get("/").await.status(),
        StatusCode::OK
    );
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(100).await.unwrap();
    let by_proxy = events.iter().filter_map(|(_, event)| match event {
        SystemEvent::SignedInByProxy { by, address, .. } => Some((by.as_str(), address.as_deref())),
        _ => None,
    });
    let by_proxy: Vec<_> = by_proxy.collect();
    let here = Some("127.0.0.1");
    assert_eq!(
        by_proxy,
        [("Vera", here), ("Operator", here), ("Vera", here)]
    );
    let failed = |event: &SystemEvent| matches!(event, SystemEvent::SignInFailed { .. });
    assert_eq!(events.iter().filter(|(_, event)| failed(event)).count(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_local_account_is_not_taken_over_by_its_name() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let otto = add_user(&folder, "Otto", Role::Admin).await;
    let more = format!(
        "{HERE}groups_header = \"Remote-Groups\"\nnew_users = \"viewer\"\n\
         viewer_groups = [\"staff\"]\n"
    );
    let server = Server::start_with(&folder, &more).await;
    let browser = Browser::new(server.url());
    let as_operator = [("remote-user", "operator"), ("remote-groups", "staff")];
    let refused = page(&browser, &as_operator).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert!(!refused.headers().contains_key(SET_COOKIE));
    let says = refused.text().await.unwrap();
    assert!(says.contains("not linked to the reverse proxy"), "{says}");
    assert!(says.contains("jarvis sign-in-link"), "{says}");

    // Another admin links it.
    let local = server.sign_in().await;
    let users = local.get("/settings/users").await.text().await.unwrap();
    assert_eq!(users.matches("Link to proxy").count(), 2);
    // Otto is older: the last row is the other's.
    let id = users.rsplit("name=\"user\" value=\"").next().unwrap();
    let id = id.split('"').next().unwrap();
    let linked = [("do", "link_proxy"), ("user", id)];
    let linked = local.post("/settings/users", &linked).await;
    assert_eq!(linked.status(), StatusCode::SEE_OTHER);
    let answer = page(&browser, &as_operator).await;
    let tab = keeping(&browser, &answer);
    assert!(answer.text().await.unwrap().contains("Operator, viewer"));
    assert_eq!(page(&tab, &as_operator).await.status(), StatusCode::OK);

    // And undoes that: the session has ended, and no other begins.
    let otto = Browser::sign_in(&format!("{}{otto}", server.url())).await;
    let unlink = [("do", "unlink_proxy"), ("user", id)];
    let unlinked = otto.post("/settings/users", &unlink).await;
    assert_eq!(unlinked.status(), StatusCode::SEE_OTHER);
    for browser in [&tab, &browser] {
        let refused = page(browser, &as_operator).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN);
        let says = refused.text().await.unwrap();
        assert!(says.contains("not linked to the reverse proxy"), "{says}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_admin_is_refused_and_not_made_one_again() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    link(&folder, &["Operator"]).await;
    let more = format!("{HERE}groups_header = \"Remote-Groups\"\nviewer_groups = [\"staff\"]\n");
    let server = Server::start_with(&folder, &more).await;
    let last = [("remote-user", "operator"), ("remote-groups", "staff")];
    for browser in [Browser::new(server.url()), server.sign_in().await] {
        let refused = page(&browser, &last).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN);
        let says = refused.text().await.unwrap();
        assert!(says.contains("you are the only admin"), "{says}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_are_roles_and_new_users_are_made() {
    let folder = Folder::new();
    let more = format!(
        "{HERE}groups_header = \"Remote-Groups\"\nnew_users = \"viewer\"\n\
         viewer_groups = [\"staff\"]\noperator_groups = [\"ops\"]\n"
    );
    let server = Server::start_with(&folder, &more).await;
    let browser = Browser::new(server.url());
    let as_ada = |groups| [("remote-user", "Ada"), ("remote-groups", groups)];
    let refused = page(&browser, &as_ada("guests")).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);

    let answer = page(&browser, &as_ada("staff")).await;
    let tab = keeping(&browser, &answer);
    assert!(answer.text().await.unwrap().contains("Ada, viewer"));
    let answer = page(&tab, &as_ada("staff, ops")).await;
    assert!(!answer.headers().contains_key(SET_COOKIE));
    assert!(answer.text().await.unwrap().contains("Ada, operator"));
    // A user who leaves the groups is out at once.
    let refused = page(&tab, &as_ada("")).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    // All sessions have ended with that answer, also those that do not need the proxy.
    let back = page(&tab, &as_ada("staff")).await;
    assert!(back.headers().contains_key(SET_COOKIE), "a new session");
    server.stop().await;
}

/// Open pages follow the groups too, from the proxy's next word on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_page_follows_the_groups_of_the_proxy() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    add_user(&folder, "Otto", Role::Operator).await;
    link(&folder, &["Otto"]).await;
    let more = format!(
        "{HERE}groups_header = \"Remote-Groups\"\nviewer_groups = [\"staff\"]\n\
         operator_groups = [\"ops\"]\n"
    );
    let server = Server::start_with(&folder, &more).await;
    let mut admins = server.sign_in().await.socket().await;
    let browser = Browser::new(server.url());
    let as_otto = |groups| [("remote-user", "otto"), ("remote-groups", groups)];
    let browser = keeping(&browser, &page(&browser, &as_otto("ops")).await);
    let mut tab = Socket::open_with(&browser, &as_otto("ops")).await;
    assert_eq!(
        page(&browser, &as_otto("ops")).await.status(),
        StatusCode::OK
    );
    tab.alive().await;

    let lower = page(&browser, &as_otto("staff")).await;
    assert!(lower.text().await.unwrap().contains("Otto, viewer"));
    assert_eq!(tab.closed().await, Some(CloseCode::Restart.number()));
    let mut tab = Socket::open_with(&browser, &as_otto("staff")).await;
    tab.alive().await;

    let out = page(&browser, &as_otto("")).await;
    assert_eq!(out.status(), StatusCode::FORBIDDEN);
    assert_eq!(tab.closed().await, Some(CloseCode::SignedOut.number()));
    admins.alive().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_keeps_no_cookie_fills_neither_sessions_nor_records() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    add_user(&folder, "Vera", Role::Viewer).await;
    link(&folder, &["Vera"]).await;
    let server = Server::start_with(&folder, HERE).await;
    let browser = Browser::new(server.url());
    let vera = [("remote-user", "vera")];
    let tab = keeping(&browser, &page(&browser, &vera).await);
    assert_eq!(page(&tab, &vera).await.status(), StatusCode::OK);
    for _ in 0..200 {
        let answer = page(&browser, &vera).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert!(answer.headers().contains_key(SET_COOKIE));
    }
    // A browser that came back to its session still has it.
    let again = page(&tab, &vera).await;
    assert!(!again.headers().contains_key(SET_COOKIE));
    let list = tab.request(Method::GET, "/settings/sessions");
    let list = send(list.header("remote-user", "vera")).await;
    let list = list.text().await.unwrap();
    let sessions = list.matches("by your reverse proxy").count();
    assert_eq!(sessions, 17, "{list}");
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let events = store.system_events(1000).await.unwrap();
    let mut counts = Vec::new();
    let mut each = 0;
    for (_, event) in &events {
        match event {
            SystemEvent::SignedInByProxy { .. } => each += 1,
            SystemEvent::SignedInManyTimesByProxy { by, count, .. } => {
                assert_eq!(by, "Vera");
                counts.push(*count);
            }
            _ => {}
        }
    }
    counts.reverse();
    assert_eq!((each, &counts[..]), (20, &[40, 80, 160][..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_proxys_word_is_fresh_only_for_who_has_nothing_else_to_show() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    link(&folder, &["Operator"]).await;
    let server = Server::start_with(&folder, HERE).await;
    let here = ("remote-user", "Operator");
    let anew = async || {
        let browser = Browser::new(server.url());
        keeping(&browser, &page(&browser, &[here]).await)
    };
    let add = async |browser: &Browser, name: &str| {
        let fields = [("do", "add"), ("name", name), ("role", "viewer")];
        let request = browser.request(Method::POST, "/settings/users");
        send(request.header(here.0, here.1).form(&fields)).await
    };
    // There is nothing to present: the proxy's own sign-in is the fresh one.
    let tab = anew().await;
    assert_eq!(add(&tab, "Vera").await.status(), StatusCode::OK);

    // For a user with a password, another session through the proxy is no fresh sign-in.
    let by_link = server.sign_in().await;
    let password = "correct horse battery";
    let fields = [("new", password), ("again", password)];
    let request = by_link.request(Method::POST, "/settings").form(&fields);
    let set = send(request.header(here.0, here.1)).await;
    assert_eq!(set.status(), StatusCode::SEE_OTHER);
    let tab = anew().await;
    let refused = add(&tab, "Petra").await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let says = refused.text().await.unwrap();
    assert!(
        says.contains("Signing in through your reverse proxy"),
        "{says}"
    );
    assert!(says.contains("href=\"/sign-in\""), "{says}");
    let fields = [("name", "Operator"), ("password", password)];
    let signed_in = tab.taking(&tab.post("/sign-in", &fields).await);
    assert_eq!(add(&signed_in, "Petra").await.status(), StatusCode::OK);
    server.stop().await;
}
