//! The board: sites, devices, runs and bundles from memory, and the conditions on them.

mod survey;

use std::{collections::BTreeSet, sync::Arc};

use agent::ports::{Board, Picture, Screen, Survey};
use async_trait::async_trait;
use protocol::Timestamp;
use serde_json::{Value, json};

use crate::{
    parts::FieldParts,
    ports::{BundleSummary, FieldSnapshot, KnownDevice, RunPhase, RunRecord},
};

pub(crate) struct FieldBoard(pub(crate) Arc<FieldParts>);

#[async_trait]
impl Board for FieldBoard {
    async fn watch(&self, screen: Screen) {
        let mut snapshots = self.0.ports.memory.snapshot();
        loop {
            let snapshot = Arc::clone(&snapshots.borrow_and_update());
            screen.show(picture(&snapshot));
            if snapshots.changed().await.is_err() {
                // Whoever keeps the memory is gone, so nothing changes any longer.
                std::future::pending::<()>().await;
            }
        }
    }

    fn is_guarded(&self) -> bool {
        self.0.config.notices.enabled
    }

    fn survey(&self, picture: &Picture, known: &BTreeSet<String>, now: Timestamp) -> Survey {
        survey::survey(&self.0.config.notices, picture, known, now)
    }
}

/// Parts by key: `site/…`, `device/…`, `run/…`, `bundle/…`, and `field`.
fn picture(snapshot: &FieldSnapshot) -> Picture {
    let mut picture = Picture::from([("field".to_owned(), json!({ "unread": snapshot.unread }))]);
    for site in &snapshot.sites {
        let part = json!({ "id": site.id, "name": site.name, "number": site.number });
        picture.insert(format!("site/{}", site.id), part);
    }
    for it in &snapshot.devices {
        picture.insert(format!("device/{}", it.id), device(it));
    }
    for it in &snapshot.runs {
        picture.insert(format!("run/{}", it.id), run(it));
    }
    for it in &snapshot.bundles {
        picture.insert(format!("bundle/{}", it.id), bundle(it));
    }
    picture
}

fn device(device: &KnownDevice) -> Value {
    let attention = device
        .attention
        .iter()
        .map(|it| json!({ "kind": it.kind.word(), "text": it.text, "since": it.since }));
    json!({
        "id": device.id,
        "site": device.site,
        "name": device.name,
        "standing": device.standing.word(),
        "online": device.is_online,
        "last_seen": device.last_seen,
        "fingerprint": device.fingerprint,
        "tags": device.tags,
        "attention": attention.collect::<Vec<_>>(),
        "gaps": device.gaps,
        "simulated": device.is_simulated,
    })
}

/// Without output: a page reads its tail when the number of bytes has grown.
fn run(run: &RunRecord) -> Value {
    let is_open_question = matches!(run.phase, RunPhase::Unknown(_)) && run.resolution.is_none();
    json!({
        "id": run.id,
        "device": run.device,
        "site": run.site,
        "title": run.title,
        "proposal": run.proposal.as_ref().map(|(id, _)| id),
        "version": run.proposal.as_ref().map(|(_, version)| version),
        "phase": run.phase.word(),
        "step": run.step,
        "steps": run.steps,
        "output": run.output,
        "revision": run.revision,
        "queued": run.queued,
        "started": run.started,
        "ended": run.ended,
        "cancel_asked": run.cancel_asked,
        "unresolved": is_open_question,
        "simulated": run.is_simulated,
    })
}

fn bundle(bundle: &BundleSummary) -> Value {
    json!({
        "id": bundle.id,
        "device": bundle.device,
        "site": bundle.site,
        "taken": bundle.taken,
        "received": bundle.received,
        "complete": bundle.is_complete,
        "sections": bundle.sections.len(),
        "simulated": bundle.is_simulated,
    })
}
