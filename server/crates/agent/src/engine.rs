//! The agent as the server sees it: commands in, frames out.

mod branch;
mod look;
mod relay;
mod shelf;
mod start;
mod subject;

use std::sync::Arc;

use protocol::{
    Command, CommandId, ConversationId, Effort, ErrorBody, MAX_MESSAGE_BYTES, ModelChoice, OwnCall,
};
use tokio::sync::oneshot;

use crate::{
    config::EngineConfig,
    conversation_entry::ConversationEntry,
    driver::{ActorMessage, MailboxAction},
    error,
    machine::BegunCall,
    message_check::MessagePlace,
    ports::{Env, Journal, JournalError, Model, Person, Toolset, Via},
    redaction,
    shared::{EngineShared, LoadError},
    title,
    tools::{SetupError, Tools},
};
use branch::NewBranch;
pub use relay::RelayedTool;
pub use shelf::TAKE_BACK;
use start::NewConversation;

/// The agent's dependencies on the outside world.
#[derive(Clone)]
pub struct Deps {
    pub journal: Arc<dyn Journal>,
    pub model: Arc<dyn Model>,
    pub toolsets: Vec<Arc<dyn Toolset>>,
    pub env: Arc<dyn Env>,
}

/// The agent. Clones are the same agent.
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<EngineShared>,
}

impl Engine {
    /// An idle agent; [`Engine::recover`] lets it continue what a former one left.
    ///
    /// # Errors
    /// A tool whose definition cannot be used.
    pub fn new(deps: Deps, config: EngineConfig) -> Result<Self, SetupError> {
        let tools = Tools::new(deps.toolsets)?;
        for name in config.run.named().filter(|name| tools.get(name).is_none()) {
            tracing::warn!(
                tool = name,
                "the rules of this run name a tool that does not exist"
            );
        }
        redaction::tell_fixed_text(&tools, &config);
        let shared = EngineShared::new(deps.journal, deps.model, deps.env, tools, config);
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// Carries out a person's command. Repeating a command that was carried out is `Ok`. `Ok` means
    /// that it is in the journal. Dropping the future does not undo it.
    ///
    /// # Errors
    /// The error to show to the person; nothing has changed.
    pub async fn command(
        &self,
        person: impl Into<Person>,
        id: CommandId,
        command: Command,
    ) -> Result<(), ErrorBody> {
        let person = person.into();
        // Rights come first and for every command alike, so that no arm can forget them. A refusal
        // stands only if the command was not carried out before: a client repeats one whose answer
        // was lost. Commands that begin a journal or belong to none run here, in tasks that outlive
        // the caller; all others become actions of a conversation's actor, where `act` checks whose
        // it is.
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
                plan,
                choice,
                references,
                packs,
            } => {
                let mut origin = match self.origin(&person, from, plan).await {
                    Ok(origin) => origin,
                    // What cannot be done now may have been done before.
                    Err(refusal) => {
                        return match self.shared.journal.has_command(person.id, id).await {
                            Ok(true) => Ok(()),
                            _ => Err(refusal),
                        };
                    }
                };
                let references = if references.is_empty() {
                    std::mem::take(&mut origin.about)
                } else {
                    references
                };
                let held = packs.as_deref().or(origin.packs.as_deref());
                let place = self
                    .shared
                    .place_at_start(&person, conversation, &references, held)?;
                let mut said = self.shared.said(&person, text, references, &place).await?;
                // A plan comes like a file, as data: it is not the person's word.
                if let Some(plan) = origin.plan {
                    let plan = self
                        .shared
                        .plan_block(&person, &said.references, plan, &place);
                    said.files.push(plan.await?);
                }
                let window = match &choice {
                    Some(choice) => self.offered(choice)?,
                    None => None,
                };
                let engine = self.clone();
                let by_page = matches!(person.via, Via::Session { .. });
                let kept = packs.clone().filter(|_| by_page);
                let new = NewConversation {
                    choice,
                    window,
                    packs: packs.or(origin.packs),
                    id: conversation,
                    mode,
                    said,
                    from,
                    title: origin.title,
                };
                return self
                    .detached(async move {
                        let user = person.id;
                        engine.start(person, id, new).await?;
                        if let Some(packs) = kept {
                            engine.keep_packs(user, &packs).await;
                        }
                        Ok(())
                    })
                    .await;
            }
            Command::Act {
                conversation,
                tool,
                input,
            } => {
                let begun = BegunCall {
                    own: OwnCall { tool, input },
                    // A program without the right to decide speaks for nobody.
                    relayed: matches!(person.via, Via::Token { decides: false, .. }),
                };
                check_own(&begun.own)?;
                let engine = self.clone();
                let start =
                    async move { engine.start_action(&person, id, conversation, begun).await };
                return self.detached(start).await;
            }
            Command::Send {
                conversation,
                text,
                withdraw,
                references,
            } => {
                let place = self.place_of(&person, conversation).await?;
                let said = self.shared.said(&person, text, references, &place).await?;
                (conversation, MailboxAction::Send { said, withdraw })
            }
            Command::Steer {
                conversation,
                text,
                references,
            } => {
                let place = self.place_of(&person, conversation).await?;
                let said = self.shared.said(&person, text, references, &place).await?;
                (conversation, MailboxAction::Steer { said })
            }
            Command::Branch {
                conversation,
                from,
                message,
                text,
                known,
            } => {
                let new = NewBranch {
                    id: conversation,
                    from,
                    message,
                    text,
                    known,
                };
                return self.branch(person, id, new).await;
            }
            Command::Decide {
                conversation,
                call,
                digest,
                decision,
            } => (
                conversation,
                MailboxAction::Decide {
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
                MailboxAction::Edit {
                    call,
                    digest,
                    input,
                },
            ),
            Command::Revoke {
                conversation,
                grant,
            } => (conversation, MailboxAction::Revoke { grant }),
            Command::CheckOutcome { conversation, call } => {
                (conversation, MailboxAction::CheckOutcome { call })
            }
            Command::Resolve {
                conversation,
                call,
                resolution,
            } => (conversation, MailboxAction::Resolve { call, resolution }),
            Command::Performed {
                conversation,
                call,
                tab,
                result,
            } => {
                // Nothing of this is written: only the tab that has the call may answer it.
                let stages = &self.shared.stages;
                return stages.performed(person.id, conversation, call, tab, result);
            }
            Command::TakeOver {
                conversation,
                call,
                tab,
            } => {
                let stages = &self.shared.stages;
                return stages.take_over(person.id, conversation, call, tab);
            }
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
            } => (conversation, MailboxAction::Withdraw { message }),
            Command::Stop { conversation, turn } => (conversation, MailboxAction::Stop { turn }),
            Command::Choose {
                conversation,
                choice,
            } => {
                let window = self.offered(&choice)?;
                (conversation, MailboxAction::Choose { choice, window })
            }
            Command::Retry { conversation, turn } => (conversation, MailboxAction::Retry { turn }),
            Command::Unknown => return Err(error::unknown_command()),
        };
        self.act(person, conversation, action, Some(id)).await
    }

    /// The place of a message in a conversation of this person.
    async fn place_of(
        &self,
        person: &Person,
        conversation: ConversationId,
    ) -> Result<MessagePlace, ErrorBody> {
        let entry = self.owned(person, conversation).await?;
        let toolsets = self.shared.toolsets(&entry).await;
        let toolsets = toolsets.map_err(|error| error::of_journal(&error))?;
        Ok(MessagePlace {
            conversation,
            toolsets: toolsets.to_vec(),
        })
    }

    /// Checks that people may choose this here. Returns the context window, if it is known; see
    /// [`Model::offers`].
    fn offered(&self, choice: &ModelChoice) -> Result<Option<u64>, ErrorBody> {
        if choice.effort == Some(Effort::Unknown) {
            return Err(error::unknown_effort());
        }
        let usual = &self.shared.live().config.model;
        self.shared.model.offers(choice, usual)
    }

    /// Gives a conversation another title.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn rename(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
        title: &str,
    ) -> Result<(), ErrorBody> {
        let title = title::given(title).ok_or_else(error::title_empty)?;
        self.act(
            person.into(),
            conversation,
            MailboxAction::Rename { title },
            None,
        )
        .await
    }

    /// Takes over every conversation with unfinished work and continues it, begins to guard the
    /// boards that want it, and removes what was deleted. Returns the number of conversations.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn recover(&self) -> Result<usize, JournalError> {
        self.shared.guard().await?;
        self.shared.remove_deleted(self.shared.env.now());
        let mut count = 0;
        for conversation in self.shared.journal.unfinished().await? {
            let entry = self.shared.entry(conversation);
            let mut actor = entry.actor.lock().await;
            match self.shared.wake(&entry, &mut actor).await {
                Ok(_) => count += 1,
                Err(error) => {
                    tracing::error!(%conversation, %error, "cannot go on with a conversation");
                }
            }
        }
        Ok(count)
    }

    /// Takes no new work, lets actions under way finish and be recorded, and leaves the rest for
    /// the next start. Returns when nothing runs any longer.
    pub async fn shutdown(&self) {
        self.shared.closing.cancel();
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }

    /// Passes an action to the actor of a conversation and waits for its answer.
    async fn act(
        &self,
        person: Person,
        conversation: ConversationId,
        action: MailboxAction,
        command: Option<CommandId>,
    ) -> Result<(), ErrorBody> {
        // Somebody else may be the second person for a card; the actor knows, and to everybody else
        // there is no such conversation.
        let entry = match action {
            MailboxAction::Decide { .. } => {
                let entry = self.known(conversation).await?;
                self.shared.reaches(&person, &entry).await?;
                entry
            }
            _ => self.owned(&person, conversation).await?,
        };
        let engine = self.clone();
        let owned = entry.stored.get().map(|stored| stored.owner) == Some(person.id);
        // The lock is held until the message is in the mailbox. An actor that leaves takes the same
        // lock and stays if there is a message, so none is lost in between.
        self.detached(async move {
            let (answer, answered) = oneshot::channel();
            let message = ActorMessage::Act {
                action,
                person,
                command,
                answer,
            };
            {
                let mut actor = entry.actor.lock().await;
                let sender = engine
                    .shared
                    .wake(&entry, &mut actor)
                    .await
                    .map_err(|error| cannot_load(conversation, owned, &error))?;
                sender
                    .send(Box::new(message))
                    .await
                    .map_err(|_| engine.interrupted())?;
            }
            answered.await.unwrap_or_else(|_| Err(engine.interrupted()))
        })
        .await
    }

    /// The entry of a conversation, if it is this person's and within the scope of the sign-in.
    async fn owned(
        &self,
        person: &Person,
        conversation: ConversationId,
    ) -> Result<Arc<ConversationEntry>, ErrorBody> {
        let entry = self.known(conversation).await?;
        if entry.stored.get().map(|stored| stored.owner) != Some(person.id) {
            return Err(error::conversation_not_found());
        }
        self.shared.reaches(person, &entry).await?;
        Ok(entry)
    }

    /// The entry of a conversation, whoever owns it.
    async fn known(
        &self,
        conversation: ConversationId,
    ) -> Result<Arc<ConversationEntry>, ErrorBody> {
        if self.shared.closing.is_cancelled() {
            return Err(error::shutting_down());
        }
        let entry = self.shared.entry(conversation);
        match self.shared.stored(&entry).await {
            Ok(_) => Ok(entry),
            Err(error) => Err(error::of_journal(&error)),
        }
    }

    /// Runs work to its end even if the caller goes away in the middle.
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

    /// The error for work that ended without an answer.
    fn interrupted(&self) -> ErrorBody {
        if self.shared.closing.is_cancelled() {
            error::shutting_down()
        } else {
            error::internal()
        }
    }
}

fn check_own(own: &OwnCall) -> Result<(), ErrorBody> {
    let bytes = own.tool.len() + own.input.to_string().len();
    if bytes > MAX_MESSAGE_BYTES {
        Err(error::message_too_long(bytes))
    } else {
        Ok(())
    }
}

/// The error for a conversation that cannot be opened. Only its owner learns that it is closed.
fn cannot_load(conversation: ConversationId, owned: bool, error: &LoadError) -> ErrorBody {
    if let LoadError::Journal(JournalError::Closed) = error {
        return if owned {
            error::conversation_closed()
        } else {
            error::conversation_not_found()
        };
    }
    tracing::error!(%conversation, %error, "a conversation cannot be opened");
    match error {
        LoadError::Journal(error) => error::of_journal(error),
        LoadError::Corrupt(_) => error::internal(),
    }
}
