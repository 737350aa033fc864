//! Tool that changes fields and rows of a document.

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
use protocol::{
    CardSection, ErrorBody, ErrorCode, Fact, RiskReason, RiskWeight, Timestamp, ToolOutput,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use self::outcome::UpdateState;
use super::{
    create_doc::{governing, unchecked_links},
    drop_empty, output,
};
use crate::tools::writing::{
    acting,
    cells::CardValues,
    draft::{
        self, ChangedTable, CopyBefore, DraftCall, DraftInput, DraftRowChange, FieldCheck,
        FieldValue, TotalsOf,
    },
    party_warnings,
};
use crate::{
    cell,
    client::{ErpWrite, WriteFailure},
    currency::Currencies,
    dates,
    identity::ErpIdentity,
    meta::{TypeMeta, TypeRight},
    site::{Document, ErpSite},
    texts::{acting as shared, draft as say, workflow as governed},
};

const NAME: &str = "update_doc";
const DESCRIPTION: &str = "Changes fields and rows of a document of the ERP. Rows that are not named stay; an \
    empty text empties a field. Of a submitted document only what the ERP lets change then. Give \"modified\" \
    as get_doc gave it last.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// The "modified" of the document as you read it last.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$"))]
    modified: String,
    /// True if it is submitted already; a person is asked then.
    submitted: bool,
    /// New values. Not docstatus, workflow_state, name, owner or amended_from.
    #[serde(default)]
    #[schemars(length(max = 60))]
    fields: Vec<FieldValue>,
    /// Changes to rows of tables.
    #[serde(default)]
    #[schemars(length(max = 100))]
    rows: Vec<DraftRowChange>,
}

impl DraftCall for UpdateDocInput {
    fn draft(&self) -> DraftInput<'_> {
        DraftInput {
            is_of_submitted: self.submitted,
            ..DraftInput::new(&self.doctype, &self.fields).with_changes(&self.rows)
        }
    }
}

pub(crate) struct UpdateDoc(pub(crate) Arc<ErpSite>);

/// A change whose every name and value has been checked against the document as it is stored.
struct UpdatePlan {
    meta: Arc<TypeMeta>,
    who: Arc<ErpIdentity>,
    document: Document,
    fields: Document,
    tables: Vec<ChangedTable>,
}

impl UpdatePlan {
    /// The changed fields and tables, each table whole.
    fn changes(&self) -> Document {
        let mut changes = self.fields.clone();
        for ChangedTable { table, rows, .. } in &self.tables {
            changes.insert(table.clone(), Value::Array(rows.clone()));
        }
        changes
    }

    /// The changes of the call.
    fn asked(&self) -> Document {
        draft::asked_for(&self.fields, &self.tables)
    }

    /// The document as it will be, if the ERP changes nothing else.
    fn after(&self) -> Document {
        let mut after = self.document.clone();
        after.extend(self.changes());
        after
    }

    /// The values of the document as it is stored.
    fn values<'a>(&'a self, currencies: &'a Currencies) -> CardValues<'a> {
        CardValues {
            meta: &self.meta,
            document: &self.document,
            currencies,
        }
    }

    fn text(&self, field: &str) -> &str {
        let value = self.document.get(field).and_then(Value::as_str);
        value.unwrap_or_default()
    }
}

impl UpdateDoc {
    async fn plan(&self, input: &UpdateDocInput) -> Result<UpdatePlan, ErrorBody> {
        let plan = self.read(input).await?;
        acting::same_copy(&self.0, &plan.meta, &plan.document, &input.modified).await?;
        let UpdatePlan {
            meta,
            document,
            fields,
            tables,
            ..
        } = &plan;
        let none = Currencies::new();
        if draft::change_lines(plan.values(&none), fields, tables).is_empty() {
            return Err(failed(say::NOTHING_TO_CHANGE.to_owned()));
        }
        let after = plan.after();
        if !input.submitted {
            draft::demand_reference(&self.0, meta, &after).await?;
        }
        self.0.reach.document(meta, &after)?;
        for of in [document, &after] {
            acting::unprotected(&self.0, &draft::linked_objects(meta, of))?;
        }
        Ok(plan)
    }

    /// The change on the document as it is stored now, whoever changed it last.
    async fn read(&self, input: &UpdateDocInput) -> Result<UpdatePlan, ErrorBody> {
        let site = &self.0;
        acting::writable_type(site, &input.doctype)?;
        let meta = site.readable_type(&input.doctype).await?;
        let who = site.identity().await?;
        acting::demand(&who, &meta, TypeRight::Write)?;
        let document = site.document(&meta, &input.name).await?;
        let status = cell::docstatus(document.get("docstatus").unwrap_or(&Value::Null));
        let before = match (status, input.submitted) {
            ("draft", false) => CopyBefore::Draft(&document),
            ("submitted", true) => CopyBefore::Submitted(&document),
            ("draft" | "submitted", _) => {
                return Err(failed(say::is_submitted(&input.name, status)));
            }
            _ => return Err(failed(say::is_closed(&input.name, status))),
        };
        if input.submitted {
            acting::demand(&who, &meta, TypeRight::Submit)?;
        }
        let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
        let check = FieldCheck::new(site, rights.as_ref());
        let fields = check.values(&meta.name, &meta.fields, &input.fields, before)?;
        let tables = draft::apply(check, &meta, &document, &input.rows)?;
        Ok(UpdatePlan {
            meta,
            who,
            document,
            fields,
            tables,
        })
    }

    /// The fields of a call whose outcome is open, whatever the document is now.
    async fn wanted(&self, input: &UpdateDocInput) -> Result<UpdatePlan, ErrorBody> {
        let site = &self.0;
        let meta = site.readable_type(&input.doctype).await?;
        let who = site.identity().await?;
        let document = site.document(&meta, &input.name).await?;
        let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
        let check = FieldCheck::new(site, rights.as_ref());
        let before = CopyBefore::Draft(&document);
        let fields = check.values(&meta.name, &meta.fields, &input.fields, before)?;
        Ok(UpdatePlan {
            meta,
            who,
            document,
            fields,
            tables: Vec::new(),
        })
    }

    fn result(
        &self,
        plan: &UpdatePlan,
        stored: &Document,
        warnings: Vec<String>,
    ) -> Result<ToolOutput, ErrorBody> {
        let name = plan.text("name");
        self.0.keep(&plan.meta, name, stored);
        let text = |of: &Document, field: &str| {
            let value = of.get(field)?;
            cell::cell(plan.meta.field(field), value, cell::IN_LIST)
        };
        let [before, total] = [&plan.document, stored].map(|it| text(it, "grand_total"));
        let mut data = json!({
            "doctype": plan.meta.name,
            "name": name,
            "docstatus": stored
                .get("docstatus")
                .filter(|_| plan.meta.is_submittable)
                .map(cell::docstatus),
            "modified": stored.get("modified"),
            "status": text(stored, "status"),
            "total_before": before.filter(|before| Some(before) != total.as_ref()),
            "total": total,
            "currency": text(stored, "currency"),
            "changed_by_erp": draft::differences(&plan.meta, &plan.asked(), stored),
            "warnings": warnings,
        });
        for field in [
            "docstatus",
            "status",
            "total_before",
            "total",
            "currency",
            "changed_by_erp",
            "warnings",
        ] {
            drop_empty(&mut data, field);
        }
        output(say::updated(&plan.meta.name, name), data)
    }
}

fn failed(message: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolFailed, message)
}

#[async_trait]
impl Tool for UpdateDoc {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: draft::tier(&self.0.config),
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            editable: vec![
                "/fields/*/value".to_owned(),
                "/rows/*/fields/*/value".to_owned(),
            ],
            examples: vec![
                ToolExample::worked(
                    "Set the delivery date of the sales order SAL-ORD-2026-00012 to 2026-12-10.",
                    r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012", "modified": "2026-11-20 10:00:00.000000", "submitted": false, "fields": [{"field": "delivery_date", "value": "2026-12-10"}]}"#,
                ),
                ToolExample::worked(
                    "Set the due date of the sales invoice ACC-SINV-2026-00004 to 2026-12-31.",
                    r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004", "modified": "2026-11-20 10:00:00.000000", "submitted": false, "fields": [{"field": "due_date", "value": "2026-12-31"}]}"#,
                ),
            ],
            ..ToolSpec::new::<UpdateDocInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        super::about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        draft::objects::<UpdateDocInput>(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        draft::assess::<UpdateDocInput>(&self.0, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: UpdateDocInput = read_input(call.input.clone())?;
        let plan = Box::pin(self.plan(&input)).await?;
        let UpdatePlan { meta, document, .. } = &plan;
        let unchecked = draft::check_links(&self.0, meta, &plan.changes()).await?;
        let currencies = self.0.known_currencies().await;
        let lines = draft::change_lines(plan.values(&currencies), &plan.fields, &plan.tables);
        let mut risks = vec![match (input.submitted, meta.is_submittable) {
            (true, _) => RiskReason::new("submitted", RiskWeight::Warning, say::CHANGES_SUBMITTED)
                .meaning(say::CHANGES_SUBMITTED_DETAIL),
            (false, true) => RiskReason::new("draft", RiskWeight::Good, say::CHANGES_DRAFT)
                .meaning(say::CHANGES_DRAFT_DETAIL),
            (false, false) => RiskReason::new("no_draft", RiskWeight::Note, say::NOT_A_DRAFT)
                .meaning(say::NOT_A_DRAFT_DETAIL),
        }];
        if let Some(workflow) = &meta.workflow {
            let sentence = say::in_workflow(plan.text(&workflow.state_field));
            risks.push(
                RiskReason::new("workflow", RiskWeight::Note, sentence)
                    .meaning(governed::GOVERNS_DETAIL),
            );
        }
        risks.extend(unchecked_links(&unchecked));
        risks.extend(draft::reasons(&self.0.config, &input.draft()));
        let after = plan.after();
        if !plan.tables.is_empty() {
            let values = plan.values(&currencies).of(&after);
            risks.extend(draft::estimate(values, &plan.tables));
        }
        if plan.fields.contains_key("po_no") || plan.fields.contains_key("bill_no") {
            risks.extend(party_warnings::duplicates(&self.0, meta, &after).await?);
        }
        let fact = |label: &str, value: String| Fact {
            label: label.to_owned(),
            value,
        };
        let status = if meta.is_submittable {
            document.get("docstatus").map_or("draft", cell::docstatus)
        } else {
            say::IN_EFFECT
        };
        let at = dates::moment(plan.text("modified"), &plan.who.time_zone);
        let changed = say::last_changed(&at, plan.text("modified_by"));
        let target = format!("{} {}", meta.name, input.name);
        let mut sections = vec![CardSection::Diff {
            title: say::CHANGES.to_owned(),
            lines: lines.clone(),
        }];
        sections.extend(draft::totals(
            plan.values(&currencies),
            TotalsOf::BeforeChange,
        ));
        sections.push(CardSection::Fields {
            title: target.clone(),
            fields: vec![
                fact(say::STATE, status.to_owned()),
                fact(say::LAST_CHANGED, changed),
            ],
        });
        let state_field = meta.workflow.as_ref().map(|it| it.state_field.as_str());
        let workflow_state = document.get(state_field.unwrap_or("workflow_state"));
        Ok(Preview {
            sections,
            risks,
            said: &["doctype", "name", "modified", "submitted", "fields", "rows"],
            objects: draft::linked_objects(meta, &after),
            state: json!({
                "modified": document.get("modified"),
                "docstatus": document.get("docstatus"),
                "workflow": governing(meta),
                "workflow_state": workflow_state,
                "lines": lines,
            }),
            ..Preview::new(
                say::update(&target, draft::party(document), input.submitted),
                target,
            )
        })
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let cannot = |error: ErrorBody| Reconciled::Unknown(shared::cannot_look(&error.message));
        let input: UpdateDocInput = match read_input(call.input.clone()) {
            Ok(input) => input,
            Err(error) => return cannot(error),
        };
        let plan = match Box::pin(self.wanted(&input)).await {
            Ok(plan) => plan,
            Err(error) => return cannot(error),
        };
        let since = self.0.client.at_site(since.0);
        match outcome::look(&self.0, &input, &plan).await {
            Ok(UpdateState::Done(stored)) => {
                let done = self.result(&plan, &stored, Vec::new());
                Reconciled::Done(done.map_err(ToolError))
            }
            Ok(UpdateState::Untouched) if acting::is_over(&self.0, since) => {
                Reconciled::NotDone(say::NOT_CHANGED.to_owned())
            }
            Ok(UpdateState::Untouched) => Reconciled::Unknown(say::MAY_STILL_CHANGE.to_owned()),
            Ok(UpdateState::Otherwise(reason)) | Err(reason) => Reconciled::Unknown(reason),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let input: UpdateDocInput = read_input(call.input).map_err(ToolError)?;
        let plan = Box::pin(self.plan(&input)).await.map_err(ToolError)?;
        let checked = draft::check_links(&self.0, &plan.meta, &plan.changes()).await;
        checked.map_err(|error| ToolError(error.body()))?;
        let mut body = plan.changes();
        // The ERP refuses it if the document has changed since.
        body.insert("modified".to_owned(), input.modified.as_str().into());
        let write = ErpWrite::Update {
            doctype: &plan.meta.name,
            name: &input.name,
        };
        crash::point(|| "before the order: a change of a document".to_owned());
        let written = self.0.client.write(write, &Value::Object(body)).await;
        crash::point(|| "ordered, not followed: a change of a document".to_owned());
        let lost = match written {
            Ok(answer) => match answer.data.as_object() {
                Some(stored) => {
                    let done = self.result(&plan, stored, answer.warnings);
                    return done.map_err(ToolError);
                }
                None => self.0.unusable("data"),
            },
            Err(WriteFailure::NotDone(error)) => return Err(ToolError(error.body())),
            Err(WriteFailure::Unknown(error)) => error,
        };
        let texts = [say::UPDATE_LOST, say::LOOK_AT_IT];
        acting::settle(&lost, &progress, texts, || async {
            match outcome::look(&self.0, &input, &plan).await? {
                UpdateState::Done(stored) => {
                    let done = self.result(&plan, &stored, Vec::new());
                    done.map(Some).map_err(|error| error.message)
                }
                UpdateState::Untouched => Ok(None),
                UpdateState::Otherwise(reason) => Err(reason),
            }
        })
        .await
    }
}
