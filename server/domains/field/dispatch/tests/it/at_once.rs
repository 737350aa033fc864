//! Many calls about one job at the same time: the same as some order of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use field_tables::{JobEventKind, JobState};
use serde_json::json;
use tokio::task::JoinSet;

use crate::office::Office;
use crate::stranger::Stranger;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_at_once_start_a_job_once_and_none_of_them_fails() {
    let mut office = Office::open().await;
    let device = Arc::new(Stranger::adopted(&office, 1).await);
    let mut ends = BTreeSet::new();
    for round in 0..12_u8 {
        let order = office.order_for(&device.id, &device.key.fingerprint());
        let job = office.dispatch.queue_job(&order).await.unwrap().id;
        let claimed = Arc::new(device.claim(round, 0).await.unwrap());
        let mut calls = JoinSet::new();
        for number in 0..16_u8 {
            let (device, claimed) = (Arc::clone(&device), Arc::clone(&claimed));
            let (dispatch, job) = (office.dispatch.clone(), job.clone());
            calls.spawn(async move {
                let said = match (number + round) % 8 {
                    0..=2 => device.start(&claimed, number % 2).await,
                    3 => device.end(&claimed, json!({ "exit": 0 })).await,
                    4 => {
                        let renewed = device.renew(&claimed).await;
                        renewed
                            .map_or_else(|refusal| refusal.code, |_| "kept")
                            .to_owned()
                    }
                    5 => {
                        let put = device.log(&claimed, 0, b"same").await;
                        put.map_or_else(|refusal| refusal.code, |_| "put")
                            .to_owned()
                    }
                    6 if round % 3 == 0 => {
                        dispatch.cancel_job(&job, "no", "ann").await.unwrap();
                        "cancelled".to_owned()
                    }
                    _ => {
                        dispatch.upkeep().await.unwrap();
                        "kept up".to_owned()
                    }
                };
                (number % 2, said)
            });
        }
        let said = calls.join_all().await;
        let gone: BTreeSet<_> = said
            .iter()
            .filter(|it| it.1 == "go")
            .map(|it| it.0)
            .collect();
        assert!(gone.len() <= 1, "round {round}: two nonces went: {said:?}");
        let failed = said
            .iter()
            .find(|it| it.1 == "failed" || it.1 == "not_found");
        assert_eq!(failed, None, "round {round}: {said:?}");
        let events = office
            .tables
            .job_events(Some(&job), 0, 99)
            .await
            .unwrap()
            .events;
        let starts = events
            .iter()
            .filter(|it| it.kind == JobEventKind::Running)
            .count();
        assert!(
            starts <= 1 && starts == gone.len(),
            "round {round}: {said:?}"
        );
        let state = office.job(&job).await.state;
        ends.insert(state.word());
        // Room for the next round, as a device that has lost its memory would leave it.
        if state == JobState::Running {
            device.end(&claimed, json!("lost")).await;
        } else if !state.is_over() {
            office.clock.advance(31);
            office.dispatch.cancel_job(&job, "no", "ann").await.unwrap();
        }
    }
    assert!(ends.len() > 1, "each round went the same way: {ends:?}");
}
