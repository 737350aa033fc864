//! Programs with a token that only reads: tokens in place of the values on their owner's cards, whichever
//! way they ask.

use protocol::{ConversationId, Decision, EventBody, Seq};
use rehearsal::Block;
use reqwest::{
    Method,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::{Value, json};

use super::{APPROVE, VALUES, conversations::start_roomy, data, office, token};
use crate::{
    agui::says,
    api::{follower::Follower, get, post, program},
    client::{Browser, new_conversation, send},
    harness::{Folder, soon},
    socket::Socket,
    tokens::token_with,
};

const SAYS: &str = "Run it on Meeting room.";

/// A request that ends.
struct AskedWay {
    path: String,
    /// None for `GET`.
    body: Option<Value>,
    /// True if its answer has the whole card, for those who may act.
    has_card: bool,
}

impl AskedWay {
    fn get(path: String, has_card: bool) -> Self {
        Self {
            path,
            body: None,
            has_card,
        }
    }

    fn post(path: &str, body: Value, has_card: bool) -> Self {
        Self {
            path: path.to_owned(),
            body: Some(body),
            has_card,
        }
    }

    /// Everything that a program gets by it.
    async fn told(&self, program: &Browser) -> String {
        let request = match &self.body {
            None => program.request(Method::GET, &self.path),
            Some(body) => program
                .request(Method::POST, &self.path)
                .header(CONTENT_TYPE, "application/json")
                .header(ACCEPT, "application/json")
                .body(body.to_string()),
        };
        let answer = send(request).await;
        let status = answer.status();
        let text = soon("an answer", answer.text()).await.unwrap();
        assert_eq!(status, 200, "{}: {text}", self.path);
        text
    }
}

fn has_value(text: &str) -> bool {
    VALUES.iter().any(|value| text.contains(value))
}

/// Follows over a websocket until the card is there; returns all that came.
async fn over_socket(tab: &mut Socket) -> String {
    let asked = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
    tab.see(|view| view.count(asked) > 0).await;
    serde_json::to_string(&tab.view.events).unwrap()
}

/// The same as server-sent events.
async fn over_stream(follower: &mut Follower) -> String {
    follower
        .until(|sent| sent.data["type"] == "confirmation_requested")
        .await;
    let seen = follower.seen.iter().map(|sent| sent.data.to_string());
    seen.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_only_reads_gets_no_value_from_a_card() {
    let folder = Folder::new();
    let server = start_roomy(&folder).await;
    let owner = server.sign_in().await;
    let room = office(&owner).await.device("Meeting room");
    let actor = program(&server, &owner, "operator", &[]).await;
    let readers = [
        program(&server, &owner, "viewer", &[]).await,
        program(&server, &owner, "viewer", &["field"]).await,
    ];

    let mut tab = owner.socket().await;
    let conversation = new_conversation();
    let probe = json!({ "device": room, "step": { "run": "routes" } });
    let said = "Which routes has Meeting room?";
    let ran = tab
        .turn(&server, conversation, said, &[("run_probe", probe)])
        .await;
    let gateway = token(&data(&ran[0]).to_string(), "ip");
    let proposal = json!({
        "device": room, "title": "Check the gateway", "why": "It is slow.",
        "steps": [{ "run": "ping", "target": gateway, "count": 4 }],
    });
    let said = "Propose a check of its gateway for Meeting room.";
    let proposed = tab
        .turn(&server, conversation, said, &[("propose_script", proposal)])
        .await;
    let proposed = data(&proposed[0])["proposal"].as_str().unwrap().to_owned();

    // Those who follow when the card comes.
    let address = format!("/api/v1/conversations/{conversation}");
    let mut live = Vec::new();
    for reader in &readers {
        let mut socket = reader.socket().await;
        socket.subscribe(conversation, Seq(0)).await.unwrap();
        live.push((socket, Follower::open(reader, &address, None).await));
    }
    let run = json!({ "proposal": proposed, "version": 1, "device": room });
    server.script().reply([Block::tool_use("run_script", run)]);
    server.script().reply([Block::text("As you wish, sir.")]);
    let thread = conversation.to_string();
    let body = says(&thread, "a-run", SAYS);
    let shown = post(&actor, "/agui", "", &body).await;
    let shown = soon("a run", shown.text()).await.unwrap();
    assert!(has_value(&shown), "who may act sees values: {shown}");
    for (socket, follower) in &mut live {
        for told in [over_socket(socket).await, over_stream(follower).await] {
            assert!(!has_value(&told), "{told}");
        }
    }

    // Those who come later, or come back.
    let is_decider = |text: &str| assert!(has_value(text), "{text}");
    let mut socket = actor.socket().await;
    socket.subscribe(conversation, Seq(0)).await.unwrap();
    is_decider(&over_socket(&mut socket).await);
    let mut follower = Follower::open(&actor, &address, None).await;
    is_decider(&over_stream(&mut follower).await);
    let seqs = follower.ids();
    let before = seqs[seqs.len() / 2];
    for reader in &readers {
        for after in [0, before] {
            let mut socket = reader.socket().await;
            socket.subscribe(conversation, Seq(after)).await.unwrap();
            let mut follower = Follower::open(reader, &address, Some(after)).await;
            for told in [
                over_socket(&mut socket).await,
                over_stream(&mut follower).await,
            ] {
                assert!(!has_value(&told), "{told}");
            }
        }
    }

    // And those who ask for a page, a file, a list or the run.
    let id = json!({ "id": conversation });
    let until = json!({ "id": conversation, "place": { "type": "until", "seq": u32::MAX } });
    let (call, _) = tab.question().await;
    let ways = [
        AskedWay::get(address.clone(), true),
        AskedWay::get(format!("/api/v1/confirmations/{call}"), true),
        AskedWay::get("/api/v1/confirmations".to_owned(), false),
        AskedWay::get("/api/v1/conversations".to_owned(), false),
        AskedWay::get(format!("/agui/{thread}/a-run"), true),
        AskedWay::post("/agui", body, true),
        AskedWay::post("/api/conversation", id, true),
        AskedWay::post("/api/history", until, true),
        AskedWay::post("/api/conversations", json!({ "before": null }), false),
        AskedWay::post(
            "/api/search",
            json!({ "text": "gateway", "skip": 0 }),
            false,
        ),
        AskedWay::get(format!("/chat/{conversation}"), false),
        AskedWay::get(format!("/chat/{conversation}/export?format=json"), true),
        AskedWay::get(format!("/chat/{conversation}/export?format=md"), false),
    ];
    for way in &ways {
        let told = way.told(&actor).await;
        assert!(!way.has_card || has_value(&told), "{}: {told}", way.path);
        for reader in &readers {
            let told = way.told(reader).await;
            assert!(!has_value(&told), "{}: {told}", way.path);
            // It is covered, not left out.
            let words = ["confirmation_requested", "interrupt", "assurance"];
            let is_there = words.iter().any(|word| told.contains(word));
            assert!(!way.has_card || is_there, "{}: {told}", way.path);
        }
    }
    for path in ["/feed/export?format=jsonl", "/api/v1/feed"] {
        let feed = AskedWay::get(path.to_owned(), false);
        let told = feed.told(&readers[0]).await;
        assert!(!has_value(&told), "{told}");
    }

    // Once it is decided it stays so.
    let question = tab.question().await;
    let deny = Decision::Deny { comment: None };
    tab.decide(conversation, &question, deny).await.unwrap();
    tab.see(|view| view.finished() == 3).await;
    for reader in &readers {
        for way in &ways[..2] {
            let told = way.told(reader).await;
            assert!(!has_value(&told), "{told}");
            assert!(!told.contains(&question.1.digest), "{told}");
        }
    }
    server.stop().await;
}

/// Waits until a call no longer runs.
async fn rested(program: &Browser, run: &str) -> Value {
    soon("the state of a run", async {
        loop {
            let state = get(program, run).await;
            if state["state"] != "running" {
                return state;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

/// A token that relays may be a model's, also one that may act. It reads no value, wherever it looks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relayed_call_has_no_value_for_any_token() {
    let folder = Folder::new();
    let server = start_roomy(&folder).await;
    let owner = server.sign_in().await;
    let room = office(&owner).await.device("Meeting room");
    let relaying = program(&server, &owner, "operator", &["field"]).await;
    let decides = token_with(&owner, "operator", &[], true).await.unwrap();
    let decides = Browser::new(server.url()).bearing(&decides);
    let reader = program(&server, &owner, "viewer", &[]).await;
    let programs = [&relaying, &decides, &reader];

    let mut tab = owner.socket().await;
    let probe = json!({ "device": room, "step": { "run": "routes" } });
    let said = "Which routes has Meeting room?";
    let ran = tab
        .turn(&server, new_conversation(), said, &[("run_probe", probe)])
        .await;
    let gateway = token(&data(&ran[0]).to_string(), "ip");
    let ping = json!({ "run": "ping", "target": gateway, "count": 1 });
    let call = json!({ "tool": "run_probe", "input": { "device": room, "step": ping } });
    let begun = post(&relaying, "/api/v1/runs", "", &call).await;
    assert_eq!(begun.status(), 201);
    let begun: Value = begun.json().await.unwrap();
    let run = begun["run"].as_str().unwrap();
    let waiting = rested(&relaying, run).await;
    assert_eq!(waiting["state"], "waiting", "{waiting}");
    let card = waiting["confirmation"].as_str().unwrap();
    let id: ConversationId = begun["id"].as_str().unwrap().parse().unwrap();

    // The person who decides sees what runs; no program does.
    let mut tab = owner.socket().await;
    tab.subscribe(id, Seq(0)).await.unwrap();
    assert!(has_value(&over_socket(&mut tab).await));
    assert!(has_value(&get(&owner, card).await.to_string()));
    for decided in [false, true] {
        for program in programs {
            let mut socket = program.socket().await;
            socket.subscribe(id, Seq(0)).await.unwrap();
            let told = over_socket(&mut socket).await;
            assert!(!has_value(&told), "{told}");
            for path in [run, card, "/api/v1/confirmations"] {
                let told = get(program, path).await.to_string();
                assert!(!has_value(&told), "{path}: {told}");
            }
        }
        if !decided {
            let question = tab.question().await;
            tab.decide(id, &question, APPROVE).await.unwrap();
            tab.see(|view| view.finished() == 1).await;
        }
    }
    let ended = get(&relaying, run).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert!(!ended["data"].is_null(), "{ended}");
    server.stop().await;
}
