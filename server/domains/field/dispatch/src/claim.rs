//! The long poll of a device: it waits for work up to 45 seconds, and is woken at once.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use field_package::ids::Sha256Hex;
use field_queue::secret::ClaimSecret;
use field_queue::server::LEASE_S;
use field_tables::{ClaimOutcome, ClaimRequest, JobRecord, JobState};
use tokio::time::Instant;

use crate::clock::as_ms;
use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::messages::{ClaimMessage, DeviceWork};
use crate::sessions::{DeviceSession, no_session, shut_out};
use crate::signatures::is_hex;
use crate::texts::devices as texts;

/// Seconds that a device may wait: servers and proxies end a request after 60.
const LONGEST_WAIT_S: u32 = 45;

/// Work, or the time at which to look again if nobody rings.
enum FoundWork {
    Work(DeviceWork),
    Nothing { look_again_ms: Option<i64> },
    Spent,
}

impl Dispatch {
    /// Gives a device its oldest job, or the wish for diagnostics; waits for it if there is none. The
    /// same request and claim again get the same work.
    ///
    /// # Errors
    /// The device is not adopted, its session ended while it waited, or too many requests of it wait.
    pub async fn claim(
        &self,
        session: &DeviceSession,
        message: &ClaimMessage,
    ) -> Result<Option<DeviceWork>, DispatchRefusal> {
        session.adopted()?;
        // A device that lacks a root document would refuse what the newest key signed: its hello brings
        // it up to date.
        let newest = self.0.keys.roots.newest().version();
        let is_behind = session.device.root_version < newest;
        if is_behind && !self.is_greeted(session.id(), session.token_hash()) {
            return Err(no_session());
        }
        let request = self.claim_request(session, message)?;
        let place = self.0.waiting.enter(session.id()).ok_or_else(|| {
            let (class, text) = (RefusalClass::TooMany, texts::TOO_MANY_POLLS);
            DispatchRefusal::new(class, "too_many_waiting", text, texts::REPEAT_HELP)
        })?;
        let wait = message.wait_s.min(LONGEST_WAIT_S);
        let until = Instant::now() + Duration::from_secs(wait.into());
        loop {
            let bell = place.bell().notified();
            tokio::pin!(bell);
            bell.as_mut().enable();
            // It may have been suspended, or another session may have taken over.
            self.still(session).await?.adopted()?;
            let look_again = match self.seek(&request).await? {
                FoundWork::Work(work) => return Ok(Some(work)),
                FoundWork::Nothing { look_again_ms } => look_again_ms,
                FoundWork::Spent => return Ok(None),
            };
            if self.0.waiting.is_stopped() || Instant::now() >= until {
                return Ok(None);
            }
            let pause = look_again.map(|at_ms| {
                let ms = at_ms.saturating_sub(self.now_ms()).max(50);
                Instant::now() + Duration::from_millis(u64::try_from(ms).unwrap_or(0))
            });
            let alarm = pause.map_or(until, |pause| pause.min(until));
            tokio::select! {
                () = bell => {}
                () = tokio::time::sleep_until(alarm) => {}
            }
        }
    }

    fn claim_request(
        &self,
        session: &DeviceSession,
        message: &ClaimMessage,
    ) -> Result<ClaimRequest, DispatchRefusal> {
        if !is_hex(&message.request, 16) {
            return Err(DispatchRefusal::member("request"));
        }
        let secret = ClaimSecret::try_from(message.claim.clone());
        let secret = secret.map_err(|_| DispatchRefusal::member("claim"))?;
        Ok(ClaimRequest {
            device: session.id().to_owned(),
            request: message.request.clone(),
            claim_hash: secret.hash().bytes().to_vec(),
            lease_until_ms: 0,
        })
    }

    async fn seek(&self, request: &ClaimRequest) -> Result<FoundWork, DispatchRefusal> {
        let now_s = self.job_time();
        let claim = ClaimRequest {
            lease_until_ms: as_ms(now_s.saturating_add(LEASE_S)),
            ..request.clone()
        };
        let look_again_ms = match self.0.tables.claim(&claim, as_ms(now_s)).await? {
            ClaimOutcome::Claimed(job) => {
                self.0.changes.count_of(&job.id);
                return self.offer(*job).await;
            }
            // Whoever repeats a request with another secret gets nothing.
            ClaimOutcome::Repeated(job) if job.claim_hash.as_ref() == Some(&claim.claim_hash) => {
                return self.offer(*job).await;
            }
            ClaimOutcome::NotAdopted(state) => return Err(shut_out(state)),
            // A claim that nobody renews lapses, and its job is there again.
            ClaimOutcome::Busy(job) if job.state == JobState::Claimed => job.lease_until_ms,
            ClaimOutcome::Repeated(_) | ClaimOutcome::Nothing | ClaimOutcome::Busy(_) => None,
            // Nothing comes of this request any more, so the device need not wait with it.
            ClaimOutcome::Spent => return Ok(FoundWork::Spent),
        };
        let tables = &self.0.tables;
        let wanted = tables
            .take_collection(&request.device, self.now_ms())
            .await?;
        Ok(match wanted {
            Some(wanted) => {
                self.0.changes.count_of(&request.device);
                let request = wanted.request;
                FoundWork::Work(DeviceWork::Collect { request })
            }
            None => FoundWork::Nothing { look_again_ms },
        })
    }

    async fn offer(&self, job: JobRecord) -> Result<FoundWork, DispatchRefusal> {
        let package = self.0.tables.package(&job.id).await?;
        let package = package.ok_or_else(|| DispatchRefusal::failed(&"a job without a package"))?;
        Ok(FoundWork::Work(DeviceWork::Job {
            epoch: u32::try_from(job.epoch).unwrap_or(u32::MAX),
            lease_s: LEASE_S,
            sha256: Sha256Hex::digest(&package).as_str().to_owned(),
            package: STANDARD.encode(&package),
            job: job.id,
        }))
    }
}
