//! The board: sites, devices, runs and bundles from memory, and the conditions on them.

pub(crate) mod shown;
mod survey;

use std::{collections::BTreeSet, sync::Arc};

use agent::ports::{Board, Picture, Screen, Survey};
use async_trait::async_trait;
use field_wire::{FieldBundlePart, FieldFreshness, FieldRunPart, FieldSitePart};
use protocol::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::{device_names::DeviceNames, parts::FieldParts, ports::FieldSnapshot};

pub(crate) struct FieldBoard(pub(crate) Arc<FieldParts>);

#[async_trait]
impl Board for FieldBoard {
    async fn watch(&self, screen: Screen) {
        let mut snapshots = self.0.ports.memory.snapshot();
        let mut names = DeviceNames::default();
        loop {
            let snapshot = Arc::clone(&snapshots.borrow_and_update());
            if let Err(fault) = names.learn(&self.0, &snapshot).await {
                tracing::warn!(%fault, "names of retired devices not read, shown without");
            }
            screen.show(picture(&snapshot, &names));
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
fn picture(snapshot: &FieldSnapshot, names: &DeviceNames) -> Picture {
    let freshness = FieldFreshness {
        unread: snapshot.unread.clone(),
    };
    let mut picture = Picture::from([("field".to_owned(), value(&freshness))]);
    for site in &snapshot.sites {
        let part = FieldSitePart {
            id: site.id.clone(),
            number: site.number,
            name: site.name.clone(),
            hides_public: site.hides_public,
        };
        picture.insert(format!("site/{}", site.id), value(&part));
    }
    for it in &snapshot.devices {
        picture.insert(format!("device/{}", it.id), value(&shown::device(it)));
    }
    for it in &snapshot.runs {
        let part = FieldRunPart {
            device_name: names.of(snapshot, &it.device),
            ..shown::run(it)
        };
        picture.insert(format!("run/{}", it.id), value(&part));
    }
    for it in &snapshot.bundles {
        let device = it.device.as_deref();
        let part = FieldBundlePart {
            device_name: device.and_then(|id| names.of(snapshot, id)),
            ..shown::bundle(it)
        };
        picture.insert(format!("bundle/{}", it.id), value(&part));
    }
    picture
}

/// A part as it goes to the browser.
pub(crate) fn value(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}
