//! The matrix of rights: every route, server function, command and topic, for every role and for
//! nobody. A new one without a row fails a test.

mod domain_routes;
mod routes;
mod whole;

use protocol::{
    CallId, ClientFrame, Command, Decision, ErrorCode, GrantId, MessageId, Mode, ModelChoice,
    NoticeId, Performed, Resolution, Role, Seq, ServerFrame, TabId, Timestamp, Topic, TurnId,
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    client::{Browser, new_conversation, send},
    harness::{Folder, QUIET, Server, add_user},
    socket::Socket,
};

pub(crate) use routes::operations;

/// Nobody, a browser for each role, and a read-only token of the admin.
struct People {
    nobody: Browser,
    signed_in: [(Role, Browser); 3],
    reader: Browser,
}

impl People {
    /// Every browser with its value from a row.
    fn with<T: Copy>(
        &self,
        [nobody, viewer, operator, admin, reader]: [T; 5],
    ) -> [(&str, &Browser, T); 5] {
        let [(_, v), (_, o), (_, a)] = &self.signed_in;
        [
            ("nobody", &self.nobody, nobody),
            ("viewer", v, viewer),
            ("operator", o, operator),
            ("admin", a, admin),
            ("a token that reads", &self.reader, reader),
        ]
    }
}

async fn people() -> (Folder, Server, People) {
    people_of(QUIET).await
}

/// The people of a server with more in its configuration.
async fn people_of(more: &str) -> (Folder, Server, People) {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let otto = add_user(&folder, "Otto", Role::Operator).await;
    let server = Server::start_with(&folder, more).await;
    let url = server.url();
    let admin = server.sign_in().await;
    let fields = [
        ("do", "add"),
        ("name", "r"),
        ("role", "viewer"),
        ("days", "1"),
    ];
    let page = admin
        .post("/settings/tokens", &fields)
        .await
        .text()
        .await
        .unwrap();
    let (_, rest) = page.split_once("plain-secret\">").unwrap();
    let (token, _) = rest.split_once('<').unwrap();
    let people = People {
        nobody: Browser::new(url),
        reader: Browser::new(url).bearing(token),
        signed_in: [
            (
                Role::Viewer,
                Browser::sign_in(&format!("{url}{vera}")).await,
            ),
            (
                Role::Operator,
                Browser::sign_in(&format!("{url}{otto}")).await,
            ),
            (Role::Admin, admin),
        ],
    };
    (folder, server, people)
}

/// Name, input, and the error's code for each, if there is one.
fn functions() -> Vec<(&'static str, Value, [Option<ErrorCode>; 5])> {
    let id = json!({ "id": new_conversation() });
    let rename = json!({ "id": new_conversation(), "title": "New" });
    let shelve = json!({ "id": new_conversation(), "shelf": "pinned" });
    let nobody = Some(ErrorCode::NotSignedIn);
    let gone = Some(ErrorCode::ConversationNotFound);
    let none = Some(ErrorCode::EventNotFound);
    let reads = [nobody, None, None, None, None];
    let of_one = |reader| [nobody, gone, gone, gone, reader];
    let refused = Some(ErrorCode::RoleNotEnough);
    let nowhere = Some(ErrorCode::ShareNotFound);
    let of_link = [nobody, nowhere, nowhere, nowhere, nowhere];
    let no_prompt = Some(ErrorCode::PromptRefused);
    vec![
        ("frame", json!({}), reads),
        ("status", json!({}), reads),
        ("conversations", json!({ "before": null }), reads),
        ("archived", json!({ "before": null }), reads),
        ("folders", json!({}), reads),
        (
            "in_folder",
            json!({ "folder": "Backups", "before": null }),
            reads,
        ),
        ("search", json!({ "text": "well", "skip": 0 }), reads),
        ("models", json!({}), reads),
        ("conversation", id.clone(), of_one(gone)),
        (
            "history",
            json!({ "id": new_conversation(), "place": { "type": "until", "seq": 9 } }),
            of_one(gone),
        ),
        ("spending", id.clone(), of_one(gone)),
        (
            "trace",
            json!({ "id": new_conversation(), "call": CallId::new(Timestamp(1), 1) }),
            reads,
        ),
        ("board", json!({ "name": "homelab" }), reads),
        (
            "feed",
            json!({ "filter": "", "place": { "type": "newest" } }),
            reads,
        ),
        (
            "feed_entry",
            json!({ "id": "evt_0000000000000" }),
            [nobody, none, none, none, none],
        ),
        (
            "page",
            json!({ "board": "homelab", "kind": "node", "name": "pve", "part": "charts/hour" }),
            reads,
        ),
        ("rename", rename, of_one(refused)),
        ("forks", id.clone(), of_one(gone)),
        (
            "effects",
            json!({ "id": new_conversation(), "message": MessageId::new(Timestamp(1), 1) }),
            of_one(gone),
        ),
        ("to_front", id.clone(), of_one(refused)),
        ("shelve", shelve, of_one(refused)),
        (
            "put_in_folder",
            json!({ "id": new_conversation(), "folder": "Backups" }),
            of_one(refused),
        ),
        (
            "seen",
            json!({ "id": new_conversation(), "seq": 1 }),
            of_one(refused),
        ),
        ("delete", id.clone(), of_one(refused)),
        ("restore", id, of_one(refused)),
        (
            "code",
            json!({ "blocks": [{ "lang": "json", "text": "[1]" }] }),
            reads,
        ),
        (
            "share",
            json!({ "id": new_conversation(), "days": 7 }),
            of_one(refused),
        ),
        ("shares", json!({ "id": new_conversation() }), of_one(gone)),
        (
            "unshare",
            json!({ "id": new_conversation(), "share": "x" }),
            of_one(refused),
        ),
        ("shared", json!({ "token": "x" }), of_link),
        (
            "shared_history",
            json!({ "token": "x", "place": { "type": "until", "seq": 9 } }),
            of_link,
        ),
        ("prompts", json!({}), [nobody, None, None, None, refused]),
        (
            "keep_prompt",
            json!({ "name": "morning", "text": "How is it?" }),
            [nobody, None, None, None, refused],
        ),
        (
            "forget_prompt",
            json!({ "name": "nothing" }),
            [nobody, no_prompt, no_prompt, no_prompt, refused],
        ),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_server_function_by_role() {
    let (_folder, server, people) = people().await;
    for (name, input, expect) in functions() {
        for (who, browser, expect) in people.with(expect) {
            let code = browser.call::<Value>(name, &input).await.err();
            assert_eq!(code.map(|error| error.code), expect, "{name} for {who}");
        }
    }
    server.stop().await;
}

/// Commands with the least role for each, from a match without a wildcard: a new one must be here.
macro_rules! commands {
    ($($variant:ident { $($field:ident: $value:expr),* $(,)? } => $role:ident,)*) => {{
        let _all = |command: &Command| match command {
            $(Command::$variant { .. } => {})*
            Command::KillSwitch { .. } | Command::Unknown => {}
        };
        vec![$((Command::$variant { $($field: $value),* }, Role::$role),)*]
    }};
}

fn commands() -> Vec<(Command, Role)> {
    let at = Timestamp(0);
    let (turn, call) = (TurnId::new(at, 1), CallId::new(at, 1));
    let (message, grant) = (MessageId::new(at, 1), GrantId::new(at, 1));
    let conversation = new_conversation();
    let text = || "Hello".to_owned();
    let mut commands = commands! {
        Start { conversation: new_conversation(), mode: Mode::Plan, text: text(), from: None, plan: None, choice: None, references: Vec::new(), packs: None } => Viewer,
        // The gate checks which tools the person may call: none that acts for a viewer.
        Act { conversation: new_conversation(), tool: "get_vms".to_owned(), input: json!({}) } => Viewer,
        Send { conversation: conversation, text: text(), withdraw: false, references: Vec::new() } => Viewer,
        Steer { conversation: conversation, text: text(), references: Vec::new() } => Viewer,
        Branch { conversation: new_conversation(), from: conversation, message: message, text: None, known: Vec::new() } => Viewer,
        Withdraw { conversation: conversation, message: message } => Viewer,
        Stop { conversation: conversation, turn: turn } => Viewer,
        Retry { conversation: conversation, turn: turn } => Viewer,
        Choose { conversation: conversation, choice: ModelChoice { model: "rehearsal-1".to_owned(), effort: None } } => Viewer,
        CheckOutcome { conversation: conversation, call: call } => Viewer,
        Decide { conversation: conversation, call: call, digest: text(), decision: Decision::Deny { comment: None } } => Operator,
        Edit { conversation: conversation, call: call, digest: text(), input: json!({}) } => Operator,
        Revoke { conversation: conversation, grant: grant } => Operator,
        Resolve { conversation: conversation, call: call, resolution: Resolution::Done } => Operator,
        Performed { conversation: conversation, call: call, tab: TabId::new(at, 1), result: Performed::Done { note: None } } => Viewer,
        TakeOver { conversation: conversation, call: call, tab: TabId::new(at, 1) } => Viewer,
        Acknowledge { notice: NoticeId::new(at, 1) } => Operator,
    };
    commands.push((Command::KillSwitch { on: true }, Role::Operator));
    commands.push((Command::KillSwitch { on: false }, Role::Admin));
    commands
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_by_role() {
    let (_folder, server, people) = people().await;
    for (role, browser) in &people.signed_in {
        let mut tab = browser.socket().await;
        for (command, needed) in commands() {
            let named = format!("{command:?} for {role:?}");
            let refused = tab.command(command).await.err();
            let refused = refused.is_some_and(|error| error.code == ErrorCode::RoleNotEnough);
            assert_eq!(refused, *role < needed, "{named}");
        }
    }
    // A read-only token sends none at all.
    let mut reader = Socket::open(&people.reader).await;
    for (command, _) in commands() {
        let named = format!("{command:?}");
        let refused = reader.command(command).await.err().map(|error| error.code);
        assert_eq!(
            refused,
            Some(ErrorCode::RoleNotEnough),
            "{named} for a token that reads"
        );
    }
    server.stop().await;
}

/// True if a role sees a topic of its own, and if it sees one of another person.
fn sees(topic: &Topic) -> [bool; 2] {
    match topic {
        Topic::Conversation { .. } => [true, false],
        // It has the person's own conversations.
        Topic::Conversations { .. } => [true, true],
        // Everybody may look at the systems.
        Topic::Board { .. } => [true, true],
        // The same for all but the place: `feed::others_see_that_and_not_where_or_what`.
        Topic::Feed { .. } => [true, true],
        // It shows the person's own calls: `stages` of the agent's tests.
        Topic::Stage { .. } => [true, false],
        Topic::Unknown => [false, false],
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_topic_by_role() {
    let (_folder, server, people) = people().await;
    let mut own = Vec::new();
    let mut tabs = Vec::new();
    for (role, browser) in &people.signed_in {
        let conversation = new_conversation();
        let mut tab = browser.socket().await;
        server.script().reply([rehearsal::Block::text("Sir.")]);
        tab.start(conversation, "Hello").await;
        tab.see(|view| view.finished() == 1).await;
        own.push(conversation);
        tabs.push((*role, browser.socket().await));
    }
    for (at, (role, tab)) in tabs.iter_mut().enumerate() {
        tab.subscribe_list().await;
        let topic = Topic::Board {
            board: "homelab".to_owned(),
        };
        assert_eq!(sees(&topic), [true; 2]);
        tab.send(&ClientFrame::Subscribe { topic }).await;
        tab.until(|frame| matches!(frame, ServerFrame::Board { whole: true, .. }).then_some(()))
            .await;
        let topic = Topic::Feed { after: 0 };
        assert_eq!(sees(&topic), [true; 2]);
        tab.send(&ClientFrame::Subscribe { topic }).await;
        tab.until(|frame| matches!(frame, ServerFrame::Feed { .. }).then_some(()))
            .await;
        for (whose, conversation) in own.iter().enumerate() {
            let topic = Topic::Conversation {
                conversation: *conversation,
                after: Seq(0),
            };
            let [mine, others] = sees(&topic);
            let expect = if whose == at { mine } else { others };
            let seen = tab.subscribe(*conversation, Seq(0)).await;
            assert_eq!(seen.is_ok(), expect, "{role:?}: {seen:?}");
            if let Err(error) = seen {
                // Nothing reveals that there is such a conversation.
                assert_eq!(error.code, ErrorCode::ConversationNotFound);
            }
        }
    }
    server.stop().await;
}

/// Signing out answers a browser and changes nothing for others: the other sessions stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_ends_for_one_alone() {
    let (_folder, server, people) = people().await;
    let [(_, viewer), (_, operator), _] = &people.signed_in;
    send(viewer.request(Method::POST, "/sign-out")).await;
    assert_eq!(viewer.get("/").await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(operator.get("/").await.status(), StatusCode::OK);
    server.stop().await;
}
