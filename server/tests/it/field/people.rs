//! People let a device in, over the real server: a token that is told once, adoption, suspension, retirement.

use std::{sync::Arc, time::Duration};

use protocol::{
    Command, Confirmation, Decision, ErrorBody, ErrorCode, EventBody, Role, Seq, ToolOutcome,
};
use rehearsal::Block;
use serde_json::{Value, json};
use simfleet::{
    DeviceTurn, FleetDevice, FleetDeviceOptions, FleetError, OfficeDevice, SystemSimFleetClock,
};

use super::{APPROVE, board, data};
use crate::{
    api::program,
    client::{Browser, new_conversation},
    harness::{Folder, QUIET, Server, add_user},
    socket::Socket,
};

pub(super) const DEVICES: &str = "[domains]\nenabled = [\"field\"]\n[field]\nenabled = true\n";

/// A person's own call, with its card if it has one, and its outcome.
pub(super) struct Acted {
    journal: String,
    card: Option<Confirmation>,
    pub(super) outcome: ToolOutcome,
}

/// Begins a call, decides its card if there is one, and waits for its end.
pub(super) async fn act(
    browser: &Browser,
    tool: &str,
    input: Value,
    decision: Option<Decision>,
) -> Acted {
    let mut tab = browser.socket().await;
    let journal = new_conversation();
    let act = Command::Act {
        conversation: journal,
        tool: tool.to_owned(),
        input,
    };
    tab.command(act).await.unwrap();
    tab.subscribe(journal, Seq(0)).await.unwrap();
    let mut card = None;
    if let Some(decision) = decision {
        let question = tab.question().await;
        tab.decide(journal, &question, decision).await.unwrap();
        card = Some(question.1);
    }
    tab.see(|view| view.finished() == 1).await;
    Acted {
        journal: journal.to_string(),
        card,
        outcome: ended(&tab),
    }
}

fn ended(tab: &Socket) -> ToolOutcome {
    let found = tab.view.find(|event| match event {
        EventBody::ToolFinished { outcome, .. } => Some(outcome.clone()),
        _ => None,
    });
    found.unwrap()
}

async fn page(browser: &Browser, kind: &str, name: &str, part: &str) -> Result<Value, ErrorBody> {
    let query = json!({ "board": "field", "kind": kind, "name": name, "part": part });
    browser.call("page", &query).await
}

/// The token that a call made.
pub(super) async fn token(browser: &Browser, acted: &Acted) -> Option<String> {
    let answer = page(browser, "enrolment", &acted.journal, "token").await;
    let answer = answer.ok()?;
    let text = answer["value"]["token"].as_str();
    text.map(str::to_owned)
}

/// A device of people at a site, which waits to be adopted.
pub(super) async fn enrolled(server: &Server, browser: &Browser, site: &str) -> String {
    let wish = json!({ "site": site, "name": "Crane probe" });
    let made = act(browser, "enrol_device", wish, None).await;
    let token = token(browser, &made).await.unwrap();
    turn(&mut device(server, 11, &token)).await;
    let is_there = |part: &Value| part["name"] == "Crane probe";
    let parts = board(browser, |parts| parts.values().any(is_there)).await;
    parts.device("Crane probe")
}

/// A device with this seed's key, as a token lets it come in.
fn device(server: &Server, seed: u64, token: &str) -> FleetDevice {
    let options = FleetDeviceOptions {
        device: OfficeDevice::MeetingRoom,
        seed,
        clock: Arc::new(SystemSimFleetClock),
        server: server.url().to_owned(),
        enrolment: token.to_owned(),
        pace: 0.0,
        wait_s: 0,
        tries: 2,
        pause: Duration::ZERO,
        first_bundle: false,
    };
    FleetDevice::new(options).unwrap()
}

async fn turn(device: &mut FleetDevice) -> DeviceTurn {
    device.restart();
    Box::pin(device.turn()).await.unwrap()
}

/// The code with which a device is refused.
async fn refused(device: &mut FleetDevice) -> String {
    match Box::pin(device.turn()).await {
        Err(FleetError::Refused { code, .. }) => code,
        other => panic!("{other:?}"),
    }
}

/// Fails if a text is anywhere in the files of a server.
fn is_nowhere(folder: &std::path::Path, text: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            is_nowhere(&path, text);
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let mut windows = bytes.windows(text.len());
        assert!(
            !windows.any(|window| window == text.as_bytes()),
            "{}",
            path.display()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_lets_a_device_in_and_out_again() {
    let folder = Folder::new();
    Server::start(&folder).await.stop().await;
    let ben = add_user(&folder, "Ben", Role::Operator).await;
    let vera = add_user(&folder, "Vera", Role::Viewer).await;
    let server = Server::start_with(&folder, &format!("{QUIET}{DEVICES}")).await;
    let ada = server.sign_in().await;
    let ben = Browser::sign_in(&format!("{}{ben}", server.url())).await;
    let vera = Browser::sign_in(&format!("{}{vera}", server.url())).await;
    let wish = || json!({ "site": "Harbour office", "name": "Crane probe" });

    // The token is told once, to the person who made it.
    let made = act(&ada, "enrol_device", wish(), None).await;
    assert_eq!(token(&ben, &made).await, None);
    assert_eq!(token(&vera, &made).await, None);
    // Not to a program that only reads, though its owner is an operator.
    let reader = program(&server, &ada, "viewer", &[]).await;
    let told = page(&reader, "enrolment", &made.journal, "token").await;
    assert_eq!(told.unwrap_err().code, ErrorCode::RoleNotEnough);
    let first = token(&ada, &made).await.unwrap();
    assert_eq!(token(&ada, &made).await, None);
    let [_, secret, root] = <[&str; 3]>::try_from(first.split('.').collect::<Vec<_>>()).unwrap();
    assert!(
        !serde_json::to_string(&made.outcome)
            .unwrap()
            .contains(secret)
    );

    // The device waits, and gets nothing; a second one cannot use the token.
    let mut probe = device(&server, 11, &first);
    let waits = |word: &str| DeviceTurn::Waiting(word.to_owned());
    assert_eq!(turn(&mut probe).await, waits("waiting"));
    assert_eq!(
        refused(&mut device(&server, 12, &first)).await,
        "enrolment_used"
    );
    let parts = board(&ada, |parts| {
        let mut parts = parts.iter();
        parts.any(|(key, part)| key.starts_with("device/") && part["pending"].is_object())
    })
    .await;
    let id = parts.device("Crane probe");
    let fingerprint = probe.fingerprint();
    let pending = parts.of("device").next().unwrap()["pending"].clone();
    assert_eq!(pending["fingerprint"], fingerprint.as_str());
    assert_eq!(turn(&mut probe).await, waits("waiting"));

    // A person adopts exactly this key.
    let adopt = json!({ "device": id, "fingerprint": fingerprint });
    let adopted = act(&ada, "adopt_device", adopt, Some(APPROVE)).await;
    assert_eq!(data(&adopted.outcome)["standing"], "adopted");
    let card = adopted.card.unwrap();
    assert!(
        card.facts
            .iter()
            .any(|fact| pending["shown"] == fact.value.as_str())
    );
    assert_eq!(turn(&mut probe).await, DeviceTurn::Idle);

    // Nor are hidden values told to it.
    page(&reader, "device", &id, "device").await.unwrap();
    for part in ["values/ip-n1.1", "values/", "values"] {
        let hidden = page(&reader, "device", &id, part).await;
        assert_eq!(hidden.unwrap_err().code, ErrorCode::RoleNotEnough, "{part}");
    }

    // Suspended, it gets nothing; resumed, it is asked again.
    let because = |reason: &str| json!({ "device": id, "reason": reason });
    let suspended = act(&ben, "suspend_device", because("It moved."), None).await;
    assert_eq!(data(&suspended.outcome)["standing"], "suspended");
    probe.restart();
    assert_eq!(refused(&mut probe).await, "device_suspended");
    let resume = json!({ "device": id });
    act(&ada, "resume_device", resume, Some(APPROVE)).await;
    assert_eq!(turn(&mut probe).await, DeviceTurn::Idle);

    // What people say about it, and what its site hides.
    let rename = json!({ "device": id, "name": "Crane sensor", "critical": true });
    let renamed = act(&ben, "edit_device", rename.clone(), None).await;
    assert_eq!(data(&renamed.outcome)["tags"], json!(["critical"]));
    let back = json!({ "device": id, "name": "Crane probe" });
    act(&ben, "edit_device", back, None).await;
    let site = parts.of("device").next().unwrap()["site"].clone();
    let show = json!({ "site": site, "addresses": "shown" });
    let shown = act(&ada, "set_public_addresses", show.clone(), Some(APPROVE)).await;
    assert!(shown.card.unwrap().sentence.contains("Harbour office"));
    let parts = board(&ada, |parts| {
        let mut parts = parts.iter();
        parts.any(|(key, part)| key.starts_with("site/") && part["hides_public"] == false)
    })
    .await;
    assert_eq!(
        parts.of("device").next().unwrap()["tags"],
        json!(["critical"])
    );

    // A withdrawn token is worth nothing.
    let made = act(&ada, "enrol_device", wish(), None).await;
    let second = token(&ada, &made).await.unwrap();
    let enrolment = json!({ "enrolment": data(&made.outcome)["enrolment"] });
    act(&ben, "withdraw_enrolment", enrolment, None).await;
    assert_eq!(
        refused(&mut device(&server, 13, &second)).await,
        "enrolment_unknown"
    );

    // A viewer sees keys and devices, and is offered and allowed nothing.
    let keys = page(&vera, "keys", "keys", "keys").await.unwrap();
    assert!(!keys.to_string().contains(secret), "{keys}");
    let shown = page(&vera, "device", &id, "device").await.unwrap();
    let offers = shown["value"]["offers"].to_string();
    assert!(!offers.contains("suspend_device"), "{offers}");
    let mut theirs = vera.socket().await;
    for (tool, input) in [
        ("enrol_device", wish()),
        ("suspend_device", because("x")),
        ("retire_device", because("x")),
        ("edit_device", rename),
        ("set_public_addresses", show),
        (
            "adopt_device",
            json!({ "device": id, "fingerprint": fingerprint }),
        ),
    ] {
        let tool = tool.to_owned();
        let refused = theirs.command(Command::Act {
            conversation: new_conversation(),
            tool,
            input,
        });
        assert_eq!(refused.await.unwrap_err().code, ErrorCode::RoleNotEnough);
    }

    // A model has no such tool.
    let mut tab = ada.socket().await;
    let suspend = ("suspend_device", because("The model wants it."));
    server
        .script()
        .reply([Block::tool_use(suspend.0, suspend.1.clone())]);
    server.script().reply([Block::text("I cannot, sir.")]);
    let conversation = new_conversation();
    let said = "Suspend the field device Crane probe.".to_owned();
    tab.about(conversation, said, &json!(id)).await;
    tab.see(|view| view.finished() == 1).await;
    let blocked = |body: &EventBody| matches!(body, EventBody::ToolBlocked { .. });
    assert_eq!(tab.view.count(blocked), 1);
    for request in server.script().requests() {
        let body = request.body.to_string();
        assert!(!body.contains(secret) && !body.contains(root));
        assert!(!body.contains("\"enrol_device\""), "no model sees it");
    }

    // Retired for good, by its name.
    let word = Decision::Approve {
        grant: None,
        word: Some("Crane probe".to_owned()),
    };
    let retired = act(&ada, "retire_device", because("It broke."), Some(word)).await;
    assert_eq!(data(&retired.outcome)["standing"], "retired");
    probe.restart();
    let retired = Box::pin(probe.turn()).await.ok();
    assert_ne!(retired, Some(DeviceTurn::Idle));
    server.stop().await;

    // No event, audit line or row has a secret.
    for token in [&first, &second] {
        is_nowhere(&folder.data(), token.split('.').nth(1).unwrap());
    }
    let store = store::Store::open(&folder.data()).await.unwrap();
    let tables = field_tables::FieldTables::open(&store).await.unwrap();
    let history = tables.history(Some(&id), None, 50).await.unwrap();
    let why: Vec<_> = history
        .iter()
        .filter_map(|row| row.detail["reason"].as_str())
        .collect();
    assert_eq!(why, ["It broke.", "It moved."]);
    store.close().await.unwrap();
}
