//! The agent as the server sees it: commands in, frames out.

use std::{sync::Arc, time::Duration};

use protocol::{
    BoardPart, Command, CommandId, ConversationId, ErrorBody, EventBody, KillSwitch, Mode,
    NoticeCount, Seq, UserId,
};
use tokio::sync::oneshot;

use crate::{
    config::EngineConfig,
    driver::{Action, Mail},
    error,
    hub::Subscription,
    machine::{Conversation, Said, turn_started},
    ports::{
        Append, Durability, Env, Epoch, Journal, JournalError, Model, NewRecord, Person,
        StoredConversation, Toolset,
    },
    said,
    shared::{LoadError, Shared},
    slot::Slot,
    title,
    tools::Tools,
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

/// A conversation that is to begin.
struct NewConversation {
    id: ConversationId,
    mode: Mode,
    said: Said,
    from: Option<ConversationId>,
}

/// The agent. Clones are the same agent.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

impl Engine {
    /// An agent at rest; [`Engine::recover`] lets it go on with what a former one left.
    ///
    /// # Errors
    /// A tool whose definition cannot be used.
    pub fn new(deps: Deps, config: EngineConfig) -> Result<Self, SetupError> {
        let tools = Tools::new(deps.toolsets)?;
        let shared = Shared::new(deps.journal, deps.model, deps.env, tools, config);
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Carries a person's command out. A command that was carried out before is `Ok` again.
    /// `Ok` means that it stands in the journal. Dropping the future does not undo it.
    ///
    /// # Errors
    /// What to tell the person; nothing has changed.
    pub async fn command(
        &self,
        person: impl Into<Person>,
        id: CommandId,
        command: Command,
    ) -> Result<(), ErrorBody> {
        let person = person.into();
        if let Err(refusal) = self.shared.allow(&person, &command).await {
            // The person may have had the role when it was carried out.
            return match self.shared.journal.has_command(person.id, id).await {
                Ok(true) => Ok(()),
                _ => Err(refusal),
            };
        }
        let (conversation, action) = match command {
            Command::Start {
                conversation,
                mode,
                text,
                from,
                references,
            } => {
                let said = said::checked(&self.shared.tools, text, references)?;
                if let Some(from) = from {
                    self.owned(person.id, from).await?;
                }
                let engine = self.clone();
                let new = NewConversation {
                    id: conversation,
                    mode,
                    said,
                    from,
                };
                return self
                    .detached(async move { engine.start(person.id, id, new).await })
                    .await;
            }
            Command::Send {
                conversation,
                text,
                withdraw,
                references,
            } => {
                let said = said::checked(&self.shared.tools, text, references)?;
                (conversation, Action::Send { said, withdraw })
            }
            Command::Decide {
                conversation,
                call,
                digest,
                decision,
            } => (
                conversation,
                Action::Decide {
                    call,
                    digest,
                    decision,
                },
            ),
            Command::Edit {
                conversation,
                call,
                digest,
                input,
            } => (
                conversation,
                Action::Edit {
                    call,
                    digest,
                    input,
                },
            ),
            Command::Revoke {
                conversation,
                grant,
            } => (conversation, Action::Revoke { grant }),
            Command::CheckOutcome { conversation, call } => {
                (conversation, Action::CheckOutcome { call })
            }
            Command::Resolve {
                conversation,
                call,
                resolution,
            } => (conversation, Action::Resolve { call, resolution }),
            Command::KillSwitch { on } => {
                let shared = Arc::clone(&self.shared);
                let set = async move { shared.set_kill_switch(on, &person, id).await };
                return self.detached(set).await;
            }
            Command::Acknowledge { notice } => {
                let shared = Arc::clone(&self.shared);
                let known = async move { shared.acknowledge(notice, &person, id).await };
                return self.detached(known).await;
            }
            Command::Withdraw {
                conversation,
                message,
            } => (conversation, Action::Withdraw { message }),
            Command::Stop { conversation, turn } => (conversation, Action::Stop { turn }),
            Command::Retry { conversation, turn } => (conversation, Action::Retry { turn }),
            Command::Unknown => return Err(error::unknown_command()),
        };
        self.act(person, conversation, action, Some(id)).await
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
        let title = title::given(title).ok_or_else(error::title_empty)?;
        self.act(user.into(), conversation, Action::Rename { title }, None)
            .await
    }

    /// Stops a conversation and deletes it.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn delete(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
    ) -> Result<(), ErrorBody> {
        let person = person.into();
        let slot = self.owned(person.id, conversation).await?;
        let engine = self.clone();
        self.detached(async move {
            let actor = slot.actor.lock().await;
            if let Some(sender) = actor.as_ref().filter(|sender| !sender.is_closed()) {
                let (answer, answered) = oneshot::channel();
                let person = person.clone();
                let sent = sender.send(Box::new(Mail::Delete { person, answer })).await;
                if sent.is_ok()
                    && let Ok(result) = answered.await
                {
                    return result;
                }
            }
            let shared = &engine.shared;
            let now = shared.env.now();
            match shared.journal.delete(conversation, &person, now).await {
                Ok(()) | Err(JournalError::NotFound) => {
                    shared.removed(&slot, person.id);
                    Ok(())
                }
                Err(error) => Err(error::of_journal(&error)),
            }
        })
        .await
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
        let slot = self.owned(user, conversation).await?;
        slot.hub
            .subscribe(slot.clone(), &*self.shared.journal, after)
            .await
            .map_err(|error| error::of_journal(&error))
    }

    /// The kill switch; none if its state cannot be read.
    pub async fn kill_switch(&self) -> Option<KillSwitch> {
        self.shared.kill_switch().await
    }

    /// How many notices nobody has acknowledged.
    pub fn notice_count(&self) -> NoticeCount {
        self.shared.notice_count()
    }

    /// The names of things; changes in the list of a person's conversations, in the names, of the kill
    /// switch and the number of notices, from now on.
    pub fn subscribe_list(&self, user: UserId) -> Subscription {
        self.shared.learn_names();
        self.shared.names.subscribe(&self.shared.lists, user)
    }

    /// All that is on the board of a toolset, then what changes on it.
    ///
    /// # Errors
    /// There is no such board.
    pub fn subscribe_board(&self, board: &str) -> Result<Subscription, ErrorBody> {
        self.shared.boards.subscribe(board)
    }

    /// What is on a board, waiting so long for a first look. Empty if nothing was seen until then.
    ///
    /// # Errors
    /// There is no such board.
    pub async fn board(
        &self,
        board: &str,
        patience: Duration,
    ) -> Result<Vec<BoardPart>, ErrorBody> {
        self.shared.boards.picture(board, patience).await
    }

    /// Takes over every conversation with unfinished work and goes on with it, and begins to guard the
    /// boards that want it. Gives the number of conversations.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn recover(&self) -> Result<usize, JournalError> {
        self.shared.guard().await?;
        let mut count = 0;
        for conversation in self.shared.journal.unfinished().await? {
            let slot = self.shared.slot(conversation);
            let mut actor = slot.actor.lock().await;
            match self.shared.wake(&slot, &mut actor).await {
                Ok(_) => count += 1,
                Err(error) => {
                    tracing::error!(%conversation, %error, "cannot go on with a conversation");
                }
            }
        }
        Ok(count)
    }

    /// Takes no new work, lets what acts finish and be recorded, and leaves the rest for the next
    /// start. Returns when nothing runs any more.
    pub async fn shutdown(&self) {
        self.shared.closing.cancel();
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }

    async fn start(
        &self,
        user: UserId,
        command: CommandId,
        new: NewConversation,
    ) -> Result<(), ErrorBody> {
        let NewConversation {
            id,
            mode,
            said,
            from,
        } = new;
        if mode == Mode::Unknown {
            return Err(error::unknown_mode());
        }
        let shared = &self.shared;
        let slot = shared.slot(id);
        let mut actor = slot.actor.lock().await;
        let frozen = shared.fresh(mode);
        let stored = StoredConversation {
            id,
            owner: user,
            mode,
            model: frozen.model.clone(),
        };
        let started = NewRecord {
            body: EventBody::ConversationStarted {
                title: title::from_message(&said.text),
                model: frozen.model.clone(),
                mode,
                toolsets: frozen.toolsets.clone(),
                from,
            },
            raw: Some(frozen.to_raw()),
            audit: None,
        };
        let append = Append {
            conversation: id,
            epoch: Epoch(0),
            head: Seq::default(),
            at: shared.env.now(),
            records: vec![
                started,
                turn_started(shared.new_turn(), shared.new_message(), said),
            ],
            command: Some((user, command)),
            durability: Durability::Power,
        };
        let appended = match shared.journal.create(stored.clone(), append).await {
            Ok(appended) => appended,
            Err(JournalError::Duplicate) => return Ok(()),
            Err(error) => {
                let done = shared.journal.has_command(user, command).await;
                return match (done, error) {
                    (Ok(true), JournalError::Exists) => Ok(()),
                    (_, error) => Err(error::of_journal(&error)),
                };
            }
        };
        let conversation = Conversation::from_records(&appended.records).map_err(|error| {
            tracing::error!(conversation = %id, %error, "a new conversation cannot be folded");
            error::internal()
        })?;
        let events: Vec<_> = appended.records.into_iter().map(|r| r.event).collect();
        slot.hub.publish(&events);
        shared.lists.changed(user, &appended.summary);
        shared.spawn(&slot, &mut actor, stored, Epoch(1), conversation);
        Ok(())
    }

    /// Lets the actor of a conversation do something.
    async fn act(
        &self,
        person: Person,
        conversation: ConversationId,
        action: Action,
        command: Option<CommandId>,
    ) -> Result<(), ErrorBody> {
        let slot = self.owned(person.id, conversation).await?;
        let engine = self.clone();
        self.detached(async move {
            let (answer, answered) = oneshot::channel();
            let letter = Mail::Act {
                action,
                person,
                command,
                answer,
            };
            {
                let mut actor = slot.actor.lock().await;
                let sender = engine
                    .shared
                    .wake(&slot, &mut actor)
                    .await
                    .map_err(|error| cannot_load(conversation, &error))?;
                sender
                    .send(Box::new(letter))
                    .await
                    .map_err(|_| engine.interrupted())?;
            }
            answered.await.unwrap_or_else(|_| Err(engine.interrupted()))
        })
        .await
    }

    /// The place of a conversation, if it is this person's.
    async fn owned(
        &self,
        user: UserId,
        conversation: ConversationId,
    ) -> Result<Arc<Slot>, ErrorBody> {
        if self.shared.closing.is_cancelled() {
            return Err(error::shutting_down());
        }
        let slot = self.shared.slot(conversation);
        match self.shared.stored(&slot).await {
            Ok(stored) if stored.owner == user => Ok(slot),
            Ok(_) => Err(error::conversation_not_found()),
            Err(error) => Err(error::of_journal(&error)),
        }
    }

    /// Runs to the end even if the caller goes away in the middle.
    async fn detached(
        &self,
        work: impl Future<Output = Result<(), ErrorBody>> + Send + 'static,
    ) -> Result<(), ErrorBody> {
        if self.shared.closing.is_cancelled() {
            return Err(error::shutting_down());
        }
        match self.shared.tasks.spawn(work).await {
            Ok(result) => result,
            Err(_) => Err(self.interrupted()),
        }
    }

    /// What to say about work that ended without an answer.
    fn interrupted(&self) -> ErrorBody {
        if self.shared.closing.is_cancelled() {
            error::shutting_down()
        } else {
            error::internal()
        }
    }
}

impl Shared {
    /// Tells everybody that a conversation is gone.
    pub(crate) fn removed(&self, slot: &Slot, owner: UserId) {
        slot.hub.end(error::conversation_not_found());
        self.lists.removed(owner, slot.id);
    }
}

fn cannot_load(conversation: ConversationId, error: &LoadError) -> ErrorBody {
    tracing::error!(%conversation, %error, "a conversation cannot be opened");
    match error {
        LoadError::Journal(error) => error::of_journal(error),
        LoadError::Corrupt(_) => error::internal(),
    }
}
