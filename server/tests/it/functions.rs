//! Server functions, as pages call them.

use protocol::{
    ConversationPage, ConversationSummary, ErrorCode, EventBody, SearchPage, Seq, ServerFrame,
    Shelf, Status,
};
use rehearsal::Block;
use reqwest::{Method, StatusCode, header::CONTENT_TYPE};
use serde_json::{Value, json};

use crate::{
    client::{new_conversation, refusal, send},
    harness::{Folder, Server},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn list_read_rename_delete() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;

    let status: Status = browser.call("status", &json!({})).await.unwrap();
    assert!(status.model.rehearsal, "what stands in says so");
    assert!(status.systems.iter().all(|system| system.simulated));

    let (first, second) = (new_conversation(), new_conversation());
    let mut tab = browser.socket().await;
    for conversation in [first, second] {
        server.script().reply([Block::text("Quite well, sir.")]);
        tab.view = crate::view::View::default();
        tab.start(conversation, "How are you?").await;
        tab.see(|view| view.finished() == 1).await;
    }

    let list: Vec<ConversationSummary> = browser
        .call("conversations", &json!({"before": null}))
        .await
        .unwrap();
    let ids: Vec<_> = list.iter().map(|summary| summary.id).collect();
    assert_eq!(ids, [second, first]);
    assert!(
        list.iter()
            .all(|summary| !summary.running && summary.messages == 2)
    );
    let older: Vec<ConversationSummary> = browser
        .call("conversations", &json!({"before": list[0].updated}))
        .await
        .unwrap();
    assert_eq!(older, list[1..]);
    let frame: Value = browser.call("frame", &json!({})).await.unwrap();
    assert_eq!(frame["conversations"], serde_json::to_value(&list).unwrap());
    assert_eq!(frame["status"], serde_json::to_value(&status).unwrap());

    let page: ConversationPage = browser
        .call("conversation", &json!({"id": second}))
        .await
        .unwrap();
    assert_eq!(page.summary, list[0]);
    assert_eq!(page.events, tab.view.events);
    assert_eq!(page.head, tab.view.head);

    // Both changes reach the tabs that watch.
    let mut other = browser.socket().await;
    other.subscribe_list().await;
    let rename = json!({"id": second, "title": "  Well-being  "});
    browser.call::<()>("rename", &rename).await.unwrap();
    let title = |body: &EventBody| matches!(body, EventBody::TitleChanged { title } if title == "Well-being");
    tab.see(|view| view.count(title) == 1).await;
    other
        .until(|frame| match frame {
            ServerFrame::Conversation { summary } => (summary.title == "Well-being").then_some(()),
            _ => None,
        })
        .await;

    browser
        .call::<()>("delete", &json!({"id": second}))
        .await
        .unwrap();
    let removed = ServerFrame::ConversationRemoved {
        conversation: second,
    };
    other.until(|frame| (frame == removed).then_some(())).await;
    let code = tab
        .until(|frame| match frame {
            ServerFrame::Unsubscribed { error, .. } => Some(error.code),
            _ => None,
        })
        .await;
    assert_eq!(code, ErrorCode::ConversationNotFound);
    let gone = tab.subscribe(second, Seq(0)).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::ConversationNotFound);
    let list: Vec<ConversationSummary> = browser
        .call("conversations", &json!({"before": null}))
        .await
        .unwrap();
    assert_eq!(list.len(), 1);
    server.stop().await;
}

/// Unseen events are in the line until one of the person's tabs has shown them; the others are
/// told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unread_until_it_was_seen() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    server.script().reply([Block::text("Quite ready, sir.")]);
    let id = new_conversation();
    let mut tab = browser.socket().await;
    tab.start(id, "Ready?").await;
    tab.see(|view| view.finished() == 1).await;
    let unread = async || -> Option<protocol::Seq> {
        let first = json!({ "before": null });
        let lines = browser.call("conversations", &first);
        let lines: Vec<ConversationSummary> = lines.await.unwrap();
        lines[0].unread
    };
    let newest = unread().await.unwrap();
    let mut other = browser.socket().await;
    other.subscribe_list().await;
    let seen = async |seq: u64| {
        let seen = json!({ "id": id, "seq": seq });
        browser.call::<()>("seen", &seen).await.unwrap();
    };
    seen(newest.0 - 1).await;
    assert_eq!(unread().await, Some(newest));
    seen(newest.0).await;
    other
        .until(|frame| match frame {
            ServerFrame::Conversation { summary } => summary.unread.is_none().then_some(()),
            _ => None,
        })
        .await;
    seen(1).await;
    assert_eq!(unread().await, None);
    server.stop().await;
}

/// Pinned conversations are in the list whatever their date, archived ones are elsewhere, deleted
/// ones can be restored, and a search knows all of them; a restart keeps it so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pinned_archived_taken_back_and_found() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let ids = [new_conversation(), new_conversation(), new_conversation()];
    let mut tab = browser.socket().await;
    for (id, text) in ids
        .into_iter()
        .zip(["Alpha ready?", "Beta ready?", "Gamma ready?"])
    {
        server
            .script()
            .reply([Block::text("**Quite** ready, sir.")]);
        tab.view = crate::view::View::default();
        tab.start(id, text).await;
        tab.see(|view| view.finished() == 1).await;
    }
    let [first, second, third] = ids;
    let mut other = browser.socket().await;
    other.subscribe_list().await;
    for (id, shelf) in [(first, Shelf::Pinned), (second, Shelf::Archived)] {
        let put = json!({ "id": id, "shelf": shelf });
        browser.call::<()>("shelve", &put).await.unwrap();
        other
            .until(|frame| match frame {
                ServerFrame::Conversation { summary } => (summary.shelf == shelf).then_some(()),
                _ => None,
            })
            .await;
    }
    let list = async |browser: &crate::client::Browser, name, before: Value| -> Vec<_> {
        let lines = browser.call(name, &json!({ "before": before })).await;
        let lines: Vec<ConversationSummary> = lines.unwrap();
        lines.into_iter().map(|line| line.id).collect()
    };
    assert_eq!(
        list(&browser, "conversations", json!(null)).await,
        [third, first]
    );
    assert_eq!(list(&browser, "archived", json!(null)).await, [second]);
    // It comes with the first page alone.
    assert_eq!(
        list(&browser, "conversations", json!(i64::MAX)).await,
        [third]
    );

    let delete = json!({ "id": third });
    browser.call::<()>("delete", &delete).await.unwrap();
    let find = json!({ "text": "ready si", "skip": 0 });
    let found: SearchPage = browser.call("search", &find).await.unwrap();
    let places: Vec<_> = found
        .hits
        .iter()
        .map(|hit| (hit.conversation, hit.block))
        .collect();
    assert_eq!(places, [(second, Some(0)), (first, Some(0))]);
    let text: String = found.hits[0].spans.iter().map(|span| &*span.text).collect();
    assert_eq!(text, "Quite ready, sir.");
    browser.call::<()>("restore", &delete).await.unwrap();
    server.stop().await;

    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    assert_eq!(
        list(&browser, "conversations", json!(null)).await,
        [third, first]
    );
    let page: ConversationPage = browser.call("conversation", &delete).await.unwrap();
    assert_eq!(page.summary.title, "Gamma ready?");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_have_codes() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let id = new_conversation();
    for (title, code) in [
        ("x", ErrorCode::ConversationNotFound),
        (" ", ErrorCode::Malformed),
    ] {
        let input = json!({"id": id, "title": title});
        let error = browser.call::<Value>("rename", &input).await.unwrap_err();
        assert_eq!(error.code, code, "{title:?}");
    }
    for (function, input) in [
        ("rename", json!({"id": id}).to_string()),
        ("conversation", json!({"id": "cnv_1"}).to_string()),
        ("conversation", "[]".to_owned()),
        ("conversations", json!({"before": "yesterday"}).to_string()),
        ("status", "{".to_owned()),
        ("delete", String::new()),
    ] {
        let path = format!("/api/{function}");
        let request = browser.request(Method::POST, &path);
        let request = request.header(CONTENT_TYPE, "application/json");
        let (status, code) = refusal(request.body(input.clone())).await;
        assert!(!status.is_success(), "{function} {input}");
        assert_eq!(code, ErrorCode::Malformed, "{function} {input}");
    }
    let unknown = send(browser.request(Method::POST, "/api/nowhere").body("{}")).await;
    assert!(
        [StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND].contains(&unknown.status()),
        "{}",
        unknown.status()
    );
    server.stop().await;
}
