//! The append-only record of conversations.

use async_trait::async_trait;
use protocol::{
    CommandId, ConversationId, ConversationSummary, Event, EventBody, KillSwitch, Mode, Notice,
    NoticeId, Role, SecondCall, Seq, Shelf, Timestamp, UserId,
};
use serde_json::{Value, value::RawValue};

use super::{Files, NoticeChange, Person};
use crate::DaySpent;

/// An event in the journal, with what the model saw of it.
#[derive(Debug, Clone)]
pub struct Record {
    pub event: Event,
    /// The exact JSON that goes back to the model, byte for byte:
    /// - `TurnStarted`, `MessageRead`: the array of content blocks of the user's message, with a
    ///   mark for each image;
    /// - `MessageQueued`, `MessageSteered`: the blocks of the files that came with it;
    /// - `StepStarted`: the array of content blocks that go before the answer in the user's name,
    ///   such as fresh context; void if the step is interrupted;
    /// - `AssistantMessage`: the array of content blocks as the model sent them;
    /// - `ToolFinished`, `ToolBlocked`: the `tool_result` block;
    /// - `ConversationStarted`: the frozen part of every request: system prompt and tools.
    pub raw: Option<Box<RawValue>>,
}

/// An event that is about to be written; the journal gives it its number and time.
#[derive(Debug, Clone)]
pub struct NewRecord {
    pub body: EventBody,
    /// As in [`Record::raw`].
    pub raw: Option<Box<RawValue>>,
    /// Written to the audit chain in the same transaction, with what the event does not say
    /// itself, such as tool and input.
    pub audit: Option<Value>,
}

impl NewRecord {
    /// A record that the model never sees.
    pub fn event(body: EventBody) -> Self {
        Self {
            body,
            raw: None,
            audit: None,
        }
    }

    /// The same record, for the audit chain too.
    #[must_use]
    pub fn audited(mut self, detail: Value) -> Self {
        self.audit = Some(detail);
        self
    }

    /// The same record with one more fact for the audit chain, if it is written there.
    #[must_use]
    pub(crate) fn noting(mut self, name: &str, fact: Value) -> Self {
        if let Some(Value::Object(detail)) = &mut self.audit {
            detail.insert(name.to_owned(), fact);
        }
        self
    }
}

/// The stored part of a conversation, beside its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredConversation {
    pub id: ConversationId,
    pub owner: UserId,
    pub mode: Mode,
    pub model: String,
}

/// Rises with every take-over of a conversation; a write under an older one is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub i64);

/// The fault that a write must survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// The death of the process.
    Process,
    /// The loss of power: the write is on the disk when it is acknowledged.
    Power,
}

/// One atomic write: all of it or nothing.
#[derive(Debug)]
pub struct Append {
    pub conversation: ConversationId,
    pub epoch: Epoch,
    /// The newest event that the writer knows; another head refuses the write.
    pub head: Seq,
    /// The time that the events get.
    pub at: Timestamp,
    pub records: Vec<NewRecord>,
    /// The command that caused the write, remembered so that it is carried out once.
    pub command: Option<(UserId, CommandId)>,
    pub durability: Durability,
}

/// A conversation that starts as a copy of another one's history.
#[derive(Debug, Clone)]
pub struct Branching {
    pub conversation: StoredConversation,
    /// The other one.
    pub parent: ConversationId,
    /// Its newest event; another head refuses the write.
    pub parent_head: Seq,
    /// The last event that is copied; the one after it begins the turn that is left behind.
    pub until: Seq,
}

/// The result of a write.
#[derive(Debug, Clone)]
pub struct Appended {
    /// The records as written, with their numbers.
    pub records: Vec<Record>,
    /// The conversation's line in the list after the write.
    pub summary: ConversationSummary,
}

/// The reason why the journal refused.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The conversation does not exist.
    #[error("no such conversation")]
    NotFound,
    /// A conversation with this id exists already.
    #[error("the conversation exists already")]
    Exists,
    /// The conversation was imported: it is read and deleted, and nothing is written in it.
    #[error("the conversation was imported and is closed")]
    Closed,
    /// Another server took the conversation over: stop writing for it.
    #[error("another server has taken the conversation over")]
    Fenced,
    /// The head has moved; read again.
    #[error("the journal has moved on to {head}")]
    Conflict { head: Seq },
    /// This command was carried out before; nothing was written now.
    #[error("the command was carried out before")]
    Duplicate,
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The database failed. Nothing was written.
    #[error("the database failed: {0}")]
    Storage(String),
}

/// The journal of all conversations. Implementations assign dense numbers inside the transaction.
#[async_trait]
pub trait Journal: Files {
    /// Creates a conversation and writes its first records as [`Append`] does, with epoch and head
    /// zero expected in `append`. The creator owns the conversation under epoch 1. `Closed` if it
    /// is to continue an imported one.
    async fn create(
        &self,
        conversation: StoredConversation,
        append: Append,
    ) -> Result<Appended, JournalError>;

    /// Creates a conversation with a copy of another one's records and writes the first of its own,
    /// as [`Append`] does, with epoch zero and the last copied number as head expected in `append`;
    /// all of it or nothing. A copied record is no new work: it is not in the audit chain, waits
    /// for nobody, and its usage belongs to the other one alone. The creator owns the branch under
    /// epoch 1. It represents the family in the list. `Conflict` if the other one has moved on,
    /// `Closed` if that was imported.
    async fn branch(&self, branching: Branching, append: Append) -> Result<Appended, JournalError>;

    /// A conversation and its branches, oldest first. `Closed` if it was imported: it can have
    /// none.
    async fn family(
        &self,
        conversation: ConversationId,
    ) -> Result<Vec<ConversationId>, JournalError>;

    /// Lets a conversation represent its family in the list, because a person looks at it.
    async fn to_front(
        &self,
        conversation: ConversationId,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError>;

    /// Writes records at the end. An approval of a card that wants a second person is refused if
    /// the user of the command is the owner of the conversation or may be (see
    /// [`Journal::may_be_one`]), or if there is no command.
    async fn append(&self, append: Append) -> Result<Appended, JournalError>;

    /// Deletes a conversation with all its branches, with an audit record of who did it. From now
    /// on they exist only for [`Journal::restore`] and [`Journal::remove_deleted`]. Returns all of
    /// them.
    async fn delete(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationId>, JournalError>;

    /// Undoes the deletion of a conversation of this person, and of its branches, with an audit
    /// record. `NotFound` if there is nothing to undo: nothing was deleted, or it is removed
    /// already.
    async fn restore(
        &self,
        conversation: ConversationId,
        by: &Person,
        at: Timestamp,
    ) -> Result<Vec<ConversationSummary>, JournalError>;

    /// Removes for good the conversations that were deleted at `until` or earlier, with everything
    /// that belongs to them. Returns the time at which the oldest of the rest was deleted.
    async fn remove_deleted(&self, until: Timestamp) -> Result<Option<Timestamp>, JournalError>;

    /// Moves a conversation, with its branches, to another shelf of its user's list; returns the
    /// line that represents them. It is no event: the history stays, and so does the time of the
    /// newest. A new message takes it off [`Shelf::Archived`].
    async fn shelve(
        &self,
        conversation: ConversationId,
        shelf: Shelf,
        at: Timestamp,
    ) -> Result<ConversationSummary, JournalError>;

    /// Notes that its user has seen a conversation up to an event; returns its line if that has
    /// changed. It is no event, and never goes back.
    async fn see(
        &self,
        conversation: ConversationId,
        seq: Seq,
        at: Timestamp,
    ) -> Result<Option<ConversationSummary>, JournalError>;

    /// Takes a conversation over: from now on only writes under the returned epoch succeed.
    /// `Closed` if it was imported: nobody ever writes there, so nothing in it can act.
    async fn claim(&self, conversation: ConversationId) -> Result<Epoch, JournalError>;

    /// The conversation without its records.
    async fn conversation(
        &self,
        conversation: ConversationId,
    ) -> Result<StoredConversation, JournalError>;

    /// All records, in order.
    async fn records(&self, conversation: ConversationId) -> Result<Vec<Record>, JournalError>;

    /// At most `limit` events after a number, in order.
    async fn events_after(
        &self,
        conversation: ConversationId,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Event>, JournalError>;

    /// The toolsets of a conversation, from its first event.
    async fn toolsets(&self, conversation: ConversationId) -> Result<Vec<String>, JournalError> {
        let first = self.events_after(conversation, Seq::default(), 1).await?;
        match first.into_iter().next().map(|event| event.body) {
            Some(EventBody::ConversationStarted { toolsets, .. }) => Ok(toolsets),
            _ => Err(JournalError::NotFound),
        }
    }

    /// The newest event. Implementations that know a shorter way override this.
    async fn head(&self, conversation: ConversationId) -> Result<Seq, JournalError> {
        let mut head = Seq::default();
        while let Some(event) = self.events_after(conversation, head, 1000).await?.last() {
            head = event.seq;
        }
        Ok(head)
    }

    /// The kill switch as it was set last.
    async fn kill_switch(&self) -> Result<KillSwitch, JournalError>;

    /// Sets the kill switch, with an audit record of who did it and by which sign-in. `Duplicate`
    /// if the command was carried out before.
    async fn set_kill_switch(
        &self,
        state: KillSwitch,
        by: &Person,
        command: CommandId,
    ) -> Result<(), JournalError>;

    /// Records that a person asked to act and may not, and how many others like it were not
    /// recorded before.
    async fn note_refusal(
        &self,
        by: &Person,
        tool: &str,
        unrecorded: u32,
        at: Timestamp,
    ) -> Result<(), JournalError>;

    /// The open notices of a system, and those that were resolved at `since` or later.
    async fn notices(&self, system: &str, since: Timestamp) -> Result<Vec<Notice>, JournalError>;

    /// Writes changes of notices, all of them or none. Notices that are raised or resolved go to
    /// the system journal too.
    async fn change_notices(
        &self,
        changes: &[NoticeChange],
        at: Timestamp,
    ) -> Result<(), JournalError>;

    /// Records that a person has acknowledged a notice, with an audit record. `NotFound` if there
    /// is no such open notice, `Duplicate` if the command was carried out before.
    async fn acknowledge_notice(
        &self,
        notice: NoticeId,
        by: &Person,
        at: Timestamp,
        command: CommandId,
    ) -> Result<(), JournalError>;

    /// The usage of a user's conversations on a day, counted from 1970 in UTC, deleted ones
    /// included; up to date with the answers in the journal.
    async fn spent_on(&self, user: UserId, day: i64) -> Result<DaySpent, JournalError>;

    /// The current role of a user; none if the user does not exist or is disabled.
    async fn role(&self, user: UserId) -> Result<Option<Role>, JournalError>;

    /// The name of a user; none if there is no such user.
    async fn name(&self, user: UserId) -> Result<Option<String>, JournalError>;

    /// All cards that wait for a second person, each with the user who asked, the first to expire
    /// first.
    async fn seconds(&self) -> Result<Vec<(UserId, SecondCall)>, JournalError>;

    /// Compares two sides of a second approval: true if the approver could be the requester under
    /// another account. A side is an account together with the accounts that created the sign-in
    /// links of its sessions. Two sides match if they share an account, or if one account was
    /// created or re-linked for another within the last 24 hours. Checked before an approval and
    /// again when it is written.
    async fn may_be_one(
        &self,
        askers: &[UserId],
        deciders: &[UserId],
        now: Timestamp,
    ) -> Result<bool, JournalError>;

    /// True if a person's command was carried out before.
    async fn has_command(&self, user: UserId, command: CommandId) -> Result<bool, JournalError>;

    /// Conversations with a turn that has not finished or with queued messages, which a server
    /// continues when it starts.
    async fn unfinished(&self) -> Result<Vec<ConversationId>, JournalError>;
}
