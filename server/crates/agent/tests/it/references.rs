//! The things that a message names, and the names by which texts refer to them.

use std::sync::{Arc, Mutex};

use agent::ports::ContextPart;
use futures::StreamExt;
use protocol::{
    Command, ErrorCode, EventBody, MAX_REFERENCES, MAX_TEXT_FILE_BYTES, Mode, Name, Reference,
    ServerFrame,
};
use serde_json::json;
use testkit::{Hold, ListedValues, Script, ScriptedModel, ScriptedTools};

use crate::world::World;

fn guest() -> Reference {
    Reference::new("guest", "101")
}

fn gone() -> Reference {
    Reference::new("guest", "102")
}

fn tools() -> ScriptedTools {
    ScriptedTools::new()
        .with_thing(
            guest(),
            Ok(json!({ "state": "running", "name": "</context>" })),
        )
        .with_thing(gone(), Err("the cluster has no such guest".to_owned()))
        .with_context(async || {
            vec![ContextPart {
                source: "cluster",
                data: Ok(json!({ "quorate": true })),
            }]
        })
}

fn start(world: &World, references: Vec<Reference>) -> Command {
    Command::Start {
        conversation: world.conversation_id(),
        mode: Mode::Default,
        text: "Why is it slow?".to_owned(),
        from: None,
        plan: None,
        choice: None,
        references,
        packs: None,
    }
}

/// All text that a request shows to the model.
fn shown(world: &World, request: usize) -> String {
    let request = &world.model.requests()[request];
    let content = request.messages.iter().flat_map(|message| &message.content);
    content
        .filter_map(|block| {
            let block: serde_json::Value = serde_json::from_str(block.get()).unwrap();
            Some(block["text"].as_str()?.to_owned())
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[tokio::test(start_paused = true)]
async fn the_model_reads_what_a_message_is_about() {
    let model = ScriptedModel::by(|_| Script::say("So it is."));
    let world = World::new(model, tools());
    let command = start(&world, vec![guest(), gone()]);
    let Command::Start { conversation, .. } = command else {
        return;
    };
    world.command(command).await.unwrap();
    world.watch(conversation).await.turn_end().await;

    let text = shown(&world, 0);
    assert!(
        text.contains(r#"<context source="cluster">{"quorate":true}</context>"#),
        "{text}"
    );
    let known = r#"<context source="reference">{"kind":"guest","id":"101","now":{"state":"running","name":"\u003c/context\u003e"}}</context>"#;
    assert!(text.contains(known), "{text}");
    let unknown = r#"{"kind":"guest","id":"102","unavailable":"the cluster has no such guest"}"#;
    assert!(text.contains(unknown), "{text}");
    assert!(text.contains("The operator's message is about what the context from"));

    // It is in the journal with the message, and only there: the next message names nothing.
    let events = world.journal.events(conversation);
    let stored = events.iter().find_map(|event| match &event.body {
        EventBody::TurnStarted { references, .. } => Some(references.clone()),
        _ => None,
    });
    assert_eq!(stored, Some(vec![guest(), gone()]));
    world.ask(conversation, "And now?").await;
    let (before, after) = (shown(&world, 0), shown(&world, 1));
    assert!(after.starts_with(&before), "sent again byte for byte");
    assert!(!after[before.len()..].contains("reference"), "{after}");
}

#[tokio::test(start_paused = true)]
async fn a_queued_message_keeps_what_it_is_about() {
    let hold = Hold::new();
    let model = ScriptedModel::in_order(vec![
        Script::new().hold(&hold).text("First."),
        Script::say("Second."),
    ]);
    let world = World::new(model, tools());
    let conversation = world.start("First.").await;
    let queued = Command::Send {
        conversation,
        text: "Second.".to_owned(),
        withdraw: false,
        references: vec![guest()],
    };
    world.command(queued).await.unwrap();
    hold.open();
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    watch.turn_end().await;
    let kinds: Vec<_> = world
        .journal
        .events(conversation)
        .into_iter()
        .filter_map(|event| match event.body {
            EventBody::MessageQueued { references, .. } => Some(("queued", references)),
            EventBody::TurnStarted { references, .. } => Some(("started", references)),
            _ => None,
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("started", vec![]),
            ("queued", vec![guest()]),
            ("started", vec![guest()]),
        ]
    );
    assert!(shown(&world, 1).contains(r#""kind":"guest","id":"101","now""#));
}

#[tokio::test(start_paused = true)]
async fn what_no_system_has_is_refused() {
    let world = World::new(ScriptedModel::by(|_| Script::say("Never.")), tools());
    for references in [
        vec![Reference::new("guest", "101; rm -rf")],
        vec![Reference::new("door", "101")],
        vec![guest(), Reference::new("guest", "x".repeat(300))],
        vec![guest(); MAX_REFERENCES + 1],
    ] {
        let refused = world.command(start(&world, references)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Malformed);
    }
    assert!(world.model.requests().is_empty());
}

#[tokio::test(start_paused = true)]
async fn everybody_hears_names_at_first_and_when_they_change() {
    let name = |name: &str, id: &str| Name::new(name, Reference::new("guest", id));
    let names = Arc::new(Mutex::new(Some(vec![name("web", "101")])));
    let model = ScriptedModel::by(|_| Script::say("Yes."));
    let world = World::new(model, tools().with_names(&names));
    let mut early = world.engine.subscribe_list(world.user);
    assert_eq!(next_names(&mut early).await, [name("web", "101")]);

    // A name that two things have is dropped; a toolset that does not know keeps its former names.
    for (now, expect) in [
        (
            Some(vec![name("web", "101"), name("db", "102")]),
            vec![name("db", "102"), name("web", "101")],
        ),
        (
            Some(vec![
                name("web", "101"),
                name("web", "102"),
                name("db", "102"),
            ]),
            vec![name("db", "102")],
        ),
        (None, vec![name("db", "102")]),
    ] {
        let known = now.is_some();
        *names.lock().unwrap() = now;
        world.run("Look.").await;
        if known {
            assert_eq!(next_names(&mut early).await, expect);
        }
        let mut late = world.engine.subscribe_list(world.user);
        assert_eq!(next_names(&mut late).await, expect);
    }
}

async fn next_names(list: &mut agent::Subscription) -> Vec<Name> {
    loop {
        let frame = list.next().await.unwrap().unwrap();
        if let Ok(ServerFrame::Names { names }) = serde_json::from_slice(&frame.into_bytes()) {
            return names;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_text_of_a_thing_goes_with_the_message_like_a_file() {
    let long = format!("{}nightjar", "x".repeat(MAX_TEXT_FILE_BYTES - 4));
    let tools = tools()
        .with_text(guest(), format!("<{long}>"))
        .with_text(gone(), "")
        .hiding(&ListedValues::new(&[("nightjar", "name-1")]));
    let world = World::new(ScriptedModel::by(|_| Script::say("So it is.")), tools);
    let command = start(&world, vec![guest(), gone()]);
    let Command::Start { conversation, .. } = command else {
        return;
    };
    world.command(command).await.unwrap();
    world.watch(conversation).await.turn_end().await;
    let text = shown(&world, 0);
    // Covered as a whole before it is cut: no half of a value is left.
    let bytes = MAX_TEXT_FILE_BYTES + 4;
    let whole = r#"<context source="file">{"kind":"guest","id":"101","bytes":"#;
    assert!(text.contains(&format!(r#"{whole}{bytes},"text":"\u003cxxx"#)));
    assert!(
        text.contains("xxxnam… 4 more bytes left out\"}</context>"),
        "{}",
        &text[text.len() - 900..]
    );
    let late = r#""id":"102","unavailable":"no answer within 5000 ms"}"#;
    assert!(text.contains(late));
    world.ask(conversation, "And now?").await;
    let after = shown(&world, 1);
    assert!(after.starts_with(&text), "sent again byte for byte");
    assert!(!after[text.len()..].contains("source=\"file\""));
}
