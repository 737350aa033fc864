//! The list of a person's conversations: pinned, archived, in a folder, seen, deleted, restored.
//!
//! None of these changes is an event: the journal and the time of the last change stay, and every
//! tab gets the new line of the list. A change goes through the conversation's actor, if there is
//! one, so that the newest line arrives last.

use std::{sync::Arc, time::Duration};

use protocol::{ConversationId, ErrorBody, Seq, Shelf, Timestamp, UserId};
use tokio::sync::oneshot;

use super::{Engine, cannot_load};
use crate::{
    conversation_entry::ConversationEntry,
    driver::ActorMessage,
    driver::ListEntryChange,
    error,
    ports::{JournalError, Person, Scope},
    shared::EngineShared,
    title,
};

/// Time in which a deletion can be undone. Pages offer it for ten seconds; the rest is for the
/// network.
pub const TAKE_BACK: Duration = Duration::from_secs(15);
/// The shortest pause between two removals.
const STEP: Duration = Duration::from_millis(100);

impl Engine {
    /// Moves a conversation to another shelf of the person's list.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn shelve(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
        shelf: Shelf,
    ) -> Result<(), ErrorBody> {
        if shelf == Shelf::Unknown {
            return Err(error::unknown_shelf());
        }
        self.change_line(person.into(), conversation, ListEntryChange::Shelf(shelf))
            .await
    }

    /// Puts a conversation into a folder of the person's list, or with none out of its folder. The
    /// name is cut to [`protocol::MAX_FOLDER_CHARS`] characters on one line.
    ///
    /// # Errors
    /// As [`Engine::command`]; `Malformed` for a name without text.
    pub async fn put_in_folder(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
        folder: Option<&str>,
    ) -> Result<(), ErrorBody> {
        let folder = folder.map(|name| title::of_folder(name).ok_or_else(error::folder_empty));
        let change = ListEntryChange::Folder(folder.transpose()?);
        self.change_line(person.into(), conversation, change).await
    }

    /// Notes that the person has seen a conversation up to an event.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn see(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
        seq: Seq,
    ) -> Result<(), ErrorBody> {
        self.change_line(person.into(), conversation, ListEntryChange::Seen(seq))
            .await
    }

    async fn change_line(
        &self,
        person: Person,
        conversation: ConversationId,
        change: ListEntryChange,
    ) -> Result<(), ErrorBody> {
        let entry = self.owned(&person, conversation).await?;
        if self.is_action(conversation).await? {
            return Err(error::no_conversation());
        }
        let toolsets = self.shared.journal.toolsets(conversation).await;
        let toolsets = toolsets.map_err(|error| error::of_journal(&error))?;
        let shared = Arc::clone(&self.shared);
        self.detached(async move {
            let actor = entry.actor.lock().await;
            // Through the actor, if there is one: it may write a line meanwhile, and the newest
            // must be sent last.
            if let Some(sender) = actor.as_ref().filter(|sender| !sender.is_closed()) {
                let (answer, answered) = oneshot::channel();
                let change = change.clone();
                let message = Box::new(ActorMessage::Line { change, answer });
                if sender.send(message).await.is_ok()
                    && let Ok(result) = answered.await
                {
                    return result;
                }
            }
            shared
                .change_line(&entry, person.id, &toolsets, change)
                .await
        })
        .await
    }

    /// Stops a conversation with all its branches and deletes them. That can be undone for
    /// [`TAKE_BACK`], then they are removed. People's own calls stay.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn delete(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
    ) -> Result<(), ErrorBody> {
        let person = person.into();
        let entry = self.owned(&person, conversation).await?;
        if self.is_action(conversation).await? {
            return Err(error::no_conversation());
        }
        let shared = Arc::clone(&self.shared);
        self.detached(async move {
            let family = shared.journal.family(entry.id).await.unwrap_or_default();
            shared.delete(&entry, &person).await?;
            // The branches are gone too, and their actors have to learn it.
            for branch in family.into_iter().filter(|branch| *branch != entry.id) {
                shared.gone(&shared.entry(branch), person.id).await;
            }
            Ok(())
        })
        .await
    }

    /// Undoes the deletion of a conversation, which continues as after a restart of the server.
    /// Repeating it is `Ok`. A sign-in for some toolsets cannot do this: the toolsets of a deleted
    /// conversation are not looked up.
    ///
    /// # Errors
    /// As [`Engine::command`]; `ConversationNotFound` once it is removed.
    pub async fn restore(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
    ) -> Result<(), ErrorBody> {
        let person = person.into();
        if person.scope != Scope::All {
            return Err(error::all_toolsets());
        }
        let shared = Arc::clone(&self.shared);
        self.detached(async move {
            let now = shared.env.now();
            // Restoring is idempotent: if nothing is deleted, all that matters is whose
            // conversation it is.
            let lines = match shared.journal.restore(conversation, &person, now).await {
                Ok(lines) => lines,
                Err(JournalError::NotFound) => {
                    let stored = shared.journal.conversation(conversation).await;
                    return match stored {
                        Ok(stored) if stored.owner == person.id => Ok(()),
                        Ok(_) => Err(error::conversation_not_found()),
                        Err(error) => Err(error::of_journal(&error)),
                    };
                }
                Err(error) => return Err(error::of_journal(&error)),
            };
            let toolsets = shared.journal.toolsets(conversation).await;
            let toolsets = toolsets.map_err(|error| error::of_journal(&error))?;
            let mut result = Ok(());
            for line in lines {
                let entry = shared.entry(line.id);
                let mut actor = entry.actor.lock().await;
                shared.lists.changed(person.id, &line, &toolsets);
                // An imported conversation has no actor: it is read-only.
                if line.imported.is_some() {
                    continue;
                }
                if let Err(error) = shared.wake(&entry, &mut actor).await {
                    result = Err(cannot_load(line.id, true, &error));
                }
            }
            shared.tell_second_calls();
            result
        })
        .await
    }
}

impl EngineShared {
    /// Ends the work on a conversation and deletes it; fine if it is deleted already.
    async fn delete(
        self: &Arc<Self>,
        entry: &Arc<ConversationEntry>,
        person: &Person,
    ) -> Result<(), ErrorBody> {
        let mut actor = entry.actor.lock().await;
        if let Some(sender) = actor.as_ref().filter(|sender| !sender.is_closed()) {
            let (answer, answered) = oneshot::channel();
            let person = person.clone();
            let sent = sender
                .send(Box::new(ActorMessage::Delete { person, answer }))
                .await;
            if sent.is_ok()
                && let Ok(result) = answered.await
            {
                if result.is_ok() {
                    // This actor is about to end: a restored conversation needs another.
                    *actor = None;
                    self.remove_deleted(self.env.now());
                }
                return result;
            }
        }
        let now = self.env.now();
        match self.journal.delete(entry.id, person, now).await {
            Ok(_) | Err(JournalError::NotFound) => {
                self.removed(entry, person.id);
                // Without an actor nobody knows whether one of its cards waited.
                self.tell_second_calls();
                self.remove_deleted(now);
                Ok(())
            }
            Err(error) => Err(error::of_journal(&error)),
        }
    }

    /// Ends the work on a branch that was deleted with another, unless the deletion was undone
    /// already.
    async fn gone(&self, entry: &ConversationEntry, owner: UserId) {
        let mut actor = entry.actor.lock().await;
        // Read now and not remembered: under the lock nobody wakes the actor meanwhile.
        let stored = self.journal.conversation(entry.id).await;
        if matches!(stored, Err(JournalError::NotFound)) {
            // An actor whose mailbox has no sender ends, and its work with it.
            *actor = None;
            self.removed(entry, owner);
        }
    }

    /// Changes the line of a conversation and tells the tabs.
    pub(crate) async fn change_line(
        &self,
        entry: &ConversationEntry,
        owner: UserId,
        toolsets: &[String],
        change: ListEntryChange,
    ) -> Result<(), ErrorBody> {
        let now = self.env.now();
        let changed = match change {
            ListEntryChange::Shelf(shelf) => {
                self.journal.shelve(entry.id, shelf, now).await.map(Some)
            }
            ListEntryChange::Folder(folder) => {
                let put = self.journal.put_in_folder(entry.id, folder.as_deref(), now);
                put.await.map(Some)
            }
            ListEntryChange::Seen(seq) => self.journal.see(entry.id, seq, now).await,
        };
        if let Some(summary) = changed.map_err(|error| error::of_journal(&error))? {
            self.lists.changed(owner, &summary, toolsets);
        }
        Ok(())
    }

    /// Removes deleted conversations in the background as they become due, up to those that were
    /// deleted at `last`.
    pub(super) fn remove_deleted(self: &Arc<Self>, last: Timestamp) {
        let shared = Arc::clone(self);
        self.tasks.spawn(async move {
            let time = i64::try_from(TAKE_BACK.as_millis()).unwrap_or(i64::MAX);
            loop {
                let until = Timestamp(shared.env.now().0.saturating_sub(time));
                let pause = match shared.journal.remove_deleted(until).await {
                    Ok(Some(oldest)) if oldest <= last => {
                        let left = oldest.0.saturating_sub(until.0);
                        Duration::from_millis(u64::try_from(left).unwrap_or_default())
                    }
                    // Later deletions have a task of their own.
                    Ok(_) => return,
                    Err(error) => {
                        tracing::error!(%error, "deleted conversations are not removed yet");
                        TAKE_BACK
                    }
                };
                tokio::select! {
                    () = shared.closing.cancelled() => return,
                    () = tokio::time::sleep(pause.clamp(STEP, TAKE_BACK)) => {}
                }
            }
        });
    }
}
