//! Frames of the websocket at `/ws`: JSON text, one frame a message.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    BoardPart, CallId, Command, CommandId, ConversationId, ConversationSummary, ErrorBody, Event,
    FeedEntry, KillSwitch, MAX_MESSAGE_BYTES, MAX_REFERENCE_BYTES, MAX_REFERENCES, MessageId, Name,
    NoticeCount, RaisedNotice, SecondCall, Seq, TabId, Timestamp, TurnId,
};

/// Raised when old clients cannot go on. A client that sees another number reloads its page.
pub const PROTOCOL_VERSION: u32 = 1;

/// The largest frame that the server reads, in bytes. Every message that may be sent fits in: JSON
/// writes a control character in six bytes.
pub const MAX_FRAME_BYTES: usize =
    6 * (MAX_MESSAGE_BYTES + MAX_REFERENCES * (MAX_REFERENCE_BYTES + 64)) + 4 * 1024;

/// What a client subscribes to. One subscription to a topic a socket.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Topic {
    /// The events of a conversation after `after`, then live ones, then what is being streamed.
    Conversation {
        conversation: ConversationId,
        after: Seq,
    },
    /// Lines of the person's list of conversations that changed at `since` or later, then changes
    /// as they happen; the kill switch; how many notices there are.
    Conversations {
        #[serde(default)]
        since: Timestamp,
    },
    /// A board: all of it, then what changes on it.
    Board { board: String },
    /// What came into the feed after `after` or changed in it, then what does from now on.
    Feed { after: u64 },
    /// The page shows the stage of a toolset, such as a chart, and can show and do there what its
    /// tools want. Sent again when the conversation or the sight of it has changed.
    Stage {
        /// Whose stage it is.
        toolset: String,
        tab: TabId,
        /// The conversation beside it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conversation: Option<ConversationId>,
        /// Whether a person can see it now.
        visible: bool,
    },
    #[serde(other)]
    Unknown,
}

/// From the browser to the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LiveBlockId(pub u64);

/// The kind of a block that is being streamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// From the server to the browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerFrame {
    /// The first frame on every socket.
    Hello {
        protocol: u32,
        /// Changes with every deploy.
        build: String,
        now: Timestamp,
    },
    /// All that was missed has been sent up to `head`; live frames follow.
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
    /// A block is being streamed; `text` is all of it so far. Sent when the block begins and when
    /// a client joins later; replaces what the client had of it.
    Block {
        conversation: ConversationId,
        block: LiveBlockId,
        message: MessageId,
        /// Position of the block in its message.
        index: u32,
        kind: BlockKind,
        text: String,
    },
    /// More text of a block. `offset` is the length in bytes of all that came before it.
    Delta {
        block: LiveBlockId,
        offset: u64,
        text: String,
    },
    /// A running tool says how far it is.
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
    /// A command was carried out or had been before.
    Accepted {
        id: CommandId,
    },
    /// A command was refused and changed nothing.
    Rejected {
        id: CommandId,
        error: ErrorBody,
    },
    /// A conversation is new or its line in the list has changed.
    Conversation {
        summary: ConversationSummary,
    },
    /// The kill switch, at first and whenever somebody sets it. Belongs to [`Topic::Conversations`].
    KillSwitch {
        state: KillSwitch,
    },
    /// How many notices nobody has acknowledged, at first and whenever that changes. Belongs to
    /// [`Topic::Conversations`]; the notices themselves are on the boards.
    Notices {
        count: NoticeCount,
        /// The gravest of those that have just been told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raised: Option<RaisedNotice>,
    },
    /// Why nothing can be saved, while running turns wait for the database; without an error it can
    /// be again. Belongs to [`Topic::Conversations`]; not sent at first while all is well.
    Storage {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<ErrorBody>,
    },
    /// How texts name things that have a page: all names, at first and whenever they change. Belongs
    /// to [`Topic::Conversations`].
    Names {
        #[serde(default)]
        names: Vec<Name>,
    },
    /// All cards that wait for this person as the second one, at first and whenever that changes.
    /// Belongs to [`Topic::Conversations`]; empty for who may not decide.
    Seconds {
        #[serde(default)]
        calls: Vec<SecondCall>,
    },
    /// A conversation was deleted.
    ConversationRemoved {
        conversation: ConversationId,
    },
    /// What is on a board. The first frame after a subscription has all of it.
    Board {
        board: String,
        /// All that is on the board: what is not in `put` is not there.
        #[serde(default)]
        whole: bool,
        /// Parts that are new or have changed.
        #[serde(default)]
        put: Vec<BoardPart>,
        /// Keys of parts that are not there any more.
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
        /// Up to where the feed is known now.
        rev: u64,
        entries: Vec<FeedEntry>,
        /// Too much was missed to tell: what the page shows must be asked for anew.
        #[serde(default)]
        gap: bool,
    },
    /// This tab is to show a call of a tool on its stage, or to carry it out there. Answered by
    /// [`Command::Performed`].
    Perform {
        conversation: ConversationId,
        call: CallId,
        tab: TabId,
        tool: String,
        /// What the tool wants of the stage.
        data: Value,
        /// Later answers are not waited for.
        until: Timestamp,
    },
    /// Which tab carries a running call out; none while there is no tab for it.
    Staged {
        conversation: ConversationId,
        call: CallId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab: Option<TabId>,
    },
    /// A frame that the server could not read.
    Error {
        error: ErrorBody,
    },
    Pong {
        n: u64,
    },
    #[serde(other)]
    Unknown,
}

/// Why the server closed the socket: the code of the close frame.
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
    /// No sign of life from the client.
    Silent,
}

impl CloseCode {
    /// The number on the wire (RFC 6455 section 7.4).
    pub fn number(self) -> u16 {
        match self {
            Self::Restart => 1012,
            Self::SignedOut => 4001,
            Self::TooSlow => 4002,
            Self::RateLimited => 4003,
            Self::Silent => 4004,
        }
    }

    /// The code of a number on the wire, if it is one of ours.
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
