//! No value of a vault is in anything that the toolset gives to a model or to everybody.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use agent::ports::{RedactionScope, Screen, Teller, TokenRule, Toolset};
use field::field_package::steps::{ProbeStep, accept};
use field_testkit::{
    RunScenario,
    office::{ARCHIVE, BUNDLE, NEIGHBOURS, OFFICE, REMOTE, ROOM},
};
use protocol::{ConversationId, Reference, Timestamp};
use serde_json::{Value, json};

use crate::stub::{Stub, approved, call, person};

/// Everything that was said, with the place where.
#[derive(Default)]
struct Said(Vec<(String, String)>);

impl Said {
    fn add(&mut self, place: impl Into<String>, text: impl ToString) {
        self.0.push((place.into(), text.to_string()));
    }

    fn check(&self, stub: &Stub) {
        let values = stub.memory.hidden_values();
        // Shorter ones are parts of words.
        let values: Vec<_> = values.iter().filter(|value| value.len() > 4).collect();
        assert!(values.len() > 15, "{values:?}");
        for value in ["10.20.0.1", "werkbank", "Kaminzimmer", "b8:27:eb:12:34:56"] {
            assert!(values.iter().any(|it| *it == value), "{value} is hidden");
        }
        for (place, text) in &self.0 {
            let lower = text.to_lowercase();
            for value in &values {
                assert!(
                    !lower.contains(&value.to_lowercase()),
                    "{value} in {place}: {text}"
                );
            }
        }
    }
}

fn step(run: &str, slot: &str, value: &str) -> Value {
    json!({ "run": run, slot: value })
}

#[tokio::test]
async fn no_hidden_value_leaves_a_tool() {
    let stub = Stub::new();
    let mut said = Said::default();
    let (proposal, _) = stub
        .proposal(1, json!([step("ping", "target", "ip-s1-n1.1")]))
        .await;
    stub.run(approved(2, &proposal, 1, &["Ada"])).await.unwrap();
    let run = stub.memory.orders().len();
    assert_eq!(run, 1);
    let listed = stub.call("list_runs", json!({})).await.unwrap();
    let run = listed.data["runs"][0]["run"].as_str().unwrap().to_owned();
    // Values that are tokens of something that no slot takes: refusals must not quote them.
    let tokens = [
        "ip-s1-n1.1",
        "ip-s1-n1.77",
        "ssid-s1-1",
        "ssid-s1-2",
        "host-s1-1",
        "host-s1-2",
        "mac-s1-1",
        "mail-s1-1",
        "pub-s1-1",
        "net-s1-1",
        "ip-s1-n9.9",
        "ip-s2-n1.1",
        "host-s2-1",
        "~host-s1-1",
        "ip-s1-n1.1/24",
        "http://host-s1-1/?q=ssid-s1-1",
        "http://ssid-s1-2/",
        "user:mac-s1-1",
    ];
    let mut inputs = vec![
        ("list_devices", json!({})),
        ("get_device", json!({ "device": ROOM })),
        ("get_diagnostics", json!({ "device": ROOM })),
        (
            "get_diagnostics",
            json!({ "device": ROOM, "bundle": BUNDLE }),
        ),
        (
            "get_diagnostics",
            json!({ "device": ROOM, "bundle": BUNDLE, "section": "neighbours" }),
        ),
        (
            "get_diagnostics",
            json!({ "device": ROOM, "bundle": BUNDLE, "section": "photo" }),
        ),
        ("check_script", json!({ "device": ROOM, "of": proposal })),
        ("get_run", json!({ "run": run })),
        ("get_run", json!({ "run": run, "step": 1, "tail": 200 })),
        ("list_runs", json!({})),
        ("cancel_run", json!({ "run": run })),
        ("collect_diagnostics", json!({ "device": ROOM })),
        ("collect_diagnostics", json!({ "device": ARCHIVE })),
        ("get_device", json!({ "device": REMOTE })),
    ];
    for token in tokens {
        for (row, slot) in [
            ("ping", "target"),
            ("dig", "name"),
            ("dig", "server"),
            ("http_timing", "url"),
            ("sweep", "network"),
            ("trace", "target"),
            ("throughput", "target"),
            ("link_info", "interface"),
        ] {
            let mut one = step(row, slot, token);
            if slot == "server" {
                one["name"] = json!("example.org");
            }
            if row == "sweep" {
                one["interface"] = json!("eth0");
            }
            inputs.push(("run_probe", json!({ "device": ROOM, "step": one })));
            inputs.push(("check_script", json!({ "device": ROOM, "steps": [one] })));
            inputs.push((
                "propose_script",
                json!({ "device": ROOM, "title": token, "why": token, "steps": [one] }),
            ));
        }
    }
    let mut refusals = 0;
    let mut quoting = 0;
    let memory = stub.memory.ports().memory;
    for (number, (name, input)) in inputs.into_iter().enumerate() {
        let call = call(100 + number as u128, name, input);
        let place = format!("{name} {}", call.input);
        let assessment = stub.assess(name, &call.input);
        if let Some(why) = &assessment.refused {
            refusals += 1;
            said.add(&place, why);
            // The control: the refusals of the table itself quote values.
            if let Ok(real) = memory.restore(OFFICE, &call.input["step"].to_string())
                && let Ok(step) = serde_json::from_str::<ProbeStep>(&real)
                && let Err(refusal) = accept(&step)
                && ["Kaminzimmer", "10.20.0", "b8:27:eb", "anna@"]
                    .iter()
                    .any(|value| refusal.to_string().contains(value))
            {
                quoting += 1;
            }
        }
        said.add(&place, format!("{:?}", assessment.risks));
        match stub.preview(&call).await {
            // Everybody reads these; the card itself is for whoever may approve it.
            Ok(card) => said.add(&place, format!("{} {}", card.sentence, card.target)),
            Err(error) => said.add(&place, format!("{error:?}")),
        }
        match stub.run(call).await {
            Ok(output) => said.add(&place, json!([output.summary, output.data])),
            Err(error) => said.add(&place, format!("{error:?}")),
        }
    }
    assert!(refusals > 100, "{refusals}");
    assert!(quoting > 10, "{quoting}");
    for scenario in [
        RunScenario::Refused,
        RunScenario::Unknown,
        RunScenario::NotDelivered,
    ] {
        stub.memory.scenario(scenario);
        let number = 2_000 + scenario as u128;
        let call = approved(number, &proposal, 1, &["Ada"]);
        let error = stub.run(call).await.unwrap_err();
        said.add(format!("{scenario:?}"), format!("{error:?}"));
    }
    stub.memory.break_storage(true);
    for name in ["get_device", "get_diagnostics", "collect_diagnostics"] {
        let error = stub
            .call(name, json!({ "device": ROOM }))
            .await
            .unwrap_err();
        // The detail of a fault is for the log.
        said.add(name, format!("{error:?}"));
    }
    said.check(&stub);
}

#[tokio::test]
async fn no_hidden_value_is_in_context_board_or_feed() {
    let stub = Stub::new();
    let mut said = Said::default();
    let (proposal, _) = stub
        .proposal(1, json!([step("ping", "target", "ip-s1-n1.1")]))
        .await;
    stub.run(approved(2, &proposal, 1, &["Ada"])).await.unwrap();
    let runs = stub.call("list_runs", json!({})).await.unwrap();
    let run = runs.data["runs"][0]["run"].as_str().unwrap();
    for (kind, id) in [
        ("device", ROOM),
        ("bundle", BUNDLE),
        ("proposal", &*proposal),
        ("run", run),
        ("bundle", "bun_99999999999999999999999999"),
    ] {
        let reference = Reference::new(kind, id);
        assert!(stub.field.refers(&reference), "{kind}");
        let parts = stub.field.context(std::slice::from_ref(&reference)).await;
        said.add(kind, format!("{parts:?}"));
        said.add(kind, format!("{:?}", stub.field.describe(&reference).await));
        if let Some(text) = stub.field.attach(&reference).await {
            assert!(text.len() > 50, "{text}");
            said.add(kind, text);
        }
    }
    said.add("names", format!("{:?}", stub.field.names().await));
    said.add("prompt", stub.field.system_prompt());
    let shown: Arc<Mutex<BTreeMap<String, Value>>> = Arc::default();
    let board = stub.field.board().unwrap();
    let screen = {
        let shown = Arc::clone(&shown);
        Screen::new(move |picture| *shown.lock().unwrap() = picture)
    };
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let teller = {
        let told = Arc::clone(&told);
        Teller::new(move |happenings| {
            told.lock().unwrap().push(format!("{happenings:?}"));
            Box::pin(async { true })
        })
    };
    let happenings = stub.field.happenings().unwrap();
    tokio::select! {
        () = board.watch(screen) => {}
        () = happenings.follow(teller) => {}
        () = tokio::task::yield_now() => {}
    }
    let picture = shown.lock().unwrap().clone();
    assert!(picture.len() > 5, "{picture:?}");
    said.add("board", json!(picture));
    let told = told.lock().unwrap().join("\n");
    assert!(told.contains("Check the gateway"), "{told}");
    said.add("feed", told);
    said.check(&stub);
}

#[tokio::test]
async fn the_redaction_covers_with_the_values_of_the_conversations_site() {
    let stub = Stub::new();
    let redaction = stub.field.redaction().unwrap();
    let scope = |number, about: Vec<Reference>| RedactionScope {
        conversation: ConversationId::new(Timestamp(1), number),
        person: person(),
        about,
        is_relayed: false,
    };
    let office = scope(1, vec![Reference::new("bundle", BUNDLE)]);
    let words =
        "Why is 10.20.0.1 slow, and werkbank, and 10.20.0.123? I wrote ip-s1-n1.1 and ip-s1-n7.7.";
    let cover = |scope: RedactionScope, text: &str, rule| {
        let (redaction, texts) = (redaction.clone(), vec![text.to_owned()]);
        async move {
            redaction
                .cover(&scope, texts, rule)
                .await
                .unwrap()
                .remove(0)
        }
    };
    let covered = cover(office.clone(), words, TokenRule::Keep).await;
    assert_eq!(
        covered,
        "Why is ip-s1-n1.1 slow, and host-s1-1, and ip-s1-n1.123? I wrote ip-s1-n1.1 and ~ip-s1-n7.7."
    );
    let again = cover(office.clone(), &covered, TokenRule::Keep).await;
    assert_eq!(again, covered);
    let outside = cover(office.clone(), "see ip-s1-n1.1", TokenRule::Escape).await;
    assert_eq!(outside, "see ~ip-s1-n1.1");
    // Without a thing in its newest message the conversation is still about the office, and a thing of
    // another site does not change that.
    for about in [vec![], vec![Reference::new("device", REMOTE)]] {
        let later = cover(scope(1, about), "is 10.20.0.1 up?", TokenRule::Keep).await;
        assert_eq!(later, "is ip-s1-n1.1 up?");
    }
    // A request with a value in it does not leave.
    let leak = |text: &'static str| {
        let (redaction, scope) = (redaction.clone(), scope(1, vec![]));
        async move { redaction.leaks(&scope, text.as_bytes()).await.unwrap() }
    };
    let found = leak("{\"text\":\"mac b8:27:eb:12:34:56\"}").await.unwrap();
    assert_eq!((&*found.class, &*found.token), ("mac", "mac-s1-1"));
    assert_eq!(leak("{\"text\":\"mac mac-s1-1\"}").await, None);
    assert!(leak(NEIGHBOURS).await.is_some());
    // If values cannot be read nothing is covered by halves.
    stub.memory.break_storage(true);
    let error = redaction.cover(&office, vec![words.to_owned()], TokenRule::Keep);
    let error = error.await.unwrap_err().to_string();
    assert!(error.starts_with("storage"), "{error}");
    assert_ne!(OFFICE, "");
}

/// A model elsewhere that asks for everything at once reads the names of no site.
#[tokio::test]
async fn a_relayed_call_that_names_nothing_hides_the_values_of_every_site() {
    let stub = Stub::new();
    let redaction = stub.field.redaction().unwrap();
    let cover = |number, is_relayed, text: &str| {
        let scope = RedactionScope {
            conversation: ConversationId::new(Timestamp(1), number),
            person: person(),
            about: Vec::new(),
            is_relayed,
        };
        let (redaction, texts) = (redaction.clone(), vec!["Ok.".to_owned(), text.to_owned()]);
        async move {
            let covered = redaction.cover(&scope, texts, TokenRule::Keep).await;
            let [first, second] = <[String; 2]>::try_from(covered.unwrap()).unwrap();
            assert_eq!(first, "Ok.");
            second
        }
    };
    let words = "werkbank and werkzeug.lan are in Kaminzimmer";
    let unbound = cover(1, false, words).await;
    assert!(unbound.contains("werkbank"), "{unbound}");
    let covered = cover(2, true, words).await;
    for value in ["werkbank", "werkzeug", "Kaminzimmer"] {
        assert!(!covered.contains(value), "{covered}");
    }
    assert_eq!(cover(2, true, &covered).await, covered);
    // A thing that is named later binds the call as it binds a conversation.
    let scope = RedactionScope {
        conversation: ConversationId::new(Timestamp(1), 2),
        person: person(),
        about: vec![Reference::new("device", ROOM)],
        is_relayed: true,
    };
    let texts = vec!["is werkbank up?".to_owned()];
    let bound = redaction.cover(&scope, texts, TokenRule::Keep).await;
    assert_eq!(bound.unwrap(), ["is host-s1-1 up?"]);
    stub.memory.break_storage(true);
    let error = redaction.cover(&scope, vec![words.to_owned()], TokenRule::Keep);
    assert!(error.await.is_err(), "nothing is covered by halves");
}
