//! Tool that makes a draft final.

mod card;
mod outcome;

use std::sync::Arc;

use agent::{
    crash,
    ports::{
        Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
        ToolExample, ToolSpec, read_input,
    },
};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use self::outcome::{SubmitState, SubmitWatch};
use super::{about, touched};
use crate::tools::writing::{
    acting,
    plan::{self, ErpSubject, refused},
    queue::{self, Submission},
    steps,
    verdict::{ErpVerdict, judge},
};
use crate::{
    client::{ErpWrite, WriteFailure},
    dates,
    light_types::is_light,
    meta::TypeRight,
    site::ErpSite,
    texts::{acting as shared, submit as say, verdict as lost_answer},
};

const NAME: &str = "submit_doc";
const DESCRIPTION: &str = "Makes a draft of the ERP final: it may post to the ledgers, move stock and send \
    mail. Taking it back means cancel_doc. Give \"modified\" as get_doc gave it last. A type with a \
    workflow is not submitted so: use apply_workflow. A person is asked, and sees the lines that will post.";

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

impl SubmitDoc {
    /// The draft that the call is about, if this user may submit it now.
    async fn plan(&self, input: Value) -> Result<ErpSubject, ErrorBody> {
        let site = &self.0;
        let input: SubmitDocInput = read_input(input)?;
        let subject = ErpSubject::read(site, &input.doctype, &input.name).await?;
        subject.demand_submittable()?;
        let status = subject.docstatus();
        if status != "draft" {
            return Err(refused(say::is_no_draft(&input.name, status)));
        }
        if let Some(workflow) = &subject.meta.workflow {
            let steps = steps::offered(site, &subject).await?;
            return Err(refused(say::has_workflow(
                &input.doctype,
                &workflow.name,
                &steps,
            )));
        }
        let who = site.identity().await?;
        acting::demand(&who, &subject.meta, TypeRight::Submit)?;
        subject.demand_copy(site, &input.modified).await?;
        Ok(subject)
    }

    /// The trace of a call in a document that is still a draft.
    async fn still_draft(
        &self,
        subject: &ErpSubject,
        modified: &str,
        since: Timestamp,
    ) -> ErpVerdict {
        let site = &self.0;
        let who = match site.identity().await {
            Ok(who) => who,
            Err(error) => return ErpVerdict::Open(shared::cannot_look(&error.reason())),
        };
        let since = dates::local(site.client.at_site(since.0), &who.time_zone);
        let watch = SubmitWatch::after(site, subject, since);
        match watch.refusal(subject, modified).await {
            Ok(Some(words)) => return ErpVerdict::Refused(words),
            Ok(None) => {}
            Err(why) => return ErpVerdict::Open(why),
        }
        let entry = queue::latest(site, subject).await;
        match entry.map(|it| it.state) {
            Ok(Submission::Queued) => followed(&watch).await,
            Ok(Submission::Failed(words)) => ErpVerdict::Undone(say::queue_failed(&words)),
            // Without the right to see the queue nothing says that it is not in it.
            Err(error) if queue::is_queued_type(&subject.meta.name) => {
                ErpVerdict::Open(shared::cannot_look(&error.reason()))
            }
            // The words on it may be of another submit.
            _ if outcome::has_failed_since(subject, modified) => ErpVerdict::Refused(
                lost_answer::changed_otherwise(&subject.name, subject.docstatus()),
            ),
            _ => match watch.failure().await {
                Ok(Some(words)) => ErpVerdict::Refused(say::queue_failed(&words)),
                // Hours may pass before it is taken out of the queue.
                Ok(None) if queue::is_silent(&who, subject) => {
                    ErpVerdict::Open(say::MAY_BE_QUEUED.to_owned())
                }
                Ok(None) => ErpVerdict::Before,
                Err(why) => ErpVerdict::Open(why),
            },
        }
    }

    /// The trace of a call in a submitted document: a closing may still have invoices to make.
    async fn is_submitted(&self, subject: ErpSubject) -> ErpVerdict {
        match outcome::submitted(subject) {
            SubmitState::Queued(subject) => {
                let watch = SubmitWatch::after(&self.0, &subject, String::new());
                followed(&watch).await
            }
            state => match outcome::told(state, &[]) {
                Some(end) => ErpVerdict::Done(end),
                None => ErpVerdict::Before,
            },
        }
    }

    /// A document that the model has read, of a type that the configuration lets be submitted
    /// unasked: only then its company and party are known without a look outside.
    fn is_light(&self, input: &Value) -> bool {
        let text = |field: &str| input[field].as_str().unwrap_or_default();
        let (doctype, name) = (text("doctype"), text("name"));
        let site = &self.0;
        let is_listed = site.config.light_submit.iter().any(|it| it == doctype);
        let is_known = site
            .memory
            .get(doctype, name)
            .is_some_and(|it| it.facts.contains_key("company"));
        is_listed && is_known && is_light(doctype)
    }
}

#[async_trait]
impl Tool for SubmitDoc {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            // Raised to RED but for the types that the configuration lists.
            tier: Tier::Yellow,
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            examples: vec![
                ToolExample::worked(
                    "Submit the sales order SAL-ORD-2026-00012.",
                    r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012", "modified": "2026-11-20 10:00:00.000000"}"#,
                ),
                ToolExample::worked(
                    "Make the delivery note MAT-DN-2026-00003 final.",
                    r#"{"doctype": "Delivery Note", "name": "MAT-DN-2026-00003", "modified": "2026-11-20 10:00:00.000000"}"#,
                ),
                ToolExample::worked(
                    "Submit the invoice ACC-SINV-2026-00004.",
                    r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "modified": "2026-11-20 10:00:00.000000"}"#,
                ),
                ToolExample::worked(
                    "Post the invoice ACC-SINV-2026-00004.",
                    r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "modified": "2026-11-20 10:00:00.000000"}"#,
                ),
            ],
            ..ToolSpec::new::<SubmitDocInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let mut objects = touched(input);
        let text = |field: &str| input[field].as_str().unwrap_or_default();
        // A call that runs unasked has no preview that could name them.
        if let Some(known) = self.0.memory.get(text("doctype"), text("name")) {
            for kind in ["company", "customer", "supplier"] {
                let name = known.facts.get(kind).and_then(Value::as_str);
                objects.extend(name.map(|name| format!("{kind}/{name}").to_lowercase()));
            }
        }
        objects
    }

    fn assess(&self, input: &Value) -> Assessment {
        let tier = if self.is_light(input) {
            Tier::Yellow
        } else {
            Tier::Red
        };
        let mut assessment = Assessment::plain(tier, input);
        // A time that a tool gave binds the call to what was read; it names nothing.
        assessment.values.retain(|it| it.path == "/name");
        let doctype = input["doctype"].as_str().unwrap_or_default();
        acting::weigh_type(&self.0, doctype, &mut assessment);
        assessment.protected = self.0.reach.protects(&self.objects(input));
        assessment
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let subject = self.plan(call.input.clone()).await?;
        Box::pin(card::card(&self.0, &subject)).await
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        plan::drift(shown, now)
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let (input, subject) = match plan::found::<SubmitDocInput>(&self.0, call).await {
            Ok(found) => found,
            Err(why) => return Reconciled::Unknown(why),
        };
        let verdict = match subject.docstatus() {
            "submitted" => Box::pin(self.is_submitted(subject.clone())).await,
            "draft" => Box::pin(self.still_draft(&subject, &input.modified, since)).await,
            status => ErpVerdict::Open(lost_answer::is_status(&subject.name, status)),
        };
        judge(&self.0, &subject, &input.modified, since, true, verdict)
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let site = &self.0;
        let started = Instant::now();
        let subject = self.plan(call.input).await.map_err(ToolError)?;
        let watch = SubmitWatch::before(site, &subject).await;
        // The whole document with its `modified`: the ERP refuses one that has changed since.
        let mut document = subject.document.clone();
        document.insert("doctype".to_owned(), subject.meta.name.clone().into());
        progress.report(say::POSTING);
        crash::point(|| "before the order: submit of a document".to_owned());
        let written = site
            .client
            .write(ErpWrite::Submit, &json!({ "doc": document }))
            .await;
        crash::point(|| "ordered, not followed: submit of a document".to_owned());
        let (lost, warnings) = match written {
            Ok(answer) => (None, answer.warnings),
            Err(WriteFailure::NotDone(error)) => match watch.is_done_despite(&error).await {
                Ok(true) => (None, vec![say::done_despite(&error.body().message)]),
                Ok(false) => return Err(ToolError(error.body())),
                Err(_) => (Some(error), Vec::new()),
            },
            Err(WriteFailure::Unknown(error)) => (Some(error), Vec::new()),
        };
        // What is stored counts, not what the answer says.
        let (watch, first) = match &lost {
            None => {
                let watch = watch.answered();
                let first = watch.look().await.ok();
                (watch, first)
            }
            Some(_) => (watch, None),
        };
        let done = match first.and_then(|state| outcome::told(state, &warnings)) {
            Some(done) => done,
            None => {
                let lost = lost.unwrap_or_else(|| site.unusable("docstatus"));
                let texts = [lost_answer::LOOKING, lost_answer::LOOK_FIRST];
                // That the queue has failed is an end as well.
                Box::pin(acting::settle(&lost, &progress, texts, || async {
                    Ok::<_, String>(outcome::told(watch.look().await?, &warnings))
                }))
                .await?
            }
        };
        let done = done.map_err(ToolError)?;
        if !outcome::is_queued(&done) {
            return Ok(done);
        }
        progress.report(say::FOLLOWING);
        let end = Box::pin(watch.follow(started, &warnings)).await;
        end.unwrap_or(Ok(done)).map_err(ToolError)
    }
}

/// The end of what the ERP has queued, if it comes within the time of a call.
async fn followed(watch: &SubmitWatch<'_>) -> ErpVerdict {
    match Box::pin(watch.follow(Instant::now(), &[])).await {
        Some(end) => ErpVerdict::Done(end),
        None => ErpVerdict::Open(say::IS_QUEUED.to_owned()),
    }
}
