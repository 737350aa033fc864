//! A job from its claim to the server's word to start.

use serde_json::json;

use super::http::WireRequest;
use super::journal::JournalState;
use super::{ClaimIds, DeviceFault, DeviceTurn, FleetDevice, FleetError};
use crate::protocol::{ClaimAnswer, JobOffer, JobReply};
use crate::trust::admission::{self, AdmittedPackage, CheckingDevice, PackageFault};
use crate::trust::envelope::EnvelopeFault;
use crate::trust::keys::base64_bytes;
use crate::trust::manifest::is_id;

/// The sandbox that a simulated device says it has used.
pub(super) const SANDBOX: &str = "systemd";

impl FleetDevice {
    /// Asks for work. A claim whose answer is lost is asked again with the same words.
    pub(super) async fn claim(
        &mut self,
        ids: &ClaimIds,
    ) -> Result<Option<ClaimAnswer>, FleetError> {
        let body = json!({
            "request": ids.request,
            "claim": ids.claim,
            "wait_s": self.options.wait_s,
        });
        let answer = match self.authorized(WireRequest::post("claim", &body)).await {
            Ok(answer) => answer,
            Err(error) => {
                if error.is_passing() {
                    self.open_claim = Some(ids.clone());
                }
                return Err(error);
            }
        };
        match answer.status {
            204 => Ok(None),
            403 => {
                // Adoption has ended; hello says what the device is now.
                self.needs_hello = true;
                Err(answer.refused())
            }
            _ => answer.read().map(Some),
        }
    }

    /// Checks a claimed package, asks to start it, and runs it.
    pub(super) async fn work(
        &mut self,
        offer: JobOffer,
        claim: String,
    ) -> Result<DeviceTurn, FleetError> {
        if !is_id(&offer.job, "run_") {
            return Err(FleetError::Answer("the id of a job".to_owned()));
        }
        self.journal.claimed(&offer.job, offer.epoch, &claim);
        let admitted = match self.admit(&offer) {
            Ok(admitted) => admitted,
            Err(fault) => return self.refuse(&offer, &claim, &fault).await,
        };
        if self.is_on(DeviceFault::NeverStarts) {
            return Ok(DeviceTurn::NotStarted(offer.job));
        }
        let nonce = self.chance.digits(16);
        let body = json!({
            "epoch": offer.epoch,
            "claim": claim,
            "nonce": nonce,
            "sandbox": SANDBOX,
            "clock": self.time.message(self.wall_ms()),
        });
        let path = format!("jobs/{}/start", offer.job);
        let answer = match self.authorized(WireRequest::post(path, &body)).await {
            Ok(answer) => answer,
            Err(error) => {
                // The server may have said go. It is told that the job did not run, and it never will.
                tracing::debug!(%error, simulated = true, "no answer to a start");
                self.needs_hello = true;
                return Ok(DeviceTurn::Unsent(offer.job));
            }
        };
        if answer.status != 200 {
            let code = answer.refusal().code;
            self.journal.record(&claim, JournalState::Settled);
            return Ok(DeviceTurn::Refused {
                job: offer.job,
                code,
            });
        }
        let reply: JobReply = answer.read()?;
        if reply.answer != "go" || reply.nonce != nonce {
            self.needs_hello = true;
            return Err(FleetError::Answer("a start of another nonce".to_owned()));
        }
        let manifest = &admitted.manifest;
        self.journal
            .started(&claim, &admitted.signers, manifest.seq, &manifest.nonce);
        if self.is_on(DeviceFault::DiesAfterStarted) {
            self.restart();
            return Ok(DeviceTurn::Died(offer.job));
        }
        Box::pin(self.run(&offer, &claim, admitted)).await
    }

    fn admit(&self, offer: &JobOffer) -> Result<AdmittedPackage, PackageFault> {
        let bytes = base64_bytes(&offer.package).ok_or(EnvelopeFault::Base64)?;
        let known = self.known().map_err(|_| PackageFault::Claim)?;
        let device = CheckingDevice {
            device: &known.device,
            key: &self.key.fingerprint(),
            site: &known.site,
            server: &known.server,
            root: &known.root,
            now: self.time.now_s(self.wall_ms()),
            seen: &self.journal,
        };
        admission::admit(&bytes, device, &offer.job, &offer.sha256)
    }

    async fn refuse(
        &mut self,
        offer: &JobOffer,
        claim: &str,
        fault: &PackageFault,
    ) -> Result<DeviceTurn, FleetError> {
        let code = fault.code().to_owned();
        let body = json!({
            "epoch": offer.epoch,
            "claim": claim,
            "code": code,
            "message": fault.to_string(),
        });
        let path = format!("jobs/{}/refuse", offer.job);
        match self.authorized(WireRequest::post(path, &body)).await {
            Ok(_) => {
                self.journal.record(claim, JournalState::Settled);
                let job = offer.job.clone();
                Ok(DeviceTurn::Refused { job, code })
            }
            Err(error) => {
                self.needs_hello = true;
                Err(error)
            }
        }
    }
}
