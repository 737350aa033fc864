//! Writes a long conversation into a database, like the engine does.

use std::{path::Path, sync::Arc};

use agent::{
    Deps, Engine, EngineConfig,
    ports::{Env, RequestRole},
};
use anyhow::{Context, Result, ensure};
use futures::StreamExt;
use protocol::{
    Command, CommandId, ConversationId, EventBody, Seq, ServerFrame, Timestamp, UserId,
};
use store::Store;
use testkit::{FixedEnv, Script, ScriptedModel};

use crate::domains::{ANSWER, QUESTION};

/// Writes a conversation of `messages` messages, half of them questions, into the database of a
/// folder where no server runs.
pub(crate) async fn fill(data: &Path, messages: usize) -> Result<ConversationId> {
    let store = Store::open(data).await?;
    let env: Arc<dyn Env> = Arc::new(FixedEnv::default());
    let now = env.now();
    let user = store
        .first_user(UserId::new(now, rand::random()), "Operator", now)
        .await?
        .id;
    let deps = Deps {
        journal: Arc::new(store.clone()),
        model: Arc::new(ScriptedModel::by(|request| {
            let seen = request.messages.iter();
            let before = seen.filter(|message| message.role == RequestRole::Assistant);
            Script::say(&format!("{ANSWER}\nAnswer after {}.", before.count()))
        })),
        toolsets: Vec::new(),
        env,
    };
    let engine = Engine::new(deps, EngineConfig::new("rehearsal-1"))?;
    let conversation = ConversationId::new(now, rand::random());
    for turn in 0..messages / 2 {
        let text = format!("{QUESTION} This is question {turn}.");
        let command = if turn == 0 {
            Command::start(conversation, text)
        } else {
            Command::Send {
                conversation,
                text,
                withdraw: false,
                references: Vec::new(),
            }
        };
        // Four events a turn, after the one that starts the conversation.
        let after = Seq(if turn == 0 { 0 } else { 1 + 4 * turn as u64 });
        let id = CommandId::new(Timestamp(0), rand::random());
        answered(&engine, user, conversation, id, command, after).await?;
    }
    engine.shutdown().await;
    store.close().await?;
    Ok(conversation)
}

/// Carries out a command and waits for the end of the turn that it begins.
pub(crate) async fn answered(
    engine: &Engine,
    user: UserId,
    conversation: ConversationId,
    id: CommandId,
    command: Command,
    after: Seq,
) -> Result<()> {
    Box::pin(engine.command(user, id, command)).await?;
    let mut frames = Box::pin(engine.subscribe(user, conversation, after)).await?;
    while let Some(frame) = frames.next().await {
        let frame: ServerFrame = serde_json::from_slice(frame?.as_bytes())?;
        let ServerFrame::Events { events, .. } = frame else {
            continue;
        };
        for event in events {
            ensure!(event.seq > after, "an event that was not asked for");
            if let EventBody::TurnFinished { .. } = event.body {
                return Ok(());
            }
        }
    }
    None.context("the conversation ended before its turn")
}
