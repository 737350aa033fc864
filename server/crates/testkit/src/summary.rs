//! A conversation's line in the list, as a fold over its events.

use agent::ports::{Record, StoredConversation};
use protocol::{
    ContentBlock, ConversationSummary, Cost, EventBody, OwnCall, Shelf, Timestamp, Usage,
    WaitingCall,
};

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
        waiting: Vec::new(),
        from: None,
        action: None,
        shelf: Shelf::default(),
        imported: None,
        family: None,
        folder: None,
        unread: None,
    };
    for record in records {
        match &record.event.body {
            EventBody::ConversationStarted { title, from, .. } => {
                summary.title.clone_from(title);
                summary.from = *from;
            }
            EventBody::ModelChosen { model, .. } => summary.model.clone_from(model),
            EventBody::TitleChanged { title } => summary.title.clone_from(title),
            EventBody::MessageRead { .. } => summary.messages += 1,
            EventBody::TitleWritten {
                title, usage, cost, ..
            } => {
                if let Some(title) = title {
                    summary.title.clone_from(title);
                }
                summary.usage += *usage;
                summary.cost = match (summary.cost, cost) {
                    (Some(sum), Some(cost)) => Some(Cost(sum.0 + cost.0)),
                    _ => None,
                };
            }
            EventBody::Branched { title, .. } => {
                summary.title.clone_from(title);
                summary.messages = 0;
                summary.usage = Usage::default();
                summary.cost = Some(Cost::default());
                summary.running = false;
                summary.waiting.clear();
                summary.unread = None;
            }
            EventBody::TurnStarted { .. } => {
                summary.messages += 1;
                summary.running = true;
            }
            EventBody::ActionStarted { tool, input, .. } => {
                summary.running = true;
                summary.action = Some(Box::new(OwnCall {
                    tool: tool.clone(),
                    input: input.clone(),
                }));
            }
            EventBody::TurnResumed { .. } => summary.running = true,
            EventBody::AssistantMessage {
                blocks,
                usage,
                cost,
                ..
            } => {
                // An answer that asks for no tool is a final one.
                let calls = |block: &ContentBlock| matches!(block, ContentBlock::ToolUse { .. });
                if !blocks.iter().any(calls) {
                    summary.messages += 1;
                }
                summary.usage += *usage;
                summary.cost = match (summary.cost, cost) {
                    (Some(sum), Some(cost)) => Some(Cost(sum.0 + cost.0)),
                    _ => None,
                };
            }
            EventBody::TurnFinished { .. } => summary.running = false,
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                summary.waiting.retain(|waiting| waiting.call != *call);
                summary.waiting.push(WaitingCall {
                    call: *call,
                    sentence: confirmation.sentence.clone(),
                    expires: confirmation.expires,
                });
                let order = |waiting: &WaitingCall| (waiting.expires, waiting.call);
                summary.waiting.sort_by_key(order);
            }
            EventBody::ConfirmationDecided { call, .. }
            | EventBody::ToolStarted { call, .. }
            | EventBody::ToolBlocked { call, .. } => {
                summary.waiting.retain(|waiting| waiting.call != *call);
            }
            _ => {}
        }
        if record.event.body.is_for_person() {
            summary.unread = Some(record.event.seq);
        }
    }
    summary
}
