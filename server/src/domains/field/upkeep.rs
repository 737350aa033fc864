//! Work in the background while there are field devices.

use std::{sync::Arc, time::Duration};

use field_dispatch::{Dispatch, FieldBackend, KeptSince};
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::{domains::OwnAddress, tasks::Task};

/// Time between two rounds.
const ROUND: Duration = Duration::from_secs(1);
/// Time between two removals of what is old.
const REMOVAL: Duration = Duration::from_secs(60 * 60);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The tasks of all field devices.
pub(super) fn tasks(
    dispatch: &Dispatch,
    backend: Arc<FieldBackend>,
    keep_days: u32,
    own: &OwnAddress,
) -> Vec<Task> {
    let rounds = dispatch.clone();
    let waiting = dispatch.clone();
    let stopping = own.stopping().clone();
    vec![
        Task::new("the picture of the field devices", |stop| async move {
            stop.run_until_cancelled(Box::pin(backend.follow())).await;
        }),
        Task::new("upkeep of the field devices", move |stop| async move {
            stop.run_until_cancelled(upkeep(&rounds, keep_days)).await;
        }),
        Task::new("field devices that wait for work", |_| async move {
            // Before the server waits for its connections: each of them waits up to 45 seconds.
            stopping.cancelled().await;
            waiting.stop();
        }),
    ]
}

async fn upkeep(dispatch: &Dispatch, keep_days: u32) {
    let mut rounds = interval(ROUND);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut removal = Instant::now();
    loop {
        rounds.tick().await;
        if let Err(error) = dispatch.upkeep().await {
            tracing::warn!(%error, "a round of upkeep of the field devices failed");
        }
        if Instant::now() >= removal {
            removal = Instant::now() + REMOVAL;
            if let Err(error) = remove_old(dispatch, keep_days).await {
                tracing::warn!(%error, "what is old of the field devices could not be removed");
            }
        }
    }
}

async fn remove_old(
    dispatch: &Dispatch,
    keep_days: u32,
) -> Result<(), field_dispatch::DispatchRefusal> {
    let before = dispatch.now_ms() - i64::from(keep_days) * DAY_MS;
    let since = KeptSince {
        bundles_ms: before,
        jobs_ms: before,
        enrolments_ms: before,
    };
    while dispatch.prune(&since).await? > 0 {}
    Ok(())
}
