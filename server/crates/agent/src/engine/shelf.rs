//! Where a person's conversations stand: pinned, archived, deleted, taken back.

use std::{sync::Arc, time::Duration};

use protocol::{ConversationId, ErrorBody, Shelf, Timestamp, UserId};
use tokio::sync::oneshot;

use super::{Engine, cannot_load};
use crate::{
    driver::Mail,
    error,
    ports::{JournalError, Person, Scope},
    shared::Shared,
    slot::Slot,
};

/// How long a deletion can be taken back. Pages offer it for ten seconds; the rest is for the way.
pub const TAKE_BACK: Duration = Duration::from_secs(15);
/// The shortest pause between two looks at what was deleted.
const STEP: Duration = Duration::from_millis(100);

impl Engine {
    /// Puts a conversation elsewhere in the person's list.
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
        let person = person.into();
        let slot = self.owned(&person, conversation).await?;
        if self.is_action(conversation).await? {
            return Err(error::no_conversation());
        }
        let toolsets = self.shared.journal.toolsets(conversation).await;
        let toolsets = toolsets.map_err(|error| error::of_journal(&error))?;
        let shared = Arc::clone(&self.shared);
        self.detached(async move {
            let actor = slot.actor.lock().await;
            // Through the actor, if there is one: what it writes meanwhile has a line too, and the
            // newest has to be told last.
            if let Some(sender) = actor.as_ref().filter(|sender| !sender.is_closed()) {
                let (answer, answered) = oneshot::channel();
                let letter = Box::new(Mail::Shelve { shelf, answer });
                if sender.send(letter).await.is_ok()
                    && let Ok(result) = answered.await
                {
                    return result;
                }
            }
            shared.shelve(&slot, person.id, &toolsets, shelf).await
        })
        .await
    }

    /// Stops a conversation and deletes it. It can be taken back for [`TAKE_BACK`], then it is
    /// removed. What people did themselves stays.
    ///
    /// # Errors
    /// As [`Engine::command`].
    pub async fn delete(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
    ) -> Result<(), ErrorBody> {
        let person = person.into();
        let slot = self.owned(&person, conversation).await?;
        if self.is_action(conversation).await? {
            return Err(error::no_conversation());
        }
        let engine = self.clone();
        self.detached(async move {
            let mut actor = slot.actor.lock().await;
            let shared = &engine.shared;
            if let Some(sender) = actor.as_ref().filter(|sender| !sender.is_closed()) {
                let (answer, answered) = oneshot::channel();
                let person = person.clone();
                let sent = sender.send(Box::new(Mail::Delete { person, answer })).await;
                if sent.is_ok()
                    && let Ok(result) = answered.await
                {
                    if result.is_ok() {
                        // It is on its way out: whoever takes the deletion back needs another.
                        *actor = None;
                        shared.remove_deleted(shared.env.now());
                    }
                    return result;
                }
            }
            let now = shared.env.now();
            match shared.journal.delete(conversation, &person, now).await {
                Ok(()) | Err(JournalError::NotFound) => {
                    shared.removed(&slot, person.id);
                    // No actor that knows whether one of its cards waited.
                    shared.tell_seconds();
                    shared.remove_deleted(now);
                    Ok(())
                }
                Err(error) => Err(error::of_journal(&error)),
            }
        })
        .await
    }

    /// Takes the deletion of a conversation back. It goes on as after a restart of the server. Once
    /// more is `Ok` again. A sign-in for some toolsets cannot: what a deleted conversation reaches
    /// is not looked up.
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
        let slot = self.shared.slot(conversation);
        let shared = Arc::clone(&self.shared);
        self.detached(async move {
            let mut actor = slot.actor.lock().await;
            let now = shared.env.now();
            let summary = match shared.journal.restore(conversation, &person, now).await {
                Ok(summary) => summary,
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
            shared.lists.changed(person.id, &summary, &toolsets);
            // Nothing goes on in what came out of a file.
            if summary.imported.is_some() {
                return Ok(());
            }
            let woken = shared.wake(&slot, &mut actor).await;
            shared.tell_seconds();
            woken
                .map(drop)
                .map_err(|error| cannot_load(conversation, true, &error))
        })
        .await
    }
}

impl Shared {
    /// Puts a conversation elsewhere in its person's list and tells the tabs.
    pub(crate) async fn shelve(
        &self,
        slot: &Slot,
        owner: UserId,
        toolsets: &[String],
        shelf: Shelf,
    ) -> Result<(), ErrorBody> {
        let shelved = self.journal.shelve(slot.id, shelf, self.env.now()).await;
        let summary = shelved.map_err(|error| error::of_journal(&error))?;
        self.lists.changed(owner, &summary, toolsets);
        Ok(())
    }

    /// Removes what was deleted, as it becomes due, in the background; up to what was deleted at
    /// `last`.
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
                    // What came later has its own.
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
