//! Tool that adds a comment to a document's timeline.

use std::sync::Arc;

use agent::{
    crash,
    ports::{
        Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
        ToolExample, ToolSpec, read_input,
    },
};
use async_trait::async_trait;
use protocol::{
    CardSection, DiffLine, ErrorBody, LineChange, RiskReason, RiskWeight, Tier, Timestamp,
    ToolOutput,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{about, output, touched};
use crate::tools::writing::{acting, notes, plan::ErpSubject};
use crate::{
    client::WriteFailure,
    site::ErpSite,
    texts::{acting as shared, comment as say, verdict as outcome},
};

const NAME: &str = "add_comment";
const DESCRIPTION: &str = "Adds a comment to the timeline of a document of the ERP, as plain text. Everybody \
    who may read the document reads it.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AddCommentInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// Plain text; a person is asked if it has an @ in it.
    #[schemars(length(min = 1, max = 2000))]
    text: String,
}

pub(crate) struct AddComment(pub(crate) Arc<ErpSite>);

impl AddComment {
    async fn plan(&self, input: Value) -> Result<(ErpSubject, String), ErrorBody> {
        let input: AddCommentInput = read_input(input)?;
        let subject = ErpSubject::read(&self.0, &input.doctype, &input.name).await?;
        if input.text.trim().is_empty() {
            return Err(crate::tools::writing::plan::refused(say::IS_EMPTY));
        }
        Ok((subject, input.text))
    }
}

#[async_trait]
impl Tool for AddComment {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Yellow,
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            editable: vec!["/text".to_owned()],
            examples: vec![
                ToolExample::worked(
                    "Note on the sales order SAL-ORD-2026-00012: customer called.",
                    r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012", "text": "customer called"}"#,
                ),
                ToolExample::worked(
                    "Comment on the sales invoice ACC-SINV-2026-00004: paid by cheque.",
                    r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "text": "paid by cheque"}"#,
                ),
            ],
            ..ToolSpec::new::<AddCommentInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let mut assessment = Assessment::plain(Tier::Yellow, input);
        let counts = ["/name", "/text"];
        assessment
            .values
            .retain(|it| counts.contains(&it.path.as_str()));
        if input["text"].as_str().is_some_and(notes::mentions) {
            assessment.tier = Tier::Red;
            assessment.risks.push(say::SENDS_MAIL.to_owned());
        }
        let doctype = input["doctype"].as_str().unwrap_or_default();
        acting::weigh_type(&self.0, doctype, &mut assessment);
        assessment.protected = self.0.reach.protects(&self.objects(input));
        assessment
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let (subject, text) = self.plan(call.input.clone()).await?;
        let line = |text: &str| DiffLine {
            change: LineChange::Added,
            text: text.to_owned(),
        };
        Ok(Preview {
            sections: vec![CardSection::Text {
                title: say::TITLE.to_owned(),
                language: String::new(),
                lines: text.lines().map(line).collect(),
            }],
            risks: vec![
                RiskReason::new("comment", RiskWeight::Note, say::READ_BY_ALL)
                    .meaning(say::READ_BY_ALL_DETAIL),
            ],
            said: &["doctype", "name", "text"],
            objects: subject.objects(),
            // A comment fits whatever has become of the document.
            state: json!({ "doctype": subject.meta.name, "name": subject.name }),
            ..Preview::new(say::add(&subject.target()), subject.target())
        })
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let site = &self.0;
        let (subject, text) = match self.plan(call.input.clone()).await {
            Ok(plan) => plan,
            Err(error) => return Reconciled::Unknown(shared::cannot_look(&error.message)),
        };
        let cannot = |reason: String| Reconciled::Unknown(shared::cannot_look(&reason));
        let who = match site.identity().await {
            Ok(who) => who,
            Err(error) => return cannot(error.reason()),
        };
        let since = site.client.at_site(since.0);
        let author = notes::author(site, &who);
        match notes::find(site, &subject, &who, &text, since, call.id).await {
            Ok(Some(_)) => Reconciled::Done(result(&subject, author).map_err(ToolError)),
            Ok(None) if acting::is_over(site, since) => {
                Reconciled::NotDone(say::NOT_THERE.to_owned())
            }
            Ok(None) => Reconciled::Unknown(say::MAY_STILL_COME.to_owned()),
            Err(error) => cannot(error.reason()),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let site = &self.0;
        let (subject, text) = self.plan(call.input).await.map_err(ToolError)?;
        let who = site
            .identity()
            .await
            .map_err(|error| ToolError(error.body()))?;
        let (since, author) = (site.client.now(), notes::author(site, &who));
        crash::point(|| "before the order: a comment".to_owned());
        let written = notes::add(site, &subject, &who, &text, call.id).await;
        crash::point(|| "ordered, not followed: a comment".to_owned());
        let lost = match written {
            Ok(Some(_)) => return result(&subject, author).map_err(ToolError),
            Ok(None) => site.unusable("name"),
            Err(WriteFailure::NotDone(error)) => return Err(ToolError(error.body())),
            Err(WriteFailure::Unknown(error)) => error,
        };
        let texts = [outcome::LOOKING, outcome::LOOK_FIRST];
        Box::pin(acting::settle(&lost, &progress, texts, || async {
            let found = notes::find(site, &subject, &who, &text, since, call.id).await;
            match found.map_err(|error| shared::cannot_look(&error.reason()))? {
                Some(_) => {
                    let done = result(&subject, author.clone());
                    done.map(Some).map_err(|error| error.message)
                }
                None => Ok(None),
            }
        }))
        .await
    }
}

fn result(subject: &ErpSubject, author: String) -> Result<ToolOutput, ErrorBody> {
    let data = json!({ "doctype": subject.meta.name, "name": subject.name, "author": author });
    output(say::added(&subject.target()), data)
}
