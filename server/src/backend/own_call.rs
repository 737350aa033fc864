//! Calls of a person's own, which have an address and are no conversations.

use app::CurrentUser;
use protocol::{ConversationId, ErrorBody, ErrorCode, EventBody, Seq};

use super::{ServerBackend, request_scope::person};

impl ServerBackend {
    /// True if this is the journal of a call of this user that the sign-in reaches.
    pub(super) async fn finds_own_call(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<bool, ErrorBody> {
        let all = Seq(u64::MAX);
        match self.engine.events(&person(user), id, Seq(0), all).await {
            Ok(events) => Ok(events
                .iter()
                .any(|event| matches!(event.body, EventBody::ActionStarted { .. }))),
            Err(error) if error.code == ErrorCode::ConversationNotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}
