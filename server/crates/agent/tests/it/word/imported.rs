//! An imported conversation: nobody knows whose words it has.

use std::sync::Arc;

use protocol::{Command, ErrorCode, EventBody, MessageId, Mode};
use serde_json::json;
use testkit::{Script, ScriptedModel};

use super::{
    Case,
    play::{Brought, tools},
};
use crate::world::World;

/// True if an imported conversation is closed, and none continues from it.
pub(super) async fn is_closed(case: &Case<'_>, text: &str) -> bool {
    let model = ScriptedModel::in_order(vec![Script::say(text)]);
    let world = World::new(model, tools(case, &Brought::default()));
    let conversation = world.run(text).await.0;
    let events = world.journal.events(conversation);
    world.engine.shutdown().await;
    world.journal.close(conversation);
    let input = json!({ "service": case.value });
    let attack = Script::new().call("x", case.tool, input);
    let model = Arc::new(ScriptedModel::by(move |_| attack.clone()));
    let (journal, env) = (world.journal.clone(), world.env.clone());
    let brought = Brought::default();
    let world = World::on(journal, env, model, tools(case, &brought), |_| {});
    let find = |of: &dyn Fn(&EventBody) -> Option<MessageId>| {
        events.iter().find_map(|event| of(&event.body)).unwrap()
    };
    let message = find(&|body| match body {
        EventBody::TurnStarted { message, .. } => Some(*message),
        _ => None,
    });
    let answer = find(&|body| match body {
        EventBody::AssistantMessage { message, .. } => Some(*message),
        _ => None,
    });
    let start = |plan| Command::Start {
        conversation: world.conversation_id(),
        mode: Mode::Default,
        text: "Go on".to_owned(),
        from: Some(conversation),
        plan,
        choice: None,
        references: Vec::new(),
        packs: None,
    };
    let branch = |text| Command::Branch {
        conversation: world.conversation_id(),
        from: conversation,
        message,
        text,
        known: Vec::new(),
    };
    let commands = [
        start(None),
        start(Some(answer)),
        branch(None),
        branch(Some("Go on".to_owned())),
        Command::Send {
            conversation,
            text: "Go on".to_owned(),
            withdraw: false,
            references: Vec::new(),
        },
        Command::Steer {
            conversation,
            text: "Go on".to_owned(),
            references: Vec::new(),
        },
    ];
    let mut closed = world.journal.events(conversation) == events;
    for command in commands {
        let result = world.command(command).await;
        closed &= result.is_err_and(|error| error.code == ErrorCode::ConversationClosed);
    }
    closed && world.journal.events(conversation) == events
}
