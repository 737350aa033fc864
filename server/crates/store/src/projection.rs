//! The changes that events make to a conversation's line in the list.

use agent::ports::NewRecord;
use protocol::{BudgetScope, ContentBlock, Cost, EventBody, MessageId, OwnCall, Spent, Usage};

use crate::Error;

/// The sum of the changes of one write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Projection {
    pub(crate) title: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) messages: u32,
    pub(crate) usage: Usage,
    /// None once one of the costs is unknown.
    pub(crate) cost: Option<Cost>,
    /// The usage that counts for the day.
    pub(crate) spent: Spent,
    /// True if the person was told that most of the day's budget is used.
    pub(crate) told: bool,
    pub(crate) running: Option<bool>,
    /// True if a person said something new, which takes the conversation out of the archive.
    pub(crate) spoken: bool,
    pub(crate) queue: Vec<QueueChange>,
    /// The newest record that its user should see, counted from one.
    pub(crate) answered: Option<i64>,
}

/// A change of the queue, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueueChange {
    Add(MessageId),
    Remove(MessageId),
}

impl Projection {
    pub(crate) fn of(records: &[NewRecord]) -> Self {
        let mut sum = Self {
            title: None,
            model: None,
            messages: 0,
            usage: Usage::default(),
            cost: Some(Cost(0)),
            spent: Spent::default(),
            told: false,
            running: None,
            spoken: false,
            queue: Vec::new(),
            answered: None,
        };
        for (n, record) in (1..).zip(records) {
            sum.add(&record.body);
            if record.body.is_for_person() {
                sum.answered = Some(n);
            }
        }
        sum
    }

    /// Adds one call of a model.
    fn count(&mut self, usage: Usage, cost: Option<Cost>) {
        self.usage += usage;
        self.spent.add(usage, cost);
        self.cost = match (self.cost, cost) {
            (Some(sum), Some(cost)) => Some(Cost(sum.0.saturating_add(cost.0))),
            _ => None,
        };
    }

    /// Adds the changes of one more event.
    pub(crate) fn add(&mut self, body: &EventBody) {
        match body {
            EventBody::ConversationStarted { title, .. } | EventBody::TitleChanged { title } => {
                self.title = Some(title.clone());
            }
            EventBody::TitleWritten {
                title, usage, cost, ..
            } => {
                if let Some(title) = title {
                    self.title = Some(title.clone());
                }
                self.count(*usage, *cost);
            }
            EventBody::MessageQueued { message, .. }
            | EventBody::MessageSteered { message, .. } => {
                self.queue.push(QueueChange::Add(*message));
                self.spoken = true;
            }
            EventBody::MessageRead { message, .. } => {
                self.queue.push(QueueChange::Remove(*message));
                self.messages += 1;
            }
            // The copied events were used and said elsewhere.
            EventBody::Branched { title, .. } => {
                *self = Self {
                    title: Some(title.clone()),
                    model: self.model.take(),
                    queue: std::mem::take(&mut self.queue),
                    ..Self::of(&[])
                };
            }
            EventBody::MessageWithdrawn { message } => {
                self.queue.push(QueueChange::Remove(*message));
            }
            EventBody::TurnStarted { message, .. } => {
                self.queue.push(QueueChange::Remove(*message));
                self.messages += 1;
                self.spoken = true;
                self.running = Some(true);
            }
            EventBody::ActionStarted { .. } | EventBody::TurnResumed { .. } => {
                self.running = Some(true);
            }
            EventBody::AssistantMessage {
                blocks,
                usage,
                cost,
                ..
            } => {
                let calls = blocks
                    .iter()
                    .any(|block| matches!(block, ContentBlock::ToolUse { .. }));
                if !calls {
                    self.messages += 1;
                }
                self.count(*usage, *cost);
            }
            EventBody::ModelChosen { model, .. } => self.model = Some(model.clone()),
            EventBody::BudgetNear { scope, .. } => self.told |= *scope == BudgetScope::Day,
            EventBody::TurnFinished { .. } => self.running = Some(false),
            EventBody::AskedByLink { .. }
            | EventBody::StepStarted { .. }
            | EventBody::StepInterrupted { .. }
            | EventBody::ToolQueued { .. }
            | EventBody::ConfirmationRequested { .. }
            | EventBody::ConfirmationDecided { .. }
            | EventBody::GrantGiven { .. }
            | EventBody::GrantRevoked { .. }
            | EventBody::OutcomeResolved { .. }
            | EventBody::StopRequested { .. }
            | EventBody::ToolStarted { .. }
            | EventBody::ToolBlocked { .. }
            | EventBody::ToolFinished { .. }
            | EventBody::Unknown => {}
        }
    }
}

/// The call, as JSON, if the records begin an own call.
pub(crate) fn own_call(records: &[NewRecord]) -> Result<Option<String>, Error> {
    let own = records.iter().find_map(|record| match &record.body {
        EventBody::ActionStarted { tool, input, .. } => Some(OwnCall {
            tool: tool.clone(),
            input: input.clone(),
        }),
        _ => None,
    });
    let json = own.map(|own| serde_json::to_string(&own)).transpose();
    json.map_err(|error| Error::Damaged(error.to_string()))
}
