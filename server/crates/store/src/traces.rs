//! The ids behind one call, from the records of its life.

use protocol::{CallId, CallTrace, ContentBlock, ConversationId, EventBody, UserId};
use sqlx::Row;

use crate::{Error, Store};

impl Store {
    /// Returns the ids behind a call in a conversation of a user, or behind a call of their own; of any
    /// other call nothing is known.
    pub async fn call_trace(
        &self,
        owner: UserId,
        conversation: ConversationId,
        call: CallId,
    ) -> Result<CallTrace, Error> {
        let mut reader = self.readers().acquire().await?;
        let rows = sqlx::query(
            "SELECT body, correlation, model_request FROM events \
             WHERE conversation = \
             (SELECT key FROM conversations WHERE owner = ? AND id = ? AND deleted IS NULL) \
             AND instr(body, ?) > 0 \
             AND (correlation IS NOT NULL OR model_request IS NOT NULL) ORDER BY seq",
        )
        .bind(owner.to_string())
        .bind(conversation.to_string())
        .bind(call.to_string())
        .fetch_all(&mut *reader)
        .await?;
        let mut trace = CallTrace::default();
        for row in rows {
            let body: &str = row.try_get(0)?;
            let body = serde_json::from_str(body);
            let body = body.map_err(|error| Error::Damaged(error.to_string()))?;
            note(&mut trace, call, &body, row.try_get(1)?, row.try_get(2)?);
        }
        Ok(trace)
    }
}

/// Takes in a record that names the call, with its ids.
fn note(
    trace: &mut CallTrace,
    call: CallId,
    body: &EventBody,
    correlation: Option<String>,
    model_request: Option<String>,
) {
    match body {
        EventBody::AssistantMessage { blocks, .. } => {
            let asks = |block: &ContentBlock| matches!(block, ContentBlock::ToolUse { call: of, .. } if *of == call);
            if blocks.iter().any(asks) {
                trace.request = correlation;
                trace.model_request = model_request;
            }
        }
        EventBody::ActionStarted { call: of, .. } if *of == call => trace.request = correlation,
        EventBody::ConfirmationDecided { call: of, .. } if *of == call => {
            trace.decision = correlation;
        }
        _ => {}
    }
}
