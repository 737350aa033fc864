//! The simulated office: its devices are enrolled and adopted here, and then speak to this server over
//! HTTP as real ones do.

use std::{
    collections::BTreeMap,
    fs::OpenOptions,
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use field_dispatch::{Dispatch, DispatchRefusal, EnrolmentOrder, messages::EnrolMessage};
use field_tables::{DeviceState, FieldTables, NewFieldSite, SiteRemoval};
use serde::{Deserialize, Serialize};
use serde_json::json;
use simfleet::{
    FleetDeviceKey, OfficeDevice, SimFleet, SimFleetOptions, SystemSimFleetClock,
    protocol::{ENROL_KIND, EnrolmentParts},
};

use super::texts;
use crate::{
    domains::{OwnAddress, Services},
    tasks::Task,
};

const SITE: &str = "nordlicht";
/// The name under which simulated devices are enrolled and adopted, in the history.
const BY: &str = "server";
const FILE: &str = "simulated-field.json";
/// Real seconds for a simulated second of a program: nobody wants to wait for a simulation.
const PACE: f64 = 0.1;
/// Seconds that a device waits for work.
const WAIT_S: u32 = 30;
/// The seed in tests, in which the office is the same each time.
const TEST_SEED: u64 = 7;

/// The devices of the office as they are kept beside the database. Their keys follow from the seed, so
/// that nobody else can be one of them.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct KeptFleet {
    seed: u64,
    /// Seeds of earlier offices, whose devices may still be there.
    #[serde(default)]
    earlier: Vec<u64>,
    /// Enrolment tokens by the names of devices, which are of use to these devices alone.
    tokens: BTreeMap<String, String>,
}

impl KeptFleet {
    fn seeds(&self) -> Vec<u64> {
        let earlier = self.earlier.iter();
        earlier.chain([&self.seed]).copied().collect()
    }

    /// Fingerprints of the keys of all offices. Only devices with these are simulated.
    fn keys(&self) -> Vec<String> {
        let seeds = self.seeds().into_iter();
        let keys = seeds.flat_map(|seed| {
            OfficeDevice::ALL
                .map(|device| FleetDeviceKey::derived(seed, device.name()).fingerprint())
        });
        keys.collect()
    }
}

/// The devices of the office, enrolled and adopted: those of the last start, or new ones. None if people have a
/// site in the place of the office's.
pub(super) async fn enrolled(
    dispatch: &Dispatch,
    tables: &FieldTables,
    services: Services<'_>,
) -> anyhow::Result<Option<KeptFleet>> {
    match tables.site(SITE).await? {
        None => {
            let site = NewFieldSite {
                id: SITE.to_owned(),
                name: texts::SITE_OF_THE_OFFICE.to_owned(),
                covers_public: true,
            };
            dispatch.make_site(&site, BY).await?;
        }
        Some(site) if site.created_by == BY => {}
        Some(_) => {
            tracing::warn!(
                site = SITE,
                "people have made this site, no simulated office here"
            );
            return Ok(None);
        }
    }
    let file = services.data.join(FILE);
    let kept = read(&file);
    if let Some(kept) = &kept {
        let keys = kept.keys();
        match admitted(dispatch, kept).await {
            Ok(()) => {
                // None is left if real devices were enabled since.
                let left = tables.devices(Some(SITE)).await?;
                if left.iter().any(|it| keys.contains(&it.fingerprint)) {
                    return Ok(Some(kept.clone()));
                }
            }
            Err(error) => {
                tracing::info!(%error, "the simulated devices cannot be used any longer");
            }
        }
        retire(dispatch, tables, &keys, texts::REPLACED).await?;
    }
    let earlier = kept.map(|kept| kept.seeds()).unwrap_or_default();
    let mut new = KeptFleet {
        seed: if services.control {
            TEST_SEED + earlier.len() as u64
        } else {
            rand::random()
        },
        earlier,
        tokens: BTreeMap::new(),
    };
    for device in OfficeDevice::ALL {
        let order = EnrolmentOrder {
            site: SITE.to_owned(),
            name: label(device).to_owned(),
            hours: None,
            by: BY.to_owned(),
        };
        let token = dispatch.make_enrolment(&order).await?.token;
        new.tokens.insert(device.name().to_owned(), token);
    }
    // Before they are used: a device whose token is lost could never come back.
    keep(&file, &new).with_context(|| texts::cannot_keep(&file.display()))?;
    admitted(dispatch, &new).await?;
    Ok(Some(new))
}

/// Retires the devices that have these keys. People may have added others to their site.
async fn retire(
    dispatch: &Dispatch,
    tables: &FieldTables,
    keys: &[String],
    reason: &str,
) -> anyhow::Result<()> {
    for device in tables.devices(Some(SITE)).await? {
        if keys.contains(&device.fingerprint) {
            dispatch.retire_device(&device.id, reason, BY).await?;
        }
    }
    Ok(())
}

/// Takes away the office of an earlier start, beside which real devices would be mistaken. Its devices are retired
/// at once. The site goes with everything about it as soon as nobody's question about a run there is open, and only
/// if nothing there is of anybody else.
pub(super) async fn removed(
    dispatch: &Dispatch,
    tables: &FieldTables,
    services: Services<'_>,
) -> anyhow::Result<()> {
    let file = services.data.join(FILE);
    let Some(kept) = read(&file) else {
        return Ok(());
    };
    let keys = kept.keys();
    retire(dispatch, tables, &keys, texts::REAL_DEVICES_NOW).await?;
    if tables.site(SITE).await?.is_some() {
        if !tables.is_only_of(SITE, BY, &keys).await? {
            tracing::info!("the site of the simulated office has something of people, and stays");
            return Ok(());
        }
        let left = tables.remove_site(SITE, BY, dispatch.now_ms()).await?;
        if left != SiteRemoval::Removed {
            tracing::info!(?left, "the site of the simulated office cannot go yet");
            return Ok(());
        }
    }
    std::fs::remove_file(&file).with_context(|| texts::cannot_remove(&file.display()))
}

/// The name of a device for people. Host names are values of their site, which a model reads as tokens.
fn label(device: OfficeDevice) -> &'static str {
    match device {
        OfficeDevice::GatewayProbe => texts::OFFICE_GATEWAY,
        OfficeDevice::MeetingRoom => texts::MEETING_ROOM,
        OfficeDevice::Warehouse => texts::STORE_ROOM,
        OfficeDevice::Reception => texts::FRONT_DESK,
        OfficeDevice::Branch => texts::SECOND_OFFICE,
        OfficeDevice::Archive => texts::BASEMENT,
    }
}

/// Enrols and adopts each device that is not yet.
async fn admitted(dispatch: &Dispatch, fleet: &KeptFleet) -> Result<(), DispatchRefusal> {
    for (name, token) in &fleet.tokens {
        let secret = EnrolmentParts::read(token);
        let secret = secret.map(|parts| parts.secret).unwrap_or_default();
        let own = FleetDeviceKey::derived(fleet.seed, name);
        let key = own.public_hex();
        let message = EnrolMessage {
            proof: own.sign(ENROL_KIND, format!("{secret}.{key}").as_bytes()),
            token: secret,
            key,
            facts: json!({ "simulated": true }),
            capabilities: json!({}),
        };
        let id = Box::pin(dispatch.enrol(&message)).await?.device;
        let device = dispatch.device(&id).await?;
        if device.is_some_and(|device| device.state == DeviceState::Waiting) {
            let fingerprint = own.fingerprint();
            dispatch.adopt_device(&id, &fingerprint, BY).await?;
        }
    }
    Ok(())
}

/// The task in which the devices live.
pub(super) fn task(fleet: KeptFleet, own: &OwnAddress) -> Task {
    let own = own.clone();
    Task::new("simulated field devices", move |_| async move {
        let Some(server) = own.url().filter(|url| url.starts_with("http://")) else {
            tracing::warn!("{}", texts::NO_FLEET_WITH_TLS);
            return;
        };
        let token = |device: OfficeDevice| Some((device, fleet.tokens.get(device.name())?.clone()));
        let options = SimFleetOptions {
            seed: fleet.seed,
            clock: Arc::new(SystemSimFleetClock),
            server: server.to_owned(),
            enrolments: OfficeDevice::ALL.into_iter().filter_map(token).collect(),
            pace: PACE,
            wait_s: WAIT_S,
        };
        match SimFleet::start(&options) {
            Ok(fleet) => {
                own.stopping().cancelled().await;
                fleet.stop().await;
            }
            Err(error) => tracing::error!(%error, "the simulated field devices did not start"),
        }
    })
}

/// The devices that were kept; none if there are none that can be read.
fn read(file: &Path) -> Option<KeptFleet> {
    let text = std::fs::read(file).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Replaces the file, which nobody else can read.
fn keep(file: &Path, fleet: &KeptFleet) -> std::io::Result<()> {
    let part: PathBuf = file.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut written = options.open(&part)?;
    written.write_all(&serde_json::to_vec(fleet)?)?;
    written.sync_all()?;
    std::fs::rename(part, file)
}
