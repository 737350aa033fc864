//! Programs at the field devices: what they read, what they may order, and what hostile ones get.

mod events;
mod proposals;

use protocol::{ConversationId, Role, Seq};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{APPROVE, OFFICE, VALUES, conversations::start_roomy, data, office, token};
use crate::{
    api::{code, follower::Follower, get, post, program},
    client::{Browser, new_conversation, send},
    harness::{Folder, QUIET, Server, add_user, soon},
};

const FIELD: &str = "/api/v1/field";
const NOBODY: &str = "00000000000000000000000000";

fn free_of_values(text: &str) {
    for value in VALUES {
        assert!(!text.contains(value), "{value} in {text}");
    }
}

async fn refused(program: &Browser, path: &str) -> (u16, String) {
    let answer = send(program.request(Method::GET, path)).await;
    (answer.status().as_u16(), code(answer).await)
}

/// Orders a call; returns the address of its state.
async fn ordered(program: &Browser, path: &str, key: &str, body: &Value) -> String {
    let answer = post(program, &format!("{FIELD}{path}"), key, body).await;
    assert_eq!(answer.status(), StatusCode::CREATED, "{path} {body}");
    let address = answer.headers()["location"].to_str().unwrap().to_owned();
    assert!(address.starts_with("/api/v1/runs/cnv_"), "{address}");
    address
}

/// The state of a call once it is none of these.
async fn past(program: &Browser, call: &str, states: &[&str]) -> Value {
    soon("the state of a call", async {
        loop {
            let call = get(program, call).await;
            if !states.iter().any(|state| call["state"] == *state) {
                return call;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

/// All things of a list, page by page, and a cursor that led on.
async fn whole(program: &Browser, list: &str, limit: u32) -> (Vec<String>, Option<String>) {
    let mut all = Vec::new();
    let mut used: Option<String> = None;
    loop {
        let cursor = used.as_ref().map(|cursor| format!("&cursor={cursor}"));
        let cursor = cursor.unwrap_or_default();
        let page = get(program, &format!("{FIELD}/{list}?limit={limit}{cursor}")).await;
        free_of_values(&page.to_string());
        let lines = page[list].as_array().unwrap().iter();
        all.extend(lines.map(|line| line["id"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => used = Some(next.to_owned()),
            None => return (all, used),
        }
    }
}

/// The office with Otto, who is an operator too.
async fn with_otto(folder: &Folder) -> (Server, Browser, Browser) {
    Server::start(folder).await.stop().await;
    let otto = add_user(folder, "Otto", Role::Operator).await;
    let server = start_roomy(folder).await;
    let owner = server.sign_in().await;
    let otto = Browser::sign_in(&format!("{}{otto}", server.url())).await;
    (server, owner, otto)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_read_tokens_and_each_look_at_values_is_recorded() {
    let folder = Folder::new();
    let (server, owner, otto) = with_otto(&folder).await;
    let room = office(&owner).await.device("Meeting room");
    let actor = program(&server, &owner, "operator", &["field"]).await;
    let reader = program(&server, &owner, "viewer", &["field"]).await;
    let stranger = program(&server, &otto, "viewer", &[]).await;

    let (mut devices, cursor) = whole(&reader, "devices", 2).await;
    devices.sort();
    devices.dedup();
    assert_eq!(devices.len(), 6);
    let (bundles, _) = whole(&reader, "bundles", 4).await;
    assert!(bundles.len() >= 6, "{bundles:?}");
    let cursor = cursor.unwrap();
    for path in [
        format!("{FIELD}/devices?cursor={cursor}"),
        format!("{FIELD}/bundles?cursor={cursor}"),
    ] {
        let foreign = refused(&stranger, &path).await;
        assert_eq!(foreign, (400, "cursor_invalid".to_owned()), "{path}");
    }
    let device = get(&reader, &format!("{FIELD}/devices/{room}")).await;
    free_of_values(&device.to_string());
    assert_eq!(device["name"], "Meeting room");
    let program = &device["program"];
    assert!(
        program["version"].is_string() && program["failed_update"].is_null(),
        "{device}"
    );
    let of_room = format!("{FIELD}/bundles?device={room}");
    let newest = &get(&reader, &of_room).await["bundles"][0];
    let bundle = newest["id"].as_str().unwrap().to_owned();
    let read = get(&reader, &format!("{FIELD}/bundles/{bundle}")).await;
    free_of_values(&read.to_string());
    let section = format!("{FIELD}/bundles/{bundle}/sections/neighbours");
    let text = get(&reader, &section).await["text"].to_string();
    free_of_values(&text);
    let gateway = token(&text, "ip");

    // Values are for tokens that may act, and a guess is on record like a look.
    let values = |tokens: &str| format!("{FIELD}/values?kind=bundle&id={bundle}&tokens={tokens}");
    let look = values(&format!("{gateway},ip-s9-n1.1,nonsense"));
    for who in [&reader, &stranger] {
        let no = refused(who, &look).await;
        assert_eq!(no, (403, "role_not_enough".to_owned()));
    }
    let seen = get(&actor, &look).await;
    let shown = seen["values"].as_array().unwrap();
    assert_eq!(shown.len(), 1, "{seen}");
    assert!(shown[0]["value"].as_str().unwrap().starts_with("192.168."));
    assert_eq!(
        get(&actor, &values("ip-s9-n1.1")).await["values"],
        json!([])
    );
    let looks = json!({ "board": "field", "kind": "device", "name": room, "part": "looks" });
    let looks: Value = owner.call("page", &looks).await.unwrap();
    assert_eq!(looks.to_string().matches(&bundle).count(), 2, "{looks}");

    // The form for others.
    let export = format!("{FIELD}/bundles/{bundle}/export");
    let no = refused(&reader, &export).await;
    assert_eq!(no, (403, "role_not_enough".to_owned()));
    let exports = [&export, &export, &format!("{export}?vendors=shown")];
    let mut texts = Vec::new();
    for export in exports {
        let export = get(&actor, export).await;
        let members: Vec<_> = export.as_object().unwrap().keys().cloned().collect();
        assert_eq!(
            members,
            ["taken_ms", "received_ms", "sections", "simulated"]
        );
        let export = export.to_string();
        for hidden in ["Nordlicht-", "ip-s", room.as_str(), bundle.as_str()] {
            assert!(!export.contains(hidden), "{hidden} in {export}");
        }
        texts.push(export);
    }
    assert_ne!(texts[0], texts[1], "each has a key of its own");
    assert!(!texts[0].contains("7c:10:c9:") && texts[2].contains("7c:10:c9:"));

    for (path, expect) in [
        (format!("devices/dev_{NOBODY}"), (404, "unknown_device")),
        ("devices/..%2Fbundles".to_owned(), (404, "unknown_device")),
        ("devices?limit=0".to_owned(), (400, "malformed")),
        ("devices?limit=101".to_owned(), (400, "malformed")),
        ("bundles?cursor=AAAA".to_owned(), (400, "cursor_invalid")),
        (format!("bundles/bun_{NOBODY}"), (404, "unknown_bundle")),
        (
            format!("bundles/{bundle}/sections/none"),
            (404, "unknown_section"),
        ),
        (
            format!("bundles/bun_{NOBODY}/export"),
            (404, "unknown_bundle"),
        ),
        (
            format!("values?kind=site&id={bundle}&tokens=x"),
            (404, "thing_not_found"),
        ),
        (
            format!("values?kind=bundle&id=bun_{NOBODY}&tokens=x"),
            (404, "thing_not_found"),
        ),
        (format!("proposals/pro_{NOBODY}"), (404, "unknown_proposal")),
        ("runs?phase=ended,odd".to_owned(), (400, "malformed")),
        (format!("runs/run_{NOBODY}"), (404, "unknown_run")),
        (format!("runs/run_{NOBODY}/events"), (404, "unknown_run")),
    ] {
        let (status, code) = refused(&actor, &format!("{FIELD}/{path}")).await;
        assert_eq!((status, code.as_str()), expect, "{path}");
    }
    for path in [
        "devices?page=2",
        "bundles/x/export?vendors=some",
        "runs/x/events?after=-1",
    ] {
        let answer = send(actor.request(Method::GET, &format!("{FIELD}/{path}"))).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{path}");
    }
    server.stop().await;
}

/// Each leaves a record that stays, and others wait for its write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn looks_at_values_use_up_the_quota_of_changes() {
    let folder = Folder::new();
    let more = format!("{QUIET}{OFFICE}[limits]\nuser_commands = 20\n");
    let server = Server::start_with(&folder, &more).await;
    let owner = server.sign_in().await;
    let actor = program(&server, &owner, "operator", &["field"]).await;
    for look in [
        format!("{FIELD}/values?kind=device&id=dev_{NOBODY}&tokens=x"),
        format!("{FIELD}/bundles/bun_{NOBODY}/export"),
    ] {
        let mut found = (404, String::new());
        for _ in 0..40 {
            if found.0 != 404 {
                break;
            }
            found = refused(&actor, &look).await;
        }
        assert_eq!(found, (429, "rate_limited".to_owned()), "{look}");
    }
    get(&actor, &format!("{FIELD}/devices")).await;
    server.stop().await;
}

/// A proposal for a device, as the model makes one.
async fn proposed(server: &Server, owner: &Browser, room: &str) -> String {
    let mut tab = owner.socket().await;
    let conversation = new_conversation();
    let gateway = tab.gateway(server, conversation, room).await;
    let proposal = json!({
        "device": room, "title": "Check the gateway", "why": "It is slow.",
        "steps": [{ "run": "ping", "target": gateway, "count": 4 }, { "run": "neighbours" }],
    });
    let said = "Propose a check of its gateway for Meeting room.";
    let proposed = tab
        .turn(server, conversation, said, &[("propose_script", proposal)])
        .await;
    data(&proposed[0])["proposal"].as_str().unwrap().to_owned()
}

/// Reads a stream to its end; returns the output with the place behind each piece.
async fn followed(follower: &mut Follower) -> Vec<(u64, String)> {
    follower.until(|sent| sent.kind == "end").await;
    let output = follower.seen.iter().filter(|sent| sent.kind == "output");
    let output = output.map(|sent| {
        let text = sent.data["text"].as_str().unwrap().to_owned();
        (sent.id.unwrap(), text)
    });
    output.collect()
}

fn text(output: &[(u64, String)]) -> String {
    output.iter().map(|(_, text)| text.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_orders_a_run_and_a_person_decides() {
    let folder = Folder::new();
    let (server, owner, otto) = with_otto(&folder).await;
    let room = office(&owner).await.device("Meeting room");
    let proposal = proposed(&server, &owner, &room).await;
    let asker = program(&server, &owner, "operator", &["field"]).await;
    let reader = program(&server, &owner, "viewer", &["field"]).await;
    let stranger = program(&server, &otto, "operator", &[]).await;

    let shown = get(&reader, &format!("{FIELD}/proposals/{proposal}")).await;
    free_of_values(&shown.to_string());
    assert_eq!(shown["proposal"]["newest_version"], 1, "{shown}");
    assert_eq!(
        (&shown["made_by"], &shown["sh"]),
        (&json!("model"), &Value::Null)
    );
    let (listed, _) = whole(&reader, "proposals", 1).await;
    assert_eq!(listed, std::slice::from_ref(&proposal));
    let again = ordered(
        &asker,
        &format!("/proposals/{proposal}/check"),
        "",
        &json!({}),
    )
    .await;
    let judged = past(&asker, &again, &["running"]).await;
    assert_eq!(judged["state"], "succeeded", "{judged}");
    free_of_values(&judged.to_string());

    // Who only reads orders nothing, and nobody orders what is not there.
    let run = json!({ "proposal": proposal, "version": 1, "device": room });
    for path in [
        "/runs".to_owned(),
        format!("/runs/run_{NOBODY}/cancel"),
        format!("/proposals/{proposal}/check"),
    ] {
        let no = post(&reader, &format!("{FIELD}{path}"), "", &run).await;
        assert_eq!(code(no).await, "role_not_enough", "{path}");
    }
    let forged = [
        (
            format!("/runs/run_{NOBODY}/cancel"),
            json!({}),
            "unknown_run",
        ),
        (
            format!("/proposals/pro_{NOBODY}/check"),
            json!({}),
            "unknown_proposal",
        ),
        (
            "/runs".to_owned(),
            json!({ "proposal": proposal }),
            "bad_request",
        ),
        (
            "/runs".to_owned(),
            json!({ "proposal": proposal, "version": 1, "device": room, "approved": true }),
            "bad_request",
        ),
    ];
    for (path, body, expect) in forged {
        let no = post(&asker, &format!("{FIELD}{path}"), "", &body).await;
        assert_eq!(code(no).await, expect, "{path} {body}");
    }
    let invented = json!({ "proposal": format!("pro_{NOBODY}"), "version": 1, "device": room });
    let invented = ordered(&asker, "/runs", "", &invented).await;
    let invented = past(&asker, &invented, &["running"]).await;
    assert!(
        invented["state"] != "succeeded" && invented["state"] != "waiting",
        "{invented}"
    );

    let call = ordered(&asker, "/runs", "a-key", &run).await;
    let waiting = past(&asker, &call, &["running"]).await;
    assert_eq!(waiting["state"], "waiting", "{waiting}");
    assert_eq!(ordered(&asker, "/runs", "a-key", &run).await, call);
    let card = waiting["confirmation"].as_str().unwrap().to_owned();
    let digest = get(&asker, &card).await["card"]["digest"].clone();
    let approve = json!({ "decision": "approve", "digest": digest });
    let no = post(&asker, &card, "", &approve).await;
    assert_eq!(code(no).await, "token_cannot_decide");
    let foreign = refused(&stranger, &call).await;
    assert_eq!(foreign, (404, "run_not_found".to_owned()));
    let of_call = format!("{FIELD}/runs?call={}", waiting["call"].as_str().unwrap());
    assert_eq!(
        get(&reader, &of_call).await["runs"],
        json!([]),
        "nothing is queued"
    );

    let journal: ConversationId = call.rsplit('/').next().unwrap().parse().unwrap();
    let mut tab = owner.socket().await;
    tab.subscribe(journal, Seq(0)).await.unwrap();
    let question = tab.question().await;
    tab.decide(journal, &question, APPROVE).await.unwrap();
    let found = soon("the run of the call", async {
        loop {
            let runs = get(&reader, &of_call).await;
            if let Some(id) = runs["runs"][0]["id"].as_str() {
                return id.to_owned();
            }
            tokio::task::yield_now().await;
        }
    })
    .await;

    let address = format!("{FIELD}/runs/{found}");
    let mut follower = Follower::open(&reader, &address, None).await;
    let output = followed(&mut follower).await;
    for sent in &follower.seen {
        free_of_values(&sent.data.to_string());
    }
    assert_eq!(follower.seen.last().unwrap().data["reason"], "done");
    let mut states = follower.seen.iter().filter(|sent| sent.kind == "run");
    assert_eq!(states.next_back().unwrap().data["phase"], "ended");
    // Whoever comes later, and whoever comes back, has the same lines.
    let mut later = Follower::open(&reader, &address, None).await;
    let whole_text = text(&followed(&mut later).await);
    assert!(whole_text.contains("(DUP!)"), "{whole_text}");
    assert_eq!(whole_text, text(&output));
    for (at, _) in &output {
        let mut again = Follower::open(&reader, &address, Some(*at)).await;
        let rest = text(&followed(&mut again).await);
        assert!(whole_text.ends_with(&rest) && again.seen[0].kind != "gap");
    }
    // A number that was made up begins anew: it would lead into the middle of a value.
    let (last, _) = output.last().unwrap();
    for forged in [3 << 24, last + 1, last + (1 << 24), u64::MAX] {
        let mut again = Follower::open(&reader, &address, Some(forged)).await;
        assert_eq!(text(&followed(&mut again).await), whole_text, "{forged}");
        assert_eq!(again.seen[0].kind, "gap", "{forged}");
    }
    for wrong in ["18446744073709551616", "-1", "1; drop"] {
        let request = reader.request(Method::GET, &format!("{address}/events"));
        let no = send(request.header("last-event-id", wrong)).await;
        assert_eq!(code(no).await, "last_event_id_invalid", "{wrong}");
    }
    let ended = get(&reader, &address).await;
    free_of_values(&ended.to_string());
    assert_eq!(ended["results"].as_array().unwrap().len(), 2, "{ended}");
    assert!(ended["package"]["approved_by"].is_array(), "{ended}");
    // A digest of the script tells its values to whoever guesses them.
    let of_asker = get(&asker, &address).await;
    for digest in ["payload_sha256", "core_sha256", "approval_digest"] {
        assert!(ended["package"][digest].is_null(), "{ended}");
        assert!(of_asker["package"][digest].is_string(), "{of_asker}");
    }

    // To cancel is an own call, too: this token asks, and the person's page decides.
    let cancel = ordered(&asker, &format!("/runs/{found}/cancel"), "", &json!({})).await;
    let waiting = past(&asker, &cancel, &["running"]).await;
    assert_eq!(waiting["state"], "waiting", "{waiting}");
    let journal: ConversationId = cancel.rsplit('/').next().unwrap().parse().unwrap();
    let mut tab = owner.socket().await;
    tab.subscribe(journal, Seq(0)).await.unwrap();
    let question = tab.question().await;
    tab.decide(journal, &question, APPROVE).await.unwrap();
    let done = past(&asker, &cancel, &["running", "waiting"]).await;
    assert_eq!(done["data"]["cancel"], "over", "{done}");
    server.stop().await;
}
