//! The id of a program's request in everything that comes of it, also over a restart.

use agent::ports::{Journal, Trace};
use protocol::{
    CallTrace, Command, ConversationId, Decision, ErrorBody, ErrorCode, Event, EventBody, Role,
    Seq, ServerFrame, Timestamp, TurnId,
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{AuditReader, Error, Store, Verified};

use super::{CONVERSATIONS, get, program};
use crate::{
    client::{Browser, new_conversation, send},
    harness::{Folder, Server, add_user},
    socket::new_command,
};

/// Sends a message under an id of its own. Returns the conversation.
async fn ask(program: &Browser, path: &str, id: &str, message: &str) -> ConversationId {
    let request = program.request(Method::POST, path);
    let request = request.json(&json!({ "message": message }));
    let answer = send(request.header("x-request-id", id)).await;
    assert!(answer.status().is_success(), "{}", answer.status());
    assert_eq!(answer.headers()["x-request-id"], id);
    let answer: Value = answer.json().await.unwrap();
    answer["conversation"].as_str().unwrap().parse().unwrap()
}

/// Asserts that each record of a conversation has the id of the request that began it, and its decision one that
/// begins like this. The server has stopped.
pub(crate) async fn is_traced(
    folder: &Folder,
    (conversation, events): (ConversationId, &[Event]),
    request: &str,
    decision: &str,
) {
    let store = Store::open(&folder.data()).await.unwrap();
    let traces = store.traces(conversation).await.unwrap();
    store.close().await.unwrap();
    assert_eq!(traces.len(), events.len(), "each record has one");
    for (event, (seq, trace)) in events.iter().zip(&traces) {
        assert_eq!(event.seq, *seq);
        let found = trace.correlation.as_ref().unwrap().as_str();
        match &event.body {
            EventBody::ConfirmationDecided { .. } => {
                assert!(found.starts_with(decision), "{found}")
            }
            body => assert_eq!(found, request, "{body:?}"),
        }
    }
}

/// The rows of the audit chain that come of a request, each with its kind and the id. The chain is sound.
pub(crate) async fn audited(folder: &Folder) -> Vec<(String, String)> {
    let mut reader = AuditReader::open(&folder.data()).await.unwrap();
    let verified = reader.verify(None).await.unwrap();
    assert!(matches!(verified, Verified::Sound { .. }), "{verified:?}");
    let mut audited = Vec::new();
    let each = |row: store::AuditRow| {
        let body: Value = serde_json::from_str(&row.body).unwrap();
        if let Some(found) = body["detail"]["correlation"].as_str() {
            audited.push((row.kind, found.to_owned()));
        }
        Ok::<_, Error>(())
    };
    reader.rows(1..=i64::MAX, each).await.unwrap();
    audited
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_found_again_in_journal_and_audit() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let writer = program(&server, &owner, "operator", &[]).await;
    let question = "Please restart container 210 on pve";
    let conversation = ask(&writer, CONVERSATIONS, "job-17", question).await;
    let mut tab = owner.socket().await;
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    tab.question().await;
    let messages = format!("{CONVERSATIONS}/{conversation}/messages");
    ask(&writer, &messages, "job-18", "What is running?").await;
    server.stop().await;

    let vera = add_user(&folder, "Vera", Role::Operator).await;
    // Another process goes on with both.
    let server = Server::start(&folder).await;
    let (_, secret) = owner.cookie().unwrap().split_once('=').unwrap();
    let owner = Browser::with_secret(server.url(), secret);
    let mut tab = owner.socket().await;
    tab.subscribe(conversation, Seq(0)).await.unwrap();
    let asked = tab.question().await;
    let deny = Decision::Deny { comment: None };
    tab.decide(conversation, &asked, deny).await.unwrap();
    tab.see(|view| view.finished() == 2).await;
    let events = tab.view.events.clone();
    // Whoever reads the feed sees which request led to a card, and which command decided on it.
    let feed = get(&owner, "/api/v1/feed").await;
    let of_kind = |kind: &'static str| {
        let entries = feed["entries"].as_array().unwrap().iter();
        entries.filter(move |entry| entry["kind"] == kind)
    };
    let card = &of_kind("confirmation").next().unwrap()["details"];
    assert_eq!(card["request"], "job-17");
    let decision = card["decision"].as_str().unwrap();
    assert!(decision.starts_with("cmd_"), "{decision}");
    let read = of_kind("call").filter(|call| call["details"]["request"] == "job-18");
    assert!(read.count() > 0, "{feed:#}");
    // So does whoever opens the card; nobody else does.
    let of_call = json!({ "id": conversation, "call": asked.0 });
    let ids: CallTrace = owner.call("trace", &of_call).await.unwrap();
    assert_eq!(ids.request.as_deref(), Some("job-17"));
    assert_eq!(ids.decision.as_deref(), Some(decision));
    assert!(ids.model_request.is_some());
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let ids: CallTrace = vera.call("trace", &of_call).await.unwrap();
    assert_eq!(ids, CallTrace::default());
    server.stop().await;

    let store = Store::open(&folder.data()).await.unwrap();
    let traces = store.traces(conversation).await.unwrap();
    assert_eq!(traces.len(), events.len(), "each record has one");
    let mut turns = 0;
    for (event, (seq, trace)) in events.iter().zip(&traces) {
        assert_eq!(event.seq, *seq);
        let Trace {
            correlation,
            model_request,
        } = trace;
        let found = correlation.as_ref().unwrap().as_str();
        let is_answer = matches!(event.body, EventBody::AssistantMessage { .. });
        assert_eq!(model_request.is_some(), is_answer, "{event:?}");
        turns += usize::from(matches!(event.body, EventBody::TurnStarted { .. }));
        match &event.body {
            // A page has the id of its command.
            EventBody::ConfirmationDecided { .. } => assert!(found.starts_with("cmd_"), "{found}"),
            EventBody::MessageQueued { .. } => assert_eq!(found, "job-18"),
            body if turns <= 1 => assert_eq!(found, "job-17", "{body:?}"),
            body => assert_eq!(found, "job-18", "{body:?}"),
        }
    }
    assert_eq!(turns, 2);
    store.close().await.unwrap();

    let audited = audited(&folder).await;
    let has = |kind: &str, id: &str| {
        audited
            .iter()
            .any(|(its, found)| its == kind && found.starts_with(id))
    };
    assert!(has("confirmation_requested", "job-17"), "{audited:?}");
    assert!(has("confirmation_decided", "cmd_"), "{audited:?}");
    assert!(has("tool_started", "job-18"), "{audited:?}");
    assert!(has("tool_finished", "job-18"), "{audited:?}");
    // What the pages outside of conversations change as well.
    assert!(has("signed_in", ""), "{audited:?}");
    assert!(has("token_added", ""), "{audited:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_elsewhere_has_the_id_too() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let nobody = Browser::new(server.url());
    let owner = server.sign_in().await;
    let model = program(&server, &owner, "operator", &[]).await;
    let large = nobody.request(Method::POST, "/sign-in");
    for (request, status, code) in [
        (
            nobody.request(Method::POST, "/files?name=x"),
            401,
            "not_signed_in",
        ),
        (
            nobody.request(Method::GET, "/feed/export"),
            401,
            "not_signed_in",
        ),
        (
            nobody.request(Method::POST, "/api/frame"),
            401,
            "not_signed_in",
        ),
        // What the libraries refuse.
        (
            owner.request(Method::GET, "/files?name=x"),
            405,
            "method_not_allowed",
        ),
        (
            owner.request(Method::GET, "/api/frame"),
            405,
            "method_not_allowed",
        ),
        (
            nobody.request(Method::POST, "/healthz"),
            405,
            "method_not_allowed",
        ),
        (
            model.request(Method::GET, "/mcp"),
            405,
            "method_not_allowed",
        ),
        (
            model.request(Method::POST, "/mcp").json(&json!({})),
            406,
            "malformed",
        ),
        (owner.request(Method::GET, "/ws"), 400, "malformed"),
        (large.body(vec![b'x'; 9000]), 413, "body_too_large"),
        // Metrics are off.
        (nobody.request(Method::GET, "/metrics"), 404, "not_found"),
    ] {
        let named = format!("{request:?}");
        let answer = send(request.header("accept", "application/json")).await;
        assert_eq!(answer.status().as_u16(), status, "{named}");
        let id = answer.headers()["x-request-id"].clone();
        let error: Value = answer.json().await.unwrap();
        assert_eq!(error["code"], code, "{named}");
        assert!(error["message"].is_string(), "{named}");
        assert_eq!(error["request_id"], id.to_str().unwrap(), "{named}");
    }
    server.stop().await;
}

/// A page shows the id of a failed request, and finds it in the journal for one that worked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_has_the_ids_of_its_requests() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let owner = server.sign_in().await;
    let conversation = new_conversation();
    let function = |name: &str, input: Value| {
        let request = owner.request(Method::POST, &format!("/api/{name}"));
        let request = request.header("content-type", "application/json");
        send(request.header("accept", "application/json").json(&input))
    };
    let answer = function("conversation", json!({ "id": conversation })).await;
    let id = answer.headers()["x-request-id"].clone();
    let error: ErrorBody = answer.json().await.unwrap();
    assert_eq!(error.code, ErrorCode::ConversationNotFound);
    assert_eq!(error.request_id.as_deref(), id.to_str().ok());

    let mut tab = owner.socket().await;
    let command = new_command();
    let turn = TurnId::new(Timestamp(1), 1);
    let stop = Command::Stop { conversation, turn };
    let error = tab.command_as(command, stop).await.unwrap_err();
    assert_eq!(error.request_id, Some(command.to_string()));
    // A frame that is no command has the id of the request that opened the socket.
    let nowhere = tab.subscribe(conversation, Seq(0)).await.unwrap_err();
    assert!(nowhere.request_id.is_some(), "{nowhere:?}");
    tab.text("{").await;
    let unreadable = tab.until(|frame| match frame {
        ServerFrame::Error { error } => Some(error),
        _ => None,
    });
    assert_eq!(unreadable.await.request_id, nowhere.request_id);

    tab.start(conversation, "How is the cluster?").await;
    tab.see(|view| view.finished() == 1).await;
    let renamed = json!({ "id": conversation, "title": "Morning" });
    let answer = function("rename", renamed).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let id = answer.headers()["x-request-id"].clone();
    server.stop().await;
    let store = Store::open(&folder.data()).await.unwrap();
    let traces = store.traces(conversation).await.unwrap();
    let ids = traces.iter().filter_map(|(_, it)| it.correlation.as_ref());
    let found = ids.filter(|it| it.as_str() == id).count();
    assert_eq!(found, 1, "the change of the title");
    store.close().await.unwrap();
}
