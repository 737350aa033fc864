//! Tool that takes a submitted document back.

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

use super::{about, drop_empty, output, touched};
use crate::tools::writing::{
    acting, notes,
    ordered::ErpOrder,
    plan::{self, ErpSubject, Reversal, refused},
    steps,
    verdict::{ErpVerdict, judge},
};
use crate::{
    client::ErpWrite,
    meta::TypeRight,
    site::ErpSite,
    texts::{reversal as say, verdict as outcome},
};

const NAME: &str = "cancel_doc";
const DESCRIPTION: &str = "Takes a submitted document of the ERP back: its ledger lines are reversed and its \
    stock moves undone. It fails while other submitted documents hang on it; see trace_doc. Payments of an \
    invoice or order come loose. A person is asked, and types a word.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CancelDocInput {
    /// Exact type, such as "Sales Invoice".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "ACC-SINV-2026-00004".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// The "modified" of the document as you read it last.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$"))]
    modified: String,
    /// For the document's comments; it mentions nobody.
    #[schemars(length(min = 3, max = 500))]
    reason: String,
}

pub(crate) struct CancelDoc(pub(crate) Arc<ErpSite>);

impl CancelDoc {
    /// The document that the call is about, if this user may cancel it now.
    async fn plan(&self, input: &CancelDocInput) -> Result<ErpSubject, ErrorBody> {
        let site = &self.0;
        let subject = ErpSubject::read(site, &input.doctype, &input.name).await?;
        subject.demand_submittable()?;
        let status = subject.docstatus();
        if status != "submitted" {
            return Err(refused(say::is_not_submitted(&input.name, status)));
        }
        if let Some(workflow) = &subject.meta.workflow {
            let steps = steps::offered(site, &subject).await?;
            return Err(refused(say::has_workflow(
                &input.doctype,
                &workflow.name,
                &steps,
                workflow.leads_to(2),
            )));
        }
        let who = site.identity().await?;
        acting::demand(&who, &subject.meta, TypeRight::Cancel)?;
        subject.demand_copy(site, &input.modified).await?;
        Ok(subject)
    }
}

#[async_trait]
impl Tool for CancelDoc {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            examples: vec![
                ToolExample::worked(
                    "Cancel the sales invoice ACC-SINV-2026-00004: wrong customer.",
                    r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "modified": "2026-11-20 10:00:00.000000", "reason": "wrong customer"}"#,
                ),
                ToolExample::worked(
                    "Take the delivery note MAT-DN-2026-00003 back: damaged goods.",
                    r#"{"doctype": "Delivery Note", "name": "MAT-DN-2026-00003", "modified": "2026-11-20 10:00:00.000000", "reason": "damaged goods"}"#,
                ),
                ToolExample::worked(
                    "Cancel the invoice ACC-SINV-2026-00004.",
                    r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "modified": "2026-11-20 10:00:00.000000", "reason": "The person asked for it."}"#,
                ),
                ToolExample::worked(
                    "Cancel the sales order SAL-ORD-2026-00012.",
                    r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012", "modified": "2026-11-20 10:00:00.000000", "reason": "The person asked for it."}"#,
                ),
            ],
            ..ToolSpec::new::<CancelDocInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let weighed = ["/name"];
        acting::assess_step(&self.0, input, &weighed, "reason", say::REASON_MENTIONS)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: CancelDocInput = read_input(call.input.clone())?;
        let subject = self.plan(&input).await?;
        let reversal = Box::pin(Reversal::read(&self.0, &subject)).await?;
        let mut facts = reversal.facts();
        facts.extend(subject.facts());
        let reason = Fact {
            label: say::REASON.to_owned(),
            value: input.reason,
        };
        let mut sections = vec![subject.section(Some(reason))];
        sections.extend(subject.rows());
        sections.extend(reversal.sections());
        let objects = subject.objects_with(&self.0, reversal.posting.objects())?;
        let sentence = say::cancel(
            &subject.target(),
            subject.party().as_deref(),
            subject.total().as_deref(),
            reversal.posting.counts(),
        );
        Ok(Preview {
            facts,
            sections,
            risks: reversal.risks(),
            said: &["doctype", "name", "modified", "reason"],
            objects,
            irreversible: Some(say::IRREVERSIBLE.to_owned()),
            assurance: Reversal::assurance(&subject),
            state: json!({ "document": subject.bound(), "effect": reversal.bound() }),
            ..Preview::new(sentence, subject.target())
        })
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        plan::drift(shown, now)
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let (input, subject) = match plan::found::<CancelDocInput>(&self.0, call).await {
            Ok(found) => found,
            Err(why) => return Reconciled::Unknown(why),
        };
        let verdict = match subject.docstatus() {
            "cancelled" => {
                let reason = Some(input.reason.as_str());
                let missing =
                    notes::missing_reason(&self.0, &subject, reason, since, call.id).await;
                ErpVerdict::Done(result(&subject, missing.into_iter().collect()))
            }
            "submitted" => ErpVerdict::Before,
            status => ErpVerdict::Open(outcome::is_status(&subject.name, status)),
        };
        judge(&self.0, &subject, &input.modified, since, true, verdict)
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let site = &self.0;
        let input: CancelDocInput = read_input(call.input).map_err(ToolError)?;
        let subject = self.plan(&input).await.map_err(ToolError)?;
        // What stands in the way is named before the ERP refuses with the first of it.
        let effect = Box::pin(Reversal::read(site, &subject)).await;
        let reversal = effect.map_err(ToolError)?;
        progress.report(say::REVERSING);
        let write = ErpWrite::Update {
            doctype: &subject.meta.name,
            name: &subject.name,
        };
        // With `modified` the ERP refuses a document that has changed since.
        let body = json!({ "docstatus": 2, "modified": input.modified });
        let order = ErpOrder {
            site,
            subject: &subject,
            name: "cancel of a document",
            write,
            body: &body,
            field: "docstatus",
        };
        let effect = |now: &ErpSubject| {
            let is_gone = now.docstatus() == "cancelled";
            is_gone.then(|| result(now, Vec::new()))
        };
        let (mut done, mut warnings) = order.carry_out(&progress, &effect).await?;
        // It is done: nothing from here on makes a failure of it.
        warnings.extend(notes::reason(site, &subject, Some(&input.reason), call.id).await);
        done.data["reversed"] = say::reversed(reversal.posting.counts()).into();
        Ok(notes::warned(done, warnings))
    }
}

fn result(subject: &ErpSubject, warnings: Vec<String>) -> Result<ToolOutput, ErrorBody> {
    let mut data = json!({
        "doctype": subject.meta.name,
        "name": subject.name,
        "docstatus": subject.docstatus(),
        "status": subject.shown("status"),
        "modified": subject.document.get("modified"),
        "warnings": warnings,
    });
    for field in ["status", "warnings"] {
        drop_empty(&mut data, field);
    }
    output(say::cancelled(&subject.meta.name, &subject.name), data)
}
