//! Enrolment: a person makes a token, a device uses it once, and a person adopts the device.

use field_package::keys::PublicSigningKey;
use field_tables::{DeviceReport, Enrolled, FieldDevice, NewDevice, NewEnrolment};
use serde_json::{Value, json};

use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::ids::{enrolment_secret, random_id, secret_hash};
use crate::limit_gaps::lacking;
use crate::messages::{EnrolMessage, EnrolmentAnswer};
use crate::signatures::{ENROL_TYPE, is_signed, is_word};
use crate::texts::devices as texts;

/// Begins an enrolment token, with its version.
const TOKEN: &str = "jarvis-enrol-1";
/// Hours that a token can be used, unless a person says otherwise.
const HOURS: u32 = 24;
/// Enrolments of all devices in a minute: the secret cannot be guessed, but guesses cost work.
const MOST_A_MINUTE: u32 = 120;

/// A wish to enrol a device.
#[derive(Debug, Clone)]
pub struct EnrolmentOrder {
    pub site: String,
    /// The name that the device gets.
    pub name: String,
    /// Hours that the token can be used; 24 if none are given, 168 at most.
    pub hours: Option<u32>,
    pub by: String,
}

/// A token for one device. It is shown once.
#[derive(Clone)]
pub struct EnrolmentToken {
    /// Public: with it people see and withdraw the enrolment.
    pub id: String,
    pub token: String,
    pub expires_ms: i64,
}

impl std::fmt::Debug for EnrolmentToken {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "EnrolmentToken({} …)", self.id)
    }
}

impl Dispatch {
    /// Makes a token with which one device can enrol.
    ///
    /// # Errors
    /// There is no such site, it has too many open enrolments, or the database fails.
    pub async fn make_enrolment(
        &self,
        order: &EnrolmentOrder,
    ) -> Result<EnrolmentToken, DispatchRefusal> {
        self.make_enrolment_as(random_id("enr_"), order).await
    }

    /// The same under an identifier of the caller, by which it finds out later whether it was made.
    pub(crate) async fn make_enrolment_as(
        &self,
        id: String,
        order: &EnrolmentOrder,
    ) -> Result<EnrolmentToken, DispatchRefusal> {
        if order.name.trim().is_empty() {
            return Err(DispatchRefusal::member("name"));
        }
        let hours = i64::from(order.hours.unwrap_or(HOURS).clamp(1, 168));
        let (now, secret) = (self.now_ms(), enrolment_secret());
        let new = NewEnrolment {
            id,
            hash: secret_hash(&secret),
            site: order.site.clone(),
            name: order.name.clone(),
            expires_ms: now + hours * 3_600_000,
        };
        self.0.tables.make_enrolment(&new, &order.by, now).await?;
        let root = self.0.keys.roots.root_key();
        Ok(EnrolmentToken {
            id: new.id,
            token: format!("{TOKEN}.{secret}.{root}"),
            expires_ms: new.expires_ms,
        })
    }

    /// Enrols a device. The same token with the same key again is answered as before.
    ///
    /// # Errors
    /// The token is unknown, over or used, the key is not valid, or the proof is not of that key.
    pub async fn enrol(&self, message: &EnrolMessage) -> Result<EnrolmentAnswer, DispatchRefusal> {
        let now = self.now_ms();
        self.0.rates.count("enrol", MOST_A_MINUTE, now)?;
        if message.token.len() != 32 || !is_word(&message.token) {
            return Err(DispatchRefusal::member("token"));
        }
        let key = PublicSigningKey::from_hex(&message.key).map_err(|_| bad_key())?;
        let parts = [message.token.as_str(), message.key.as_str()];
        if !is_signed(&key, ENROL_TYPE, &parts, &message.proof) {
            let class = RefusalClass::Forbidden;
            let (text, help) = (texts::BAD_PROOF, texts::REPORT_HELP);
            return Err(DispatchRefusal::new(class, "bad_proof", text, help));
        }
        let new = NewDevice {
            id: random_id("dev_"),
            public_key: message.key.as_bytes().to_vec(),
            fingerprint: key.fingerprint().as_str().to_owned(),
        };
        let hash = secret_hash(&message.token);
        let device = match self.0.tables.enrol(&hash, &new, now).await? {
            Enrolled::Waiting(device) => {
                let facts = object(&message.facts)?;
                let report = DeviceReport {
                    facts,
                    capabilities: object(&message.capabilities)?,
                    root_version: 0,
                    program: None,
                    lacking: lacking(&message.capabilities),
                };
                self.0.tables.report(&device.id, &report, now).await?;
                self.0.changes.count_of(&device.id);
                tracing::info!(
                    device = device.id,
                    site = device.site,
                    "field device enrolled"
                );
                device
            }
            Enrolled::Repeated(device) => device,
            other => return Err(not_enrolled(&other)),
        };
        self.enrolled(device)
    }

    fn enrolled(&self, device: FieldDevice) -> Result<EnrolmentAnswer, DispatchRefusal> {
        let newest = self.0.keys.roots.for_enrolment();
        let root: Value = newest
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .ok_or_else(|| DispatchRefusal::failed(&"no root document"))?;
        Ok(EnrolmentAnswer {
            device: device.id,
            name: device.name,
            site: device.site,
            server: self.0.settings.server.clone(),
            root,
        })
    }
}

/// A report of a device: an object, or nothing.
pub(crate) fn object(value: &Value) -> Result<Value, DispatchRefusal> {
    match value {
        Value::Null => Ok(json!({})),
        Value::Object(_) => Ok(value.clone()),
        _ => Err(DispatchRefusal::member("facts")),
    }
}

fn bad_key() -> DispatchRefusal {
    let class = RefusalClass::Malformed;
    DispatchRefusal::new(class, "bad_key", texts::BAD_KEY, texts::REPORT_HELP)
}

fn not_enrolled(outcome: &Enrolled) -> DispatchRefusal {
    let help = texts::ENROLMENT_HELP;
    match outcome {
        Enrolled::Expired => {
            let text = texts::ENROLMENT_EXPIRED;
            DispatchRefusal::new(RefusalClass::Gone, "enrolment_expired", text, help)
        }
        Enrolled::Used => {
            let text = texts::ENROLMENT_USED;
            DispatchRefusal::new(RefusalClass::Conflict, "enrolment_used", text, help)
        }
        Enrolled::KeyTaken => {
            let (text, help) = (texts::KEY_TAKEN, texts::KEY_TAKEN_HELP);
            DispatchRefusal::new(RefusalClass::Conflict, "key_taken", text, help)
        }
        Enrolled::Unknown | Enrolled::Waiting(_) | Enrolled::Repeated(_) => {
            let text = texts::ENROLMENT_UNKNOWN;
            DispatchRefusal::new(RefusalClass::NotFound, "enrolment_unknown", text, help)
        }
    }
}
