//! The append-only record of conversations.

use async_trait::async_trait;
use protocol::{
    CommandId, ConversationId, ConversationSummary, Event, EventBody, Mode, Seq, Timestamp,
    ToolOutcome, TurnOutcome, UserId,
};
use serde_json::{Value, value::RawValue};

use super::{
    Branches, Controls, Correlation, Files, NoticeRecords, People, SecondPersons, Shelves,
    Spending, Trace,
};

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
    /// Written beside the event; see [`Journal::traces`].
    pub trace: Trace,
}

impl NewRecord {
    /// A record that the model never sees.
    pub fn event(body: EventBody) -> Self {
        Self {
            body,
            raw: None,
            audit: None,
            trace: Trace::default(),
        }
    }

    /// The same record, for the audit chain too.
    #[must_use]
    pub fn audited(mut self, detail: Value) -> Self {
        self.audit = Some(detail);
        self
    }

    /// The same record as part of what a request has brought about, for the audit chain too.
    #[must_use]
    pub(crate) fn correlated(mut self, correlation: Option<&Correlation>) -> Self {
        let Some(correlation) = correlation else {
            return self;
        };
        if let EventBody::TurnFinished {
            outcome: TurnOutcome::Failed { error } | TurnOutcome::Limited { error },
            ..
        }
        | EventBody::ToolFinished {
            outcome: ToolOutcome::Failed { error },
            ..
        } = &mut self.body
        {
            // People read it on the page and take it to the log.
            error.request_id = Some(correlation.to_string());
        }
        self.trace.correlation = Some(correlation.clone());
        self.noting("correlation", correlation.as_str().into())
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

/// The journal of all conversations, with everything else that the agent stores. Implementations
/// assign dense numbers inside the transaction.
#[async_trait]
pub trait Journal:
    Branches + Shelves + Controls + NoticeRecords + Spending + People + SecondPersons + Files
{
    /// Creates a conversation and writes its first records as [`Append`] does, with epoch and head
    /// zero expected in `append`. The creator owns the conversation under epoch 1. `Closed` if it
    /// is to continue an imported one.
    async fn create(
        &self,
        conversation: StoredConversation,
        append: Append,
    ) -> Result<Appended, JournalError>;

    /// Writes records at the end. An approval of a card that wants a second person is refused if
    /// the user of the command is the owner of the conversation or may be (see
    /// [`SecondPersons::may_be_one`]), or if there is no command.
    async fn append(&self, append: Append) -> Result<Appended, JournalError>;

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

    /// The traces of the records that have one, by number, in order. Implementations that keep
    /// [`NewRecord::trace`] override this.
    async fn traces(
        &self,
        _conversation: ConversationId,
    ) -> Result<Vec<(Seq, Trace)>, JournalError> {
        Ok(Vec::new())
    }

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

    /// True if a person's command was carried out before.
    async fn has_command(&self, user: UserId, command: CommandId) -> Result<bool, JournalError>;

    /// Conversations with a turn that has not finished or with queued messages, which a server
    /// continues when it starts.
    async fn unfinished(&self) -> Result<Vec<ConversationId>, JournalError>;
}
