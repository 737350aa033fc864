//! The journal of a relayed call, followed until there is something to answer.

use std::time::Duration;

use ::mcp::{CallStanding, FollowedCall};
use protocol::{ConversationId, ErrorBody, ErrorCode, Event};
use sign_in::SignedIn;

use crate::{
    http::{
        Http,
        follow_journal::{JournalFold, follow_journal},
    },
    texts,
};

/// The event that ends a wait before its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FollowUntil {
    /// The end of the call, or a person who is asked.
    Card,
    /// The end of the call.
    End,
}

/// The call of a journal, as far as it is known.
struct RelayedCallFold {
    /// None for another journal, such as that of a conversation.
    call: Option<FollowedCall>,
    until: FollowUntil,
}

impl JournalFold for RelayedCallFold {
    fn apply(&mut self, event: Event) {
        match &mut self.call {
            Some(call) => call.apply(&event.body),
            None => self.call = FollowedCall::begun(&event.body),
        }
    }

    fn is_enough(&self) -> bool {
        let Some(call) = &self.call else {
            return true;
        };
        match call.standing() {
            CallStanding::Ended(_) => true,
            CallStanding::Waiting(_) => self.until == FollowUntil::Card,
            CallStanding::Running => false,
        }
    }
}

/// Follows a call of this sign-in. When the time is over, or the server stops, the answer is how the call
/// stands then: it goes on, whoever waits for it.
///
/// # Errors
/// There is no such call for this sign-in.
pub(super) async fn followed(
    http: &Http,
    signed_in: &SignedIn,
    call: ConversationId,
    until: FollowUntil,
    patience: Duration,
) -> Result<FollowedCall, ErrorBody> {
    let mut fold = RelayedCallFold { call: None, until };
    follow_journal(http, signed_in, call, &mut fold, patience).await?;
    fold.call.ok_or_else(no_such_call)
}

pub(super) fn no_such_call() -> ErrorBody {
    ErrorBody::new(ErrorCode::ConversationNotFound, texts::mcp::NO_SUCH_CALL)
}
