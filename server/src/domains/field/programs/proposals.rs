//! Proposals and their versions, and the orders to keep one and to judge one again.

use axum::{
    Extension,
    body::Bytes,
    extract::{Path, Query},
    http::HeaderMap,
};
use field::{
    field_package::steps::ProbeStep,
    ports::{
        FieldFaultCode, FieldProposals as _, ProposalHead, ScriptAuthor, ScriptCheck,
        ScriptVersion, StoredScript,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sign_in::SignedIn;

use super::{FieldPrograms, WantedPage, message_or_none, missing, next_of, written};
use crate::{
    domains::field::answers::{DeviceAnswer, answered, message_of},
    routes::OrderedCall,
};

const LIST: &str = "field proposals";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProposalsQuery {
    device: Option<String>,
    cursor: Option<String>,
    limit: Option<u32>,
}

/// A page of proposals, newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldProposals")]
pub(in crate::domains::field) struct FieldProposalsBody {
    proposals: Vec<FieldProposalLine>,
    /// The cursor of older ones; none if there are none.
    next: Option<String>,
}

/// A proposal without its versions.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldProposal")]
struct FieldProposalLine {
    id: String,
    site: String,
    device: String,
    title: String,
    /// Versions count from 1.
    newest_version: u64,
    changed_ms: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VersionQuery {
    version: Option<u64>,
}

/// A version of a proposal.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldProposalVersion")]
pub(in crate::domains::field) struct FieldVersionBody {
    proposal: FieldProposalLine,
    version: u64,
    why: String,
    expect: Option<String>,
    /// `model`, `person` or `program`.
    made_by: &'static str,
    /// The name of the person, as it was then.
    person: Option<String>,
    made_ms: i64,
    /// Typed steps with tokens in place of values; none for free sh.
    steps: Option<Value>,
    stop_on_failure: bool,
    /// Text for sh that a person wrote, with tokens in place of values.
    sh: Option<String>,
    check: FieldCheckBody,
    /// The newest version that was let start on the device.
    last_that_ran: Option<u64>,
}

/// The policy's word on a version when it was judged last. A run is judged anew.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FieldCheck")]
struct FieldCheckBody {
    at_ms: i64,
    policy_version: u32,
    /// `low`, `medium` or `high`.
    level: Value,
    score: u32,
    /// Rules that apply, and those that refuse it.
    reasons: Vec<String>,
    refusals: Vec<String>,
}

/// Proposes a script of typed steps for a device. Values in it are replaced by tokens before it is kept.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewFieldProposal")]
pub(in crate::domains::field) struct NewFieldProposalBody {
    device: String,
    /// For lists, 1 to 80 characters.
    title: String,
    /// The suspicion that it tests, 1 to 600 characters.
    why: String,
    /// The results that would confirm it, and those that would not, 600 characters at most.
    #[serde(default)]
    expect: Option<String>,
    /// The steps in their order, 1 to 20.
    steps: Vec<ProbeStep>,
    /// True to end the script at the first step that fails.
    #[serde(default)]
    stop_on_failure: bool,
    /// The proposal that this is a new version of.
    #[serde(default)]
    of: Option<String>,
}

/// Judges a version of a proposal again.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewFieldCheck")]
pub(in crate::domains::field) struct NewFieldCheckBody {
    /// The newest one if left out.
    #[serde(default)]
    version: Option<u64>,
}

impl From<ProposalHead> for FieldProposalLine {
    fn from(head: ProposalHead) -> Self {
        Self {
            id: head.id,
            site: head.site,
            device: head.device,
            title: head.title,
            newest_version: head.head,
            changed_ms: head.changed.0,
        }
    }
}

impl From<ScriptCheck> for FieldCheckBody {
    fn from(check: ScriptCheck) -> Self {
        Self {
            at_ms: check.at.0,
            policy_version: check.policy_version,
            level: written(&check.level),
            score: check.score,
            reasons: check.reasons,
            refusals: check.refusals,
        }
    }
}

/// Returns a page of proposals.
pub(super) async fn list(
    it: FieldPrograms,
    Extension(who): Extension<SignedIn>,
    Query(query): Query<ProposalsQuery>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let page = WantedPage::of(LIST, &who, query.cursor.as_deref(), query.limit)?;
    let device = query.device.as_deref();
    let found = it.backend.proposal_page(device, page.from, page.limit);
    let found = Box::pin(found).await?;
    let next = next_of(LIST, &who, &found);
    let proposals = found.items.into_iter().map(Into::into);
    answered(&FieldProposalsBody {
        proposals: proposals.collect(),
        next,
    })
}

/// Returns a version of a proposal, the newest one if none is named.
pub(super) async fn read(
    it: FieldPrograms,
    Path(id): Path<String>,
    Query(query): Query<VersionQuery>,
) -> Result<DeviceAnswer, DeviceAnswer> {
    let head = head_of(&it, &id).await?;
    let number = query.version.unwrap_or(head.head);
    let version = it.backend.version(&id, number).await?;
    let version = version.ok_or_else(|| missing(FieldFaultCode::UnknownProposal))?;
    let last_that_ran = it.backend.last_version_that_ran(&id).await?;
    answered(&shown(head, version, last_that_ran))
}

fn shown(
    head: ProposalHead,
    version: ScriptVersion,
    last_that_ran: Option<u64>,
) -> FieldVersionBody {
    let made_by = match version.made_by {
        ScriptAuthor::Model => "model",
        ScriptAuthor::Person(_) => "person",
        ScriptAuthor::Program => "program",
    };
    let person = version.made_by.person().map(str::to_owned);
    let mut body = FieldVersionBody {
        proposal: head.into(),
        version: version.version,
        why: version.why,
        expect: version.expect,
        made_by,
        person,
        made_ms: version.made.0,
        steps: None,
        stop_on_failure: false,
        sh: None,
        check: version.check.into(),
        last_that_ran,
    };
    match version.script {
        StoredScript::Steps {
            steps,
            stop_on_failure,
        } => {
            body.steps = Some(written(&steps));
            body.stop_on_failure = stop_on_failure;
        }
        StoredScript::Sh { text } => body.sh = Some(text),
    }
    body
}

/// Orders a proposal: the call judges it by the policy and keeps it. It runs nothing.
pub(super) async fn propose(headers: HeaderMap, body: Bytes) -> Result<OrderedCall, DeviceAnswer> {
    let wanted: NewFieldProposalBody = message_of(&headers, &body)?;
    let mut input = Map::new();
    input.insert("device".to_owned(), wanted.device.into());
    input.insert("title".to_owned(), wanted.title.into());
    input.insert("why".to_owned(), wanted.why.into());
    input.insert("steps".to_owned(), written(&wanted.steps));
    let stop = wanted.stop_on_failure;
    input.insert("stop_on_failure".to_owned(), stop.into());
    for (name, text) in [("expect", wanted.expect), ("of", wanted.of)] {
        if let Some(text) = text {
            input.insert(name.to_owned(), text.into());
        }
    }
    Ok(OrderedCall {
        tool: "propose_script".to_owned(),
        input,
    })
}

/// Orders the policy's word on a version as things are now: a call that only reads.
pub(super) async fn check(
    it: FieldPrograms,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<OrderedCall, DeviceAnswer> {
    let wanted: NewFieldCheckBody = message_or_none(&headers, &body)?;
    let head = head_of(&it, &id).await?;
    let mut input = Map::new();
    input.insert("device".to_owned(), head.device.into());
    input.insert("of".to_owned(), head.id.into());
    let version = wanted.version.unwrap_or(head.head);
    input.insert("version".to_owned(), json!(version));
    Ok(OrderedCall {
        tool: "check_script".to_owned(),
        input,
    })
}

async fn head_of(it: &FieldPrograms, id: &str) -> Result<ProposalHead, DeviceAnswer> {
    let head = it.backend.proposal(id).await?;
    head.ok_or_else(|| missing(FieldFaultCode::UnknownProposal))
}
