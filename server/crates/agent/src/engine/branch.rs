//! Branches: conversations that continue from a copy of another one's history.

use protocol::{CallId, CommandId, ConversationId, Effect, ErrorBody, EventBody, MessageId};

use super::Engine;
use crate::{
    driver::Correlations,
    error,
    machine::{Conversation, Corrupt, asked_by_link, branched, cut, turn_started},
    message_check::check_text,
    ports::{
        Append, Appended, Branching, Durability, Epoch, JournalError, Person, Record,
        StoredConversation,
    },
    redaction::{Cover, message_not_covered},
};

/// The most attempts at a branch while the other conversation moves on.
const TRIES: usize = 4;

/// A branch to make.
#[derive(Clone)]
pub(super) struct NewBranch {
    pub(super) id: ConversationId,
    pub(super) from: ConversationId,
    /// The message that the new one replaces.
    pub(super) message: MessageId,
    /// New words; none to keep the old ones.
    pub(super) text: Option<String>,
    /// Calls that are left behind, as the person was told.
    pub(super) known: Vec<CallId>,
}

/// A branch that is ready to be written.
struct ReadyBranch {
    branching: Branching,
    append: Append,
    /// The records that are copied.
    kept: Vec<Record>,
}

impl Engine {
    /// Makes a branch and starts it, once for each command.
    pub(super) async fn branch(
        &self,
        person: Person,
        command: CommandId,
        new: NewBranch,
    ) -> Result<(), ErrorBody> {
        let parent = self.owned(&person, new.from).await;
        let engine = self.clone();
        let user = person.id;
        let result = match parent {
            Err(refusal) => Err(refusal),
            Ok(_) => {
                self.detached(async move { engine.make_branch(&person, command, new).await })
                    .await
            }
        };
        let Err(refusal) = result else {
            return Ok(());
        };
        // It may have been made before: a client repeats a command whose answer was lost.
        match self.shared.journal.has_command(user, command).await {
            Ok(true) => Ok(()),
            _ => Err(refusal),
        }
    }

    async fn make_branch(
        &self,
        person: &Person,
        command: CommandId,
        new: NewBranch,
    ) -> Result<(), ErrorBody> {
        let shared = &self.shared;
        if self.is_action(new.from).await? {
            return Err(error::no_conversation());
        }
        let entry = shared.entry(new.id);
        // Locked until the branch has its actor, so that no command wakes a second one. The write
        // compares the head of the other conversation; if that has moved on, the branch is made
        // again from what is there now.
        let mut actor = entry.actor.lock().await;
        for _ in 0..TRIES {
            let ready = self.ready(person, command, &new).await?;
            let stored = ready.branching.conversation.clone();
            let until = ready.branching.until;
            let appended = match shared.journal.branch(ready.branching, ready.append).await {
                Ok(appended) => appended,
                Err(JournalError::Duplicate) => return Ok(()),
                Err(JournalError::Conflict { .. }) => continue,
                Err(error) => return Err(error::of_journal(&error)),
            };
            let Appended { records, summary } = appended;
            let events: Vec<_> = records.iter().map(|record| record.event.clone()).collect();
            let mut all = ready.kept;
            all.extend(records);
            let conversation =
                Conversation::from_records(&all).map_err(|corrupt| cannot_fold(new.id, corrupt))?;
            entry.hub.reset(until);
            entry.hub.publish(&events);
            let toolsets = &conversation.frozen().toolsets;
            shared.lists.changed(person.id, &summary, toolsets);
            let asking = person.correlation.as_ref();
            let correlations = Correlations::of(events.iter().map(|event| (&event.body, asking)));
            shared.spawn(
                &entry,
                &mut actor,
                stored,
                Epoch(1),
                conversation,
                correlations,
            );
            return Ok(());
        }
        Err(error::turn_running())
    }

    /// The calls that acted and that a branch at a message leaves behind.
    ///
    /// # Errors
    /// There is no such conversation for this person, or no turn that began with this message.
    pub async fn left_behind(
        &self,
        person: impl Into<Person>,
        from: ConversationId,
        message: MessageId,
    ) -> Result<Vec<Effect>, ErrorBody> {
        self.owned(&person.into(), from).await?;
        let records = self.shared.journal.records(from).await;
        let records = records.map_err(|error| error::of_journal(&error))?;
        let cut = cut(&records, message).ok_or_else(error::turn_not_found)?;
        Ok(cut.left())
    }

    /// Prepares a branch from the other conversation as it is now.
    async fn ready(
        &self,
        person: &Person,
        command: CommandId,
        new: &NewBranch,
    ) -> Result<ReadyBranch, ErrorBody> {
        let shared = &self.shared;
        let journal = &shared.journal;
        let of_journal = |error: JournalError| error::of_journal(&error);
        let members = journal.family(new.from).await.map_err(of_journal)?;
        let parent = journal.conversation(new.from).await.map_err(of_journal)?;
        let mut records = journal.records(new.from).await.map_err(of_journal)?;
        let folded = Conversation::from_records(&records)
            .map_err(|corrupt| cannot_fold(new.from, corrupt))?;
        // A running turn may still act, so only a conversation at rest is branched. The person must
        // have seen every action that is left behind, since the branch undoes none.
        if folded.running_turn().is_some() {
            return Err(error::turn_running());
        }
        let cut = cut(&records, new.message).ok_or_else(error::turn_not_found)?;
        let left = cut.left();
        let untold = left.iter().filter(|it| !new.known.contains(&it.call));
        let untold = untold.count();
        if untold > 0 {
            return Err(error::effects_stand(untold));
        }
        let mut family = vec![records.clone()];
        for member in members.into_iter().filter(|member| *member != new.from) {
            family.push(journal.records(member).await.map_err(of_journal)?);
        }
        let mut said = cut.said.clone();
        if let Some(text) = &new.text {
            // The new words are about the same things.
            check_text(text, &said.references)?;
            said.text = text.clone();
        }
        let choice = cut.choice().ok_or_else(error::internal)?;
        shared.model.offers(&choice, &shared.live().config.model)?;
        self.may_begin(person.id).await?;
        // The order of the records matters: outcomes that became known later while their calls are
        // still known, then `Branched`, which ends everything live in the copy, then the new turn.
        let effects = cut.apart(&family);
        let mut new_records = cut.resolved();
        let title = title(&records);
        new_records.push(branched(
            new.from,
            new.message,
            title,
            &person.name,
            effects,
        ));
        new_records.push(turn_started(shared.new_turn(), shared.new_message(), said));
        new_records.extend(asked_by_link(person));
        let toolsets = &folded.frozen().toolsets;
        if let Some(cover) = Cover::of(&shared.tools, toolsets, new.id, person.id) {
            let covered = cover.records(&[], new_records).await;
            new_records = covered.map_err(|error| message_not_covered(Some(&cover), &error))?;
        }
        let asking = person.correlation.as_ref();
        let new_records = new_records
            .into_iter()
            .map(|record| record.correlated(asking))
            .collect();
        let until = cut.until();
        let parent_head = folded.head();
        records.truncate(cut.kept().len());
        Ok(ReadyBranch {
            branching: Branching {
                conversation: StoredConversation {
                    id: new.id,
                    model: choice.model,
                    ..parent
                },
                parent: new.from,
                parent_head,
                until,
            },
            append: Append {
                conversation: new.id,
                epoch: Epoch(0),
                head: until,
                at: shared.env.now(),
                records: new_records,
                command: Some((person.id, command)),
                durability: Durability::Power,
            },
            kept: records,
        })
    }

    /// Lets a branch represent its family in the person's list, because it is looked at.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn to_front(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
    ) -> Result<(), ErrorBody> {
        let person = person.into();
        let entry = self.owned(&person, conversation).await?;
        let shared = std::sync::Arc::clone(&self.shared);
        self.detached(async move {
            // An actor may write a line meanwhile, and the newest must be sent last.
            let _actor = entry.actor.lock().await;
            let of_journal = |error: JournalError| error::of_journal(&error);
            let now = shared.env.now();
            let journal = &shared.journal;
            let line = journal.to_front(entry.id, now).await.map_err(of_journal)?;
            let toolsets = journal.toolsets(entry.id).await.map_err(of_journal)?;
            shared.lists.changed(person.id, &line, &toolsets);
            Ok(())
        })
        .await
    }
}

/// The current title.
pub(super) fn title(records: &[Record]) -> String {
    let titles = records.iter().rev();
    let mut titles = titles.filter_map(|record| match &record.event.body {
        EventBody::ConversationStarted { title, .. }
        | EventBody::TitleChanged { title }
        | EventBody::Branched { title, .. } => Some(title.clone()),
        EventBody::TitleWritten { title, .. } => title.clone(),
        _ => None,
    });
    titles.next().unwrap_or_default()
}

fn cannot_fold(conversation: ConversationId, corrupt: Corrupt) -> ErrorBody {
    tracing::error!(%conversation, error = %corrupt, "a conversation cannot be folded");
    error::internal()
}
