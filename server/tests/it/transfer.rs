//! Conversations as files: exported, imported, and a hostile file, which can do nothing.

use protocol::{
    Command, ConversationId, ConversationSummary, Decision, ErrorCode, EventBody, Role, Seq,
};
use rehearsal::Block;
use reqwest::{
    Method, Response, StatusCode,
    header::{CONTENT_TYPE, LOCATION},
};
use serde_json::{Value, json};

use crate::{
    client::{Browser, new_conversation, refusal, send},
    harness::{Folder, Server, add_user},
};

/// Sends a file as the form of the settings does.
async fn import(browser: &Browser, file: &[u8]) -> Response {
    let mut body =
        b"--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"c.json\"\r\n\
                     content-type: application/json\r\n\r\n"
            .to_vec();
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n--edge--\r\n");
    let request = browser.request(Method::POST, "/chat/import");
    let request = request.header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
    send(request.body(body)).await
}

/// The conversation that a file became.
pub(crate) async fn imported(browser: &Browser, file: &[u8]) -> ConversationId {
    let answer = import(browser, file).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let address = answer.headers()[LOCATION].to_str().unwrap();
    address.strip_prefix("/chat/").unwrap().parse().unwrap()
}

async fn export(browser: &Browser, id: ConversationId, format: &str) -> String {
    let path = format!("/chat/{id}/export?format={format}");
    let answer = browser.get(&path).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let disposition = answer.headers()["content-disposition"].to_str().unwrap();
    let name = format!("attachment; filename=\"stop-the-vm-please.{format}\"");
    assert_eq!(disposition, name);
    answer.text().await.unwrap()
}

async fn list(browser: &Browser) -> Vec<ConversationSummary> {
    let newest = json!({ "before": null });
    browser.call("conversations", &newest).await.unwrap()
}

/// A conversation with a call that has a result and one that waits for a decision.
async fn conversation(server: &Server, browser: &Browser) -> ConversationId {
    let id = new_conversation();
    let mut tab = browser.socket().await;
    server.script().reply([
        Block::text("As you wish.\n\n```\nunclosed"),
        Block::tool_use("get_vms", json!({})),
        Block::tool_use("stop_vm", json!({ "node": "pve", "vmid": 112 })),
    ]);
    tab.start(id, "Stop the VM, please").await;
    let asked = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
    let ended = |body: &EventBody| matches!(body, EventBody::ToolFinished { .. });
    tab.see(|view| view.count(asked) == 1 && view.count(ended) == 1)
        .await;
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_comes_back_as_closed_history() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let id = conversation(&server, &browser).await;

    let file = export(&browser, id, "json").await;
    let document: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(
        (
            &document["format"],
            &document["version"],
            &document["title"]
        ),
        (
            &json!("jarvis-conversation"),
            &json!(1),
            &json!("Stop the VM, please")
        )
    );
    let page: Value = browser
        .call("conversation", &json!({ "id": id }))
        .await
        .unwrap();
    assert_eq!(document["events"], page["events"], "as they stand");

    // Imported and exported again.
    let copy = imported(&browser, file.as_bytes()).await;
    assert_ne!(copy, id);
    assert_eq!(export(&browser, copy, "json").await, file);
    let lines = list(&browser).await;
    let line = lines.iter().find(|line| line.id == copy).unwrap();
    let original = lines.iter().find(|line| line.id == id).unwrap();
    assert!(line.imported.is_some() && original.imported.is_none());
    assert!(!line.running && line.waiting.is_empty());
    assert_eq!(original.waiting.len(), 1);
    assert_eq!(
        (line.created, line.messages, line.usage),
        (original.created, original.messages, original.usage)
    );

    // Nothing acts in it, and nothing continues from it.
    let mut tab = browser.socket().await;
    tab.subscribe(copy, Seq(0)).await.unwrap();
    let asked = tab.view.find(|body| match body {
        EventBody::ConfirmationRequested {
            call, confirmation, ..
        } => Some((*call, confirmation.digest.clone())),
        _ => None,
    });
    let (call, digest) = asked.unwrap();
    let turn = tab.view.turn();
    let message = tab.view.find(|body| match body {
        EventBody::AssistantMessage { message, .. } => Some(*message),
        _ => None,
    });
    let message = message.unwrap();
    let text = || "Go on.".to_owned();
    let decide = Command::Decide {
        conversation: copy,
        call,
        digest,
        decision: Decision::Approve {
            grant: None,
            word: None,
        },
    };
    let from_copy = |plan| Command::Start {
        conversation: new_conversation(),
        mode: protocol::Mode::Default,
        text: text(),
        from: Some(copy),
        plan,
        choice: None,
        references: Vec::new(),
        packs: None,
    };
    for command in [
        decide.clone(),
        Command::Send {
            conversation: copy,
            text: text(),
            withdraw: true,
            references: Vec::new(),
        },
        Command::Retry {
            conversation: copy,
            turn,
        },
        Command::Stop {
            conversation: copy,
            turn,
        },
        Command::Steer {
            conversation: copy,
            text: text(),
            references: Vec::new(),
        },
        Command::Branch {
            conversation: new_conversation(),
            from: copy,
            message,
            text: Some(text()),
            known: Vec::new(),
        },
        from_copy(None),
        from_copy(Some(message)),
    ] {
        let named = format!("{command:?}");
        let refused = tab.command(command).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::ConversationClosed, "{named}");
    }
    let rename = json!({ "id": copy, "title": "Other" });
    let refused = browser.call::<()>("rename", &rename).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ConversationClosed);
    assert_eq!(export(&browser, copy, "json").await, file);

    // It is nobody else's.
    let path = format!("/chat/{copy}/export?format=json");
    let missing = (StatusCode::NOT_FOUND, ErrorCode::ConversationNotFound);
    assert_eq!(refusal(vera.request(Method::GET, &path)).await, missing);
    let mut strange = vera.socket().await;
    assert!(strange.command(decide).await.is_err());
    // A token reaches conversations of its toolsets.
    let fields = [
        ("do", "add"),
        ("name", "A program"),
        ("role", "viewer"),
        ("days", "1"),
        ("scope", "some"),
        ("toolset", "homelab"),
    ];
    let page = browser.post("/settings/tokens", &fields).await;
    let page = page.text().await.unwrap();
    let (_, rest) = page.split_once("plain-secret\">").unwrap();
    let program = browser.bearing(rest.split_once('<').unwrap().0);
    assert_eq!(program.get(&path).await.status(), StatusCode::OK);
    let other = file.replace("[\"homelab\"]", "[\"markets\"]");
    let other = imported(&browser, other.as_bytes()).await;
    let request = program.request(Method::GET, &format!("/chat/{other}/export?format=md"));
    let refused = (StatusCode::FORBIDDEN, ErrorCode::RoleNotEnough);
    assert_eq!(refusal(request).await, refused);
    // Whoever imports it owns the copy.
    imported(&vera, file.as_bytes()).await;
    assert_eq!(list(&vera).await.len(), 1);

    // A start continues unfinished work: the original alone.
    server.stop().await;
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let waiting = list(&browser).await;
    let waiting: Vec<_> = waiting
        .iter()
        .filter(|line| line.running)
        .map(|line| line.id)
        .collect();
    assert_eq!(waiting, [id]);
    let html = browser.get(&format!("/chat/{copy}")).await;
    assert!(html.text().await.unwrap().contains("Imported conversation"));
    browser
        .call::<()>("delete", &json!({ "id": copy }))
        .await
        .unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn markdown_says_who_said_and_did_what() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let id = conversation(&server, &browser).await;
    let text = export(&browser, id, "md").await;
    for part in [
        "# Stop the VM, please\n",
        "## Operator · 20",
        "\n> Stop the VM, please\n",
        "## Jarvis · 20",
        "\n> ```\n> unclosed\n",
        "get\\_vms, with this input",
        "started, GREEN.",
        "**Question** · ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let odd = browser.request(Method::GET, &format!("/chat/{id}/export?format=pdf"));
    let expect = (StatusCode::BAD_REQUEST, ErrorCode::Malformed);
    assert_eq!(refusal(odd).await, expect);
    let nowhere = browser.request(Method::GET, "/chat/x/export?format=md");
    let missing = (StatusCode::NOT_FOUND, ErrorCode::ConversationNotFound);
    assert_eq!(refusal(nowhere).await, missing);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_files_change_nothing() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let id = conversation(&server, &browser).await;
    let file = export(&browser, id, "json").await;
    let document: Value = serde_json::from_str(&file).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut document = document.clone();
        change(&mut document);
        document.to_string().into_bytes()
    };
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    let deep = file.replacen("\"model\":\"", &format!("\"x\":{deep},\"model\":\""), 1);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("No file was chosen", Vec::new()),
        ("no conversation that Jarvis exported", b"{".to_vec()),
        ("no conversation that Jarvis exported", vec![0xff; 64]),
        ("no conversation that Jarvis exported", b"[]".to_vec()),
        ("Event 1 cannot be read", deep.into_bytes()),
        ("as JSON", changed(&|it| it["format"] = json!("other"))),
        ("has version 2", changed(&|it| it["version"] = json!(2))),
        ("not the fields", changed(&|it| it["more"] = json!(1))),
        ("has no events", changed(&|it| it["events"] = json!([]))),
        ("not the fields", changed(&|it| it["events"] = json!({}))),
        (
            "Event 2 is not the one that comes next",
            changed(&|it| it["events"][1]["seq"] = json!(3)),
        ),
        (
            "Event 1 does not begin a conversation",
            changed(&|it| {
                it["events"] = json!([it["events"][1]]);
                it["events"][0]["seq"] = json!(1);
            }),
        ),
        (
            "Event 2 begins another conversation",
            changed(&|it| {
                it["events"][1] = it["events"][0].clone();
                it["events"][1]["seq"] = json!(2);
            }),
        ),
        (
            "Event 2 is of no kind",
            changed(&|it| it["events"][1]["type"] = json!("root_given")),
        ),
        (
            "Event 2 is of no kind",
            changed(&|it| it["events"][1]["type"] = json!("unknown")),
        ),
        (
            "Event 1 has something",
            changed(&|it| it["events"][0]["admin"] = json!(true)),
        ),
        (
            "Event 1 has a time",
            changed(&|it| it["events"][0]["at"] = json!(i64::MAX)),
        ),
        (
            "Event 1 has a text or a number that is too large",
            changed(&|it| it["events"][0]["title"] = json!("x".repeat(300))),
        ),
        (
            "Event 2 is larger than 2 MiB",
            changed(&|it| it["events"][1]["text"] = json!("x".repeat(3 << 20))),
        ),
        ("larger than 16 MiB", vec![b' '; (16 << 20) + 1]),
    ];
    let before = list(&browser).await;
    for (problem, file) in cases {
        let answer = import(&browser, &file).await;
        assert_eq!(
            answer.status(),
            StatusCode::UNPROCESSABLE_ENTITY,
            "{problem}"
        );
        let page = answer.text().await.unwrap();
        let (_, rest) = page.split_once("role=\"alert\"").expect(problem);
        let (alert, _) = rest.split_once("</p>").unwrap();
        assert!(alert.contains(problem), "{problem}: {alert}");
        assert!(alert.contains("(import_refused)"), "{alert}");
    }
    // From another site it is not even read.
    let request = browser.request(Method::POST, "/chat/import");
    let request = request.header("sec-fetch-site", "cross-site");
    let forbidden = (StatusCode::FORBIDDEN, ErrorCode::Forbidden);
    assert_eq!(refusal(request).await, forbidden);
    assert_eq!(list(&browser).await, before);
    server.stop().await;
}
