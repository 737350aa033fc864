//! Tool that makes a draft final.

mod card;

use std::{sync::Arc, time::Duration};

use agent::{
    crash,
    ports::{
        Assessment, InputValue, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
        ToolSpec, read_input,
    },
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{about, drop_empty, output, touched};
use crate::{
    cell,
    client::{ErpWrite, WriteFailure},
    dates,
    error::ErpError,
    meta::{TypeMeta, TypeRight},
    site::{Document, ErpSite},
    texts::{acting as rights, submit as say},
};

const NAME: &str = "submit_doc";
const DESCRIPTION: &str = "Makes a draft of the ERP final: it may post to the ledgers, move stock and send \
    mail. Taking it back means cancelling it. Give \"modified\" as get_doc gave it last. A type with a \
    workflow is not submitted so. A person is asked, and sees the lines that will post.";
const TIMEOUT: Duration = Duration::from_secs(150);
/// Time in which the ERP may still be working on it, in milliseconds.
const WINDOW: i64 = 150_000;
/// From this number of rows the ERP submits some types in the background.
const QUEUED_ROWS: usize = 100;
/// Waits before each look at a document whose answer was lost.
const LOOKS: [Duration; 4] = [
    Duration::from_millis(200),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
];

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SubmitDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// The "modified" of the document as you read it last.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$"))]
    modified: String,
}

pub(crate) struct SubmitDoc(pub(crate) Arc<ErpSite>);

/// A draft that may be submitted now.
struct SubmitPlan {
    meta: Arc<TypeMeta>,
    name: String,
    document: Document,
    /// The day on which it posts, for types that post.
    posts_on: Option<String>,
}

impl SubmitDoc {
    async fn plan(&self, input: Value) -> Result<SubmitPlan, ErrorBody> {
        let site = &self.0;
        let input: SubmitDocInput = read_input(input)?;
        let meta = self.submittable(&input.doctype).await?;
        let document = site.document(&meta, &input.name).await?;
        match cell::docstatus(document.get("docstatus").unwrap_or(&Value::Null)) {
            "draft" => {}
            status => return Err(refused(say::is_no_draft(&input.name, status))),
        }
        let modified = document
            .get("modified")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if modified != input.modified {
            let by = document
                .get("modified_by")
                .and_then(Value::as_str)
                .unwrap_or("?");
            return Err(refused(say::has_changed(&input.name, modified, by)));
        }
        Ok(SubmitPlan {
            posts_on: self.posts_on(&meta, &document).await?,
            name: input.name,
            meta,
            document,
        })
    }

    /// A type that this user may submit, without a workflow that a plain submit would go round.
    async fn submittable(&self, doctype: &str) -> Result<Arc<TypeMeta>, ErrorBody> {
        let site = &self.0;
        if site.reach.is_black(doctype) {
            let message = rights::black_type(doctype);
            return Err(ErrorBody::new(ErrorCode::ToolProtected, message));
        }
        let meta = site.readable_type(doctype).await?;
        let who = site.identity().await?;
        if !meta.is_submittable {
            return Err(refused(say::is_never_submitted(doctype)));
        }
        if let Some(workflow) = &meta.workflow {
            return Err(refused(say::has_workflow(doctype, &workflow.name)));
        }
        let may_not = who
            .roles
            .as_ref()
            .is_some_and(|it| !meta.rights(it).can(TypeRight::Submit));
        if may_not {
            let message = rights::lacks_right(TypeRight::Submit.word(), doctype);
            return Err(ErrorBody::new(ErrorCode::ToolPermission, message));
        }
        Ok(meta)
    }

    /// The ERP sets the posting date to now with every submit, unless the document says otherwise.
    async fn posts_on(
        &self,
        meta: &TypeMeta,
        document: &Document,
    ) -> Result<Option<String>, ErrorBody> {
        let Some(own) = document.get("posting_date").and_then(Value::as_str) else {
            return Ok(None);
        };
        let is_moved = meta.field("set_posting_time").is_some()
            && document.get("set_posting_time").is_none_or(|it| *it != 1);
        if !is_moved {
            return Ok(Some(own.to_owned()));
        }
        let who = self.0.identity().await?;
        let today = dates::today(self.0.client.now(), &who.time_zone);
        Ok(Some(today.to_string()))
    }

    /// The document after a submit, as it is stored.
    async fn after(
        &self,
        plan: &SubmitPlan,
        warnings: Vec<String>,
    ) -> Result<ToolOutput, ErpError> {
        let document = self.0.document(&plan.meta, &plan.name).await?;
        result(plan, &document, warnings)
    }

    async fn settle(
        &self,
        plan: &SubmitPlan,
        lost: &ErpError,
        progress: &Progress,
    ) -> Result<ToolOutput, ToolError> {
        progress.report(say::ANSWER_LOST);
        let mut what = lost.body().message;
        for wait in LOOKS {
            tokio::time::sleep(wait).await;
            match self.0.document(&plan.meta, &plan.name).await {
                Ok(document) if document.get("docstatus") == Some(&json!(1)) => {
                    return result(plan, &document, Vec::new()).map_err(|it| ToolError(it.body()));
                }
                Ok(_) => {}
                Err(error) => what = error.body().message,
            }
        }
        let error = ErrorBody::new(
            ErrorCode::ToolOutcomeUnknown,
            rights::outcome_unknown(&what),
        );
        Err(ToolError(error.with_help(say::LOOK_FIRST)))
    }
}

#[async_trait]
impl Tool for SubmitDoc {
    fn spec(&self) -> ToolSpec {
        let examples = [
            "Submit the draft SAL-ORD-2026-00012.",
            "Make the delivery note MAT-DN-2026-00003 final.",
        ];
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: TIMEOUT,
            examples: examples.map(str::to_owned).into(),
            ..ToolSpec::new::<SubmitDocInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let doctype = input["doctype"].as_str().unwrap_or_default();
        let mut assessment = Assessment::plain(Tier::Red, input);
        // A time that a tool gave binds the call to what was read; it names nothing.
        assessment
            .values
            .retain(|it: &InputValue| it.path == "/name");
        if self.0.reach.is_black(doctype) {
            assessment.tier = Tier::Black;
            assessment.risks.push(rights::black_type(doctype));
        }
        assessment
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let plan = self.plan(call.input.clone()).await?;
        Ok(card::card(&self.0, &plan).await?)
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let input: SubmitDocInput = match read_input(call.input.clone()) {
            Ok(input) => input,
            Err(error) => return Reconciled::Unknown(rights::cannot_look(&error.message)),
        };
        let cannot = |error: ErpError| Reconciled::Unknown(rights::cannot_look(&error.reason()));
        let meta = match self.0.readable_type(&input.doctype).await {
            Ok(meta) => meta,
            Err(error) => return cannot(error),
        };
        let document = match self.0.document(&meta, &input.name).await {
            Ok(document) => document,
            Err(error) => return cannot(error),
        };
        let plan = SubmitPlan {
            meta,
            name: input.name,
            document,
            posts_on: None,
        };
        let is_over = self.0.client.now() > self.0.client.at_site(since.0) + WINDOW;
        let is_untouched = plan.document.get("modified") == Some(&json!(input.modified));
        match cell::docstatus(plan.document.get("docstatus").unwrap_or(&Value::Null)) {
            "submitted" => {
                let done = result(&plan, &plan.document, Vec::new());
                Reconciled::Done(done.map_err(|error| ToolError(error.body())))
            }
            "draft" if most_rows(&plan.document) > QUEUED_ROWS => {
                Reconciled::Unknown(say::MAY_BE_QUEUED.to_owned())
            }
            "draft" if is_over && is_untouched => {
                Reconciled::NotDone(say::STILL_A_DRAFT.to_owned())
            }
            "draft" if is_over => Reconciled::NotDone(say::CHANGED_DRAFT.to_owned()),
            "draft" => Reconciled::Unknown(say::MAY_STILL_WORK.to_owned()),
            status => Reconciled::Unknown(say::is_no_draft(&plan.name, status)),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let plan = self.plan(call.input).await.map_err(ToolError)?;
        // The whole document with its `modified`: the ERP refuses one that has changed since.
        let mut document = plan.document.clone();
        document.insert("doctype".to_owned(), plan.meta.name.clone().into());
        progress.report(say::POSTING);
        crash::point(|| "before the order: submit of a document".to_owned());
        let written = self
            .0
            .client
            .write(ErpWrite::Submit, &json!({ "doc": document }))
            .await;
        crash::point(|| "ordered, not followed: submit of a document".to_owned());
        match written {
            // What is stored counts, not what the answer says.
            Ok(answer) => match self.after(&plan, answer.warnings).await {
                Ok(done) => Ok(done),
                Err(error) => self.settle(&plan, &error, &progress).await,
            },
            Err(WriteFailure::NotDone(error)) => Err(ToolError(error.body())),
            Err(WriteFailure::Unknown(error)) => self.settle(&plan, &error, &progress).await,
        }
    }
}

fn refused(message: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolFailed, message)
}

fn most_rows(document: &Document) -> usize {
    let tables = document.values().filter_map(Value::as_array);
    tables.map(Vec::len).max().unwrap_or_default()
}

fn result(
    plan: &SubmitPlan,
    document: &Document,
    warnings: Vec<String>,
) -> Result<ToolOutput, ErpError> {
    let docstatus = cell::docstatus(document.get("docstatus").unwrap_or(&Value::Null));
    let text = |field: &str| {
        let value = document.get(field)?;
        cell::cell(plan.meta.field(field), value, cell::IN_LIST)
    };
    let is_queued = docstatus == "draft";
    let mut data = json!({
        "doctype": plan.meta.name,
        "name": plan.name,
        "docstatus": docstatus,
        // The ERP took it, and works on it in the background.
        "outcome": is_queued.then_some("queued"),
        "status": text("status"),
        "posting_date": text("posting_date"),
        "modified": document.get("modified"),
        "warnings": warnings,
    });
    for field in ["outcome", "status", "posting_date", "warnings"] {
        drop_empty(&mut data, field);
    }
    let summary = if is_queued {
        say::queued(&plan.meta.name, &plan.name)
    } else {
        say::submitted(&plan.meta.name, &plan.name)
    };
    output(summary, data).map_err(ErpError::Own)
}
