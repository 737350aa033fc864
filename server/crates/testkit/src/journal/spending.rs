//! The usage of a user's conversations on a day.

use agent::{
    DaySpent,
    ports::{JournalError, Spending},
};
use async_trait::async_trait;
use protocol::{BudgetScope, EventBody, UserId};

use super::{Inner, MemoryJournal};

impl Inner {
    pub(super) fn spent_on(&self, user: UserId, day: i64) -> DaySpent {
        let deleted = self.deleted.values().map(|(_, deleted)| deleted);
        let all = self.conversations.values().chain(deleted);
        let of_user = all.filter(|conversation| conversation.stored.owner == user);
        let mut today = DaySpent::default();
        // A branch's copies were used once.
        let own = of_user.flat_map(|conversation| {
            let records = conversation.records.iter();
            records.filter(|record| record.event.seq > conversation.copied)
        });
        for record in own {
            if agent::day_of(record.event.at) != day {
                continue;
            }
            match &record.event.body {
                EventBody::AssistantMessage { usage, cost, .. }
                | EventBody::TitleWritten { usage, cost, .. } => today.spent.add(*usage, *cost),
                EventBody::BudgetNear { scope, .. } => {
                    today.told |= *scope == BudgetScope::Day;
                }
                _ => {}
            }
        }
        today
    }
}

#[async_trait]
impl Spending for MemoryJournal {
    async fn spent_on(&self, user: UserId, day: i64) -> Result<DaySpent, JournalError> {
        self.unless_frozen().await;
        Ok(self.inner.lock().unwrap().spent_on(user, day))
    }
}
