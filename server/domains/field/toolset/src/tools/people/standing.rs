//! The standing of a device: adopted, suspended, resumed, retired.

use agent::ports::{Preview, ToolCall, ToolSpec, read_input};
use async_trait::async_trait;
use protocol::{Assurance, ErrorBody, Fact, Tier, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{PeopleAct, line, site_name, spec};
use crate::{
    card::grouped,
    parts::{FieldParts, fault, seconds_since},
    ports::{DeviceStanding, FieldFaultCode, KnownDevice, StandingChange},
    shape,
    texts::{card as words, people as say, tools},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AdoptInput {
    /// The device that waits.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// Fingerprint of its key, as the person compared it.
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    fingerprint: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReasonInput {
    /// The device.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
    /// The reason, for the record.
    #[schemars(length(min = 1, max = 200))]
    reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResumeInput {
    /// The suspended device.
    #[schemars(regex(pattern = r"^dev_[0-9a-z]{26}$"))]
    device: String,
}

/// Adopts a device that waits: from then on it gets approved work.
pub(super) struct AdoptDevice;

#[async_trait]
impl PeopleAct for AdoptDevice {
    fn spec(&self) -> ToolSpec {
        spec::<AdoptInput>(
            "adopt_device",
            "Adopts a field device that has enrolled, after a person has compared the fingerprint of its key.",
            Tier::Red,
        )
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: AdoptInput = read_input(call.input.clone())?;
        let device = parts.device(&input.device)?;
        if device.standing != DeviceStanding::Waiting {
            return Err(fault(FieldFaultCode::OtherStanding));
        }
        if device.fingerprint != input.fingerprint {
            return Err(fault(FieldFaultCode::OtherKey));
        }
        let sentence = say::adopt(&device.name, &site_name(parts, &device));
        Ok(card(parts, &device, sentence))
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let input: AdoptInput = read_input(call.input.clone())?;
        let fingerprint = input.fingerprint;
        let change = StandingChange::Adopt { fingerprint };
        changed(parts, call, &input.device, &change).await
    }
}

/// Suspends a device: what runs on it is cancelled, and nothing starts on it any more.
pub(super) struct SuspendDevice;

#[async_trait]
impl PeopleAct for SuspendDevice {
    fn spec(&self) -> ToolSpec {
        spec::<ReasonInput>(
            "suspend_device",
            "Suspends a field device: a run on it is cancelled, it is signed out, and nothing starts on it \
             until it is resumed.",
            Tier::Yellow,
        )
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: ReasonInput = read_input(call.input.clone())?;
        let device = parts.device(&input.device)?;
        Ok(card(parts, &device, say::suspend(&device.name)))
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let input: ReasonInput = read_input(call.input.clone())?;
        let reason = line("reason", &input.reason)?;
        let change = StandingChange::Suspend { reason };
        changed(parts, call, &input.device, &change).await
    }
}

/// Takes a suspended device back into service.
pub(super) struct ResumeDevice;

#[async_trait]
impl PeopleAct for ResumeDevice {
    fn spec(&self) -> ToolSpec {
        spec::<ResumeInput>(
            "resume_device",
            "Takes a suspended field device back into service: runs that wait for it may start.",
            Tier::Red,
        )
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: ResumeInput = read_input(call.input.clone())?;
        let device = parts.device(&input.device)?;
        if device.standing != DeviceStanding::Suspended {
            return Err(fault(FieldFaultCode::OtherStanding));
        }
        Ok(card(parts, &device, say::resume(&device.name)))
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let input: ResumeInput = read_input(call.input.clone())?;
        changed(parts, call, &input.device, &StandingChange::Resume).await
    }
}

/// Retires a device for good.
pub(super) struct RetireDevice;

#[async_trait]
impl PeopleAct for RetireDevice {
    fn spec(&self) -> ToolSpec {
        spec::<ReasonInput>(
            "retire_device",
            "Retires a field device for good, with its key. Runs that wait for it are cancelled.",
            Tier::Red,
        )
    }

    async fn preview(&self, parts: &FieldParts, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: ReasonInput = read_input(call.input.clone())?;
        let device = parts.device(&input.device)?;
        // Nobody can type a name that has hidden characters.
        let word = line("name", &device.name).unwrap_or_else(|_| device.id.clone());
        Ok(Preview {
            irreversible: Some(say::RETIRED_FOR_GOOD.to_owned()),
            assurance: Assurance::Type { word },
            ..card(parts, &device, say::retire(&device.name))
        })
    }

    async fn act(&self, parts: &FieldParts, call: &ToolCall) -> Result<ToolOutput, ErrorBody> {
        let input: ReasonInput = read_input(call.input.clone())?;
        let reason = line("reason", &input.reason)?;
        let change = StandingChange::Retire { reason };
        changed(parts, call, &input.device, &change).await
    }
}

/// The card of a change: the device with its key, which the approval binds.
fn card(parts: &FieldParts, device: &KnownDevice, sentence: String) -> Preview {
    let fact = |label: &str, value: String| Fact {
        label: label.to_owned(),
        value,
    };
    let seen = device.last_seen.map(|at| seconds_since(at, parts.now()));
    Preview {
        facts: vec![
            fact(say::FINGERPRINT, grouped(&device.fingerprint)),
            fact(say::SITE, site_name(parts, device)),
            fact(say::STANDING, device.standing.word().to_owned()),
            fact(say::CONTACT, words::contact(device.is_online, seen)),
        ],
        objects: vec![
            format!("device/{}", device.id),
            format!("site/{}", device.site),
        ],
        grantable: false,
        state: json!({
            "fingerprint": device.fingerprint,
            "standing": device.standing.word(),
        }),
        ..Preview::new(sentence, tools::device(&device.name))
    }
}

/// Makes a change. One that was made before, by this call or another, is as good.
async fn changed(
    parts: &FieldParts,
    call: &ToolCall,
    device: &str,
    change: &StandingChange,
) -> Result<ToolOutput, ErrorBody> {
    let administration = &parts.ports.administration;
    let person = call.origin.person;
    let now = administration
        .change_standing(device, change, person)
        .await?;
    if now != change.standing() {
        return Err(fault(FieldFaultCode::OtherStanding));
    }
    let data = json!({ "device": device, "standing": now.word() });
    Ok(shape::output(now_in_words(now).to_owned(), data))
}

fn now_in_words(standing: DeviceStanding) -> &'static str {
    match standing {
        DeviceStanding::Waiting => say::NOW_WAITING,
        DeviceStanding::Adopted => say::NOW_ADOPTED,
        DeviceStanding::Suspended => say::NOW_SUSPENDED,
        DeviceStanding::Retired => say::NOW_RETIRED,
    }
}
