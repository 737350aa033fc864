//! Devices as the toolset knows them, and the answers from memory.

use std::sync::{Arc, PoisonError};

use field::field_package::policy::ScriptSurroundings;
use field::field_redaction::RedactionError;
use field::ports::{
    AttentionKind, CRITICAL, DeviceAttention, DeviceStanding, FieldFault, FieldFaultCode,
    FieldMemory, FieldSnapshot, KnownDevice, METERED, RestoreRefusal,
};
use field_tables::{DeviceState, FieldDevice};
use protocol::Timestamp;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::FieldBackend;
use super::faults::fault;
use super::programs::{failed_update, known_program};
use super::snapshot::SnapshotMemory;
use crate::agents::RunnerVersion;
use crate::limit_gaps::{LimitGap, gaps};
use crate::packaging::abilities;
use crate::texts::devices as texts;
use crate::vaults::CoverSource;

/// Milliseconds after its last request in which a device counts as online: it asks for work at least
/// every 45 seconds.
const ONLINE_MS: i64 = 90_000;

/// The standing of a device by its stored state.
pub(super) fn standing(state: DeviceState) -> DeviceStanding {
    match state {
        DeviceState::Waiting => DeviceStanding::Waiting,
        DeviceState::Adopted => DeviceStanding::Adopted,
        DeviceState::Suspended => DeviceStanding::Suspended,
        DeviceState::Retired => DeviceStanding::Retired,
    }
}

impl FieldMemory for FieldBackend {
    fn snapshot(&self) -> watch::Receiver<Arc<FieldSnapshot>> {
        self.shown.subscribe()
    }

    fn surroundings(&self, device: &str) -> Option<ScriptSurroundings> {
        let shown = Arc::clone(&self.shown.borrow());
        let known = shown.device(device)?;
        let all = self.networks.read().unwrap_or_else(PoisonError::into_inner);
        let own = all
            .get(device)
            .map(|it| it.facts.clone())
            .unwrap_or_default();
        let of_site = all.values().filter(|it| it.site == known.site);
        let site_networks = of_site.flat_map(|it| it.facts.networks.iter().copied());
        let site_networks = site_networks.collect();
        let mut facts = own;
        facts.critical = known.is_tagged(CRITICAL);
        facts.metered = known.is_tagged(METERED);
        Some(ScriptSurroundings {
            device: facts,
            site_networks,
            named: self.parts.named.clone(),
            server: self.parts.server_names.clone(),
            ..ScriptSurroundings::default()
        })
    }

    fn restore(&self, site: &str, text: &str) -> Result<String, RestoreRefusal> {
        let restored = self.dispatch.restore(site, text);
        restored
            .ok_or(RestoreRefusal::NotRead)?
            .map_err(|error| match error {
                RedactionError::UnknownToken(token) => RestoreRefusal::Unknown {
                    token: token.to_string(),
                },
                RedactionError::OtherSite(token) => RestoreRefusal::OtherSite {
                    token: token.to_string(),
                },
                RedactionError::CannotOpen(_) | RedactionError::BadEntry(_) => {
                    RestoreRefusal::NotRead
                }
            })
    }
}

impl FieldBackend {
    /// A device with covered facts.
    pub(super) async fn known_device(
        &self,
        device: &FieldDevice,
        memory: &mut SnapshotMemory,
    ) -> Result<KnownDevice, FieldFault> {
        let facts = self.covered_facts(device, memory).await?;
        let abilities = abilities(&device.capabilities);
        let gaps = abilities.as_ref().map_or_else(Vec::new, gaps);
        let now = self.dispatch.now_ms();
        let last_seen = device.last_seen_ms;
        Ok(KnownDevice {
            id: device.id.clone(),
            site: device.site.clone(),
            name: device.name.clone(),
            standing: standing(device.state),
            is_online: last_seen.is_some_and(|it| now - it < ONLINE_MS),
            last_seen: last_seen.map(Timestamp),
            fingerprint: device.fingerprint.clone(),
            tags: device.tags.clone(),
            attention: self.attention(device, &gaps, memory),
            gaps: gaps.iter().map(|gap| gap.text.to_owned()).collect(),
            proposed: memory.proposed.get(&device.id).copied().unwrap_or(0),
            is_simulated: device.facts["simulated"] == true,
            program: device.program.as_ref().map(known_program),
            facts,
            abilities,
        })
    }

    async fn covered_facts(
        &self,
        device: &FieldDevice,
        memory: &mut SnapshotMemory,
    ) -> Result<Value, FieldFault> {
        if let Some((raw, covered)) = memory.facts.get(&device.id)
            && *raw == device.facts
        {
            return Ok(covered.clone());
        }
        // As one text: a value may be a name, or the key of an object. Facts that are no JSON afterwards were
        // made to be that, and are left out.
        let text = device.facts.to_string();
        let covered = self
            .dispatch
            .cover(&device.site, &text, CoverSource::Outside)
            .await;
        let covered = covered.map_err(fault(FieldFaultCode::Storage))?.text;
        let covered: Value = serde_json::from_str(&covered).unwrap_or_else(|_| json!({}));
        let kept = (device.facts.clone(), covered.clone());
        memory.facts.insert(device.id.clone(), kept);
        Ok(covered)
    }

    /// Everything about a device that a person should look at.
    fn attention(
        &self,
        device: &FieldDevice,
        gaps: &[LimitGap],
        memory: &mut SnapshotMemory,
    ) -> Vec<DeviceAttention> {
        // A gap that was not there before. What a device has not reported yet, it has not lost.
        let lost_text = device.lacking.as_ref().and_then(|lacking| {
            let is_lost = |gap: &&LimitGap| !lacking.iter().any(|word| word == gap.word);
            gaps.iter().find(is_lost).map(|gap| gap.text.to_owned())
        });
        let suspect = [texts::CLONE_REASON, texts::SET_BACK_REASON];
        let reason = device.state_reason.as_deref();
        let reason = reason.filter(|it| suspect.contains(it));
        let clock = device.facts["clock"]["fault"].as_str();
        let runner = device.facts["runner"].as_str().unwrap_or_default();
        let version = RunnerVersion::of_agent(&runner.replacen(' ', "/", 1));
        let oldest = self.dispatch.0.settings.oldest_runner;
        let old = version
            .zip(oldest)
            .filter(|(version, oldest)| version < oldest);
        let clock_text = clock.map(|fault| match fault {
            "unset" => texts::CLOCK_UNSET,
            "behind" => texts::CLOCK_BEHIND,
            _ => texts::CLOCK_AHEAD,
        });
        let old_text = old.map(|(_, oldest)| texts::runner_too_old(&oldest.to_string()));
        let found = [
            (AttentionKind::WrongClock, clock_text.map(str::to_owned)),
            (AttentionKind::CapabilityLost, lost_text),
            (AttentionKind::OldRunner, old_text),
            (
                AttentionKind::UpdateFailed,
                device.program.as_ref().and_then(failed_update),
            ),
            (AttentionKind::CloneSuspected, reason.map(str::to_owned)),
        ];
        let now = Timestamp(self.dispatch.now_ms());
        let mut all = Vec::new();
        for (kind, text) in found {
            let key = (device.id.clone(), kind);
            match text {
                Some(text) => {
                    let kept = device.lost_ms.map(Timestamp);
                    let kept = kept.filter(|_| kind == AttentionKind::CapabilityLost);
                    let since = kept.unwrap_or_else(|| *memory.since.entry(key).or_insert(now));
                    all.push(DeviceAttention { kind, text, since });
                }
                None => drop(memory.since.remove(&key)),
            }
        }
        all
    }
}
