//! The tools, one file each, and what they share.

mod add_comment;
mod amend_doc;
pub(crate) mod amounts;
mod apply_workflow;
mod cancel_doc;
mod create_doc;
mod delete_doc;
mod describe_doctype;
mod filter;
mod find_link;
pub(crate) mod get_doc;
pub(crate) mod get_ledger;
pub(crate) mod list_approvals;
mod make_from;
pub(crate) mod outline;
mod party_summary;
mod run_report;
mod search_doc;
mod set_order_status;
mod submit_doc;
pub(crate) mod trace_doc;
mod update_doc;
pub(crate) mod writing;

use std::{sync::Arc, time::Duration};

use agent::ports::{Assessment, Tool};
use async_trait::async_trait;
use protocol::{ErrorBody, Tier, ToolOutput};
use serde_json::{Value, json};

pub(crate) use self::{
    create_doc::CreateDoc,
    make_from::MakeFrom,
    set_order_status::{OrderChange, SetOrderStatus, SetOrderStatusInput},
};
use crate::{
    error::ErpError,
    reading::{ErpReading, ErpReadingTool, ReadingSite},
    site::ErpSite,
    texts::acting as say,
};

/// Timeout of a tool that asks once or twice.
pub(crate) const SHORT: Duration = Duration::from_secs(15);
/// Timeout of a tool that asks several times.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// Room for the rows of a result, in bytes of JSON: the whole stays below what the engine cuts.
pub(crate) const ROWS_BYTES: usize = 14_000;

/// All tools, always in the same order.
pub(crate) fn all(site: &Arc<ErpSite>) -> Vec<Arc<dyn Tool>> {
    let shared = || Arc::clone(site);
    vec![
        reading::<search_doc::SearchDoc>(site),
        reading::<get_doc::GetDoc>(site),
        reading::<describe_doctype::DescribeDoctype>(site),
        reading::<find_link::FindLink>(site),
        reading::<run_report::RunReport>(site),
        reading::<list_approvals::ListApprovals>(site),
        reading::<trace_doc::TraceDoc>(site),
        reading::<get_ledger::GetLedger>(site),
        reading::<party_summary::PartySummary>(site),
        Arc::new(CreateDoc::new(shared())),
        Arc::new(MakeFrom(shared())),
        Arc::new(update_doc::UpdateDoc(shared())),
        Arc::new(amend_doc::AmendDoc(shared())),
        Arc::new(submit_doc::SubmitDoc(shared())),
        Arc::new(cancel_doc::CancelDoc(shared())),
        Arc::new(apply_workflow::ApplyWorkflow(shared())),
        Arc::new(SetOrderStatus::new(shared())),
        Arc::new(add_comment::AddComment(shared())),
        Arc::new(delete_doc::DeleteDoc),
    ]
}

fn reading<R: ErpReading>(site: &Arc<ErpSite>) -> Arc<dyn Tool> {
    Arc::new(ErpReadingTool::<R, _>::new(site))
}

#[async_trait]
impl ReadingSite for ErpSite {
    async fn site(&self) -> Result<&ErpSite, ErpError> {
        Ok(self)
    }

    fn target(input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(input: &Value) -> Vec<String> {
        touched(input)
    }
}

/// The thing that a call is about, in words for a card.
fn about(input: &Value) -> Option<String> {
    let text = |field: &str| input.get(field).and_then(Value::as_str);
    let kind = text("doctype").or_else(|| text("party_type"));
    let name = text("name").or_else(|| text("party"));
    match (kind, name, text("report")) {
        (Some(kind), Some(name), _) => Some(format!("{kind} {name}")),
        (Some(kind), None, _) => Some(kind.to_owned()),
        (None, _, Some(report)) => Some(report.to_owned()),
        _ => None,
    }
}

/// The things that a call touches, as a policy names them: in lower case, because the ERP's
/// database does not tell cases apart.
pub(crate) fn touched(input: &Value) -> Vec<String> {
    let text = |field: &str| input.get(field).and_then(Value::as_str);
    let mut objects = Vec::new();
    let mut add = |kind: &str, name: &str| objects.push(format!("{kind}/{name}").to_lowercase());
    if let Some(doctype) = text("doctype") {
        add("doctype", doctype);
    }
    if let (Some(doctype), Some(name)) = (text("doctype"), text("name")) {
        add(doctype, name);
    }
    if let (Some(kind), Some(party)) = (text("party_type"), text("party")) {
        add(kind, party);
    }
    if let Some(company) = text("company") {
        add("company", company);
    }
    if let Some(report) = text("report") {
        add("report", report);
        // A report has its company among its filters.
        let filters = input.get("filters").and_then(Value::as_array);
        let companies = filters.into_iter().flatten();
        let companies = companies.filter(|it| it["name"] == "company");
        companies
            .filter_map(|it| it["value"].as_str())
            .for_each(|company| add("company", company));
    }
    objects
}

/// The assessment of an input that is none of the tool's: it never runs.
fn unreadable(input: &Value, error: &serde_json::Error) -> Assessment {
    Assessment {
        refused: Some(say::input_does_not_fit(error)),
        ..Assessment::plain(Tier::Red, input)
    }
}

/// A value of a result as a text.
fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A value, or the reason that it is unknown.
pub(crate) fn known(value: Result<Value, ErpError>) -> Value {
    value.unwrap_or_else(|error| unknown(error.reason()))
}

pub(crate) fn unknown(reason: impl Into<String>) -> Value {
    json!({ "unknown": reason.into() })
}

/// The result of a call that wrote. It opens with its summary as that of a reading does.
pub(crate) fn output(summary: impl Into<String>, data: Value) -> Result<ToolOutput, ErrorBody> {
    told(summary, data)
}

/// A result that opens with its summary: figures with their currency, which nobody has to add up.
pub(crate) fn told(summary: impl Into<String>, data: Value) -> Result<ToolOutput, ErrorBody> {
    let summary = summary.into();
    let mut whole = json!({ "summary": summary });
    if let (Some(whole), Value::Object(fields)) = (whole.as_object_mut(), data) {
        whole.extend(fields);
    }
    Ok(ToolOutput {
        summary,
        data: whole,
        images: Vec::new(),
    })
}

/// Leaves out a field that has nothing in it.
pub(crate) fn drop_empty(data: &mut Value, field: &str) {
    let is_empty = match &data[field] {
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        other => other.is_null(),
    };
    if is_empty && let Some(fields) = data.as_object_mut() {
        fields.shift_remove(field);
    }
}
