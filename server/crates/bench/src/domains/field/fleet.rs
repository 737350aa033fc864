//! Devices of one site, enrolled and adopted in the database of a server that does not run yet: a person would
//! have to let each of a thousand in.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use anyhow::{Context, Result};
use async_trait::async_trait;
use field::field_package::policy::{FieldPolicy, PolicySettings};
use field_dispatch::{
    Dispatch, DispatchClock, DispatchParts, DispatchSettings, EnrolmentOrder, RunApprovers,
    StartBrake, SystemDispatchClock, messages::EnrolMessage,
};
use field_tables::{FieldTables, NewFieldSite};
use serde_json::{Value, json};
use simfleet::{
    FleetDeviceKey, OfficeRow,
    protocol::{ENROL_KIND, EnrolmentParts},
};
use store::Store;

/// The server's name in what devices sign: that of a configuration without another.
pub(super) const SERVER: &str = "jarvis";
const SITE: &str = "bench";
const BY: &str = "server";
const SEED: u64 = 11;
/// Hours before now in which the devices enrolled, and milliseconds from one look at the clock to the next: a
/// server lets a number of devices enrol in a minute.
const BEFORE_MS: i64 = 3 * 3_600_000;
const STEP_MS: i64 = 500;

/// A device that is adopted.
pub(super) struct FilledDevice {
    pub(super) id: String,
    pub(super) key: FleetDeviceKey,
}

pub(super) async fn fill(data: &Path, count: u32) -> Result<Vec<FilledDevice>> {
    let store = Store::open(data).await?;
    let tables = FieldTables::open(&store).await?;
    let begin = SystemDispatchClock.now_ms() - BEFORE_MS;
    let parts = DispatchParts {
        tables,
        data_folder: data.to_owned(),
        clock: Arc::new(FillClock(AtomicI64::new(begin))),
        brake: Arc::new(NoBrake),
        approvers: Arc::new(NoBrake),
        settings: DispatchSettings {
            server: SERVER.to_owned(),
            policy: FieldPolicy::new(&PolicySettings::default())?,
            oldest_runner: None,
        },
    };
    let dispatch = Box::pin(Dispatch::open(parts)).await?;
    let site = NewFieldSite {
        id: SITE.to_owned(),
        name: "Bench".to_owned(),
        covers_public: true,
    };
    dispatch.make_site(&site, BY).await?;
    let mut devices = Vec::new();
    for number in 0..count {
        devices.push(Box::pin(adopted(&dispatch, number)).await?);
    }
    drop(dispatch);
    store.close().await?;
    Ok(devices)
}

async fn adopted(dispatch: &Dispatch, number: u32) -> Result<FilledDevice> {
    let name = format!("bench-{number}");
    let order = EnrolmentOrder {
        site: SITE.to_owned(),
        name: name.clone(),
        hours: None,
        by: BY.to_owned(),
    };
    let token = dispatch.make_enrolment(&order).await?.token;
    let secret = EnrolmentParts::read(&token).context("an odd token")?.secret;
    let own = FleetDeviceKey::derived(SEED, &name);
    let key = own.public_hex();
    let message = EnrolMessage {
        proof: own.sign(ENROL_KIND, format!("{secret}.{key}").as_bytes()),
        token: secret,
        key,
        facts: facts(),
        capabilities: capabilities(),
    };
    let id = Box::pin(dispatch.enrol(&message)).await?.device;
    dispatch.adopt_device(&id, &own.fingerprint(), BY).await?;
    Ok(FilledDevice { id, key: own })
}

/// Facts that a device reports.
pub(super) fn facts() -> Value {
    json!({ "hostname": "bench", "simulated": true })
}

/// Abilities that suffice for each row.
pub(super) fn capabilities() -> Value {
    json!({
        "sandboxes": {
            "systemd": {
                "memory": "controller", "cpu": true, "tasks": true, "workspace": true,
                "no_network": true, "listed_network": true, "raw": true,
            },
        },
        "rows": OfficeRow::ALL.map(OfficeRow::word),
        "simulated": true,
    })
}

/// A clock that goes on with each look.
struct FillClock(AtomicI64);

impl DispatchClock for FillClock {
    fn now_ms(&self) -> i64 {
        self.0.fetch_add(STEP_MS, Ordering::Relaxed)
    }
}

/// No run starts here, whatever the kill switch says, or whoever approved it.
struct NoBrake;

#[async_trait]
impl StartBrake for NoBrake {
    async fn is_pulled(&self) -> bool {
        true
    }
}

#[async_trait]
impl RunApprovers for NoBrake {
    async fn may_approve(&self, _: &str) -> bool {
        false
    }
}
