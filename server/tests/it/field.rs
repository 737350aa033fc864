//! Field devices over the real server: the simulated office, what a model reads of it, and what runs there.

mod analyses;
mod conversations;
mod directed;
mod door;
mod edits;
mod examples;
#[cfg(target_os = "linux")]
mod first_result;
mod hidden_values;
mod hijacked;
mod people;
mod programs;
mod readers;
mod turns;

use std::collections::BTreeMap;

use protocol::{
    ClientFrame, Command, ConversationId, Decision, EventBody, Reference, Seq, ServerFrame, Tier,
    ToolOutcome, Topic,
};
use rehearsal::Block;
use serde_json::{Value, json};

use crate::{
    client::{Browser, new_conversation, send},
    harness::{Folder, QUIET, Server},
    socket::Socket,
};

pub(crate) const OFFICE: &str = "[domains]\nenabled = [\"field\"]\n[field]\nsimulated = true\n";

const APPROVE: Decision = Decision::Approve {
    grant: None,
    word: None,
};

/// Values of the office that no model may read. The vendor part of an address of a card alone is no secret:
/// the legend of the tokens has it.
const VALUES: [&str; 3] = ["192.168.", "Nordlicht-", "7c:10:c9:"];

async fn start(folder: &Folder) -> Server {
    Server::start_with(folder, &format!("{QUIET}{OFFICE}")).await
}

/// Parts of the board once they are as they should be.
async fn board(browser: &Browser, want: impl Fn(&BTreeMap<String, Value>) -> bool) -> Parts {
    let mut tab = browser.socket().await;
    let board = "field".to_owned();
    let topic = Topic::Board { board };
    tab.send(&ClientFrame::Subscribe { topic }).await;
    let mut parts = BTreeMap::new();
    tab.until(|frame| {
        if let ServerFrame::Board { put, .. } = frame {
            parts.extend(put.into_iter().map(|part| (part.key, part.value)));
        }
        want(&parts).then_some(())
    })
    .await;
    Parts(parts)
}

/// The board.
struct Parts(BTreeMap<String, Value>);

impl Parts {
    fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        let parts = self.0.iter();
        let of = parts.filter(move |(key, _)| key.split('/').next() == Some(kind));
        of.map(|(_, value)| value)
    }

    /// The identifier of a device by its name.
    fn device(&self, name: &str) -> String {
        let mut devices = self.of("device");
        let device = devices.find(|device| device["name"] == name).unwrap();
        device["id"].as_str().unwrap().to_owned()
    }
}

/// The office, once each of its devices has sent its diagnostics.
async fn office(browser: &Browser) -> Parts {
    board(browser, |parts| {
        let bundles = parts.iter().filter(|(key, _)| key.starts_with("bundle/"));
        bundles.filter(|(_, part)| part["complete"] == true).count() == 6
    })
    .await
}

impl Socket {
    /// Says something for which the model's steps are scripted, and waits for the end of the turn. The
    /// outputs of its calls come back.
    async fn turn(
        &mut self,
        server: &Server,
        conversation: ConversationId,
        text: &str,
        calls: &[(&str, Value)],
    ) -> Vec<ToolOutcome> {
        let before = (self.view.finished(), self.outcomes().len());
        self.ask(server, conversation, text, calls).await;
        self.see(|view| view.finished() > before.0).await;
        self.outcomes().split_off(before.1)
    }

    /// Reads the routes of the meeting room, and returns the token of its gateway.
    async fn gateway(
        &mut self,
        server: &Server,
        conversation: ConversationId,
        room: &str,
    ) -> String {
        let probe = json!({ "device": room, "step": { "run": "routes" } });
        let said = "Which routes has Meeting room?";
        let ran = self
            .turn(server, conversation, said, &[("run_probe", probe)])
            .await;
        token(&data(&ran[0]).to_string(), "ip")
    }

    /// Like [`Socket::turn`], without waiting.
    async fn ask(
        &mut self,
        server: &Server,
        conversation: ConversationId,
        text: &str,
        calls: &[(&str, Value)],
    ) {
        for (tool, input) in calls {
            server
                .script()
                .reply([Block::tool_use(*tool, input.clone())]);
        }
        server.script().reply([Block::text("That is all, sir.")]);
        let text = text.to_owned();
        if self.view.events.is_empty() {
            self.about(conversation, text, &calls[0].1["device"]).await;
        } else {
            let send = Command::Send {
                conversation,
                text,
                withdraw: false,
                references: Vec::new(),
            };
            self.command(send).await.unwrap();
        }
    }

    /// Starts a conversation at a device, for only such a conversation has the domain's tools.
    async fn about(&mut self, conversation: ConversationId, text: String, device: &Value) {
        let mut start = Command::start(conversation, text);
        if let Command::Start { references, .. } = &mut start {
            references.push(Reference::new("device", device.as_str().unwrap()));
        }
        self.command(start).await.unwrap();
        self.subscribe(conversation, Seq(0)).await.unwrap();
    }

    fn outcomes(&self) -> Vec<ToolOutcome> {
        let events = self.view.events.iter();
        events
            .filter_map(|event| match &event.body {
                EventBody::ToolFinished { outcome, .. } => Some(outcome.clone()),
                _ => None,
            })
            .collect()
    }
}

fn data(outcome: &ToolOutcome) -> &Value {
    match outcome {
        ToolOutcome::Succeeded { output } => &output.data,
        other => panic!("{other:?}"),
    }
}

/// Everything that was sent to the model is free of values.
fn nothing_leaked(server: &Server) {
    let requests = server.script().requests();
    assert!(!requests.is_empty());
    for request in requests {
        let body = request.body.to_string();
        for value in VALUES {
            assert!(!body.contains(value), "{value} in {body}");
        }
    }
}

/// The first token of a class in a text.
fn token(text: &str, class: &str) -> String {
    let (_, rest) = text.split_once(&format!("{class}-s")).expect(text);
    let is_token = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let end = rest.find(|c| !is_token(c)).unwrap_or(rest.len());
    format!("{class}-s{}", rest[..end].trim_end_matches('.'))
}

/// The office is a demonstration: nothing of it is left beside real devices, and it begins anew without them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_office_goes_when_real_devices_are_enabled() {
    let folder = Folder::new();
    for simulated in [true, false, true] {
        if simulated {
            let server = start(&folder).await;
            let browser = server.sign_in().await;
            assert_eq!(office(&browser).await.of("device").count(), 6);
            server.stop().await;
            continue;
        }
        let more = format!("{QUIET}{}", people::DEVICES);
        let server = Server::start_with(&folder, &more).await;
        let browser = server.sign_in().await;
        let left = board(&browser, |parts| parts.contains_key("field")).await;
        for kind in ["device", "bundle", "run"] {
            assert_eq!(left.of(kind).count(), 0, "{kind}");
        }
        assert!(!left.0.contains_key("site/nordlicht"));
        server.stop().await;
    }
}

/// Changes of people to its site are theirs, when the office goes and when it comes back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_that_people_added_to_the_office_stays() {
    let folder = Folder::new();
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    office(&browser).await;
    let id = people::enrolled(&server, &browser, "Nordlicht office").await;
    server.stop().await;
    let real = format!("{QUIET}{}", people::DEVICES);
    let simulated = format!("{QUIET}{OFFICE}");
    for (more, count) in [(real, 1), (simulated, 7)] {
        let server = Server::start_with(&folder, &more).await;
        let browser = server.sign_in().await;
        let parts = board(&browser, |parts| {
            let devices = parts.keys().filter(|key| key.starts_with("device/"));
            devices.count() == count
        });
        assert_eq!(parts.await.device("Crane probe"), id);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_office_is_there_and_the_model_reads_tokens_alone() {
    let folder = Folder::new();
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    let office = office(&browser).await;
    assert_eq!(office.of("device").count(), 6);
    assert!(
        office
            .of("device")
            .all(|it| it["simulated"] == true && it["standing"] == "adopted")
    );
    let room = office.device("Meeting room");

    let mut tab = browser.socket().await;
    let conversation = new_conversation();
    let said = "Which field devices do I have?".to_owned();
    tab.about(conversation, said, &json!(room)).await;
    tab.see(|view| view.finished() == 1).await;
    let devices = tab.outcomes();
    let devices = data(&devices[0])["devices"].as_array().unwrap().clone();
    assert_eq!(devices.len(), 6, "{devices:?}");

    let said = "Look at 192.168.41.1, please: what is wrong with Meeting room?";
    let mut bundles = office.of("bundle");
    let bundle = bundles.find(|bundle| bundle["device"] == room).unwrap();
    let read = json!({ "device": room, "bundle": bundle["id"], "section": "neighbours" });
    let read = tab
        .turn(&server, conversation, said, &[("get_diagnostics", read)])
        .await;
    let read = data(&read[0]).to_string();
    assert!(
        !read.contains("192.168.") && read.contains("ip-s"),
        "{read}"
    );
    nothing_leaked(&server);
    // A person reads values, one look at a time, and each look is on record.
    let shown: Value = browser
        .call(
            "page",
            &json!({
                "board": "field", "kind": "device", "name": room,
                "part": format!("values/{}", token(&read, "ip")),
            }),
        )
        .await
        .unwrap();
    assert!(shown.to_string().contains("192.168."), "{shown}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_probe_runs_at_once_and_a_script_waits_for_a_person() {
    let folder = Folder::new();
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    let room = office(&browser).await.device("Meeting room");
    let mut tab = browser.socket().await;
    let conversation = new_conversation();
    let said = "Which routes has Meeting room?";
    let probe = json!({ "device": room, "step": { "run": "routes" } });
    let ran = tab
        .turn(&server, conversation, said, &[("run_probe", probe)])
        .await;
    let ran = data(&ran[0]).to_string();
    let gateway = token(&ran, "ip");
    let asked = |body: &EventBody| matches!(body, EventBody::ConfirmationRequested { .. });
    assert_eq!(tab.view.count(asked), 0, "it only looks");

    let proposal = json!({
        "device": room, "title": "Check the gateway", "why": "It is slow.",
        "steps": [{ "run": "ping", "target": gateway, "count": 4 }, { "run": "neighbours" }],
    });
    let said = "Propose a check of its gateway for Meeting room.";
    let proposed = tab
        .turn(&server, conversation, said, &[("propose_script", proposal)])
        .await;
    let proposed = data(&proposed[0])["proposal"].as_str().unwrap().to_owned();
    let run = json!({ "proposal": proposed, "version": 1, "device": room });
    tab.ask(
        &server,
        conversation,
        "Run it on Meeting room.",
        &[("run_script", run)],
    )
    .await;
    let question = tab.question().await;
    let card = &question.1;
    assert_eq!(card.tier, Tier::Red);
    let shown = serde_json::to_string(&card.sections).unwrap();
    assert!(
        shown.contains("192.168."),
        "a person approves real values: {shown}"
    );
    assert!(
        !browser_runs(&browser, "Check the gateway").await,
        "nothing is queued yet"
    );
    tab.decide(conversation, &question, APPROVE).await.unwrap();
    tab.see(|view| view.finished() == 3).await;
    let outcomes = tab.outcomes();
    let ran = data(outcomes.last().unwrap());
    assert_eq!(ran["simulated"], true, "{ran}");
    let text = ran.to_string();
    assert!(
        text.contains("(DUP!)") && !text.contains("192.168."),
        "{text}"
    );
    nothing_leaked(&server);
    server.stop().await;

    // Devices and runs are there after a restart, and each device is the same.
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    let again = board(&browser, |parts| {
        let mut parts = parts.iter();
        parts.any(|(key, part)| key.starts_with("device/") && part["name"] == "Meeting room")
    });
    let again = again.await;
    assert_eq!(again.device("Meeting room"), room);
    assert_eq!(again.of("device").count(), 6);
    assert!(browser_runs(&browser, "Check the gateway").await);
    server.stop().await;
}

/// True if there is a run of this title.
async fn browser_runs(browser: &Browser, title: &str) -> bool {
    let page: Value = browser
        .call("board", &json!({ "name": "field" }))
        .await
        .unwrap();
    let mut parts = page["parts"].as_array().unwrap().iter();
    parts.any(|part| part["value"]["title"] == title)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pulled_kill_switch_lets_nothing_start() {
    let folder = Folder::new();
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    let room = office(&browser).await.device("Meeting room");
    let mut tab = browser.socket().await;
    tab.command(Command::KillSwitch { on: true }).await.unwrap();
    let probe = json!({ "device": room, "step": { "run": "routes" } });
    let said = "Which routes has Meeting room?";
    let conversation = new_conversation();
    tab.turn(&server, conversation, said, &[("run_probe", probe)])
        .await;
    let blocked = |body: &EventBody| matches!(body, EventBody::ToolBlocked { .. });
    assert_eq!(tab.view.count(blocked), 1);
    assert_eq!(tab.outcomes(), []);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_bring_diagnostics_once() {
    let folder = Folder::new();
    let server = start(&folder).await;
    let browser = server.sign_in().await;
    let program = crate::tokens::token(&browser, "operator", &["field"])
        .await
        .unwrap();
    let program = Browser::new(server.url()).bearing(&program);
    let bring = |body: &Value| {
        let request = program.request(reqwest::Method::POST, "/api/v1/field/diagnostics");
        send(request.header("idempotency-key", "one").json(body))
    };
    let body = json!({
        "site": "nordlicht",
        "sections": [{ "name": "note", "text": "192.168.41.77 of ann@nordlicht.example is slow" }],
    });
    let first: Value = bring(&body).await.json().await.unwrap();
    assert_eq!(first["counts"]["ipv4"], 1, "{first}");
    let again: Value = bring(&body).await.json().await.unwrap();
    assert_eq!(first, again);
    let text: Value = browser
        .call(
            "page",
            &json!({
                "board": "field", "kind": "bundle", "name": first["bundle"], "part": "section/note",
            }),
        )
        .await
        .unwrap();
    assert!(!text.to_string().contains("192.168."), "{text}");
    let request = program.request(reqwest::Method::POST, "/api/v1/field/diagnostics");
    let nowhere = json!({ "site": "nowhere", "sections": [{ "name": "note", "text": "x" }] });
    let nowhere = send(request.json(&nowhere)).await;
    assert_eq!(nowhere.status(), 404);
    assert_eq!(crate::api::code(nowhere).await, "not_found");
    server.stop().await;
}
