//! Values that a toolset hides from the model: no request has one, and one that would is not sent.

use std::sync::Arc;

use agent::ports::{ContextPart, Files, ModelErrorKind, Recovery, StoredFile, ToolError};
use protocol::{
    Command, Decision, ErrorBody, ErrorCode, EventBody, Mode, Reference, Tier, Timestamp,
    ToolOutcome, ToolOutput, TurnOutcome,
};
use serde_json::{Value, json};
use testkit::{Hold, ListedValues, Script, ScriptedModel, ScriptedTools, TargetState, spec};

use crate::{
    confirm::{code, question},
    files::png,
    world::{World, flat},
};

const SMALL: &str = "small";

/// Hidden values: a plain one, one that JSON escapes, one with a character that nobody sees, and an
/// address.
const VALUES: [(&str, &str); 4] = [
    ("nightjar", "name-1"),
    ("Anna's \"den\"", "name-2"),
    ("sea\u{200b}horse", "name-3"),
    ("10.9.8.7", "ip-1"),
];

/// A part of each that it has in every encoding.
const NEEDLES: [&str; 4] = ["nightjar", "Anna", "horse", "10.9.8.7"];

fn everything() -> String {
    VALUES.map(|(value, _)| value).join(", then ")
}

fn hidden() -> String {
    VALUES.map(|(_, token)| token).join(", then ")
}

fn output(data: Value) -> ToolOutput {
    ToolOutput {
        summary: everything(),
        data,
        images: Vec::new(),
    }
}

fn error(code: ErrorCode) -> ToolError {
    ToolError(ErrorBody::new(code, everything()).with_help(everything()))
}

fn tools(listed: &ListedValues, state: &TargetState) -> ScriptedTools {
    let green = spec("green", Tier::Green, Recovery::Pure);
    let broken = spec("broken", Tier::Green, Recovery::Pure);
    let lost = spec("lost", Tier::Yellow, Recovery::Unsafe);
    ScriptedTools::new()
        .hiding(listed)
        .with_state(state)
        .with(spec("red", Tier::Red, Recovery::Unsafe))
        .with_body(green, async |_, _| {
            let all = everything();
            Ok(output(json!({ all.clone(): [all] })))
        })
        .with_body(broken, async |_, _| Err(error(ErrorCode::ToolFailed)))
        .with_body(lost, async |_, _| Err(error(ErrorCode::ToolOutcomeUnknown)))
        .with_thing(
            Reference::new("guest", "101"),
            Ok(json!({ "name": everything() })),
        )
        .with_thing(Reference::new("guest", "102"), Err(everything()))
        .with_context(async || {
            let part = |data| ContextPart {
                source: "cluster",
                data,
            };
            vec![
                part(Ok(json!({ everything(): [everything()] }))),
                part(Err(everything())),
            ]
        })
}

/// The model of conversations answers with these, and that of titles with a title.
fn model(scripts: Vec<Script>) -> ScriptedModel {
    let left = std::sync::Mutex::new(scripts.into_iter());
    ScriptedModel::by(move |request| match &*request.model {
        SMALL => Script::say("A title"),
        _ => left.lock().unwrap().next().expect("no more answers"),
    })
}

fn world(scripts: Vec<Script>, tools: ScriptedTools) -> World {
    World::with(model(scripts), tools, |config| {
        config.title_model = Some(SMALL.to_owned());
    })
}

/// All bytes of each request.
fn requests(world: &World) -> Vec<String> {
    let requests = world.model.requests();
    let bytes = requests.iter().map(|request| {
        let tools = request.tools.as_ref().map_or("", |tools| tools.get());
        let blocks = flat(request).into_iter().map(|(_, block)| block);
        format!("{}{tools}{}", request.system, blocks.collect::<String>())
    });
    bytes.collect()
}

fn show_no_value(world: &World) {
    for request in requests(world) {
        for needle in NEEDLES {
            assert!(!request.contains(needle), "{needle} in {request}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_hidden_value_is_in_any_byte_of_any_request() {
    let (listed, state, hold) = (
        ListedValues::new(&VALUES),
        TargetState::default(),
        Hold::new(),
    );
    state.fail(&everything());
    let world = world(
        vec![
            Script::new()
                .call("a", "green", json!({}))
                .call("b", "broken", json!({}))
                .call("c", "red", json!({})),
            Script::new().fail(ModelErrorKind::Overloaded, false),
            Script::new().call("d", "red", json!({})),
            Script::new().call("e", "lost", json!({})),
            Script::say(&everything()),
            Script::new().hold(&hold).call("f", "green", json!({})),
            Script::say("Read."),
            Script::say("Waited."),
            Script::say("Otherwise."),
        ],
        tools(&listed, &state),
    );
    let planted = format!("{}, planted: name-1", everything());
    let file = StoredFile::new(planted.into_bytes()).unwrap();
    let mut named = file.reference("a name");
    // As a page sends it.
    if let Some(note) = &mut named.file {
        note.name = everything();
    }
    let kept = world.journal.keep_file(world.user, file, Timestamp(0));
    kept.await.unwrap();
    let conversation = world.conversation_id();
    let things = ["101", "102"].map(|id| Reference::new("guest", id));
    let start = Command::Start {
        conversation,
        mode: Mode::Default,
        text: everything(),
        from: None,
        plan: None,
        choice: None,
        references: things.into_iter().chain([named]).collect(),
        packs: None,
    };
    world.command(start).await.unwrap();
    let mut watch = world.watch(conversation).await;
    let (turn, outcome) = watch.turn_end().await;
    let TurnOutcome::Failed { error } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.code, ErrorCode::ModelOverloaded);

    state.set(json!({ "state": "running" }));
    world
        .command(Command::Retry { conversation, turn })
        .await
        .unwrap();
    let (call, asked) = question(&mut watch).await;
    let deny = Decision::Deny {
        comment: Some(everything()),
    };
    world
        .decide(conversation, call, &asked.digest, deny)
        .await
        .unwrap();
    let (_, outcome) = watch.turn_end().await;
    assert_eq!(outcome, TurnOutcome::Answered);
    watch
        .event(|body| matches!(body, EventBody::TitleWritten { .. }))
        .await;

    world.send(conversation, &everything()).await.unwrap();
    hold.reached().await;
    let steer = Command::Steer {
        conversation,
        text: everything(),
        references: Vec::new(),
    };
    world.command(steer).await.unwrap();
    world.send(conversation, &everything()).await.unwrap();
    hold.open();
    watch.turn_end().await;
    watch.turn_end().await;

    let events = world.journal.events(conversation);
    let first = events.iter().find_map(|event| match &event.body {
        EventBody::TurnStarted { message, text, .. } => Some((*message, text.clone())),
        _ => None,
    });
    let (message, typed) = first.unwrap();
    let branch = world.conversation_id();
    let left = world
        .engine
        .left_behind(world.user, conversation, message)
        .await;
    let command = Command::Branch {
        conversation: branch,
        from: conversation,
        message,
        text: Some(everything()),
        known: left.unwrap().iter().map(|effect| effect.call).collect(),
    };
    world.command(command).await.unwrap();
    world.watch(branch).await.turn_end().await;
    show_no_value(&world);

    // The tokens are there in their place, and what was sent once is sent again.
    let all = requests(&world);
    assert_eq!(all.len(), 10, "nine answers and a title");
    // A token that comes from outside is none.
    assert!(all[0].contains("planted: name~1"), "{}", all[0]);
    assert!(
        all[0].contains(&hidden()) && all[9].contains(&hidden()),
        "{}",
        all[0]
    );
    let of = |n: usize| flat(&world.model.requests()[n]);
    assert_eq!(of(0)[..], of(1)[..of(0).len()]);
    // The person reads what they typed; results have the tokens.
    assert_eq!(typed, everything());
    for event in &events {
        if let EventBody::ToolFinished { outcome, .. } = &event.body {
            let shown = serde_json::to_string(outcome).unwrap();
            assert!(
                shown.contains("name-1") && !shown.contains("nightjar"),
                "{shown}"
            );
        }
    }
    let scopes = listed.scopes();
    assert!(scopes.iter().all(|scope| scope.person == world.user));
    assert!(scopes.iter().any(|scope| scope.conversation == branch));
    assert_eq!(scopes[0].about.len(), 3);

    // Another server, with what the journal has.
    let again = World::on(
        world.journal.clone(),
        world.env.clone(),
        Arc::new(ScriptedModel::by(|_| Script::say("Again."))),
        tools(&listed, &state),
        |_| {},
    );
    again.ask(conversation, &everything()).await;
    show_no_value(&again);
    assert!(requests(&again)[0].contains(&hidden()));
}

#[tokio::test(start_paused = true)]
async fn a_value_that_got_past_the_cover_stops_the_turn_and_nothing_is_sent() {
    for data in [
        json!("a magpie"),
        json!({ "magpie": 1 }),
        json!(json!({ "a": [json!({ "name": "Anna's \"den\"" }).to_string()] }).to_string()),
    ] {
        let listed = ListedValues::new(&[]);
        listed.watch("magpie", "name-7");
        listed.watch("Anna's \"den\"", "name-7");
        let green = spec("green", Tier::Green, Recovery::Pure);
        let tools = ScriptedTools::new()
            .hiding(&listed)
            .with_body(green, move |_, _| {
                let data = data.clone();
                async move {
                    Ok(ToolOutput {
                        summary: String::new(),
                        data,
                        images: Vec::new(),
                    })
                }
            });
        let world = world(vec![Script::new().call("a", "green", json!({}))], tools);
        let (conversation, outcome) = world.run("Look.").await;
        let TurnOutcome::Failed { error } = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(error.code, ErrorCode::RequestWithheld);
        assert!(error.message.contains("listed value, name-7"), "{error}");
        let audited = json!({ "leak": { "class": "listed value", "token": "name-7" } });
        let audits = world.journal.audits();
        assert_eq!(audits.last().unwrap()["withheld"], audited);

        let head = world.journal.events(conversation).last().unwrap().seq;
        let turn = world.last_turn(conversation);
        world
            .command(Command::Retry { conversation, turn })
            .await
            .unwrap();
        let mut watch = crate::world::Watch::new(world.subscribe(conversation, head).await);
        let (_, outcome) = watch.turn_end().await;
        assert!(matches!(outcome, TurnOutcome::Failed { .. }), "{outcome:?}");
        assert_eq!(world.model.requests().len(), 1);
    }
}

/// Somebody names a network after a word that the conversation has used.
#[tokio::test(start_paused = true)]
async fn a_value_that_becomes_known_later_is_covered_anew_and_the_conversation_goes_on() {
    let listed = ListedValues::new(&[]);
    let green = spec("green", Tier::Green, Recovery::Pure);
    let tools = ScriptedTools::new()
        .hiding(&listed)
        .with_body(green, async |_, _| {
            Ok(ToolOutput {
                summary: String::new(),
                data: json!({ "text": "4 magpies, 1 magpie", "magpie": { "magpie": 1 } }),
                images: Vec::new(),
            })
        });
    let scripts = vec![
        Script::new().call("a", "green", json!({})),
        Script::say("One magpie."),
        Script::say("Still there."),
        Script::say("Gone."),
    ];
    let world = world(scripts, tools);
    let (conversation, outcome) = world.run("Look for a magpie.").await;
    assert_eq!(outcome, TurnOutcome::Answered);
    listed.learn("magpie", "name-7");
    for question in ["And now?", "And the magpie now?"] {
        world.ask(conversation, question).await;
        let requests = requests(&world);
        let last = requests.last().unwrap();
        assert!(!last.contains("magpie"), "{last}");
        assert!(last.contains("Look for a name-7."), "{last}");
        assert!(last.contains("One name-7."), "{last}");
        assert!(last.contains("4 name-7s, 1 name-7"), "{last}");
    }
    let events = world.journal.events(conversation);
    let answered = |outcome: &TurnOutcome| *outcome == TurnOutcome::Answered;
    let turns = events.iter().filter(
        |event| matches!(&event.body, EventBody::TurnFinished { outcome, .. } if answered(outcome)),
    );
    assert_eq!(turns.count(), 3);
}

/// No cover replaces the server's own words, so a redaction knows them; a persona's are a person's.
#[test]
fn a_redaction_is_told_the_words_of_the_server_itself() {
    let listed = ListedValues::new(&[]);
    let green = spec("green", Tier::Green, Recovery::Pure);
    let tools = ScriptedTools::new().hiding(&listed).with(green);
    let _world = World::with(
        ScriptedModel::by(|_| Script::say("Yes.")),
        tools,
        |config| {
            config.persona.manner = Some("Speak of the magpie.".to_owned());
        },
    );
    let fixed = listed.fixed();
    for own in [
        "You are J.A.R.V.I.S.",
        "plan mode",
        "input_schema",
        "green",
        "tool_use_id",
    ] {
        assert!(fixed.contains(own), "{own} in {fixed}");
    }
    assert!(!fixed.contains("magpie"), "{fixed}");
}

#[tokio::test(start_paused = true)]
async fn a_title_is_not_asked_for_with_a_hidden_value() {
    let listed = ListedValues::new(&[]);
    listed.watch("magpie", "name-7");
    let tools = ScriptedTools::new().hiding(&listed);
    let world = world(vec![Script::say("It is a magpie.")], tools);
    let conversation = world.start("Look.").await;
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    let event = watch
        .event(|body| matches!(body, EventBody::TitleWritten { .. }))
        .await;
    assert!(
        matches!(event.body, EventBody::TitleWritten { title: None, .. }),
        "{event:?}"
    );
    assert_eq!(world.model.requests().len(), 1);
    let audits = world.journal.audits();
    assert_eq!(
        audits.last().unwrap()["withheld"]["leak"]["token"],
        "name-7"
    );
}

#[tokio::test(start_paused = true)]
async fn images_have_no_place_where_values_are_hidden() {
    let listed = ListedValues::new(&VALUES);
    let green = spec("green", Tier::Green, Recovery::Pure);
    let tools = ScriptedTools::new()
        .hiding(&listed)
        .with_body(green, async |_, progress| {
            progress.image("disk", png(1));
            Ok(output(json!({})))
        });
    let scripts = vec![
        Script::new().call("a", "green", json!({})),
        Script::say("Seen."),
    ];
    let world = world(scripts, tools);
    let (conversation, outcome) = world.run("Look.").await;
    assert_eq!(outcome, TurnOutcome::Answered);
    let request = &requests(&world)[1];
    assert!(
        request.contains("image_left_out") && !request.contains("base64"),
        "{request}"
    );
    let file = StoredFile::new(png(2)).unwrap();
    let image = file.reference("scan");
    let kept = world.journal.keep_file(world.user, file, Timestamp(0));
    kept.await.unwrap();
    let send = Command::Send {
        conversation,
        text: "And this?".to_owned(),
        withdraw: false,
        references: vec![image],
    };
    assert_eq!(code(world.command(send).await), ErrorCode::FileRefused);
}

#[tokio::test(start_paused = true)]
async fn without_its_redaction_a_conversation_takes_and_sends_nothing() {
    let listed = ListedValues::new(&VALUES);
    let breaking = listed.clone();
    let green = spec("green", Tier::Green, Recovery::Pure);
    let tools = ScriptedTools::new()
        .hiding(&listed)
        .with_body(green, move |_, _| {
            breaking.fail(true);
            let mended = breaking.clone();
            tokio::spawn(async move {
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                mended.fail(false);
            });
            async { Ok(output(json!(everything()))) }
        });
    let scripts = vec![
        Script::new().call("a", "green", json!({})),
        Script::say("Seen."),
    ];
    let world = world(scripts, tools);
    listed.fail(true);
    let start = Command::start(world.conversation_id(), everything());
    assert_eq!(code(world.command(start).await), ErrorCode::StorageFailed);
    listed.fail(false);

    let (conversation, outcome) = world.run("Look.").await;
    assert_eq!(outcome, TurnOutcome::Answered);
    let events = world.journal.events(conversation);
    let result = events.iter().find_map(|event| match &event.body {
        EventBody::ToolFinished {
            outcome: ToolOutcome::Succeeded { output },
            ..
        } => Some(output.data.clone()),
        _ => None,
    });
    let withheld = result.unwrap()["withheld"].to_string();
    assert!(withheld.starts_with("\"Withheld"), "{withheld}");
    show_no_value(&world);
}
