//! Runs of field devices, and the orders to begin and to cancel one.
//!
//! A run begins when its call was confirmed: the order begins the call, whose state is at `/api/v1/runs`.

use axum::{
    Extension,
    body::Bytes,
    extract::{Path, Query},
    http::HeaderMap,
};
use field::{
    field_queue::report::{JobReport, UnknownReason},
    ports::{
        FieldFaultCode, FieldRuns as _, PackageFacts, RunOfCall, RunPhase, RunRecord, StepResult,
    },
};
use field_dispatch::NewestFirst;
use field_tables::{JobFilter, JobState};
use protocol::{CallId, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sign_in::SignedIn;

use super::{FieldPrograms, WantedPage, malformed, message_or_none, missing, ms, next_of, written};
use crate::{
    domains::field::{
        answers::{DeviceAnswer, answered, message_of},
        texts::programs as said,
    },
    routes::OrderedCall,
};

const LIST: &str = "field runs";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldRunsQuery {
    site: Option<String>,
    device: Option<String>,
    /// Phases, separated by commas.
    phase: Option<String>,
    call: Option<String>,
    cursor: Option<String>,
    limit: Option<u32>,
}

/// A page of runs, newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldRuns")]
pub(in crate::domains::field) struct FieldRunsBody {
    runs: Vec<FieldRunBody>,
    /// The cursor of older ones; none if there are none.
    next: Option<String>,
}

/// A run, without its output.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "FieldRun")]
pub(in crate::domains::field) struct FieldRunBody {
    id: String,
    /// The call that began it.
    call: String,
    site: String,
    device: String,
    title: String,
    proposal: Option<String>,
    version: Option<u64>,
    /// `queued`, `claimed` and `running` are open; `refused`, `not_delivered` and `cancelled` say that
    /// nothing of it ran; `ended`, `cut`; `unknown`: it may have run.
    phase: &'static str,
    /// Number of its steps, and the one that runs, or the last that is known to have begun.
    steps: u32,
    step: Option<u32>,
    output_bytes: u64,
    /// Such as `systemd`.
    sandbox: Option<Value>,
    queued_ms: i64,
    claim_until_ms: i64,
    started_ms: Option<i64>,
    ended_ms: Option<i64>,
    cancel_asked: bool,
    end: Option<FieldEndBody>,
    refused: Option<FieldRefusalBody>,
    /// The reason why its outcome is unknown.
    unknown: Option<&'static str>,
    /// A report of the device that came after the run was over.
    late: Option<FieldEndBody>,
    /// A person's word on an unknown outcome: `ran`, `did_not_run`, `cannot_tell`.
    resolution: Option<&'static str>,
    simulated: bool,
}

/// The end of a run as its device reported it. What could not be measured is null.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "FieldRunEnd")]
struct FieldEndBody {
    /// Such as `{"exit": 0}` or `"timeout"`.
    how: Value,
    wall_ms: Option<u64>,
    cpu_ms: Option<u64>,
    peak_bytes: Option<u64>,
    output_bytes: Option<u64>,
}

/// The refusal of a run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "FieldRunRefusal")]
struct FieldRefusalBody {
    by_device: bool,
    code: String,
    reason: String,
}

/// A run with the results of its steps, and the facts of its package.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldRunRead")]
pub(in crate::domains::field) struct FieldRunReadBody {
    #[serde(flatten)]
    run: FieldRunBody,
    results: Vec<FieldResultBody>,
    package: Option<FieldPackageBody>,
}

/// The result of a step.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldStepResult")]
struct FieldResultBody {
    number: u32,
    /// With tokens in place of values.
    step: Value,
    /// Null while it runs, or if nobody knows.
    end: Option<Value>,
    ms: Option<u64>,
    /// The results by name with units, or null with the reason in `lacks`.
    fields: Option<Value>,
    lacks: Option<String>,
    /// Its output with tokens in place of values; the middle of a long one is left out.
    text: String,
    bytes: u64,
}

/// The facts of a signed package. Those who may not see values get no digest of what it is made of: an address
/// can be guessed by that of a script.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldPackage")]
struct FieldPackageBody {
    sha256: String,
    payload_sha256: Option<String>,
    core_sha256: Option<String>,
    sequence: u64,
    signing_key: String,
    expires_ms: i64,
    approval_digest: Option<String>,
    approved_by: Vec<String>,
}

/// Begins the call of a run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewFieldRun")]
pub(in crate::domains::field) struct NewFieldRunBody {
    proposal: String,
    version: u64,
    /// The device that the proposal is for.
    device: String,
    /// Minutes to wait for a device that is offline, 60 at most.
    #[serde(default)]
    wait_minutes: Option<u32>,
}

/// Cancels a run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewFieldCancel")]
pub(in crate::domains::field) struct NewFieldCancelBody {
    /// For the record, 200 characters at most.
    #[serde(default)]
    reason: Option<String>,
}

impl From<RunRecord> for FieldRunBody {
    fn from(run: RunRecord) -> Self {
        let (mut end, mut refused, mut unknown) = (None, None, None);
        let phase = run.phase.word();
        match run.phase {
            RunPhase::Ended(report) | RunPhase::Cut(report) => end = Some(report.into()),
            RunPhase::Refused {
                by_device,
                code,
                reason,
            } => {
                refused = Some(FieldRefusalBody {
                    by_device,
                    code,
                    reason,
                });
            }
            RunPhase::Unknown(reason) => unknown = Some(word_of(reason)),
            _ => {}
        }
        let (proposal, version) = run.proposal.unzip();
        Self {
            id: run.id,
            call: run.call.to_string(),
            site: run.site,
            device: run.device,
            title: run.title,
            proposal,
            version,
            phase,
            steps: run.steps,
            step: run.step,
            output_bytes: run.output,
            sandbox: run.sandbox.map(|level| written(&level)),
            queued_ms: run.queued.0,
            claim_until_ms: run.claim_until.0,
            started_ms: ms(run.started),
            ended_ms: ms(run.ended),
            cancel_asked: run.cancel_asked,
            end,
            refused,
            unknown,
            late: run.late.map(Into::into),
            resolution: run.resolution.map(|it| it.word()),
            simulated: run.is_simulated,
        }
    }
}

impl FieldRunBody {
    /// The same as it was before anything was written: what is left are its states.
    pub(super) fn without_output(&self) -> Self {
        Self {
            output_bytes: 0,
            ..self.clone()
        }
    }
}

const fn word_of(reason: UnknownReason) -> &'static str {
    match reason {
        UnknownReason::InterruptedAtStart => "interrupted_at_start",
        UnknownReason::Lost => "lost",
        UnknownReason::Rebooted => "rebooted",
        UnknownReason::NeverStarted => "never_started",
        UnknownReason::Silent => "silent",
    }
}

impl From<JobReport> for FieldEndBody {
    fn from(report: JobReport) -> Self {
        Self {
            how: written(&report.how),
            wall_ms: report.wall_ms,
            cpu_ms: report.cpu_ms,
            peak_bytes: report.peak_bytes,
            output_bytes: report.output_bytes,
        }
    }
}

impl From<StepResult> for FieldResultBody {
    fn from(result: StepResult) -> Self {
        let (fields, lacks) = match result.fields {
            Ok(fields) => (Some(fields), None),
            Err(why) => (None, Some(why)),
        };
        Self {
            number: result.number,
            step: written(&result.step),
            end: result.end.map(|end| written(&end)),
            ms: result.ms,
            fields,
            lacks,
            text: result.text,
            bytes: result.bytes,
        }
    }
}

impl FieldPackageBody {
    fn of(package: PackageFacts, reader: Role) -> Self {
        let digest = |digest: String| Some(digest).filter(|_| reader >= Role::Operator);
        Self {
            sha256: package.sha256,
            payload_sha256: digest(package.payload_sha256),
            core_sha256: digest(package.core_sha256),
            sequence: package.sequence,
            signing_key: package.signing_key,
            expires_ms: package.expires.0,
            approval_digest: digest(package.approval_digest),
            approved_by: package.approved_by,
        }
    }
}

/// Returns a page of runs, or the run of a call.
pub(super) async fn list(
    it: FieldPrograms,
    Extension(who): Extension<SignedIn>,
    Query(query): Query<FieldRunsQuery>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let page = WantedPage::of(LIST, &who, query.cursor.as_deref(), query.limit)?;
    let found = match &query.call {
        Some(call) => NewestFirst {
            items: of_call(&it, call).await?,
            before: None,
        },
        None => {
            let filter = JobFilter {
                states: states(query.phase.as_deref())?,
                site: query.site,
                device: query.device,
                before: page.from,
            };
            Box::pin(it.backend.run_page(&filter, page.limit)).await?
        }
    };
    let next = next_of(LIST, &who, &found);
    let runs = found.items.into_iter().map(Into::into);
    answered(&FieldRunsBody {
        runs: runs.collect(),
        next,
    })
}

/// The run of a call, if it has one yet.
async fn of_call(it: &FieldPrograms, call: &str) -> Result<Vec<RunRecord>, DeviceAnswer> {
    let Ok(call) = call.parse::<CallId>() else {
        return Ok(Vec::new());
    };
    Ok(match it.backend.run_of(call).await? {
        Some(RunOfCall::There(run)) => vec![*run],
        Some(RunOfCall::Removed(_)) | None => Vec::new(),
    })
}

/// The states of some words. A word that is none is an error: it would select nothing.
fn states(words: Option<&str>) -> Result<Vec<JobState>, DeviceAnswer> {
    let words = words.into_iter().flat_map(|words| words.split(','));
    let state = |word: &str| {
        let mut all = JobState::ALL.iter();
        let found = all.find(|state| state.word() == word).copied();
        found.ok_or_else(|| malformed(said::NO_SUCH_PHASE))
    };
    words.map(state).collect()
}

/// Returns a run.
pub(super) async fn read(
    it: FieldPrograms,
    Extension(who): Extension<SignedIn>,
    Path(id): Path<String>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let role = who.user.role.min(who.limit);
    let run = known(&it, &id).await?;
    let results = it.backend.results(&id).await?;
    let package = it.backend.package(&id).await?;
    answered(&FieldRunReadBody {
        run: run.into(),
        results: results.into_iter().map(Into::into).collect(),
        package: package.map(|package| FieldPackageBody::of(package, role)),
    })
}

/// Orders a run: a person decides on its call, which waits as a card.
pub(super) async fn begin(headers: HeaderMap, body: Bytes) -> Result<OrderedCall, DeviceAnswer> {
    let wanted: NewFieldRunBody = message_of(&headers, &body)?;
    let mut input = Map::new();
    input.insert("proposal".to_owned(), wanted.proposal.into());
    input.insert("version".to_owned(), json!(wanted.version));
    input.insert("device".to_owned(), wanted.device.into());
    if let Some(minutes) = wanted.wait_minutes {
        input.insert("wait_minutes".to_owned(), json!(minutes));
    }
    Ok(OrderedCall {
        tool: "run_script".to_owned(),
        input,
    })
}

/// Orders the end of a run.
pub(super) async fn cancel(
    it: FieldPrograms,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<OrderedCall, DeviceAnswer> {
    let wanted: NewFieldCancelBody = message_or_none(&headers, &body)?;
    let run = known(&it, &id).await?;
    let mut input = Map::new();
    input.insert("run".to_owned(), run.id.into());
    if let Some(reason) = wanted.reason {
        input.insert("reason".to_owned(), reason.into());
    }
    Ok(OrderedCall {
        tool: "cancel_run".to_owned(),
        input,
    })
}

async fn known(it: &FieldPrograms, id: &str) -> Result<RunRecord, DeviceAnswer> {
    let run = it.backend.run(id).await?;
    run.ok_or_else(|| missing(FieldFaultCode::UnknownRun))
}
