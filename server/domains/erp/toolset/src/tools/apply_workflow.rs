//! Tool that takes one step of the ERP's own workflow.

mod step;

use std::sync::Arc;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolExample,
    ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use self::step::WorkflowPlan;
use super::{about, drop_empty, output, touched};
use crate::tools::writing::{
    acting, notes,
    ordered::ErpOrder,
    plan,
    plan::ErpSubject,
    verdict::{ErpVerdict, judge},
};
use crate::{client::ErpWrite, site::ErpSite, texts::workflow as say};

const NAME: &str = "apply_workflow";
const DESCRIPTION: &str = "Takes one step of the ERP's own approval workflow, such as Approve or Reject. The \
    step may submit or cancel the document, and send mail. A person is asked, and sees what it does.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplyWorkflowInput {
    /// Exact type, such as "Purchase Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "PUR-ORD-2026-00007".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// The "modified" of the document as you read it last.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$"))]
    modified: String,
    /// Exactly as list_approvals or get_doc names it, such as "Approve".
    #[schemars(length(min = 1, max = 140))]
    action: String,
    /// For the document's comments; it mentions nobody.
    #[schemars(length(max = 500))]
    comment: Option<String>,
}

pub(crate) struct ApplyWorkflow(pub(crate) Arc<ErpSite>);

#[async_trait]
impl Tool for ApplyWorkflow {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            examples: vec![
                ToolExample::worked(
                    "Approve the purchase order PUR-ORD-2026-00007.",
                    r#"{"doctype": "Purchase Order", "name": "PUR-ORD-2026-00007", "modified": "2026-11-20 10:00:00.000000", "action": "Approve"}"#,
                ),
                ToolExample::worked(
                    "Reject the purchase order PUR-ORD-2026-00009: price too high.",
                    r#"{"doctype": "Purchase Order", "name": "PUR-ORD-2026-00009", "modified": "2026-11-20 10:00:00.000000", "action": "Reject", "comment": "price too high"}"#,
                ),
            ],
            ..ToolSpec::new::<ApplyWorkflowInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let weighed = ["/name", "/action"];
        acting::assess_step(&self.0, input, &weighed, "comment", say::COMMENT_MENTIONS)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: ApplyWorkflowInput = read_input(call.input.clone())?;
        let plan = WorkflowPlan::read(&self.0, &input).await?;
        Box::pin(plan.card(&self.0, input.comment)).await
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        plan::drift(shown, now)
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let (input, subject) = match plan::found::<ApplyWorkflowInput>(&self.0, call).await {
            Ok(found) => found,
            Err(why) => return Reconciled::Unknown(why),
        };
        let state = subject.workflow_state().unwrap_or_default();
        let mut steps = subject.meta.workflow.iter().flat_map(|it| &it.transitions);
        let is_there = steps.any(|it| it.action == input.action && it.next_state == state);
        let verdict = if is_there && !subject.is_copy(&input.modified) {
            let comment = input.comment.as_deref();
            let missing = notes::missing_reason(&self.0, &subject, comment, since, call.id).await;
            ErpVerdict::Done(result(
                &subject,
                &input.action,
                missing.into_iter().collect(),
            ))
        } else {
            ErpVerdict::Before
        };
        judge(&self.0, &subject, &input.modified, since, false, verdict)
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let site = &self.0;
        let input: ApplyWorkflowInput = read_input(call.input).map_err(ToolError)?;
        // The ERP has no lock here, so the copy is compared as late as can be.
        let plan = WorkflowPlan::read(site, &input).await.map_err(ToolError)?;
        let subject = &plan.subject;
        let body = json!({
            "doc": { "doctype": subject.meta.name, "name": subject.name },
            "action": input.action,
        });
        progress.report(say::STEPPING);
        let order = ErpOrder {
            site,
            subject,
            name: "step of a workflow",
            write: ErpWrite::ApplyWorkflow,
            body: &body,
            field: "workflow_state",
        };
        let effect = |now: &ErpSubject| {
            let is_there = plan.is_taken(now);
            is_there.then(|| result(now, &input.action, Vec::new()))
        };
        let (done, mut warnings) = order.carry_out(&progress, &effect).await?;
        // It is done: nothing from here on makes a failure of it.
        warnings.extend(notes::reason(site, subject, input.comment.as_deref(), call.id).await);
        Ok(notes::warned(done, warnings))
    }
}

fn result(
    subject: &ErpSubject,
    action: &str,
    warnings: Vec<String>,
) -> Result<ToolOutput, ErrorBody> {
    let state = subject.workflow_state();
    let mut data = json!({
        "doctype": subject.meta.name,
        "name": subject.name,
        "action": action,
        "workflow_state": state,
        "docstatus": subject.docstatus(),
        "status": subject.shown("status"),
        "modified": subject.document.get("modified"),
        "warnings": warnings,
    });
    for field in ["status", "warnings"] {
        drop_empty(&mut data, field);
    }
    let summary = say::taken(&subject.meta.name, &subject.name, state.unwrap_or("?"));
    output(summary, data)
}
