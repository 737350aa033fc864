//! The agent as the server sees it: commands in, frames out.

use std::sync::Arc;

use protocol::{Command, CommandId, ConversationId, ErrorBody, ErrorCode, Seq, UserId};

use crate::{
    config::EngineConfig,
    hub::Subscription,
    ports::{Env, Journal, JournalError, Model, Toolset},
};

/// What the agent needs from the outside world.
#[derive(Clone)]
pub struct Deps {
    pub journal: Arc<dyn Journal>,
    pub model: Arc<dyn Model>,
    pub toolsets: Vec<Arc<dyn Toolset>>,
    pub env: Arc<dyn Env>,
}

/// Why an engine cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A toolset breaks a rule of [`crate::ports::ToolSpec`].
    #[error("tool {tool}: {reason}")]
    Tool { tool: String, reason: String },
}

/// The agent. Clones are the same agent.
#[derive(Clone)]
pub struct Engine {
    _deps: Deps,
}

impl Engine {
    /// An agent at rest; [`Engine::recover`] lets it go on with what a former one left.
    ///
    /// # Errors
    /// A tool whose definition cannot be used.
    pub fn new(deps: Deps, config: EngineConfig) -> Result<Self, SetupError> {
        let _ = config;
        Ok(Self { _deps: deps })
    }

    /// Carries a person's command out. A command that was carried out before is `Ok` again.
    /// `Ok` means that it stands in the journal.
    ///
    /// # Errors
    /// What to tell the person; nothing has changed.
    pub async fn command(
        &self,
        user: UserId,
        id: CommandId,
        command: Command,
    ) -> Result<(), ErrorBody> {
        let _ = (user, id, command);
        Err(ErrorBody::new(ErrorCode::ShuttingDown, "not yet"))
    }

    /// Gives a conversation another title.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn rename(
        &self,
        user: UserId,
        conversation: ConversationId,
        title: &str,
    ) -> Result<(), ErrorBody> {
        let _ = (user, conversation, title);
        Err(ErrorBody::new(ErrorCode::ShuttingDown, "not yet"))
    }

    /// Stops a conversation and deletes it.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn delete(
        &self,
        user: UserId,
        conversation: ConversationId,
    ) -> Result<(), ErrorBody> {
        let _ = (user, conversation);
        Err(ErrorBody::new(ErrorCode::ShuttingDown, "not yet"))
    }

    /// The events after `after`, `Subscribed`, what is being streamed, then what happens.
    ///
    /// # Errors
    /// There is no such conversation for this person, or the journal cannot be read.
    pub async fn subscribe(
        &self,
        user: UserId,
        conversation: ConversationId,
        after: Seq,
    ) -> Result<Subscription, ErrorBody> {
        let _ = (user, conversation, after);
        Err(ErrorBody::new(ErrorCode::ShuttingDown, "not yet"))
    }

    /// Changes in the list of a person's conversations from now on.
    pub fn subscribe_list(&self, user: UserId) -> Subscription {
        crate::hub::Lists::default().subscribe(user)
    }

    /// Takes over every conversation with unfinished work and goes on with it. Gives their number.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn recover(&self) -> Result<usize, JournalError> {
        Ok(0)
    }

    /// Takes no new work, lets what acts finish and be recorded, and leaves the rest for the next
    /// start. Returns when nothing runs any more.
    pub async fn shutdown(&self) {}
}
