//! Programs that propose scripts: judged and kept once, covered, and nothing runs.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{FIELD, NOBODY, free_of_values, ordered, past};
use crate::{
    api::{code, get, post, program},
    client::Browser,
    field::{conversations::start_roomy, office},
    harness::Folder,
    tokens::token_with,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_proposes_a_script_once_and_runs_nothing() {
    let folder = Folder::new();
    let server = start_roomy(&folder).await;
    let owner = server.sign_in().await;
    let room = office(&owner).await.device("Meeting room");
    // A token that may not decide only asks for it.
    let decides = token_with(&owner, "operator", &["field"], true).await;
    let asker = Browser::new(server.url()).bearing(&decides.unwrap());
    let other = program(&server, &owner, "operator", &["field"]).await;
    let reader = program(&server, &owner, "viewer", &["field"]).await;

    let script = json!({
        "device": room, "title": "Check 192.168.41.1", "why": "192.168.41.1 is slow.",
        "steps": [{ "run": "ping", "target": "192.168.41.1", "count": 4 }, { "run": "neighbours" }],
    });
    let no = post(&reader, &format!("{FIELD}/proposals"), "", &script).await;
    assert_eq!(no.status(), StatusCode::FORBIDDEN);
    assert_eq!(code(no).await, "role_not_enough");
    let asked = ordered(&other, "/proposals", "", &script).await;
    let asked = past(&other, &asked, &["running"]).await;
    assert_eq!(asked["state"], "waiting", "{asked}");
    let call = ordered(&asker, "/proposals", "one", &script).await;
    assert_eq!(ordered(&asker, "/proposals", "one", &script).await, call);
    let done = past(&asker, &call, &["running"]).await;
    assert_eq!(done["state"], "succeeded", "{done}");
    let (id, version) = (&done["data"]["proposal"], &done["data"]["version"]);
    let id = id.as_str().unwrap();
    assert_eq!(version, &json!(1), "{done}");
    free_of_values(&done["data"].to_string());
    let address = format!("{FIELD}/proposals/{id}");
    let shown = get(&reader, &address).await;
    free_of_values(&shown.to_string());
    assert_eq!(shown["made_by"], "program", "{shown}");
    assert_eq!(shown["person"], Value::Null);
    assert!(
        shown["steps"][0]["target"]
            .as_str()
            .unwrap()
            .starts_with("ip-s"),
        "{shown}"
    );

    // What the program reads it may send back, as the next version.
    let next = json!({
        "device": room, "title": "Check the gateway", "why": "It is slow.", "of": id,
        "steps": [shown["steps"][0], { "run": "routes" }],
    });
    let call = ordered(&asker, "/proposals", "", &next).await;
    let done = past(&asker, &call, &["running"]).await;
    assert_eq!(done["data"]["version"], 2, "{done}");
    assert_eq!(
        get(&reader, &address).await["proposal"]["newest_version"],
        2
    );

    // Free sh has no way in, and what the policy refuses is not kept.
    for wrong in [
        json!({ "device": room, "title": "Sh", "why": "x", "sh": "id" }),
        json!({ "device": room, "title": "Sh", "why": "x", "steps": [{ "run": "sh" }] }),
    ] {
        let no = post(&asker, &format!("{FIELD}/proposals"), "", &wrong).await;
        assert_eq!(code(no).await, "bad_request", "{wrong}");
    }
    for (device, step) in [
        (format!("dev_{NOBODY}"), json!({ "run": "routes" })),
        (
            room.clone(),
            json!({ "run": "ping", "target": "ip-s9-n1.1" }),
        ),
    ] {
        let wrong = json!({
            "device": device, "title": "None", "why": "None.", "steps": [step],
        });
        let call = ordered(&asker, "/proposals", "", &wrong).await;
        let refused = past(&asker, &call, &["running"]).await;
        assert_ne!(refused["state"], "succeeded", "{refused}");
    }
    let listed = get(&reader, &format!("{FIELD}/proposals")).await;
    assert_eq!(listed["proposals"].as_array().unwrap().len(), 1, "{listed}");
    let runs = get(&reader, &format!("{FIELD}/runs")).await;
    assert_eq!(runs["runs"], json!([]), "nothing runs");
    server.stop().await;
}
