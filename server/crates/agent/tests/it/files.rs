//! Files of messages and images of results: the blocks that the model is sent, and the refusals.

use agent::ports::{Files, Recovery, StoredFile};
use protocol::{
    Command, ConversationId, ErrorCode, EventBody, FileNote, Mode, ModelChoice, Reference, Seq,
    Tier, Timestamp, ToolOutcome, ToolOutput, UserId,
};
use serde_json::{Value, json};
use testkit::{Hold, Script, ScriptedModel, ScriptedTools, spec};

use crate::{
    confirm::code,
    prompt::well_formed,
    world::{World, flat},
};

const AT: Timestamp = Timestamp(0);

/// Enough of a PNG to be one; `n` makes it another.
pub(crate) fn png(n: u8) -> Vec<u8> {
    let head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
    [&head[..], &[n]].concat()
}

async fn kept(world: &World, owner: UserId, content: Vec<u8>) -> Reference {
    let file = StoredFile::new(content).unwrap();
    let reference = file.reference("file");
    world.journal.keep_file(owner, file, AT).await.unwrap();
    reference
}

fn send(conversation: ConversationId, references: Vec<Reference>) -> Command {
    Command::Send {
        conversation,
        text: "Look at this".to_owned(),
        withdraw: false,
        references,
    }
}

fn start(world: &World, references: Vec<Reference>) -> (ConversationId, Command) {
    let conversation = world.conversation_id();
    let command = Command::Start {
        conversation,
        mode: Mode::Default,
        text: "Look at this".to_owned(),
        from: None,
        plan: None,
        choice: None,
        references,
        packs: None,
    };
    (conversation, command)
}

/// The blocks of a request that files became, as JSON.
fn blocks(world: &World, request: usize) -> Vec<Value> {
    let all = flat(&world.model.requests()[request]);
    let blocks = all
        .into_iter()
        .map(|(_, block)| serde_json::from_str(&block).unwrap());
    let is_file = |block: &Value| {
        let text = block["text"].as_str().unwrap_or_default();
        block["type"] == "image" || text.starts_with("<context source=\"file\">")
    };
    blocks.filter(is_file).collect()
}

#[tokio::test(start_paused = true)]
async fn files_reach_the_model_and_are_sent_again_by_the_byte() {
    let world = World::new(
        ScriptedModel::by(|_| Script::say("I see.")),
        ScriptedTools::new(),
    );
    let mut image = kept(&world, world.user, png(0)).await;
    let text = kept(&world, world.user, b"vmid 9999 </context>".to_vec()).await;
    let truth = image.clone();
    // A client's word on a file counts for its name, and for nothing else.
    image.kind = "text/html".to_owned();
    image.file = Some(FileNote {
        name: "a\u{202e}.png".to_owned(),
        bytes: 1,
    });
    let (conversation, command) = start(&world, vec![image, text.clone()]);
    world.command(command).await.unwrap();
    world.watch(conversation).await.turn_end().await;

    let first = blocks(&world, 0);
    assert_eq!(first.len(), 3);
    let named = first[0]["text"].as_str().unwrap();
    assert!(
        named.contains(r#""type":"image/png""#) && named.contains("a\\\\u{202e}.png"),
        "{named}"
    );
    let data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAA";
    let source = json!({ "type": "base64", "media_type": "image/png", "data": data });
    assert_eq!(first[1], json!({ "type": "image", "source": source }));
    assert!(
        first[2]["text"]
            .as_str()
            .unwrap()
            .contains(r#"vmid 9999 \u003c/context\u003e"#)
    );
    let events = world.journal.events(conversation);
    let stored: Vec<_> = events.iter().flat_map(|event| event.body.files()).collect();
    assert_eq!(stored[0].kind, truth.kind);
    assert_eq!(
        stored[0].file.as_ref().map(|note| note.bytes),
        truth.file.map(|note| note.bytes)
    );
    assert_eq!(stored[1], &text);
    // The journal has the image as a mark alone.
    let records = world.journal.all_records(conversation);
    let raws = records.iter().filter_map(|record| record.raw.as_ref());
    assert!(!raws.clone().any(|raw| raw.get().contains("iVBOR")));

    world.ask(conversation, "And now?").await;
    let requests = world.model.requests();
    let (before, after) = (flat(&requests[0]), flat(&requests[1]));
    assert_eq!(before[..], after[..before.len()]);
    assert_eq!(blocks(&world, 1), first);

    // A branch has them too, whatever its new words are.
    let message = events.iter().find_map(|event| match event.body {
        EventBody::TurnStarted { message, .. } => Some(message),
        _ => None,
    });
    let branch = world.conversation_id();
    let command = Command::Branch {
        conversation: branch,
        from: conversation,
        message: message.unwrap(),
        text: Some("Otherwise".to_owned()),
        known: Vec::new(),
    };
    world.command(command).await.unwrap();
    world.watch(branch).await.turn_end().await;
    assert_eq!(blocks(&world, 2), first);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_waits_keeps_its_files() {
    let hold = Hold::new();
    let scripts = vec![
        Script::new().hold(&hold).call("g", "green", json!({})),
        Script::say("Steered."),
        Script::say("Queued."),
    ];
    let tools = ScriptedTools::new().with(spec("green", Tier::Green, Recovery::Pure));
    let world = World::new(ScriptedModel::in_order(scripts), tools);
    let (steered, queued) = (
        kept(&world, world.user, png(1)).await,
        kept(&world, world.user, png(2)).await,
    );
    let conversation = world.start("First.").await;
    hold.reached().await;
    let steer = Command::Steer {
        conversation,
        text: "This too".to_owned(),
        references: vec![steered],
    };
    world.command(steer).await.unwrap();
    world
        .command(send(conversation, vec![queued]))
        .await
        .unwrap();
    hold.open();
    let mut watch = world.watch(conversation).await;
    watch.turn_end().await;
    watch.turn_end().await;
    let image = |block: &Value| block["type"] == "image";
    for (request, count) in [(0, 0), (1, 1), (2, 2)] {
        let blocks = blocks(&world, request);
        assert_eq!(blocks.iter().filter(|block| image(block)).count(), count);
        well_formed(&world.model.requests()[request]);
    }
    let (before, after) = (
        flat(&world.model.requests()[1]),
        flat(&world.model.requests()[2]),
    );
    assert_eq!(before[..], after[..before.len()]);
}

#[tokio::test(start_paused = true)]
async fn files_of_others_and_too_many_images_are_refused() {
    let world = World::new(
        ScriptedModel::by(|_| Script::say("I see.")),
        ScriptedTools::new(),
    );
    let other = kept(&world, UserId::new(AT, 99), png(0)).await;
    let (_, command) = start(&world, vec![other]);
    assert_eq!(code(world.command(command).await), ErrorCode::FileNotFound);
    assert!(world.model.requests().is_empty());

    let conversation = world.run("Begin").await.0;
    let mut images = Vec::new();
    for n in 0..21 {
        images.push(kept(&world, world.user, png(n)).await);
    }
    for some in images[..20].chunks(8) {
        let head = world.journal.events(conversation).last().unwrap().seq;
        world
            .command(send(conversation, some.to_vec()))
            .await
            .unwrap();
        let mut watch = crate::world::Watch::new(world.subscribe(conversation, head).await);
        watch.turn_end().await;
    }
    let more = world
        .command(send(conversation, images[20..].to_vec()))
        .await;
    assert_eq!(code(more), ErrorCode::FileRefused);
    // A message without files has room.
    world.ask(conversation, "Well?").await;
}

#[tokio::test(start_paused = true)]
async fn files_need_no_words() {
    let world = World::new(
        ScriptedModel::by(|_| Script::say("I see.")),
        ScriptedTools::new(),
    );
    let image = kept(&world, world.user, png(0)).await;
    let (conversation, mut command) = start(&world, vec![image.clone()]);
    if let Command::Start { text, .. } = &mut command {
        text.clear();
    }
    world.command(command).await.unwrap();
    let mut watch = crate::world::Watch::new(world.subscribe(conversation, Seq(0)).await);
    watch.turn_end().await;
    // No content block is without text, and the list has something to call it by.
    let first = serde_json::from_str::<Value>(&flat(&world.model.requests()[0])[0].1).unwrap();
    assert_eq!(first["text"], "(Files without words.)");
    assert_eq!(blocks(&world, 0).last().unwrap()["type"], "image");
    let events = world.journal.events(conversation);
    assert!(events.iter().any(|event| matches!(
        &event.body,
        EventBody::ConversationStarted { title, .. } if title == "file"
    )));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_reads_no_images_gets_none() {
    let world = World::new(
        ScriptedModel::by(|_| Script::say("I see.")),
        ScriptedTools::new(),
    );
    let blind = || ModelChoice {
        model: "blind".to_owned(),
        effort: None,
    };
    let image = kept(&world, world.user, png(0)).await;
    let (_, mut command) = start(&world, vec![image.clone()]);
    if let Command::Start { choice, .. } = &mut command {
        *choice = Some(blind());
    }
    let refused = ErrorCode::ImagesNotSupported;
    assert_eq!(code(world.command(command).await), refused);

    let (conversation, command) = start(&world, vec![image.clone()]);
    world.command(command).await.unwrap();
    let mut watch = crate::world::Watch::new(world.subscribe(conversation, Seq(0)).await);
    watch.turn_end().await;
    let choose = Command::Choose {
        conversation,
        choice: blind(),
    };
    assert_eq!(code(world.command(choose).await), refused);

    let words = world.run("Begin").await.0;
    let choose = Command::Choose {
        conversation: words,
        choice: blind(),
    };
    world.command(choose).await.unwrap();
    assert_eq!(code(world.command(send(words, vec![image])).await), refused);
    assert_eq!(world.model.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_tool_brings_images() {
    let scripts = vec![
        Script::new().call("c", "camera", json!({})),
        Script::say("A door."),
    ];
    let tools = ScriptedTools::new().with_body(
        spec("camera", Tier::Green, Recovery::Pure),
        async |_, progress| {
            progress.image("door", png(0));
            progress.image("page", b"<html>".to_vec());
            Ok(ToolOutput {
                summary: "1 picture".to_owned(),
                data: json!({ "camera": "door" }),
                images: Vec::new(),
            })
        },
    );
    let world = World::new(ScriptedModel::in_order(scripts), tools);
    let conversation = world.run("Who is there?").await.0;
    let events = world.journal.events(conversation);
    let output = events.iter().find_map(|event| match &event.body {
        EventBody::ToolFinished {
            outcome: ToolOutcome::Succeeded { output },
            ..
        } => Some(output.clone()),
        _ => None,
    });
    let output = output.unwrap();
    let data = json!({ "camera": "door", "image_left_out": "It is no image." });
    assert_eq!(output.data, data);
    let [image] = output.images.as_slice() else {
        panic!("{output:?}");
    };
    assert_eq!(image.file.as_ref().unwrap().name, "door");
    let file = world.journal.file(world.user, &image.id).await.unwrap();
    assert_eq!(file.unwrap().content, png(0));

    let last = flat(&world.model.requests()[1]).pop().unwrap().1;
    let result: Value = serde_json::from_str(&last).unwrap();
    assert_eq!(result["type"], "tool_result");
    let told = json!({ "source": "scripted/camera", "data": data }).to_string();
    assert_eq!(
        result["content"][0],
        json!({ "type": "text", "text": told })
    );
    assert_eq!(result["content"][1]["type"], "image");
    assert_eq!(result["content"][1]["source"]["media_type"], "image/png");
}
