//! The field as it was seen last: read again after each change, with what did not change kept.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use field::ports::{
    AttentionKind, BundleSummary, FieldBundles as _, FieldFault, FieldSnapshot, KnownSite,
    RunRecord,
};
use field_tables::{BundleFilter, FieldDevice, JobFilter, JobRecord, JobState};
use protocol::Timestamp;
use serde_json::Value;

use super::faults::stored;
use super::networks::{self, KnownNetworks};
use super::{FieldBackend, INSTALLATION};

/// Least pause between two looks, and the longest: pages show the fleet with this delay.
pub(super) const PAUSE: Duration = Duration::from_millis(250);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// The longest time without a look: devices go offline without doing anything.
pub(super) const LONGEST: Duration = Duration::from_secs(15);
/// Runs that are over and still shown, and those that are open, or whose outcome a person has to find out.
const RUNS: u32 = 100;
const OPEN_RUNS: u32 = 500;
/// Bundles that are read, and those that are shown of one device.
const BUNDLES: u32 = 300;
const BUNDLES_OF_DEVICE: usize = 3;

/// Covered texts and records that are kept from one look to the next.
#[derive(Default)]
pub(super) struct SnapshotMemory {
    /// Facts of devices as they came, and covered.
    pub(super) facts: HashMap<String, (Value, Value)>,
    /// First time that something was seen, unless that is kept with the device.
    pub(super) since: HashMap<(String, AttentionKind), Timestamp>,
    /// Versions of all proposals for each device, as they were counted last.
    pub(super) proposed: HashMap<String, u64>,
    runs: HashMap<String, (JobRecord, RunRecord)>,
    bundles: HashMap<String, BundleSummary>,
}

impl FieldBackend {
    /// Looks at everything, and shows it if it has changed.
    pub(super) async fn look(&self) -> Result<(), FieldFault> {
        let mut memory = self.memory.lock().await;
        let sites = self.tables().sites().await.map_err(stored)?;
        let sites = sites.into_iter().filter(|site| site.id != INSTALLATION);
        let mut sites: Vec<_> = sites
            .map(|site| KnownSite {
                id: site.id,
                number: site.number,
                name: site.name,
                hides_public: site.covers_public,
            })
            .collect();
        sites.sort_by(|one, other| one.name.cmp(&other.name));
        memory.proposed = self.tables().proposed_versions().await.map_err(stored)?;
        let stored_devices = self.tables().devices(None).await.map_err(stored)?;
        let mut devices = Vec::with_capacity(stored_devices.len());
        for device in &stored_devices {
            devices.push(self.known_device(device, &mut memory).await?);
        }
        let runs = self.shown_runs(&mut memory).await?;
        let bundles = self.shown_bundles(&mut memory).await?;
        self.learn_networks(&stored_devices, &bundles).await?;
        self.shown.send_if_modified(|shown| {
            let next = FieldSnapshot {
                revision: shown.revision,
                sites,
                devices,
                runs,
                bundles,
                unread: None,
            };
            if **shown == next {
                return false;
            }
            *shown = Arc::new(FieldSnapshot {
                revision: next.revision + 1,
                ..next
            });
            true
        });
        Ok(())
    }

    /// Notes that the last look failed: what is shown may be out of date.
    pub(super) fn unread(&self, fault: &FieldFault) {
        tracing::warn!(%fault, "field devices cannot be read");
        let reason = crate::texts::devices::NOT_READ;
        self.shown.send_if_modified(|shown| {
            if shown.unread.is_some() {
                return false;
            }
            let mut next = FieldSnapshot::clone(shown);
            next.unread = Some(reason.to_owned());
            next.revision += 1;
            *shown = Arc::new(next);
            true
        });
    }

    /// Open runs, those that nobody has resolved, and the newest others, newest first.
    async fn shown_runs(&self, memory: &mut SnapshotMemory) -> Result<Vec<RunRecord>, FieldFault> {
        let open = JobFilter {
            states: vec![JobState::Queued, JobState::Claimed, JobState::Running],
            ..JobFilter::default()
        };
        let unresolved = self.tables().unresolved_jobs(OPEN_RUNS).await;
        let unresolved = unresolved.map_err(stored)?.into_iter();
        let mut jobs: BTreeMap<_, _> = unresolved.map(|job| (job.number, job)).collect();
        for (filter, limit) in [(open, OPEN_RUNS), (JobFilter::default(), RUNS)] {
            let found = self.tables().jobs(&filter, limit).await.map_err(stored)?;
            jobs.extend(found.into_iter().map(|job| (job.number, job)));
        }
        let mut known = HashMap::new();
        let mut runs = Vec::with_capacity(jobs.len());
        for job in jobs.into_values().rev() {
            // Output comes after the end too, but a page of the run reads it anew.
            let kept = memory.runs.remove(&job.id);
            let kept = kept.filter(|(before, _)| job.state.is_over() && *before == job);
            let run = match kept {
                Some((_, run)) => run,
                None => self.run_of_job(&job).await?,
            };
            runs.push(run.clone());
            known.insert(job.id.clone(), (job, run));
        }
        memory.runs = known;
        Ok(runs)
    }

    /// The newest complete bundles, some for each device.
    async fn shown_bundles(
        &self,
        memory: &mut SnapshotMemory,
    ) -> Result<Vec<BundleSummary>, FieldFault> {
        let found = self
            .tables()
            .bundles(&BundleFilter::default(), BUNDLES)
            .await;
        let (mut known, mut shown) = (HashMap::new(), Vec::new());
        let mut of_device: HashMap<String, usize> = HashMap::new();
        for bundle in found.map_err(stored)? {
            let Some(device) = bundle
                .device
                .clone()
                .filter(|_| bundle.completed_ms.is_some())
            else {
                continue;
            };
            let count = of_device.entry(device).or_default();
            *count += 1;
            if *count > BUNDLES_OF_DEVICE {
                continue;
            }
            let id = bundle.id.clone();
            // A complete bundle never changes.
            let summary = match memory.bundles.remove(&id) {
                Some(summary) => summary,
                None => self.summary(bundle).await?,
            };
            shown.push(summary.clone());
            known.insert(id, summary);
        }
        memory.bundles = known;
        Ok(shown)
    }

    /// Reads the networks of devices whose newest bundle is another one than before.
    async fn learn_networks(
        &self,
        devices: &[FieldDevice],
        bundles: &[BundleSummary],
    ) -> Result<(), FieldFault> {
        let mut known = HashMap::new();
        for device in devices {
            let has_section = |it: &&BundleSummary| {
                it.device.as_deref() == Some(&device.id)
                    && it.sections.iter().any(|it| it.name == networks::section())
            };
            let newest = bundles.iter().find(has_section).map(|it| it.id.clone());
            let before = {
                let all = self.networks.read().unwrap_or_else(PoisonError::into_inner);
                all.get(&device.id).cloned()
            };
            let networks = match before {
                Some(before) if before.bundle == newest || newest.is_none() => before,
                _ => self.networks_of(device, newest).await?,
            };
            known.insert(device.id.clone(), networks);
        }
        let mut all = self
            .networks
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *all = known;
        Ok(())
    }

    async fn networks_of(
        &self,
        device: &FieldDevice,
        bundle: Option<String>,
    ) -> Result<KnownNetworks, FieldFault> {
        let mut facts = None;
        if let Some(bundle) = &bundle {
            let covered = self.section(bundle, networks::section()).await?;
            let real = self.dispatch.restore(&device.site, &covered);
            facts = real
                .and_then(Result::ok)
                .and_then(|text| networks::read(&text));
        }
        Ok(KnownNetworks {
            site: device.site.clone(),
            bundle,
            facts: facts.unwrap_or_default(),
        })
    }
}
