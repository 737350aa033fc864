//! Frames of the websocket at `/ws`: JSON text, one frame per message.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    BoardPart, CallId, Command, CommandId, ConversationId, ConversationSummary, ErrorBody, Event,
    FeedEntry, FromJson, KillSwitch, MAX_MESSAGE_BYTES, MAX_REFERENCE_BYTES, MAX_REFERENCES,
    MessageId, Name, NoticeCount, RaisedNotice, SecondCall, Seq, TabId, Timestamp, TurnId,
};

/// Raised when old clients can no longer work. A client that sees another number reloads its page.
pub const PROTOCOL_VERSION: u32 = 1;

/// The largest frame that the server reads, in bytes. Every permitted message fits: JSON writes a
/// control character in six bytes.
pub const MAX_FRAME_BYTES: usize =
    6 * (MAX_MESSAGE_BYTES + MAX_REFERENCES * (MAX_REFERENCE_BYTES + 64)) + 4 * 1024;

/// The topics that a client can subscribe to, each at most once per socket.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Topic {
    /// The events of a conversation after `after`, then live ones, then the block being streamed.
    Conversation {
        conversation: ConversationId,
        after: Seq,
    },
    /// Entries of the person's list of conversations that changed at `since` or later, then changes
    /// as they happen; the kill switch; the number of notices.
    Conversations {
        #[serde(default)]
        since: Timestamp,
    },
    /// A board: all of it, then its changes.
    Board { board: String },
    /// Feed entries that are new or changed after `after`, then live ones.
    Feed { after: u64 },
    /// The page shows the stage of a toolset, such as a chart, and can carry out there what its
    /// tools ask for. Sent again when the conversation or the visibility has changed.
    Stage {
        /// The toolset that the stage belongs to.
        toolset: String,
        tab: TabId,
        /// The conversation beside it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conversation: Option<ConversationId>,
        /// True while a person can see it.
        visible: bool,
    },
    #[serde(other)]
    Unknown,
}

/// A frame from the browser to the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientFrame {
    Subscribe {
        topic: Topic,
    },
    Unsubscribe {
        topic: Topic,
    },
    Command {
        id: CommandId,
        command: Command,
    },
    /// Answered by `Pong` with the same number.
    Ping {
        n: u64,
    },
    #[serde(other)]
    Unknown,
}

/// Names a block that is being streamed, on this socket, until its message is in the journal.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJson,
)]
#[serde(transparent)]
pub struct LiveBlockId(pub u64);

/// The kind of a block that is being streamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BlockKind {
    Text,
    Thinking,
    /// The text of the block is the JSON of the input.
    ToolUse {
        name: String,
    },
    #[serde(other)]
    Other,
}

/// A frame from the server to the browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerFrame {
    /// The first frame on every socket.
    Hello {
        protocol: u32,
        /// Changes with every deploy.
        build: String,
        now: Timestamp,
    },
    /// Everything missed has been sent up to `head`; live frames follow.
    Subscribed {
        conversation: ConversationId,
        head: Seq,
    },
    /// The subscription was refused or has ended.
    Unsubscribed {
        conversation: ConversationId,
        error: ErrorBody,
    },
    /// Journal events in order.
    Events {
        conversation: ConversationId,
        events: Vec<Event>,
    },
    /// A block is being streamed; `text` is all of it so far. Sent when the block begins and when a
    /// client joins later; replaces the client's copy.
    Block {
        conversation: ConversationId,
        block: LiveBlockId,
        message: MessageId,
        /// Position of the block in its message.
        index: u32,
        kind: BlockKind,
        text: String,
    },
    /// More text of a block. `offset` is the length in bytes of everything before it.
    Delta {
        block: LiveBlockId,
        offset: u64,
        text: String,
    },
    /// A running tool reports its progress.
    Progress {
        conversation: ConversationId,
        call: CallId,
        message: String,
    },
    /// The model could not answer yet; it is asked again at `until`.
    Waiting {
        conversation: ConversationId,
        turn: TurnId,
        error: ErrorBody,
        until: Timestamp,
    },
    /// A command was carried out, now or earlier.
    Accepted {
        id: CommandId,
    },
    /// A command was refused and changed nothing.
    Rejected {
        id: CommandId,
        error: ErrorBody,
    },
    /// A conversation is new, or its entry in the list has changed.
    Conversation {
        summary: ConversationSummary,
    },
    /// The kill switch, initially and whenever it is set. Belongs to [`Topic::Conversations`].
    KillSwitch {
        state: KillSwitch,
    },
    /// The number of unacknowledged notices, initially and whenever it changes. Belongs to
    /// [`Topic::Conversations`]; the notices themselves are on the boards.
    Notices {
        count: NoticeCount,
        /// The gravest of those just raised.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raised: Option<RaisedNotice>,
    },
    /// The reason why nothing can be saved, while running turns wait for the database; without an
    /// error, saving works again. Belongs to [`Topic::Conversations`]; not sent initially while all
    /// is well.
    Storage {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ErrorBody>,
    },
    /// The names by which texts mention things that have a page: all names, initially and whenever
    /// they change. Belongs to [`Topic::Conversations`].
    Names {
        #[serde(default)]
        names: Vec<Name>,
    },
    /// All cards that wait for this person as the second one, initially and whenever that changes.
    /// Belongs to [`Topic::Conversations`]; empty for a person who may not decide.
    Seconds {
        #[serde(default)]
        calls: Vec<SecondCall>,
    },
    /// A conversation was deleted.
    ConversationRemoved {
        conversation: ConversationId,
    },
    /// The content of a board. The first frame after a subscription has all of it.
    Board {
        board: String,
        /// True if this is the whole board: a part that is not in `put` is gone.
        #[serde(default)]
        whole: bool,
        /// Parts that are new or have changed.
        #[serde(default)]
        put: Vec<BoardPart>,
        /// Keys of parts that are gone.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        gone: Vec<String>,
    },
    /// There is no such board.
    BoardRefused {
        board: String,
        error: ErrorBody,
    },
    /// Entries of the feed that are new or have changed, in the order of their changes.
    Feed {
        /// Revision up to which the feed is now known.
        rev: u64,
        entries: Vec<FeedEntry>,
        /// True if too much was missed to send: the page must request its entries again.
        #[serde(default)]
        gap: bool,
    },
    /// This tab is asked to show a tool call on its stage, or to carry it out there. Answered by
    /// [`Command::Performed`].
    Perform {
        conversation: ConversationId,
        call: CallId,
        tab: TabId,
        tool: String,
        /// The tool's request to the stage.
        data: Value,
        /// Deadline for the answer.
        until: Timestamp,
    },
    /// The tab that carries out a running call; none while there is no tab for it.
    Staged {
        conversation: ConversationId,
        call: CallId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab: Option<TabId>,
    },
    /// The server could not read a frame.
    Error {
        error: ErrorBody,
    },
    Pong {
        n: u64,
    },
    #[serde(other)]
    Unknown,
}

/// The reason why the server closed the socket: the code of the close frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseCode {
    /// The server is restarting; reconnect.
    Restart,
    /// The session has ended; sign in again.
    SignedOut,
    /// The client did not read fast enough; reconnect and catch up.
    TooSlow,
    /// Too many frames in too short a time; reconnect later.
    RateLimited,
    /// The client sent nothing for too long.
    Silent,
}

impl CloseCode {
    /// Returns the number on the wire (RFC 6455 section 7.4).
    pub fn number(self) -> u16 {
        match self {
            Self::Restart => 1012,
            Self::SignedOut => 4001,
            Self::TooSlow => 4002,
            Self::RateLimited => 4003,
            Self::Silent => 4004,
        }
    }

    /// Returns the code of a number on the wire, if it is one of ours.
    pub fn from_number(number: u16) -> Option<Self> {
        [
            Self::Restart,
            Self::SignedOut,
            Self::TooSlow,
            Self::RateLimited,
            Self::Silent,
        ]
        .into_iter()
        .find(|code| code.number() == number)
    }
}
