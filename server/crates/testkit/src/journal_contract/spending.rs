//! The usage of a day is the sum of its answers, wherever they were given.

use agent::{DaySpent, day_of, day_start};
use protocol::{BudgetScope, Spent};

use super::*;

impl Check<'_> {
    pub(super) async fn spending(&self, case: u128) {
        let owner = self.user(case);
        let turn = TurnId::new(AT, self.seed | case);
        let usage = |n| Usage {
            input: n,
            output: 2 * n,
            cache_read: 3 * n,
            cache_write: 4 * n,
            estimated: false,
        };
        let answer = |n, cost| {
            NewRecord::event(EventBody::AssistantMessage {
                turn,
                message: MessageId::new(AT, self.seed | u128::from(n)),
                blocks: Vec::new(),
                stop: StopReason::EndTurn,
                usage: usage(n),
                cost,
            })
        };
        let today = day_of(AT);
        let tomorrow = day_start(today + 1);
        let near = NewRecord::event(EventBody::BudgetNear {
            turn,
            scope: BudgetScope::Day,
            message: "near".to_owned(),
        });
        let first = self.create(case).await;
        // Another conversation of the same person.
        let mut second = self.first(case);
        second.conversation = self.id(case | 1 << 48);
        let stored = StoredConversation {
            id: second.conversation,
            ..self.stored(case)
        };
        let second = second.conversation;
        let mut created = self.first(case);
        created.conversation = second;
        self.journal.create(stored, created).await.unwrap();
        let spent_on = |day| self.journal.spent_on(owner, day);
        assert_eq!(spent_on(today).await.unwrap(), DaySpent::default());

        let mut spent = Spent::default();
        let (known, unknown) = (Some(Cost(700)), None);
        let of_first = vec![answer(1, known), answer(2, unknown)];
        for (n, cost) in [(1, known), (2, unknown), (3, known)] {
            spent.add(usage(n), cost);
        }
        self.journal
            .append(append(first, 1, of_first))
            .await
            .unwrap();
        let of_second = vec![answer(3, known)];
        self.journal
            .append(append(second, 1, of_second))
            .await
            .unwrap();
        assert_eq!(spent.unpriced, 20);
        let told = false;
        assert_eq!(spent_on(today).await.unwrap(), DaySpent { spent, told });

        // The next day begins with nothing, and the one before stays.
        let mut next = append(first, 3, vec![answer(5, known), near]);
        next.at = tomorrow;
        self.journal.append(next).await.unwrap();
        assert_eq!(spent_on(today).await.unwrap(), DaySpent { spent, told });
        let next = spent_on(today + 1).await.unwrap();
        assert_eq!((next.spent.usage, next.told), (usage(5), true));

        // Paid is paid, also for a conversation that was deleted since.
        let by = Person::from(owner);
        self.journal.delete(second, &by, AT).await.unwrap();
        assert_eq!(spent_on(today).await.unwrap().spent, spent);
        self.journal.remove_deleted(tomorrow).await.unwrap();
        let other = self
            .journal
            .spent_on(self.user(case | 1 << 40), today)
            .await;
        assert_eq!(other.unwrap(), DaySpent::default(), "somebody else's");
    }

    /// The line in the list names the model.
    pub(super) async fn choices(&self, case: u128) {
        let id = self.create(case).await;
        let chosen = NewRecord::event(EventBody::ModelChosen {
            model: "model-2".to_owned(),
            effort: None,
            window: None,
        });
        let line = self.journal.append(append(id, 1, vec![chosen])).await;
        assert_eq!(line.unwrap().summary.model, "model-2");
        let line = self
            .journal
            .append(append(id, 2, vec![title("other")]))
            .await;
        assert_eq!(line.unwrap().summary.model, "model-2");
    }
}
