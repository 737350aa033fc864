//! Events of the field for the feed: runs as they go on, and diagnostics that arrive.

use std::{collections::HashMap, sync::Arc, time::Duration};

use agent::ports::{Happening, Happenings, Teller};
use async_trait::async_trait;
use protocol::{FeedKind, FeedTone};
use serde_json::json;

use crate::{
    board::shown::phase,
    device_names::DeviceNames,
    parts::FieldParts,
    ports::{BundleSummary, FieldSnapshot, RunPhase, RunRecord},
    texts::happenings as say,
};

/// Pause after something could not be stored.
const PAUSE: Duration = Duration::from_secs(5);
const SOURCE: &str = "field";

pub(crate) struct FieldHappenings(pub(crate) Arc<FieldParts>);

#[async_trait]
impl Happenings for FieldHappenings {
    async fn follow(&self, teller: Teller) {
        let mut snapshots = self.0.ports.memory.snapshot();
        // The state in which each event was told last, by its key.
        let mut told = HashMap::new();
        let mut names = DeviceNames::default();
        loop {
            let snapshot = Arc::clone(&snapshots.borrow_and_update());
            if let Err(fault) = names.learn(&self.0, &snapshot).await {
                tracing::warn!(%fault, "names of retired devices not read, nothing is told for now");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            let all = happenings(&snapshot, &names);
            let is_new = |it: &&(Happening, &str)| told.get(&it.0.key) != Some(&it.1.to_owned());
            let new = all.iter().filter(is_new).map(|(it, _)| it.clone());
            if !teller.tell(new.collect()).await {
                // What was not stored is told again, as the same events.
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            told = all
                .iter()
                .map(|(it, state)| (it.key.clone(), (*state).to_owned()))
                .collect();
            if snapshots.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// All events of a snapshot, oldest first, each with the state that makes it another one.
fn happenings(snapshot: &FieldSnapshot, names: &DeviceNames) -> Vec<(Happening, &'static str)> {
    let name = |device: &str| {
        let known = names.of(snapshot, device);
        known.unwrap_or_else(|| device.to_owned())
    };
    let runs = snapshot.runs.iter();
    let mut all: Vec<_> = runs
        .map(|run| (of_run(run, &name(&run.device)), phase(run)))
        .collect();
    let whole = snapshot.bundles.iter().filter(|bundle| bundle.is_complete);
    all.extend(whole.map(|bundle| {
        let name = bundle.device.as_deref().map(name);
        (of_bundle(bundle, name.as_deref()), "complete")
    }));
    all.sort_by_key(|(it, _)| it.at);
    all
}

fn of_run(run: &RunRecord, name: &str) -> Happening {
    Happening {
        tone: tone(run),
        outcome: Some(say::outcome(phase(run)).to_owned()),
        ended: run.ended,
        target: Some(say::device(name)),
        source: Some(SOURCE.to_owned()),
        call: Some(run.call),
        subject: Some(format!("device/{}", run.device)),
        details: json!({ "run": run.id, "phase": run.phase.word(), "simulated": run.is_simulated }),
        ..Happening::new(
            format!("field/run/{}", run.id),
            run.queued,
            FeedKind::Task,
            say::run(&run.title, name),
        )
    }
}

fn of_bundle(bundle: &BundleSummary, name: Option<&str>) -> Happening {
    let device = bundle.device.as_deref();
    Happening {
        target: name.map(say::device),
        source: Some(SOURCE.to_owned()),
        subject: device.map(|device| format!("device/{device}")),
        details: json!({ "bundle": bundle.id, "simulated": bundle.is_simulated }),
        ..Happening::new(
            format!("field/bundle/{}", bundle.id),
            bundle.received,
            FeedKind::Log,
            say::bundle(name, bundle.sections.len()),
        )
    }
}

fn tone(run: &RunRecord) -> FeedTone {
    match &run.phase {
        RunPhase::Queued | RunPhase::Claimed | RunPhase::Running => FeedTone::Running,
        RunPhase::Ended(_) if run.has_failed() => FeedTone::Warning,
        RunPhase::Ended(_) => FeedTone::Good,
        RunPhase::Cut(_)
        | RunPhase::Refused { .. }
        | RunPhase::NotDelivered
        | RunPhase::Cancelled => FeedTone::Warning,
        RunPhase::Unknown(_) if run.resolution.is_some() => FeedTone::Warning,
        RunPhase::Unknown(_) => FeedTone::Unknown,
    }
}
