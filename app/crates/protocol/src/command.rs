//! What a client asks the server to do.

use serde::{Deserialize, Serialize};

use crate::{ConversationId, MessageId, Mode, TurnId};

/// The longest message that a person may send, in bytes of UTF-8.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;

/// A command, sent under a client-made [`crate::CommandId`]. The same id is the same command,
/// however often it arrives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// Starts a conversation with its first message.
    Start {
        conversation: ConversationId,
        #[serde(default)]
        mode: Mode,
        text: String,
    },
    /// Sends a message. While a turn runs the message is queued.
    Send {
        conversation: ConversationId,
        text: String,
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
    /// Goes on with a turn that failed or was stopped.
    Retry {
        conversation: ConversationId,
        turn: TurnId,
    },
    /// A command that this build does not know.
    #[serde(other)]
    Unknown,
}
