//! What people ask of a conversation.

use protocol::{CommandId, ErrorBody, EventBody, MessageId, TurnId, UserId};
use tokio::sync::oneshot;

use super::{Actor, Ended, Work, commit::Refused};
use crate::{
    error,
    machine::Draft,
    ports::{Durability, JournalError, NewRecord, Recovery},
};

/// What a person asks for.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Send { text: String },
    Withdraw { message: MessageId },
    Stop { turn: TurnId },
    Retry { turn: TurnId },
    Rename { title: String },
}

/// A letter to an actor.
pub(crate) enum Mail {
    Act {
        action: Action,
        /// None for what may be done twice without harm.
        command: Option<(UserId, CommandId)>,
        answer: oneshot::Sender<Result<(), ErrorBody>>,
    },
    Delete {
        answer: oneshot::Sender<Result<(), ErrorBody>>,
    },
}

impl Mail {
    pub(super) fn answer(self, result: Result<(), ErrorBody>) {
        let (Self::Act { answer, .. } | Self::Delete { answer }) = self;
        reply(answer, result);
    }
}

fn reply(answer: oneshot::Sender<Result<(), ErrorBody>>, result: Result<(), ErrorBody>) {
    if answer.send(result).is_err() {
        tracing::debug!("nobody waits for the answer to a command any more");
    }
}

impl Actor {
    pub(super) async fn open(&mut self, letter: Mail) -> Result<(), Ended> {
        match letter {
            Mail::Act {
                action,
                command,
                answer,
            } => match self.act(action, command).await {
                Ok(result) => {
                    reply(answer, result);
                    Ok(())
                }
                Err(ended) => {
                    reply(answer, Err(error::internal()));
                    Err(ended)
                }
            },
            Mail::Delete { answer } => {
                self.work = Work::Nothing;
                match self.shared.journal.delete(self.slot.id).await {
                    Ok(()) | Err(JournalError::NotFound) => {
                        self.shared.removed(&self.slot, self.stored.owner);
                        reply(answer, Ok(()));
                        Err(Ended::Deleted)
                    }
                    Err(journal) => {
                        tracing::error!(conversation = %self.slot.id, error = %journal, "not deleted");
                        reply(answer, Err(error::of_journal(&journal)));
                        Ok(())
                    }
                }
            }
        }
    }

    /// Carries an action out, once for each command.
    async fn act(
        &mut self,
        action: Action,
        command: Option<(UserId, CommandId)>,
    ) -> Result<Result<(), ErrorBody>, Ended> {
        let (records, waits) = match self.decide(action) {
            Ok(decided) => decided,
            Err(refusal) => return Ok(self.unless_done(command, refusal).await),
        };
        match self.write(records, command, Durability::Power).await {
            Ok(()) => {
                if waits {
                    self.conversation.stop_after_calls();
                }
                Ok(Ok(()))
            }
            Err(Refused::Not(JournalError::Duplicate)) => Ok(Ok(())),
            Err(Refused::Not(journal)) => {
                tracing::error!(conversation = %self.slot.id, error = %journal, "a command was not saved");
                Ok(Err(error::of_journal(&journal)))
            }
            Err(Refused::Ended(ended)) => Err(ended),
        }
    }

    /// What to write, and whether the turn stops later.
    fn decide(&self, action: Action) -> Result<(Vec<NewRecord>, bool), ErrorBody> {
        let conversation = &self.conversation;
        let record = match action {
            Action::Send { text } => conversation.send(
                self.shared.new_turn(),
                self.shared.new_message(),
                text,
                self.shared.config.queue_limit,
            )?,
            Action::Withdraw { message } => conversation.withdraw(message)?,
            Action::Retry { turn } => conversation.retry(turn)?,
            Action::Rename { title } => NewRecord::event(EventBody::TitleChanged { title }),
            Action::Stop { turn } => {
                let draft = match &self.work {
                    Work::Answering(answering) => self.draft(answering),
                    _ => Draft::default(),
                };
                let now = self.shared.env.now();
                let stop = conversation.stop(turn, now, &draft, |call| {
                    self.shared.recovery(&call.name) == Some(Recovery::Pure)
                })?;
                return Ok((stop.records, stop.waits));
            }
        };
        Ok((vec![record], false))
    }

    /// A command that cannot be carried out now may have been before.
    async fn unless_done(
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
