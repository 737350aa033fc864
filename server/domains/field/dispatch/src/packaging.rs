//! From an approved script to a signed package in the queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use field_package::abilities::SandboxAbilities;
use field_package::ids::{JobId, PackageNonce, Sha256Hex};
use field_package::manifest::JobManifest;
use field_package::package::{MAX_PACKAGE, SignedPackage};
use field_tables::{DeviceState, FieldDevice, JobOfCall, JobRecord, NewJob, QueueOutcome};
use serde_json::Value;

use crate::clock::as_ms;
use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::ids::{random_hex, random_id};
use crate::known_packages::SignedFacts;
use crate::texts::jobs as texts;

/// Seconds between the last moment of a claim and the expiry of a package, besides its timeout.
const EXPIRY_GRACE_S: u64 = 600;
/// Attempts to get the next number, if others queue at the same time.
const TRIES: usize = 8;

/// An approved script, to be signed for one device.
#[derive(Debug, Clone)]
pub struct JobOrder {
    /// The call whose approval is in the manifest. Once more, it is the same job.
    pub call: String,
    /// Approved content. Number, nonce, times, identifier and server are filled in here; whatever
    /// stands there counts for nothing.
    pub manifest: JobManifest,
    /// The bytes that run, which the manifest has the digest of.
    pub payload: Vec<u8>,
    pub proposal: Option<(String, u64)>,
    /// Covered text about the job for people and the model.
    pub about: Value,
    pub claim_until_s: u64,
    pub by: String,
}

impl Dispatch {
    /// Signs a package and queues it. Its device is woken. On the disk when this returns.
    ///
    /// # Errors
    /// The device is not adopted, has another key or no sandbox that is strong enough; the policy or the
    /// kill switch; the approval is not enough; the queue is full.
    pub async fn queue_job(&self, order: &JobOrder) -> Result<JobRecord, DispatchRefusal> {
        match self.0.tables.job_of_call(&order.call).await? {
            Some(JobOfCall::There(job)) => return Ok(*job),
            Some(JobOfCall::Removed(_)) => return Err(removed()),
            None => {}
        }
        let device = self.0.tables.device(order.manifest.device.as_str()).await?;
        let device = device.ok_or_else(DispatchRefusal::not_found)?;
        self.check_order(order, &device).await?;
        for _ in 0..TRIES {
            let new = self.signed_job(order).await?;
            let now = self.now_ms();
            match self
                .0
                .tables
                .queue_job(&new, now)
                .await
                .map_err(queue_error)?
            {
                QueueOutcome::Queued(job) => {
                    tracing::info!(job = job.id, device = job.device, "a field job is queued");
                    // Just signed here, so the start need not verify it again.
                    let facts = Arc::new(SignedFacts::of(&order.manifest));
                    self.0.packages.keep(&job.id, &facts);
                    self.job_changed(&job.id, &job.device);
                    return Ok(*job);
                }
                QueueOutcome::Repeated(job) => return Ok(*job),
                QueueOutcome::Removed(_) => return Err(removed()),
                QueueOutcome::NotAdopted(_) => return Err(not_adopted()),
                // Another job took the number: sign again with the next.
                QueueOutcome::Sequence(_) => {}
            }
        }
        let class = RefusalClass::TooMany;
        Err(DispatchRefusal::new(
            class,
            "busy",
            texts::BUSY,
            texts::QUEUE_FULL_HELP,
        ))
    }

    /// Everything about an order that can be known before it is signed.
    async fn check_order(
        &self,
        order: &JobOrder,
        device: &FieldDevice,
    ) -> Result<(), DispatchRefusal> {
        let manifest = &order.manifest;
        let policy = &self.0.settings.policy;
        if self.0.brake.is_pulled().await {
            let class = RefusalClass::Forbidden;
            return Err(DispatchRefusal::new(
                class,
                "kill_switch",
                texts::KILL_SWITCH,
                "",
            ));
        }
        if device.state != DeviceState::Adopted {
            return Err(not_adopted());
        }
        let conflict = |code, text: &str, help| {
            Err(DispatchRefusal::new(
                RefusalClass::Conflict,
                code,
                text,
                help,
            ))
        };
        let is_for = manifest.device_key.as_str() == device.fingerprint
            && manifest.site.as_str() == device.site;
        if !is_for {
            let text = crate::texts::devices::KEY_UNKNOWN;
            return conflict("other_key", text, texts::APPROVE_AGAIN);
        }
        let same_policy = manifest.policy.version == policy.version()
            && manifest.policy.hash.as_str() == policy.hash();
        if !same_policy {
            return conflict(
                "policy_changed",
                texts::POLICY_CHANGED,
                texts::APPROVE_AGAIN,
            );
        }
        let is_payload = manifest.payload.bytes == order.payload.len() as u64
            && manifest.payload.sha256 == Sha256Hex::digest(&order.payload);
        if !is_payload {
            return Err(bad_manifest("payload"));
        }
        // A device that has not said what it can do refuses by itself.
        if let Some(abilities) = abilities(&device.capabilities)
            && let Err(field) = abilities.choose(manifest)
        {
            let text = texts::no_sandbox(field);
            return conflict("no_sandbox", &text, texts::NO_SANDBOX_HELP);
        }
        Ok(())
    }

    /// The job with the next number, signed.
    async fn signed_job(&self, order: &JobOrder) -> Result<NewJob, DispatchRefusal> {
        let key = &self.0.keys.job;
        let signing_key = key.fingerprint().as_str().to_owned();
        let device = order.manifest.device.as_str();
        let next = self.0.tables.next_sequence(device, &signing_key).await?;
        let issued = self.job_time();
        let claim_until = order.claim_until_s.max(issued);
        let manifest = JobManifest {
            job: JobId::new(&random_id("run_")).map_err(|error| DispatchRefusal::failed(&error))?,
            seq: next.seq,
            nonce: PackageNonce::new(&random_hex::<16>())
                .map_err(|error| DispatchRefusal::failed(&error))?,
            issued,
            not_before: issued,
            expires: claim_until
                .saturating_add(order.manifest.timeout_s.into())
                .saturating_add(EXPIRY_GRACE_S),
            claim_until,
            server: self.0.settings.server.clone(),
            args: Vec::new(),
            env: BTreeMap::new(),
            ..order.manifest.clone()
        };
        if let Err(refusal) = manifest.check() {
            return Err(bad_manifest(&refusal.to_string()));
        }
        let package = SignedPackage::sign(&manifest, &order.payload, &[key]).bytes();
        if package.len() > MAX_PACKAGE {
            let (class, text) = (RefusalClass::TooLarge, texts::TOO_LARGE);
            return Err(DispatchRefusal::new(
                class,
                "package_too_large",
                text,
                texts::TOO_LARGE_HELP,
            ));
        }
        Ok(NewJob {
            id: manifest.job.as_str().to_owned(),
            call: order.call.clone(),
            device: device.to_owned(),
            about: order.about.clone(),
            proposal: order.proposal.clone(),
            signing_key,
            seq: next.seq,
            payload_digest: manifest.payload.sha256.as_str().to_owned(),
            package,
            claim_until_ms: as_ms(claim_until),
            expires_ms: as_ms(manifest.expires),
            by: order.by.clone(),
        })
    }
}

/// The sandboxes of a device, by its own report. None if it has not reported them in a known form.
pub(crate) fn abilities(capabilities: &Value) -> Option<SandboxAbilities> {
    let levels = capabilities.get("sandboxes")?.clone();
    let levels = serde_json::from_value(levels).ok()?;
    Some(SandboxAbilities { levels })
}

fn queue_error(error: field_tables::FieldTablesError) -> DispatchRefusal {
    match error {
        field_tables::FieldTablesError::TooMany { .. } => {
            let (class, text) = (RefusalClass::TooMany, texts::QUEUE_FULL);
            DispatchRefusal::new(class, "queue_full", text, texts::QUEUE_FULL_HELP)
        }
        error => error.into(),
    }
}

fn not_adopted() -> DispatchRefusal {
    let (class, text) = (RefusalClass::Conflict, texts::NOT_ADOPTED);
    DispatchRefusal::new(class, "not_adopted", text, texts::NOT_ADOPTED_HELP)
}

fn removed() -> DispatchRefusal {
    let class = RefusalClass::Gone;
    DispatchRefusal::new(class, "removed", texts::REMOVED, texts::APPROVE_AGAIN)
}

fn bad_manifest(reason: &str) -> DispatchRefusal {
    let (class, text) = (RefusalClass::Malformed, texts::bad_manifest(reason));
    DispatchRefusal::new(class, "bad_manifest", text, texts::APPROVE_AGAIN)
}
