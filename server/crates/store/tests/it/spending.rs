//! The usage in an older database is known after its upgrade, and the list shows the sum.

use agent::ports::Spending;
use protocol::{
    ConversationId, Cost, EventBody, MessageId, StopReason, Timestamp, TurnId, Usage, UserId,
};
use store::Store;

use crate::older::before;

const DAY: i64 = 86_400_000;

#[tokio::test]
async fn an_older_database_knows_what_was_spent() {
    let folder = tempfile::tempdir().unwrap();
    let mut old = before(18, folder.path()).await;
    let owner = UserId::new(Timestamp(1), 1);
    let id = |n: u32| ConversationId::new(Timestamp(1), n.into());
    let conversation = |key: u32, imported: &str| {
        format!(
            "INSERT INTO conversations (key, id, owner, mode, model, title, created, updated, head, \
             epoch, messages, input, output, cache_read, cache_write, cost, running, imported) \
             VALUES ({key}, '{}', '{owner}', 'default', 'm', 'Old', 1, 1, 3, 1, 0, 0, 0, 0, 0, 0, \
             0, {imported})",
            id(key),
        )
    };
    let answer = |key: u32, seq: u32, at: i64, cost| {
        let body = EventBody::AssistantMessage {
            turn: TurnId::new(Timestamp(1), 1),
            message: MessageId::new(Timestamp(1), seq.into()),
            blocks: Vec::new(),
            stop: StopReason::EndTurn,
            usage: Usage {
                input: 1,
                output: 2,
                cache_read: 3,
                cache_write: 4,
                estimated: false,
            },
            cost,
        };
        let body = serde_json::to_string(&body).unwrap();
        format!(
            "INSERT INTO events (conversation, seq, at, body) VALUES ({key}, {seq}, {at}, '{body}')"
        )
    };
    for statement in [
        conversation(1, "NULL"),
        conversation(2, "NULL"),
        conversation(3, "7"),
        answer(1, 1, DAY, Some(Cost(5))),
        answer(1, 2, DAY + 1, None),
        answer(2, 1, 2 * DAY - 1, Some(Cost(7))),
        answer(2, 2, 2 * DAY, Some(Cost(9))),
        // It was paid elsewhere.
        answer(3, 1, DAY, Some(Cost(1000))),
    ] {
        let statement = sqlx::AssertSqlSafe(statement);
        sqlx::query(statement).execute(&mut old).await.unwrap();
    }
    sqlx::Connection::close(old).await.unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let first = store.spent_on(owner, 1).await.unwrap();
    assert!(!first.told);
    assert_eq!(first.spent.usage.total(), 30);
    assert_eq!((first.spent.cost, first.spent.unpriced), (Cost(12), 10));
    let second = store.spent_on(owner, 2).await.unwrap().spent;
    assert_eq!((second.usage.total(), second.cost), (10, Cost(9)));
    assert_eq!(
        store.spent_on(owner, 3).await.unwrap().spent.usage.total(),
        0
    );
    let one = store.conversation_spent(owner, id(1)).await.unwrap();
    assert_eq!(
        (one.usage.total(), one.cost, one.unpriced),
        (20, Cost(5), 10)
    );
}
