//! Commands: once each, by their owner only, with clear refusals.

use std::time::Duration;

use agent::TAKE_BACK;
use futures::StreamExt;
use protocol::{
    Command, ErrorCode, EventBody, MAX_FOLDER_CHARS, MAX_MESSAGE_BYTES, MessageId, Mode, Seq,
    ServerFrame, Shelf, Timestamp, TurnId, TurnOutcome, UserId,
};
use serde_json::json;
use testkit::{Hold, Script, ScriptedModel, ScriptedTools};

use crate::world::{Watch, World};

fn world() -> World {
    let model = ScriptedModel::by(|_| Script::say("Sir."));
    World::new(model, ScriptedTools::new())
}

#[tokio::test(start_paused = true)]
async fn a_command_that_comes_twice_is_carried_out_once() {
    let hold = Hold::new();
    let gate = hold.clone();
    let model = ScriptedModel::by(move |_| Script::new().hold(&gate).text("Sir."));
    let world = World::new(model, ScriptedTools::new());
    let conversation = world.conversation_id();
    let turn = || world.last_turn(conversation);
    let twice = async |command: Command| {
        let id = world.command_id();
        for _ in 0..2 {
            let done = world.engine.command(world.user, id, command.clone());
            done.await.unwrap();
        }
    };
    let text = "Hello".to_owned();
    twice(Command::start(conversation, text.clone())).await;
    let mut watch = world.watch(conversation).await;
    twice(Command::Send {
        conversation,
        text,
        withdraw: false,
        references: Vec::new(),
    })
    .await;
    hold.reached().await;
    twice(Command::Stop {
        conversation,
        turn: turn(),
    })
    .await;
    hold.open();
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Stopped);
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    let names = world.names(conversation);
    let count = |name| names.iter().filter(|n| *n == name).count();
    assert_eq!(count("conversation_started"), 1);
    assert_eq!((count("turn_started"), count("message_queued")), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn bad_commands_change_nothing() {
    let world = world();
    let (conversation, _) = world.run("Hello").await;
    let before = world.journal.events(conversation);
    let turn = TurnId::new(Timestamp(9), 9);
    let message = MessageId::new(Timestamp(9), 9);
    let send = |text: &str| Command::Send {
        conversation,
        text: text.to_owned(),
        withdraw: false,
        references: Vec::new(),
    };
    let start = |mode, conversation| Command::Start {
        conversation,
        mode,
        text: "x".to_owned(),
        from: None,
        plan: None,
        choice: None,
        references: Vec::new(),
        packs: None,
    };
    let nowhere = world.conversation_id();
    let table = [
        (send(""), ErrorCode::MessageEmpty),
        (send(" \n\t"), ErrorCode::MessageEmpty),
        (
            send(&"x".repeat(MAX_MESSAGE_BYTES + 1)),
            ErrorCode::MessageTooLong,
        ),
        (
            Command::Send {
                conversation: nowhere,
                text: "x".to_owned(),
                withdraw: false,
                references: Vec::new(),
            },
            ErrorCode::ConversationNotFound,
        ),
        (
            Command::Stop { conversation, turn },
            ErrorCode::TurnNotFound,
        ),
        (
            Command::Stop {
                conversation,
                turn: world.last_turn(conversation),
            },
            ErrorCode::TurnNotFound,
        ),
        (
            Command::Retry { conversation, turn },
            ErrorCode::TurnNotFound,
        ),
        (
            Command::Retry {
                conversation,
                turn: world.last_turn(conversation),
            },
            ErrorCode::TurnNotFound,
        ),
        (
            Command::Withdraw {
                conversation,
                message,
            },
            ErrorCode::MessageNotQueued,
        ),
        (start(Mode::Default, conversation), ErrorCode::Malformed),
        (start(Mode::Unknown, nowhere), ErrorCode::Malformed),
        (Command::Unknown, ErrorCode::UnknownCommand),
    ];
    for (command, expect) in table {
        let error = world.command(command.clone()).await.unwrap_err();
        assert_eq!(error.code, expect, "{command:?}");
    }
    let stranger = UserId::new(Timestamp(5), 5);
    let id = world.command_id();
    let theirs = world.engine.command(stranger, id, send("x")).await;
    assert_eq!(theirs.unwrap_err().code, ErrorCode::ConversationNotFound);
    let peek = world.engine.subscribe(stranger, conversation, Seq(0)).await;
    assert!(peek.is_err_and(|error| error.code == ErrorCode::ConversationNotFound));
    let delete = world.engine.delete(stranger, conversation).await;
    assert!(delete.is_err_and(|error| error.code == ErrorCode::ConversationNotFound));
    assert_eq!(world.journal.events(conversation), before);
}

#[tokio::test(start_paused = true)]
async fn the_list_follows_and_a_deleted_conversation_is_gone() {
    let world = world();
    let mut list = Watch::new(world.engine.subscribe_list(world.user));
    let mut strangers = world.engine.subscribe_list(UserId::new(Timestamp(5), 5));
    let (conversation, _) = world.run("  How is the\tcluster?\nTell me.").await;
    let mut watch = world.watch(conversation).await;
    world
        .engine
        .rename(world.user, conversation, " New \n name ")
        .await
        .unwrap();
    watch
        .event(|body| matches!(body, EventBody::TitleChanged { title } if title == "New"))
        .await;
    let blank = world.engine.rename(world.user, conversation, " ").await;
    assert_eq!(blank.unwrap_err().code, ErrorCode::Malformed);
    world.engine.delete(world.user, conversation).await.unwrap();
    // For one conversation only the newest line waits.
    let ServerFrame::Conversation { summary } = list.frame().await else {
        panic!("{:?}", list.frames);
    };
    assert_eq!((summary.title.as_str(), summary.running), ("New", false));
    assert_eq!(
        list.frame().await,
        ServerFrame::ConversationRemoved { conversation }
    );
    while !matches!(watch.frame().await, ServerFrame::Unsubscribed { .. }) {}
    assert!(watch.subscription.next().await.is_none());
    let gone = world.send(conversation, "x").await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::ConversationNotFound);
    assert!(futures::poll!(strangers.next()).is_pending());
    assert_eq!(json!(world.journal.events(conversation)), json!([]));
}

#[tokio::test(start_paused = true)]
async fn a_deletion_can_be_taken_back_until_it_is_carried_out() {
    let hold = Hold::new();
    let gate = hold.clone();
    let model = ScriptedModel::by(move |_| Script::new().hold(&gate).text("Sir."));
    let world = World::new(model, ScriptedTools::new());
    let conversation = world.start("Hello").await;
    hold.reached().await;
    let before = world.journal.events(conversation);
    let not_found = |result: Result<(), protocol::ErrorBody>| {
        assert_eq!(result.unwrap_err().code, ErrorCode::ConversationNotFound);
    };
    let stranger = UserId::new(Timestamp(5), 5);
    let mut list = Watch::new(world.engine.subscribe_list(world.user));
    world.engine.delete(world.user, conversation).await.unwrap();
    not_found(world.send(conversation, "x").await);
    not_found(world.engine.restore(stranger, conversation).await);
    let removed = ServerFrame::ConversationRemoved { conversation };
    assert_eq!(list.frame().await, removed);

    // It continues where it was, as after a restart.
    for _ in 0..2 {
        let restored = world.engine.restore(world.user, conversation);
        restored.await.unwrap();
    }
    not_found(world.engine.restore(stranger, conversation).await);
    assert!(world.journal.events(conversation).starts_with(&before));
    hold.open();
    let mut watch = world.watch(conversation).await;
    assert_eq!(watch.turn_end().await.1, TurnOutcome::Answered);
    let line = loop {
        match list.frame().await {
            ServerFrame::Conversation { summary } => break summary,
            // The cards that wait for a second person are sent anew.
            ServerFrame::Seconds { .. } => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(line.id, conversation);

    // A restart keeps deletions that can still be undone, and removes the rest.
    world.engine.delete(world.user, conversation).await.unwrap();
    world.engine.recover().await.unwrap();
    tokio::time::sleep(TAKE_BACK).await;
    let restored = world.engine.restore(world.user, conversation);
    restored.await.unwrap();
    world.engine.delete(world.user, conversation).await.unwrap();
    world
        .env
        .advance(i64::try_from(TAKE_BACK.as_millis()).unwrap());
    tokio::time::sleep(2 * TAKE_BACK).await;
    not_found(world.engine.restore(world.user, conversation).await);
}

#[tokio::test(start_paused = true)]
async fn every_tab_hears_where_a_conversation_stands() {
    let world = world();
    let (conversation, _) = world.run("Hello").await;
    let mut list = Watch::new(world.engine.subscribe_list(world.user));
    let mut line = async || match list.frame().await {
        ServerFrame::Conversation { summary } => (summary.shelf, summary.running),
        other => panic!("{other:?}"),
    };
    let put = |user, shelf| world.engine.shelve(user, conversation, shelf);
    put(world.user, Shelf::Pinned).await.unwrap();
    assert_eq!(line().await, (Shelf::Pinned, false));
    // Also when nobody works on it.
    tokio::time::sleep(Duration::from_secs(24 * 3600)).await;
    put(world.user, Shelf::Archived).await.unwrap();
    assert_eq!(line().await, (Shelf::Archived, false));
    world.ask(conversation, "And now?").await;
    assert_eq!(line().await, (Shelf::Listed, false));
    let stranger = UserId::new(Timestamp(5), 5);
    let theirs = put(stranger, Shelf::Pinned).await.unwrap_err();
    assert_eq!(theirs.code, ErrorCode::ConversationNotFound);
    let nowhere = put(world.user, Shelf::Unknown).await.unwrap_err();
    assert_eq!(nowhere.code, ErrorCode::Malformed);
}

#[tokio::test(start_paused = true)]
async fn a_folder_has_a_short_name_on_one_line() {
    let world = world();
    let (conversation, _) = world.run("Hello").await;
    let mut list = Watch::new(world.engine.subscribe_list(world.user));
    let mut folder = async || match list.frame().await {
        ServerFrame::Conversation { summary } => summary.folder,
        other => panic!("{other:?}"),
    };
    let put = |user, name| world.engine.put_in_folder(user, conversation, name);
    put(world.user, Some(" \n Back\tups  here\nand there"))
        .await
        .unwrap();
    assert_eq!(folder().await.as_deref(), Some("Back ups here"));
    let long = "x".repeat(4_000);
    put(world.user, Some(&long)).await.unwrap();
    let kept = folder().await.unwrap();
    assert_eq!(kept.chars().count(), MAX_FOLDER_CHARS);
    put(world.user, None).await.unwrap();
    assert_eq!(folder().await, None);
    let blank = put(world.user, Some(" \n ")).await.unwrap_err();
    assert_eq!(blank.code, ErrorCode::Malformed);
    let stranger = UserId::new(Timestamp(5), 5);
    let theirs = put(stranger, Some("Mine")).await.unwrap_err();
    assert_eq!(theirs.code, ErrorCode::ConversationNotFound);
}

#[tokio::test(start_paused = true)]
async fn plan_mode_has_no_tools_at_all() {
    let tools = ScriptedTools::new().with(testkit::spec(
        "look",
        protocol::Tier::Green,
        agent::ports::Recovery::Pure,
    ));
    let model = ScriptedModel::in_order(vec![
        Script::new().call("a", "look", json!({})),
        Script::say("Sir."),
    ]);
    let world = World::new(model, tools);
    let conversation = world.conversation_id();
    let start = Command::Start {
        conversation,
        mode: Mode::Plan,
        text: "Think".to_owned(),
        from: None,
        plan: None,
        choice: None,
        references: Vec::new(),
        packs: None,
    };
    world.command(start).await.unwrap();
    world.watch(conversation).await.turn_end().await;
    let requests = world.model.requests();
    assert!(requests.iter().all(|request| request.tools.is_none()));
    assert!(requests[0].system.contains("plan mode"));
    let names = world.names(conversation);
    assert!(names.contains(&"tool_blocked".to_owned()), "{names:?}");
    assert!(!names.contains(&"tool_started".to_owned()), "{names:?}");
}
