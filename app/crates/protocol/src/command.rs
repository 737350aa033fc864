//! Commands: requests of a client to the server.

use serde::{Deserialize, Serialize};

use serde_json::Value;

use crate::{
    CallId, ConversationId, Decision, FromJson, GrantId, MessageId, Mode, ModelChoice, NoticeId,
    Performed, Reference, Resolution, TabId, TurnId,
};

/// The longest message that a person may send, in bytes of UTF-8.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;

/// A command, sent under a client-made [`crate::CommandId`]. The same id is the same command,
/// however often it arrives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// Starts a conversation with its first message.
    Start {
        conversation: ConversationId,
        #[serde(default)]
        mode: Mode,
        text: String,
        /// The conversation that this one continues, such as a plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ConversationId>,
        /// The answer in `from` to carry out. The server takes its text from there, as data: only
        /// the words of this message are the person's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<MessageId>,
        /// The model to answer; none uses the default of new conversations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<ModelChoice>,
        /// Things that the message refers to, apart from its text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
        /// The packs to begin with, by the names of their toolsets. None has those of `from`, and
        /// without it the usual ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        packs: Option<Vec<String>>,
    },
    /// A person's own call of a tool. It gets its own journal, under the same gate as a call of the
    /// model.
    Act {
        conversation: ConversationId,
        tool: String,
        input: Value,
    },
    /// Sends a message. While a turn runs the message is queued.
    Send {
        conversation: ConversationId,
        text: String,
        /// While confirmations wait: withdraw them, end the turn and start this message at once.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        withdraw: bool,
        /// Things that the message refers to, apart from its text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// Sends a message to the running turn, which reads it at its next step. If the turn ends
    /// first, the message starts the next one.
    Steer {
        conversation: ConversationId,
        text: String,
        /// Things that the message refers to, apart from its text.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// Starts a conversation with a copy of everything above a message of another one, and runs the
    /// message again. Both conversations remain.
    Branch {
        /// The new one.
        conversation: ConversationId,
        from: ConversationId,
        /// The message that the new one replaces; it began a turn.
        message: MessageId,
        /// The new text; none repeats the message as it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Calls left behind that acted, as shown to the person. The command is refused if one is
        /// missing here.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        known: Vec<CallId>,
    },
    /// Withdraws a queued message.
    Withdraw {
        conversation: ConversationId,
        message: MessageId,
    },
    /// Stops the running turn.
    Stop {
        conversation: ConversationId,
        turn: TurnId,
    },
    /// Continues a turn that failed, was stopped or ended at a limit.
    Retry {
        conversation: ConversationId,
        turn: TurnId,
    },
    /// Chooses the model, from the next turn on.
    Choose {
        conversation: ConversationId,
        choice: ModelChoice,
    },
    /// Decides on a call that waits for a confirmation.
    Decide {
        conversation: ConversationId,
        call: CallId,
        /// Digest of the card on screen; see [`crate::Confirmation::digest`].
        digest: String,
        decision: Decision,
    },
    /// Changes the input of a call that waits for a confirmation, and asks again.
    Edit {
        conversation: ConversationId,
        call: CallId,
        /// Digest of the card on screen.
        digest: String,
        /// The complete new input.
        input: Value,
    },
    /// Revokes a standing grant.
    Revoke {
        conversation: ConversationId,
        grant: GrantId,
    },
    /// Checks again the outcome of a call whose outcome is unknown.
    CheckOutcome {
        conversation: ConversationId,
        call: CallId,
    },
    /// Settles the outcome of a call whose outcome is unknown.
    Resolve {
        conversation: ConversationId,
        call: CallId,
        resolution: Resolution,
    },
    /// Sets or lifts the kill switch, which stops everything but reading.
    KillSwitch { on: bool },
    /// Reports the result of a call that this tab was asked to carry out. It is kept only with the
    /// call's result.
    Performed {
        conversation: ConversationId,
        call: CallId,
        tab: TabId,
        result: Performed,
    },
    /// Takes over a running call: this tab carries it out in place of another.
    TakeOver {
        conversation: ConversationId,
        call: CallId,
        tab: TabId,
    },
    /// Acknowledges a notice.
    Acknowledge { notice: NoticeId },
    /// A command that this build does not know.
    #[serde(other)]
    Unknown,
}

impl Command {
    /// Returns a start with nothing but a message.
    pub fn start(conversation: ConversationId, text: impl Into<String>) -> Self {
        Self::Start {
            conversation,
            mode: Mode::Default,
            text: text.into(),
            from: None,
            plan: None,
            choice: None,
            references: Vec::new(),
            packs: None,
        }
    }

    /// Returns the message that it sends; none for a command that sends none.
    pub fn message(&self) -> Option<SentMessage<'_>> {
        match self {
            Self::Start {
                conversation,
                text,
                references,
                ..
            }
            | Self::Send {
                conversation,
                text,
                references,
                ..
            }
            | Self::Steer {
                conversation,
                text,
                references,
            } => Some(SentMessage {
                conversation: *conversation,
                text,
                references,
            }),
            _ => None,
        }
    }

    /// Returns the call that a person decides or settles with it.
    pub fn call(&self) -> Option<CallId> {
        match self {
            Self::Decide { call, .. }
            | Self::Edit { call, .. }
            | Self::CheckOutcome { call, .. }
            | Self::Resolve { call, .. } => Some(*call),
            _ => None,
        }
    }
}

/// The message of a command.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SentMessage<'a> {
    pub conversation: ConversationId,
    pub text: &'a str,
    /// Things that the message refers to, apart from its text.
    pub references: &'a [Reference],
}
