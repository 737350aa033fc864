//! A conversation's line in the list, as a fold over its events.

use agent::ports::{Record, StoredConversation};
use protocol::{ConversationSummary, Cost, EventBody, Timestamp, TurnOutcome, Usage};

/// The line of a conversation.
pub(crate) fn summary(stored: &StoredConversation, records: &[Record]) -> ConversationSummary {
    let at = |record: Option<&Record>| record.map_or(Timestamp(0), |record| record.event.at);
    let mut summary = ConversationSummary {
        id: stored.id,
        title: String::new(),
        model: stored.model.clone(),
        mode: stored.mode,
        created: at(records.first()),
        updated: at(records.last()),
        messages: 0,
        usage: Usage::default(),
        cost: Some(Cost::default()),
        running: false,
    };
    for record in records {
        match &record.event.body {
            EventBody::ConversationStarted { title, .. } | EventBody::TitleChanged { title } => {
                summary.title.clone_from(title);
            }
            EventBody::TurnStarted { .. } => {
                summary.messages += 1;
                summary.running = true;
            }
            EventBody::TurnResumed { .. } => summary.running = true,
            EventBody::AssistantMessage { usage, cost, .. } => {
                summary.usage += *usage;
                summary.cost = match (summary.cost, cost) {
                    (Some(sum), Some(cost)) => Some(Cost(sum.0 + cost.0)),
                    _ => None,
                };
            }
            EventBody::TurnFinished { outcome, .. } => {
                if matches!(outcome, TurnOutcome::Answered | TurnOutcome::Truncated) {
                    summary.messages += 1;
                }
                summary.running = false;
            }
            _ => {}
        }
    }
    summary
}
