//! Requests with a key, which have one effect and one answer.

use protocol::Timestamp;
use store::{BegunRequest, Error, KeptAnswer, KeyedRequest, Store};

const AT: Timestamp = Timestamp(1_700_000_000_000);
const DAY: i64 = 24 * 60 * 60 * 1000;

fn keyed(principal: &str, key: u8, request: u8) -> KeyedRequest {
    KeyedRequest {
        principal: principal.to_owned(),
        key: [key; 32],
        request: [request; 32],
    }
}

#[tokio::test]
async fn a_key_stands_for_one_request_of_one_principal_for_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let first = keyed("tok_a", 1, 1);
    let unanswered = BegunRequest {
        began: AT,
        seed: u128::MAX - 5,
        answer: None,
    };
    let later = Timestamp(AT.0 + DAY - 1);
    // The second time is that of a server which stopped in the middle.
    for (now, seed) in [(AT, u128::MAX - 5), (later, 7)] {
        let begun = store.begin_request(&first, seed, now).await.unwrap();
        assert_eq!(begun, unanswered);
    }
    // The same key is another one of another principal, and the same principal may not use it for
    // something else.
    let others = store.begin_request(&keyed("tok_b", 1, 2), 9, AT).await;
    assert_eq!(others.unwrap().seed, 9);
    let reused = store.begin_request(&keyed("tok_a", 1, 2), 9, AT).await;
    assert!(matches!(reused, Err(Error::Stale)), "{reused:?}");

    let answer = KeptAnswer {
        status: 201,
        location: Some("/there".to_owned()),
        body: vec![0, 255],
    };
    store.answer_request(&first, &answer).await.unwrap();
    // What is answered is not forgotten by a refusal that comes late.
    store.forget_request(&first).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let store = Store::open(folder.path()).await.unwrap();
    let again = store.begin_request(&first, 7, later).await.unwrap();
    assert_eq!(again.answer, Some(answer));
    assert_eq!(again.seed, u128::MAX - 5);

    let other = keyed("tok_b", 1, 2);
    store.forget_request(&other).await.unwrap();
    let anew = store.begin_request(&other, 11, later).await.unwrap();
    assert_eq!((anew.began, anew.seed), (later, 11));
    let next_day = Timestamp(AT.0 + DAY);
    let anew = store.begin_request(&first, 12, next_day).await.unwrap();
    assert_eq!((anew.seed, anew.answer), (12, None));
    store.close().await.unwrap();
}
