//! The dispatch: everything that devices and the server's own parts ask of it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use field_package::policy::FieldPolicy;
use field_tables::FieldTables;
use tokio::sync::watch;

use crate::agents::RunnerVersion;
use crate::changes::ChangeCounter;
use crate::clock::DispatchClock;
use crate::error::DispatchRefusal;
use crate::keys::{KeyError, KeySummary, ServerKeys, releases_folder};
use crate::known_packages::KnownPackages;
use crate::open_bundles::OpenBundles;
use crate::rates::RequestRates;
use crate::vaults::SiteVaults;
use crate::waiting::WaitingDevices;

/// Everything that the server hands in.
pub struct DispatchParts {
    pub tables: FieldTables,
    /// Folder of the database; the keys are beside it.
    pub data_folder: PathBuf,
    pub clock: Arc<dyn DispatchClock>,
    pub brake: Arc<dyn StartBrake>,
    pub approvers: Arc<dyn RunApprovers>,
    pub settings: DispatchSettings,
}

/// Settings of an installation.
#[derive(Debug, Clone)]
pub struct DispatchSettings {
    /// Name of the server, which devices sign and packages carry. Devices that are enrolled keep it.
    pub server: String,
    pub policy: FieldPolicy,
    /// Older runners are refused.
    pub oldest_runner: Option<RunnerVersion>,
}

/// The kill switch: while it is pulled, nothing starts. One that cannot be read is pulled.
#[async_trait]
pub trait StartBrake: Send + Sync + 'static {
    async fn is_pulled(&self) -> bool;
}

/// The server's word on the people who approved a run, by the names that its package has.
#[async_trait]
pub trait RunApprovers: Send + Sync + 'static {
    /// True if there is a person of this name who may approve runs now. False if that cannot be read.
    async fn may_approve(&self, name: &str) -> bool;
}

/// Reason that the dispatch cannot begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DispatchError {
    #[error(transparent)]
    Keys(#[from] KeyError),
    #[error(transparent)]
    Tables(#[from] field_tables::FieldTablesError),
    #[error("the stored values cannot be opened: {0}")]
    Vaults(DispatchRefusal),
}

/// The server's side of all field devices. Clones are the same.
#[derive(Clone)]
pub struct Dispatch(pub(crate) Arc<DispatchInner>);

pub(crate) struct DispatchInner {
    pub(crate) tables: FieldTables,
    pub(crate) clock: Arc<dyn DispatchClock>,
    pub(crate) brake: Arc<dyn StartBrake>,
    pub(crate) approvers: Arc<dyn RunApprovers>,
    pub(crate) settings: DispatchSettings,
    pub(crate) keys: ServerKeys,
    /// Folder of the runner's releases.
    pub(crate) releases: PathBuf,
    pub(crate) vaults: SiteVaults,
    pub(crate) waiting: WaitingDevices,
    pub(crate) bundles: OpenBundles,
    pub(crate) packages: KnownPackages,
    pub(crate) rates: RequestRates,
    pub(crate) changes: ChangeCounter,
    /// Of the tokens of sessions: they end with this process at the latest.
    pub(crate) session_secret: [u8; 32],
    heard: Mutex<HashMap<String, i64>>,
    /// The session in which each device said hello last.
    greeted: Mutex<HashMap<String, Vec<u8>>>,
}

impl Dispatch {
    /// Opens keys and vaults. A data folder that others can enter is refused.
    ///
    /// # Errors
    /// A key file is open to others, damaged or missing, or the database fails.
    pub async fn open(parts: DispatchParts) -> Result<Self, DispatchError> {
        let DispatchParts {
            tables,
            data_folder,
            clock,
            brake,
            approvers,
            settings,
        } = parts;
        let sites = tables.sites().await?;
        let has_values = sites.iter().any(|site| site.vault_revision > 0);
        let now_s = crate::clock::whole_seconds(clock.now_ms());
        let keys = ServerKeys::open(&data_folder, has_values, now_s)?;
        let vaults = SiteVaults::open(tables.clone(), keys.vault.clone()).await;
        Ok(Self(Arc::new(DispatchInner {
            vaults: vaults.map_err(DispatchError::Vaults)?,
            tables,
            clock,
            brake,
            approvers,
            settings,
            keys,
            releases: releases_folder(&data_folder),
            waiting: WaitingDevices::default(),
            bundles: OpenBundles::default(),
            packages: KnownPackages::default(),
            rates: RequestRates::default(),
            changes: ChangeCounter::default(),
            session_secret: rand::random(),
            heard: Mutex::default(),
            greeted: Mutex::default(),
        })))
    }

    /// Fingerprints of the keys, for people.
    pub fn keys(&self) -> KeySummary {
        self.0.keys.summary()
    }

    /// The server's time in milliseconds since 1970, which each answer to a device carries.
    pub fn now_ms(&self) -> i64 {
        self.0.clock.now_ms()
    }

    /// The time of a change of a job: whole seconds, as the queue's machine counts.
    pub(crate) fn job_time(&self) -> u64 {
        crate::clock::whole_seconds(self.now_ms())
    }

    /// Notes that a device was there. It is written in the background.
    pub(crate) fn heard_of(&self, device: &str) {
        let now = self.now_ms();
        let mut heard = self.0.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.insert(device.to_owned(), now);
    }

    /// Notes that a device has said hello in a session.
    pub(crate) fn greet(&self, device: &str, session: &[u8]) {
        let mut greeted = self
            .0
            .greeted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        greeted.insert(device.to_owned(), session.to_vec());
    }

    pub(crate) fn is_greeted(&self, device: &str, session: &[u8]) -> bool {
        let greeted = self
            .0
            .greeted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        greeted.get(device).is_some_and(|it| it == session)
    }

    pub(crate) fn take_heard(&self) -> Vec<(String, i64)> {
        let mut heard = self.0.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.drain().collect()
    }

    /// Notes that something of a device has changed: whoever follows looks again, and the device is
    /// woken if it waits for work.
    pub(crate) fn changed(&self, device: &str) {
        self.0.changes.count_of(device);
        self.0.waiting.ring(device);
    }

    /// Notes that a job has changed.
    pub(crate) fn job_changed(&self, job: &str, device: &str) {
        self.0.changes.count_of(job);
        self.0.waiting.ring(device);
    }

    /// A counter that goes up with each change of anything.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.follow()
    }

    /// Ends all requests that wait for work, when the server stops.
    pub fn stop(&self) {
        self.0.waiting.stop();
    }
}
