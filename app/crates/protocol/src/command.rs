//! What a client asks the server to do.

use serde::{Deserialize, Serialize};

use serde_json::Value;

use crate::{
    CallId, ConversationId, Decision, GrantId, MessageId, Mode, ModelChoice, NoticeId, Performed,
    Reference, Resolution, TabId, TurnId,
};

/// The longest message that a person may send, in bytes of UTF-8.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;

/// A command, sent under a client-made [`crate::CommandId`]. The same id is the same command,
/// however often it arrives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// Starts a conversation with its first message.
    Start {
        conversation: ConversationId,
        #[serde(default)]
        mode: Mode,
        text: String,
        /// The conversation that it goes on from, such as a plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<ConversationId>,
        /// The answer in `from` that is to be carried out. The server takes its text from there, as
        /// data: the words of this message are the person's alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<MessageId>,
        /// Who is to answer; none is the model of new conversations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<ModelChoice>,
        /// What the message is about, beside its words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// A person's own call of a tool. It gets a journal of its own, under the same gate as a call
    /// of the model.
    Act {
        conversation: ConversationId,
        tool: String,
        input: Value,
    },
    /// Sends a message. While a turn runs the message is queued.
    Send {
        conversation: ConversationId,
        text: String,
        /// While confirmations wait: withdraw them, end the turn and take this message at once.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        withdraw: bool,
        /// What the message is about, beside its words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// Sends a message to the running turn, which reads it at its next step. If the turn ends
    /// before, the message starts the next one.
    Steer {
        conversation: ConversationId,
        text: String,
        /// What the message is about, beside its words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        references: Vec<Reference>,
    },
    /// Starts a conversation with a copy of what stands above a message of another one, and runs the
    /// message again. Both stay.
    Branch {
        /// The new one.
        conversation: ConversationId,
        from: ConversationId,
        /// The message in whose place the new one stands; it began a turn.
        message: MessageId,
        /// Other words; without them it is the same message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Calls that acted and are left behind, as the person was told. One that is not among them
        /// refuses the command.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        known: Vec<CallId>,
    },
    /// Takes a queued message back.
    Withdraw {
        conversation: ConversationId,
        message: MessageId,
    },
    /// Stops the running turn.
    Stop {
        conversation: ConversationId,
        turn: TurnId,
    },
    /// Goes on with a turn that failed, was stopped or ended at a limit.
    Retry {
        conversation: ConversationId,
        turn: TurnId,
    },
    /// Chooses who answers from the next turn on.
    Choose {
        conversation: ConversationId,
        choice: ModelChoice,
    },
    /// Decides on a call that waits for a confirmation.
    Decide {
        conversation: ConversationId,
        call: CallId,
        /// What the card showed; see [`crate::Confirmation::digest`].
        digest: String,
        decision: Decision,
    },
    /// Changes the input of a call that waits for a confirmation. It is asked for again.
    Edit {
        conversation: ConversationId,
        call: CallId,
        /// What the card showed.
        digest: String,
        /// All of the new input.
        input: Value,
    },
    /// Takes a standing grant back.
    Revoke {
        conversation: ConversationId,
        grant: GrantId,
    },
    /// Looks again at what became of a call whose outcome is unknown.
    CheckOutcome {
        conversation: ConversationId,
        call: CallId,
    },
    /// Says what became of a call whose outcome is unknown.
    Resolve {
        conversation: ConversationId,
        call: CallId,
        resolution: Resolution,
    },
    /// Stops everything but reading, or lifts that.
    KillSwitch { on: bool },
    /// Says what came of a call that this tab was asked to carry out. Nothing of it is kept but with
    /// the call's result.
    Performed {
        conversation: ConversationId,
        call: CallId,
        tab: TabId,
        result: Performed,
    },
    /// This tab carries a running call out in place of another one.
    TakeOver {
        conversation: ConversationId,
        call: CallId,
        tab: TabId,
    },
    /// Says that a person knows of a notice.
    Acknowledge { notice: NoticeId },
    /// A command that this build does not know.
    #[serde(other)]
    Unknown,
}

impl Command {
    /// A start with nothing but a message.
    pub fn start(conversation: ConversationId, text: impl Into<String>) -> Self {
        Self::Start {
            conversation,
            mode: Mode::Default,
            text: text.into(),
            from: None,
            plan: None,
            choice: None,
            references: Vec::new(),
        }
    }
}
