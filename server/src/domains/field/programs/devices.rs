//! Devices, and the values of tokens.

use agent::ports::Toolset as _;
use axum::{
    Extension,
    extract::{Path, Query},
    http::StatusCode,
};
use field::ports::{FieldFaultCode, FieldMemory as _, FieldSnapshot, KnownDevice, KnownProgram};
use protocol::{ErrorBody, ErrorCode, PageQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sign_in::SignedIn;

use super::{FieldPrograms, WantedPage, missing, ms};
use crate::{
    cursor::cursor,
    domains::field::{
        answers::{DeviceAnswer, answered, refusal},
        texts::programs as said,
    },
};

const LIST: &str = "field devices";
/// Characters of an identifier that order a list, of 7 bits each.
const ORDERED: usize = 9;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DevicesQuery {
    site: Option<String>,
    cursor: Option<String>,
    limit: Option<u32>,
}

/// A page of devices, in no order that means anything.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldDevices")]
pub(in crate::domains::field) struct FieldDevicesBody {
    devices: Vec<FieldDeviceLine>,
    /// The cursor of the next page; none if there is none.
    next: Option<String>,
}

/// A device in a list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldDeviceLine")]
struct FieldDeviceLine {
    id: String,
    site: String,
    site_name: String,
    name: String,
    /// `waiting`, `adopted`, `suspended`.
    standing: &'static str,
    online: bool,
    last_seen_ms: Option<i64>,
    tags: Vec<String>,
    attention: Vec<AttentionBody>,
    /// None if its runner does not report it.
    program: Option<RunnerProgramBody>,
    simulated: bool,
}

/// The program of a device's runner, by the device's own report.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldProgram")]
struct RunnerProgramBody {
    /// Three numbers, such as `1.2.3`.
    version: String,
    /// The last update, if the device gave it up.
    failed_update: Option<FailedUpdateBody>,
}

/// An update of a runner that its device gave up.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldFailedUpdate")]
struct FailedUpdateBody {
    version: String,
    /// `no_report`, `no_start`, `unknown`.
    reason: &'static str,
    /// Trials of this version so far.
    tries: u32,
    /// True if the device tries it again.
    retried: bool,
}

impl RunnerProgramBody {
    fn of(program: &KnownProgram) -> Self {
        Self {
            version: program.version.clone(),
            failed_update: program.failed.as_ref().map(|failed| FailedUpdateBody {
                version: failed.version.clone(),
                reason: failed.reason.word(),
                tries: failed.tries,
                retried: failed.is_retried,
            }),
        }
    }
}

/// A reason for a person to look at a device.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldAttention")]
struct AttentionBody {
    /// Such as `wrong_clock`.
    kind: &'static str,
    text: String,
    since_ms: i64,
}

/// A device with its own report.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldDevice")]
pub(in crate::domains::field) struct FieldDeviceBody {
    #[serde(flatten)]
    line: FieldDeviceLine,
    /// Fingerprint of its key, in 64 digits.
    fingerprint: String,
    /// Its own report, with tokens in place of values.
    facts: Value,
    /// Limits that it cannot enforce, each with the remedy.
    gaps: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValuesQuery {
    /// `device`, `bundle`, `proposal` or `run`.
    kind: String,
    id: String,
    /// Separated by commas.
    tokens: String,
}

/// The values of tokens.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldValues")]
pub(in crate::domains::field) struct FieldValuesBody {
    /// Each with its `token`, its `class` and its `value`. What is no token of the thing's site is left out.
    values: Value,
}

impl FieldDeviceLine {
    fn of(device: &KnownDevice, snapshot: &FieldSnapshot) -> Self {
        let site = snapshot.site(&device.site).map(|site| site.name.clone());
        let attention = device.attention.iter().map(|it| AttentionBody {
            kind: it.kind.word(),
            text: it.text.clone(),
            since_ms: it.since.0,
        });
        Self {
            id: device.id.clone(),
            site_name: site.unwrap_or_else(|| device.site.clone()),
            site: device.site.clone(),
            name: device.name.clone(),
            standing: device.standing.word(),
            online: device.is_online,
            last_seen_ms: ms(device.last_seen),
            tags: device.tags.clone(),
            attention: attention.collect(),
            program: device.program.as_ref().map(RunnerProgramBody::of),
            simulated: device.is_simulated,
        }
    }
}

/// Returns a page of devices.
pub(super) async fn list(
    it: FieldPrograms,
    Extension(who): Extension<SignedIn>,
    Query(query): Query<DevicesQuery>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let page = WantedPage::of(LIST, &who, query.cursor.as_deref(), query.limit)?;
    let snapshot = it.backend.snapshot().borrow().clone();
    let of_site = |device: &&KnownDevice| query.site.as_ref().is_none_or(|it| *it == device.site);
    let mut devices: Vec<_> = snapshot.devices.iter().filter(of_site).collect();
    devices.sort_by(|one, other| one.id.cmp(&other.id));
    let behind = |device: &&KnownDevice| page.from.is_none_or(|from| order(&device.id) > from);
    devices.retain(behind);
    let all = devices.len();
    let mut end = all.min(page.limit as usize);
    // Two that the cursor cannot tell apart are on one page.
    while end > 0 && end < all && order(&devices[end].id) == order(&devices[end - 1].id) {
        end += 1;
    }
    devices.truncate(end);
    let last = devices.last().filter(|_| end < all);
    let next = last.map(|device| cursor(LIST, who.user.id, order(&device.id)));
    let devices = devices.into_iter();
    answered(&FieldDevicesBody {
        devices: devices
            .map(|device| FieldDeviceLine::of(device, &snapshot))
            .collect(),
        next,
    })
}

/// The place of a device in the list: its identifier is random, and stays.
fn order(id: &str) -> i64 {
    let signs = id.bytes().skip("dev_".len()).take(ORDERED);
    signs.fold(0, |place, sign| (place << 7) | i64::from(sign & 0x7f))
}

/// Returns a device.
pub(super) async fn read(
    it: FieldPrograms,
    Path(id): Path<String>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let snapshot = it.backend.snapshot().borrow().clone();
    let device = snapshot.device(&id);
    let device = device.ok_or_else(|| missing(FieldFaultCode::UnknownDevice))?;
    answered(&FieldDeviceBody {
        line: FieldDeviceLine::of(device, &snapshot),
        fingerprint: device.fingerprint.clone(),
        facts: device.facts.clone(),
        gaps: device.gaps.clone(),
    })
}

/// Gives values to whoever may see them, through the page of their thing: with its record of the look.
pub(super) async fn values(
    it: FieldPrograms,
    Extension(who): Extension<SignedIn>,
    Query(query): Query<ValuesQuery>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let page = PageQuery {
        kind: query.kind,
        name: query.id,
        part: format!("values/{}", query.tokens),
    };
    let values = it.toolset.page(who.user.id, &page).await;
    answered(&FieldValuesBody {
        values: values.map_err(|error| not_shown(&error))?,
    })
}

fn not_shown(error: &ErrorBody) -> DeviceAnswer {
    let (status, code) = match error.code {
        ErrorCode::ToolInputInvalid => (StatusCode::NOT_FOUND, "thing_not_found"),
        ErrorCode::ToolPermission => (StatusCode::FORBIDDEN, "not_allowed"),
        _ => (StatusCode::SERVICE_UNAVAILABLE, "storage"),
    };
    let help = error.help.as_deref().unwrap_or(said::HELP_VALUES);
    refusal(status, code, &error.message, help)
}

#[cfg(test)]
mod tests {
    use field::ports::{KnownProgram, RunnerUpdateFailure, UpdateFailureReason};
    use serde_json::json;

    use super::{RunnerProgramBody, order};

    #[test]
    fn a_failed_update_is_shown_beside_the_version_that_runs() {
        let mut program = KnownProgram {
            version: "1.2.3".to_owned(),
            failed: None,
        };
        let shown = |program: &KnownProgram| json!(RunnerProgramBody::of(program));
        let fine = json!({ "version": "1.2.3", "failed_update": null });
        assert_eq!(shown(&program), fine);
        program.failed = Some(RunnerUpdateFailure {
            version: "1.3.0".to_owned(),
            reason: UpdateFailureReason::NoReport,
            tries: 2,
            is_retried: true,
        });
        let failed = json!({
            "version": "1.3.0", "reason": "no_report", "tries": 2, "retried": true,
        });
        assert_eq!(shown(&program)["failed_update"], failed);
    }

    #[test]
    fn the_order_of_a_list_is_that_of_its_identifiers() {
        let ids = [
            "dev_",
            "dev_00000000000000000000000000",
            "dev_0000000010000000000000000z",
            "dev_0000000z000000000000000000",
            "dev_z0000000000000000000000000",
        ];
        let places = ids.map(order);
        assert!(places.is_sorted() && places[0] == 0, "{places:?}");
        assert!(places[1] < places[2] && places[4] > 0);
    }
}
