//! Notices in the database: raised once, acknowledged by a person, and recorded.

use agent::ports::{JournalError, NoticeChange, NoticeRecords, Person};
use protocol::{Acknowledged, CommandId, Notice, NoticeId, Timestamp, UserId};
use store::{Store, SystemEvent};

const AT: Timestamp = Timestamp(1_700_000_000_000);
const LATER: Timestamp = Timestamp(AT.0 + 1000);

fn notice(n: u128) -> Notice {
    Notice {
        id: NoticeId::new(AT, n),
        system: "homelab".to_owned(),
        key: "node/agent1/down".to_owned(),
        kind: "node".to_owned(),
        grave: true,
        about: "node agent1".to_owned(),
        text: "Node agent1 is offline.".to_owned(),
        since: AT,
        seen: AT,
        acknowledged: None,
        ended: None,
    }
}

fn ada() -> Person {
    Person {
        name: "Ada".to_owned(),
        ..UserId::new(AT, 1).into()
    }
}

fn command(n: u128) -> CommandId {
    CommandId::new(AT, n)
}

#[tokio::test]
async fn a_notice_from_its_telling_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let open = || store.notices("homelab", LATER);
    let first = notice(1);
    let raised = [NoticeChange::Raised(first.clone())];
    store.change_notices(&raised, AT).await.unwrap();
    assert_eq!(open().await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(store.notices("greenhouse", AT).await.unwrap(), []);

    // The same condition is not raised twice, whatever the id: all of that write is refused.
    let twice = [NoticeChange::Raised(notice(2))];
    assert!(store.change_notices(&twice, AT).await.is_err());

    let (ada, by) = (ada(), "Ada".to_owned());
    store
        .acknowledge_notice(first.id, &ada, LATER, command(1))
        .await
        .unwrap();
    let again = store.acknowledge_notice(first.id, &ada, LATER, command(1));
    assert!(matches!(again.await, Err(JournalError::Duplicate)));
    let known = Notice {
        acknowledged: Some(Acknowledged { by, at: LATER }),
        ..first.clone()
    };
    assert_eq!(open().await.unwrap(), std::slice::from_ref(&known));

    // A survey does not touch the acknowledgement.
    let changed = Notice {
        text: "Node agent1 does not answer.".to_owned(),
        seen: LATER,
        ..first.clone()
    };
    let changes = [NoticeChange::Changed(changed.clone())];
    store.change_notices(&changes, LATER).await.unwrap();
    let expect = Notice {
        acknowledged: known.acknowledged.clone(),
        ..changed
    };
    store.close().await.unwrap();
    drop(store);

    let store = Store::open(folder.path()).await.unwrap();
    let open = || store.notices("homelab", LATER);
    assert_eq!(open().await.unwrap(), std::slice::from_ref(&expect));
    let ended = Notice {
        ended: Some(LATER),
        ..expect
    };
    // It is resolved and raised again in one write.
    let changes = [
        NoticeChange::Ended(ended.clone()),
        NoticeChange::Raised(notice(3)),
    ];
    store.change_notices(&changes, LATER).await.unwrap();
    assert_eq!(open().await.unwrap(), [ended.clone(), notice(3)]);
    let gone = store.acknowledge_notice(first.id, &ada, LATER, command(5));
    assert!(matches!(gone.await, Err(JournalError::NotFound)));
    let much_later = Timestamp(LATER.0 + 1);
    assert_eq!(
        store.notices("homelab", much_later).await.unwrap(),
        [notice(3)]
    );

    let events = store.system_events(10).await.unwrap();
    let kinds: Vec<_> = events.into_iter().rev().map(|(_, event)| event).collect();
    let [
        SystemEvent::NoticeRaised { notice: a, .. },
        SystemEvent::NoticeAcknowledged { notice: b, by, .. },
        SystemEvent::NoticeEnded { notice: c, .. },
        SystemEvent::NoticeRaised { .. },
    ] = &kinds[..]
    else {
        panic!("{kinds:?}");
    };
    assert_eq!(
        (a, b, c, by.as_str()),
        (&first.id, &first.id, &first.id, "Ada")
    );

    // Long after its end it is dropped; the system journal keeps it.
    let month = Timestamp(LATER.0 + 31 * 24 * 3_600_000);
    store.change_notices(&[], month).await.unwrap();
    assert_eq!(store.notices("homelab", AT).await.unwrap(), [notice(3)]);
}
