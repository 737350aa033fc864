//! Shared by the tools that give a device work.

use agent::ports::{Case, InputValue};
use field_package::{
    policy::{ContactFact, ContactPlace, ValueOrigin},
    steps::{ProbeStep, StepSlot},
};
use field_redaction::Pseudonym;
use protocol::{ErrorBody, ErrorCode, OriginSource, Timestamp};
use serde_json::Value;

use crate::{
    judged::JudgedScript,
    parts::{FieldParts, seconds_since},
    ports::KnownDevice,
    real_script::RealScript,
    texts::tools as say,
};

/// Milliseconds for which work of a call that does not wait for long may wait for its device.
const SHORT_WAIT_MS: i64 = 60_000;

/// The time until which a device may take such work.
pub(super) fn short_wait(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_add(SHORT_WAIT_MS))
}

/// Refuses work for a device that is not there.
pub(super) fn online(device: &KnownDevice, now: Timestamp) -> Result<(), ErrorBody> {
    if device.is_online {
        return Ok(());
    }
    let seen = device.last_seen.map(|at| seconds_since(at, now));
    Err(
        ErrorBody::new(ErrorCode::ToolUnreachable, say::is_offline(seen))
            .with_help(say::HELP_OFFLINE),
    )
}

/// The device of an input, as a value whose origin matters. Its name and its newest bundles mean it and
/// no other device.
pub(super) fn device_value(parts: &FieldParts, input: &Value) -> Option<InputValue> {
    let id = input.get("device").and_then(Value::as_str)?;
    let snapshot = parts.snapshot();
    let mut mapped_from = Vec::new();
    if let Some(device) = snapshot.device(id) {
        let mut others = snapshot.devices.iter().filter(|other| other.id != id);
        if others.all(|other| !other.name.eq_ignore_ascii_case(&device.name)) {
            let real = parts.ports.memory.restore(&device.site, &device.name);
            mapped_from.extend(real.ok().filter(|real| *real != device.name));
            mapped_from.push(device.name.clone());
        }
        mapped_from.extend(snapshot.bundles_of(id).map(|bundle| bundle.id.clone()));
    }
    Some(InputValue {
        path: "/device".to_owned(),
        text: id.to_owned(),
        case: Case::Counts,
        source: None,
        mapped_from,
    })
}

/// The values of a step that lead outside of the site and of the configuration: the gate asks for each
/// that is not the person's word.
///
/// Texts from outside have tokens, and the person may have written the value, so a token is given with
/// its value behind it. Anything else is never the model's to choose: a name or the path of a URL tells
/// whoever serves it what is in it.
pub(super) fn outside_values(real: &RealScript, judged: &JudgedScript) -> Vec<InputValue> {
    let mut values: Vec<InputValue> = Vec::new();
    let contacts = judged.facts.contacts.iter().filter(|it| is_outside(it));
    for contact in contacts {
        let Some(step) = real.script.steps().get(contact.step) else {
            continue;
        };
        let written = real.written.get(contact.step);
        let to = contact.to.to_string();
        for slot in StepSlot::ALL.iter().copied() {
            let Some(value) = step.step().value(slot).filter(|text| text.contains(&to)) else {
                continue;
            };
            let path = format!("/step/{}", slot.word());
            if values.iter().any(|known| known.path == path) {
                continue;
            }
            let text = written.and_then(|written: &ProbeStep| written.value(slot));
            let text = text.unwrap_or_else(|| value.clone());
            let is_token = Pseudonym::parse(&text).is_some();
            values.push(InputValue {
                path,
                case: Case::Ignored,
                source: (!is_token).then_some(OriginSource::Unknown),
                mapped_from: Some(value).filter(|it| *it != text).into_iter().collect(),
                text,
            });
        }
    }
    values
}

fn is_outside(contact: &ContactFact) -> bool {
    let is_known = matches!(
        contact.origin,
        ValueOrigin::Configuration | ValueOrigin::Row
    );
    let is_near = matches!(contact.place, ContactPlace::Own | ContactPlace::Site);
    !is_known && !is_near
}
