//! Enrolment, sessions, and the hello that opens each of them.

use serde_json::json;

use super::http::{WireAnswer, WireRequest};
use super::journal::JournalState;
use super::{DeviceFault, FleetDevice, FleetError};
use crate::protocol::{
    ENROL_KIND, EnrolAnswer, HelloAnswer, NonceAnswer, ReportAnswer, SESSION_KIND, SessionAnswer,
};
use crate::step::OfficeRow;
use crate::trust::manifest::{is_id, is_name};
use crate::trust::root::DeviceRoot;

/// Root documents that one hello may bring.
const MAX_ROOTS: u64 = 32;

/// The server that the device is enrolled with.
#[derive(Clone, Debug)]
pub(super) struct KnownServer {
    pub(super) device: String,
    pub(super) site: String,
    pub(super) server: String,
    pub(super) root: DeviceRoot,
}

impl FleetDevice {
    /// Enrols, opens a session and says hello, as far as that is still to be done.
    pub(super) async fn connect(&mut self) -> Result<(), FleetError> {
        if self.known.is_none() {
            self.enrol().await?;
        }
        if self.session.is_none() {
            self.open_session().await?;
        }
        if self.needs_hello {
            self.hello().await?;
        }
        Ok(())
    }

    async fn enrol(&mut self) -> Result<(), FleetError> {
        let key = self.key.public_hex();
        let secret = &self.token.secret;
        let proof = self
            .key
            .sign(ENROL_KIND, format!("{secret}.{key}").as_bytes());
        let body = json!({
            "token": secret,
            "key": key,
            "proof": proof,
            "facts": self.facts(),
            "capabilities": reported_capabilities(),
        });
        let answer: EnrolAnswer = self
            .exchange(WireRequest::post("enrol", &body))
            .await?
            .read()?;
        let possible = is_id(&answer.device, "dev_") && is_name(&answer.server);
        if !possible {
            return Err(FleetError::Answer("device or server".to_owned()));
        }
        // The envelope is signed inside, so its own form does not matter.
        let envelope = answer.root.to_string();
        let root = DeviceRoot::first(envelope.as_bytes(), &self.token.root_key)
            .map_err(|fault| FleetError::Root(fault.to_string()))?;
        tracing::info!(
            device = answer.device,
            name = answer.name,
            simulated = true,
            "simulated field device enrolled"
        );
        self.known = Some(KnownServer {
            device: answer.device,
            site: answer.site,
            server: answer.server,
            root,
        });
        Ok(())
    }

    pub(super) fn known(&self) -> Result<&KnownServer, FleetError> {
        let missing = || FleetError::Answer("no enrolment".to_owned());
        self.known.as_ref().ok_or_else(missing)
    }

    async fn open_session(&mut self) -> Result<(), FleetError> {
        self.session = None;
        let known = self.known()?.clone();
        let ask = json!({ "device": known.device });
        let nonce: NonceAnswer = self
            .exchange(WireRequest::post("session", &ask))
            .await?
            .read()?;
        let (device, server, instance) = (&known.device, &known.server, &self.instance);
        let text = format!("{device}.{}.{instance}.{server}", nonce.nonce);
        let body = json!({
            "device": device,
            "nonce": nonce.nonce,
            "instance": instance,
            "signature": self.key.sign(SESSION_KIND, text.as_bytes()),
        });
        let answer: SessionAnswer = self
            .exchange(WireRequest::put("session", &body))
            .await?
            .read()?;
        self.session = Some(answer.token);
        self.state = answer.state;
        self.needs_hello = true;
        Ok(())
    }

    async fn hello(&mut self) -> Result<(), FleetError> {
        let root_version = self.known()?.root.version;
        let body = json!({
            "instance": self.instance,
            "facts": self.facts(),
            "capabilities": reported_capabilities(),
            "root_version": root_version,
            "clock": self.time.message(self.wall_ms()),
            // It is never updated, so nothing can have failed.
            "program": { "version": env!("CARGO_PKG_VERSION"), "failed": null },
            "journal": self.journal.reports(),
        });
        let request = WireRequest::post("hello", &body);
        let answer: HelloAnswer = self.authorized(request).await?.read()?;
        self.state = answer.state;
        for report in answer.reports {
            self.settle(&report).await;
        }
        self.follow_roots(answer.root_version).await?;
        self.needs_hello = false;
        Ok(())
    }

    /// Takes in the answer to an entry of the journal, and uploads what the server lacks of its log.
    async fn settle(&mut self, report: &ReportAnswer) {
        let Some(entry) = self.journal.answered(&report.job, report.epoch) else {
            return;
        };
        entry.state = JournalState::Settled;
        entry.streams.end();
        entry.streams.go_on_from_all(report.offsets);
        let claim = entry.claim.clone();
        if report.answer == "recorded"
            && let Err(error) = self.upload(&claim).await
        {
            tracing::debug!(%error, simulated = true, "rest of a log not uploaded");
        }
    }

    async fn follow_roots(&mut self, newest: u64) -> Result<(), FleetError> {
        let own = self.known()?.root.version;
        for version in (own + 1..=newest).take(MAX_ROOTS as usize) {
            let request = WireRequest::get(format!("root/{version}"));
            let answer = self.authorized(request).await?;
            let next = self.known()?.root.next(answer.document()?);
            let next = next.map_err(|fault| FleetError::Root(fault.to_string()))?;
            if let Some(known) = &mut self.known {
                known.root = next;
            }
        }
        Ok(())
    }

    /// Sends a request with the session, and once more with a new one if the server wants that.
    pub(super) async fn authorized(
        &mut self,
        request: WireRequest,
    ) -> Result<WireAnswer, FleetError> {
        let again = request.clone();
        let answer = self
            .exchange(request.with_session(self.session.as_ref()))
            .await?;
        if answer.status != 401 {
            return Ok(answer);
        }
        self.open_session().await?;
        self.exchange(again.with_session(self.session.as_ref()))
            .await
    }

    /// Sends a request, twice if the device has that fault, and hears the server's time.
    async fn exchange(&mut self, request: WireRequest) -> Result<WireAnswer, FleetError> {
        let fault = if request.is_chunk() {
            DeviceFault::DuplicatesChunks
        } else {
            DeviceFault::RepeatsRequests
        };
        let twice = request.has_body() && self.is_on(fault);
        if twice {
            self.http.send(&request).await?;
        }
        let answer = self.http.send(&request).await?;
        if let Some(time_ms) = answer.time_ms {
            self.time.hear(time_ms, self.wall_ms());
        }
        Ok(answer)
    }

    fn facts(&self) -> serde_json::Value {
        let device = self.options.device;
        let mut facts = json!({
            "hostname": device.name(),
            "model": device.model(),
            "os": "Debian GNU/Linux 13 (trixie)",
            "kernel": "6.12.47+rpt-rpi-v8",
            "runner": concat!("simfleet ", env!("CARGO_PKG_VERSION")),
            "interfaces": ["eth0", "wlan0"],
            "simulated": true,
        });
        if device.is_offline() {
            facts["simulated_last_seen_ms"] = self.last_seen_ms().into();
        }
        facts
    }
}

/// The abilities of both sandboxes, in the words of the package format, as each simulated device reports
/// them.
pub fn reported_capabilities() -> serde_json::Value {
    let level = |raw: bool| {
        json!({
            "memory": "controller", "cpu": true, "tasks": true, "workspace": true,
            "no_network": true, "listed_network": raw, "raw": raw,
        })
    };
    json!({
        "sandboxes": { "bubblewrap": level(false), "systemd": level(true) },
        "rows": OfficeRow::ALL.map(OfficeRow::word),
        "simulated": true,
    })
}
