//! Idempotency keys.

use field_tables::{FieldTablesError, ProgramRequest, RequestBegun};
use tokio::task::JoinSet;

use crate::home::{Home, T};

fn request(program: &str, key: &str) -> ProgramRequest {
    ProgramRequest {
        program: program.to_owned(),
        key: key.to_owned(),
        digest: "digest".to_owned(),
        held_until_ms: T + 60_000,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_16_that_ask_at_once_one_is_carried_out() {
    let home = Home::open().await;
    let mut asked = JoinSet::new();
    for _ in 0..16 {
        let tables = home.tables.clone();
        asked.spawn(async move { tables.begin_request(&request("a", "key"), T).await.unwrap() });
    }
    let outcomes = asked.join_all().await;
    let first = RequestBegun::First { attempt: 1 };
    assert_eq!(outcomes.iter().filter(|it| **it == first).count(), 1);
    let under_way = |it: &&RequestBegun| **it == RequestBegun::UnderWay;
    assert_eq!(outcomes.iter().filter(under_way).count(), 15);
}

#[tokio::test]
async fn an_answer_is_given_again_and_another_request_is_refused() {
    let home = Home::open().await;
    let asked = request("a", "key");
    let tables = &home.tables;
    let first = RequestBegun::First { attempt: 1 };
    assert_eq!(tables.begin_request(&asked, T).await.unwrap(), first);
    assert!(tables.finish_request(&asked, 1, 201, b"{}").await.unwrap());
    assert!(!tables.finish_request(&asked, 1, 500, b"").await.unwrap());
    assert!(!tables.release_request(&asked, 1).await.unwrap());
    let home = home.reopened().await;
    let tables = &home.tables;
    let late = T + 3_600_000;
    let answered = RequestBegun::Answered {
        status: 201,
        answer: b"{}".to_vec(),
    };
    assert_eq!(tables.begin_request(&asked, late).await.unwrap(), answered);
    let other = ProgramRequest {
        digest: "another digest".to_owned(),
        ..asked.clone()
    };
    let different = tables.begin_request(&other, late).await.unwrap();
    assert_eq!(different, RequestBegun::Different);
    // The key of another program is another key.
    let others = tables.begin_request(&request("b", "key"), T).await;
    assert_eq!(others.unwrap(), first);
    assert_eq!(tables.prune_requests(T + 1).await.unwrap(), 2);
    let anew = tables.begin_request(&other, late).await.unwrap();
    assert_eq!(anew, first);
}

#[tokio::test]
async fn one_that_was_interrupted_says_so() {
    let home = Home::open().await;
    let asked = request("a", "key");
    home.tables.begin_request(&asked, T).await.unwrap();
    let home = home.reopened().await;
    let tables = &home.tables;
    let held = T + 59_999;
    let under_way = tables.begin_request(&asked, held).await.unwrap();
    assert_eq!(under_way, RequestBegun::UnderWay);
    let again = ProgramRequest {
        held_until_ms: T + 120_000,
        ..asked.clone()
    };
    let begun = tables.begin_request(&again, T + 60_000).await.unwrap();
    assert_eq!(begun, RequestBegun::Again { attempt: 2 });
    // The attempt before is worth nothing, if it comes to its end all the same.
    assert!(!tables.finish_request(&asked, 1, 200, b"").await.unwrap());
    assert!(!tables.release_request(&asked, 1).await.unwrap());
    assert!(tables.release_request(&again, 2).await.unwrap());
    let first = RequestBegun::First { attempt: 1 };
    let anew = tables.begin_request(&asked, held).await.unwrap();
    assert_eq!(anew, first);
    let large = vec![0; 300_000];
    let large = tables.finish_request(&asked, 1, 200, &large).await;
    assert!(matches!(large, Err(FieldTablesError::TooLarge { .. })));
}
