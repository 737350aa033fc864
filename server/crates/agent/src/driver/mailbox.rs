//! The messages to a conversation's actor: commands of people, carried out one at a time.
//!
//! A stop ends one turn and the queue continues; after a failed turn the queue waits for a person.

use protocol::{
    CallId, CommandId, Decision, ErrorBody, EventBody, GrantId, MessageId, ModelChoice, Resolution,
    Role, Seq, Shelf, TurnId, UserId,
};
use serde_json::Value;
use tokio::sync::oneshot;

use super::{ConversationActor, EndedActor, Work, commit::CommitRefused, confirm::CardEdit};
use crate::{
    decide::DecisionFacts,
    error,
    machine::{Draft, Said},
    ports::{Durability, JournalError, NewRecord, OnStop, Person},
};

/// An action that a person asks for.
#[derive(Debug, Clone)]
pub(crate) enum MailboxAction {
    Send {
        said: Said,
        /// True to withdraw the decisions that are waited for.
        withdraw: bool,
    },
    /// A message for the running turn's next step.
    Steer {
        said: Said,
    },
    Withdraw {
        message: MessageId,
    },
    Stop {
        turn: TurnId,
    },
    Retry {
        turn: TurnId,
    },
    Choose {
        choice: ModelChoice,
        /// See [`EventBody::ModelChosen`].
        window: Option<u64>,
    },
    Rename {
        title: String,
    },
    Decide {
        call: CallId,
        digest: String,
        decision: Decision,
    },
    Edit {
        call: CallId,
        digest: String,
        input: Value,
    },
    Revoke {
        grant: GrantId,
    },
    CheckOutcome {
        call: CallId,
    },
    Resolve {
        call: CallId,
        resolution: Resolution,
    },
}

impl MailboxAction {
    /// True for actions that only a conversation takes, and no own call: the model would be asked,
    /// or they concern messages.
    fn is_talk(&self) -> bool {
        matches!(
            self,
            Self::Send { .. }
                | Self::Steer { .. }
                | Self::Withdraw { .. }
                | Self::Retry { .. }
                | Self::Choose { .. }
                | Self::Rename { .. }
        )
    }

    /// True for actions that lead to requests on behalf of the person who sends them.
    fn asks(&self) -> bool {
        self.costs() || matches!(self, Self::Decide { .. })
    }

    /// True for actions after which the model is asked.
    fn costs(&self) -> bool {
        matches!(
            self,
            Self::Send { .. } | Self::Steer { .. } | Self::Retry { .. }
        )
    }
}

/// A change in a conversation's line of the list that is no event.
#[derive(Debug, Clone)]
pub(crate) enum ListEntryChange {
    Shelf(Shelf),
    /// Into a folder, or out of the one that it is in.
    Folder(Option<String>),
    /// The user has seen the events up to this one.
    Seen(Seq),
}

/// A message to a conversation's actor.
pub(crate) enum ActorMessage {
    Act {
        action: MailboxAction,
        person: Person,
        /// None for an action that may be done twice without harm.
        command: Option<CommandId>,
        answer: oneshot::Sender<Result<(), ErrorBody>>,
    },
    Delete {
        person: Person,
        answer: oneshot::Sender<Result<(), ErrorBody>>,
    },
    Line {
        change: ListEntryChange,
        answer: oneshot::Sender<Result<(), ErrorBody>>,
    },
}

impl ActorMessage {
    pub(super) fn answer(self, result: Result<(), ErrorBody>) {
        let (Self::Act { answer, .. } | Self::Delete { answer, .. } | Self::Line { answer, .. }) =
            self;
        reply(answer, result);
    }
}

pub(super) fn reply(answer: oneshot::Sender<Result<(), ErrorBody>>, result: Result<(), ErrorBody>) {
    if answer.send(result).is_err() {
        tracing::debug!("the sender of a command no longer waits for its answer");
    }
}

impl ConversationActor {
    pub(super) async fn open(&mut self, message: ActorMessage) -> Result<(), EndedActor> {
        if let ActorMessage::Act { person, .. } = &message {
            self.correlations.asking.clone_from(&person.correlation);
        }
        let opened = self.carry_out(message).await;
        self.correlations.asking = None;
        opened
    }

    async fn carry_out(&mut self, message: ActorMessage) -> Result<(), EndedActor> {
        match message {
            ActorMessage::Act {
                action:
                    MailboxAction::Edit {
                        call,
                        digest,
                        input,
                    },
                person,
                command,
                answer,
            } => {
                // Answered when the target has been read; the actor goes on meanwhile.
                let edit = CardEdit {
                    digest,
                    input,
                    command: command.map(|command| (person.id, command)),
                    person,
                    answer,
                };
                self.edit(call, edit).await;
                Ok(())
            }
            ActorMessage::Act {
                action,
                person,
                command,
                answer,
            } => match self.act(action, person, command).await {
                Ok(result) => {
                    reply(answer, result);
                    Ok(())
                }
                Err(ended) => {
                    reply(answer, Err(error::internal()));
                    Err(ended)
                }
            },
            ActorMessage::Line { change, answer } => {
                let toolsets = &self.conversation.frozen().toolsets;
                let owner = self.stored.owner;
                let changed = self
                    .shared
                    .change_line(&self.entry, owner, toolsets, change);
                reply(answer, changed.await);
                Ok(())
            }
            ActorMessage::Delete { person, answer } => {
                // Dropped before the write, so that nothing starts in a conversation that is going
                // away.
                self.work = Work::Nothing;
                let now = self.shared.env.now();
                let journal = &self.shared.journal;
                match journal.delete(self.entry.id, &person, now).await {
                    Ok(_) | Err(JournalError::NotFound) => {
                        self.shared.removed(&self.entry, self.stored.owner);
                        if !self.conversation.waiting_for_second().is_empty() {
                            self.shared.tell_second_calls();
                        }
                        reply(answer, Ok(()));
                        Err(EndedActor::Deleted)
                    }
                    Err(journal) => {
                        tracing::error!(conversation = %self.entry.id, error = %journal, "not deleted");
                        reply(answer, Err(error::of_journal(&journal)));
                        Ok(())
                    }
                }
            }
        }
    }

    /// Carries out an action, once for each command.
    async fn act(
        &mut self,
        action: MailboxAction,
        person: Person,
        command: Option<CommandId>,
    ) -> Result<Result<(), ErrorBody>, EndedActor> {
        let command = command.map(|command| (person.id, command));
        // An approval is followed by the intent of the call, whose write takes it to the disk;
        // without it the question is still open, and nothing has happened.
        let durability = match action {
            MailboxAction::Decide {
                decision: Decision::Approve { .. },
                ..
            } => Durability::Process,
            _ => Durability::Power,
        };
        // The checks use facts that are read now. A refusal stands only if the command was not
        // carried out before: a client repeats one whose answer was lost, and by then the role, the
        // card or the queue may be different.
        let facts = self.decision_facts().await;
        // Checked again: the message may have waited while the role was taken away.
        if matches!(action, MailboxAction::Decide { .. })
            && let Err(refusal) = self.may_decide(&person, &facts).await
        {
            return Ok(self.unless_done(command, refusal).await);
        }
        if let MailboxAction::Decide {
            decision: Decision::Approve { .. },
            ..
        } = &action
            && let Err(refusal) = self.is_another(&person).await
        {
            return Ok(self.unless_done(command, refusal).await);
        }
        if action.costs()
            && !self.conversation.is_action()
            && let Some(refusal) = self.refuses_to_begin().await
        {
            return Ok(self.unless_done(command, refusal).await);
        }
        let asks = action.asks() && person.id == self.stored.owner;
        let mut records = match self.records_of(action, &person, &facts) {
            Ok(records) => records,
            Err(refusal) => return Ok(self.unless_done(command, refusal).await),
        };
        if asks {
            records.extend(self.conversation.asked_by_link(&person));
        }
        // One write for all of it. The journal knows the command, so a repeat writes nothing.
        match self.write(records, command, durability).await {
            Ok(()) => Ok(Ok(())),
            Err(CommitRefused::Not(JournalError::Duplicate)) => Ok(Ok(())),
            Err(CommitRefused::Not(journal)) => {
                tracing::error!(
                    conversation = %self.entry.id,
                    correlation = self.correlations.asking.as_ref().map(tracing::field::display),
                    error = %journal,
                    "a command was not saved"
                );
                Ok(Err(error::of_journal(&journal)))
            }
            Err(CommitRefused::Ended(ended)) => Err(ended),
        }
    }

    /// The refusal of the model's next call, if it is known before it costs anything.
    async fn refuses_to_begin(&mut self) -> Option<ErrorBody> {
        let usual = &self.shared.live().config.model;
        let offered = self.shared.model.offers(self.conversation.choice(), usual);
        match offered {
            Err(refusal) => Some(refusal),
            Ok(_) => self.cannot_begin().await,
        }
    }

    /// Refuses a person who is not an operator now.
    async fn may_decide(
        &mut self,
        person: &Person,
        facts: &DecisionFacts,
    ) -> Result<(), ErrorBody> {
        let role = if person.id == self.stored.owner {
            facts.role
        } else {
            match self.shared.journal.role(person.id).await {
                Ok(role) => role,
                Err(error) => return Err(error::of_journal(&error)),
            }
        };
        match role {
            Some(role) if role.min(person.role) >= Role::Operator => Ok(()),
            _ => Err(error::role_not_enough(Role::Operator)),
        }
    }

    /// Refuses a second approval that may be the asker's own, under another account. Each side
    /// includes the users who made the links with which its sessions began.
    async fn is_another(&mut self, person: &Person) -> Result<(), ErrorBody> {
        let asker = self.stored.owner;
        if person.id == asker {
            return Ok(());
        }
        let now = self.shared.env.now();
        let journal = &self.shared.journal;
        let mut askers = vec![asker];
        askers.extend(self.conversation.link_makers());
        let mut deciders = vec![person.id];
        deciders.extend(person.via.link_by());
        match journal.may_be_one(&askers, &deciders, now).await {
            Ok(false) => Ok(()),
            Ok(true) => Err(error::second_is_close()),
            Err(error) => Err(error::of_journal(&error)),
        }
    }

    /// The records to write for an action.
    fn records_of(
        &mut self,
        action: MailboxAction,
        person: &Person,
        facts: &DecisionFacts,
    ) -> Result<Vec<NewRecord>, ErrorBody> {
        let conversation = &self.conversation;
        if conversation.is_action() && action.is_talk() {
            return Err(error::no_conversation());
        }
        // Refused before it is in the journal: every later request would fail on such a message.
        if let MailboxAction::Send { said, .. } | MailboxAction::Steer { said } = &action {
            conversation.has_room_for(said)?;
            self.shared.can_see(&conversation.choice().model, said)?;
        }
        // "Cancel that", said while a card waits, would wait behind that very card. A sign-in that
        // only reads withdraws nothing, in no words.
        let action = match action {
            MailboxAction::Send {
                said,
                withdraw: false,
            }
            | MailboxAction::Steer { said }
                if person.role >= Role::Operator
                    && said.files.is_empty()
                    && said.references.is_empty()
                    && conversation.is_withdrawal(said.words()) =>
            {
                MailboxAction::Send {
                    said,
                    withdraw: true,
                }
            }
            action => action,
        };
        let record = match action {
            MailboxAction::Send {
                said,
                withdraw: true,
            } => {
                return conversation.send_instead(
                    self.shared.new_turn(),
                    self.shared.new_message(),
                    said,
                    person,
                );
            }
            MailboxAction::Decide {
                call,
                digest,
                decision,
            } => {
                let moment = self.moment(facts);
                let grant = GrantId::new(moment.now, self.shared.env.random());
                return moment.answered(call, &digest, decision, person, grant);
            }
            MailboxAction::Choose { choice, .. }
                if conversation.images().any() && self.shared.is_blind(&choice.model) =>
            {
                return Err(error::images_are_there(&choice.model));
            }
            MailboxAction::Choose { choice, window } => {
                return Ok(conversation.choose(choice, window));
            }
            MailboxAction::Revoke { grant } => conversation.revoke(grant, person)?,
            MailboxAction::CheckOutcome { call } => {
                self.check_outcome(call)?;
                return Ok(Vec::new());
            }
            MailboxAction::Resolve { call, resolution } => {
                self.resolve(call, resolution, person)?
            }
            // Answered when the target has been read.
            MailboxAction::Edit { .. } => return Err(error::internal()),
            MailboxAction::Send {
                said,
                withdraw: false,
            } => conversation.send(
                self.shared.new_turn(),
                self.shared.new_message(),
                said,
                self.shared.live().config.queue_limit,
            )?,
            MailboxAction::Steer { said } => conversation.steer(
                self.shared.new_turn(),
                self.shared.new_message(),
                said,
                self.shared.live().config.queue_limit,
            )?,
            MailboxAction::Withdraw { message } => conversation.withdraw(message)?,
            MailboxAction::Retry { turn } => conversation.retry(turn)?,
            MailboxAction::Rename { title } => NewRecord::event(EventBody::TitleChanged { title }),
            MailboxAction::Stop { turn } => {
                let draft = match &self.work {
                    Work::Answering(answering) => self.draft(answering),
                    _ => Draft::default(),
                };
                let now = self.shared.env.now();
                return conversation.stop(turn, now, &draft, Some(person), |call| {
                    let tool = self.shared.tools.get(&call.name);
                    tool.is_some_and(|tool| tool.on_stop == OnStop::Cancel)
                });
            }
        };
        Ok(vec![record])
    }

    /// Returns the refusal, unless the command was carried out before.
    pub(super) async fn unless_done(
        &mut self,
        command: Option<(UserId, CommandId)>,
        refusal: ErrorBody,
    ) -> Result<(), ErrorBody> {
        let Some((user, command)) = command else {
            return Err(refusal);
        };
        match self.shared.journal.has_command(user, command).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(refusal),
            Err(journal) => Err(error::of_journal(&journal)),
        }
    }
}
