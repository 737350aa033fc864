//! Tool that makes a new draft out of a cancelled document.

use std::sync::Arc;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolExample,
    ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{
    CallId, CardSection, ErrorBody, ErrorCode, RiskReason, RiskWeight, Timestamp, ToolOutput,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::create_doc::{assurance, effect, governing, unchecked_links};
use crate::tools::writing::{
    acting,
    draft::{
        self, ChangedTable, CopyBefore, DraftCall, DraftInput, DraftRowChange, FieldCheck,
        FieldValue, NewDraft, TotalsOf,
    },
    party_warnings,
};
use crate::{
    cell,
    error::ErpError,
    meta::{TypeMeta, TypeRight},
    site::{Document, ErpSite, ListQuery},
    texts::{acting as shared, draft as say},
};

const NAME: &str = "amend_doc";
const DESCRIPTION: &str = "Makes a new DRAFT out of a cancelled document of the ERP, with changes. Rows that \
    are not named stay.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AmendDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// The cancelled document.
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// Fields that are to be different. An empty text empties a field.
    #[serde(default)]
    #[schemars(length(max = 60))]
    fields: Vec<FieldValue>,
    /// Changes to rows of tables.
    #[serde(default)]
    #[schemars(length(max = 100))]
    rows: Vec<DraftRowChange>,
}

impl DraftCall for AmendDocInput {
    fn draft(&self) -> DraftInput<'_> {
        DraftInput::new(&self.doctype, &self.fields).with_changes(&self.rows)
    }
}

pub(crate) struct AmendDoc(pub(crate) Arc<ErpSite>);

/// A cancelled document, and the draft that is made of it.
struct AmendPlan {
    draft: NewDraft,
    cancelled: Document,
    fields: Document,
    tables: Vec<ChangedTable>,
    unchecked: Vec<String>,
}

impl AmendDoc {
    async fn plan(&self, input: &AmendDocInput, call: CallId) -> Result<AmendPlan, ErrorBody> {
        let site = &self.0;
        acting::writable_type(site, &input.doctype)?;
        let meta = site.readable_type(&input.doctype).await?;
        let who = site.identity().await?;
        // The ERP itself never checks the right to amend.
        acting::demand(&who, &meta, TypeRight::Amend)?;
        acting::demand(&who, &meta, TypeRight::Create)?;
        let cancelled = site.document(&meta, &input.name).await?;
        let status = cell::docstatus(cancelled.get("docstatus").unwrap_or(&Value::Null));
        if status != "cancelled" {
            let message = say::is_not_cancelled(&input.name, status);
            return Err(ErrorBody::new(ErrorCode::ToolFailed, message));
        }
        let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
        let check = FieldCheck::new(site, rights.as_ref());
        let before = CopyBefore::Draft(&cancelled);
        let fields = check.values(&meta.name, &meta.fields, &input.fields, before)?;
        let tables = draft::apply(check, &meta, &cancelled, &input.rows)?;
        let mut document = copy(&meta, check.key, &cancelled);
        document.extend(fields.clone());
        for ChangedTable { table, rows, .. } in &tables {
            let field = meta.table_fields().find(|it| it.name == *table);
            let columns = field.and_then(|it| meta.rows_of(it)).unwrap_or_default();
            let rows = rows.iter().filter_map(Value::as_object);
            let rows = rows.map(|row| {
                let row = draft::copied(columns, None, row);
                // Amounts of another quantity are no amounts of this draft.
                Value::Object(draft::amounts_anew(&meta, columns, row))
            });
            document.insert(table.clone(), rows.collect());
        }
        let unchecked = draft::check_links(site, &meta, &document).await?;
        site.reach.document(&meta, &document)?;
        acting::unprotected(site, &draft::linked_objects(&meta, &document))?;
        document.insert("amended_from".to_owned(), input.name.as_str().into());
        let wanted = draft::asked_for(&fields, &tables);
        let mut draft = NewDraft::new(site, call, meta, who, document, wanted);
        draft.trace.amended_from = Some(input.name.clone());
        Ok(AmendPlan {
            draft,
            cancelled,
            fields,
            tables,
            unchecked,
        })
    }

    /// The same for a call that is yet to be made: not after a crash, when the draft may be there.
    async fn unmade(&self, input: &AmendDocInput, call: CallId) -> Result<AmendPlan, ErrorBody> {
        let plan = Box::pin(self.plan(input, call)).await?;
        let NewDraft { meta, document, .. } = &plan.draft;
        draft::demand_reference(&self.0, meta, document).await?;
        Ok(plan)
    }

    /// The names of documents that were made of it already.
    async fn amendments(&self, meta: &TypeMeta, name: &str) -> Result<Vec<String>, ErpError> {
        let query = ListQuery {
            doctype: &meta.name,
            fields: vec![json!("name")],
            filters: vec![
                json!(["amended_from", "=", name]),
                json!(["docstatus", "!=", 2]),
            ],
            order: "creation desc, name asc".to_owned(),
            limit: 5,
            ..ListQuery::default()
        };
        let found = self.0.list(meta, query).await?;
        let names = found
            .rows
            .iter()
            .filter_map(|row| row.get("name")?.as_str());
        Ok(names.map(str::to_owned).collect())
    }
}

/// A copy of a cancelled document as forms make it: without names, state, and what only the ERP sets.
fn copy(meta: &TypeMeta, key: Option<&str>, document: &Document) -> Document {
    let mut copy = draft::copied(&meta.fields, key, document);
    for table in meta.table_fields() {
        let columns = meta.rows_of(table).unwrap_or_default();
        let rows = draft::rows_in(document, &table.name).iter();
        let rows = rows.filter_map(Value::as_object);
        let rows: Vec<_> = rows
            .map(|row| Value::Object(draft::copied(columns, None, row)))
            .collect();
        if !rows.is_empty() {
            copy.insert(table.name.clone(), Value::Array(rows));
        }
    }
    copy
}

#[async_trait]
impl Tool for AmendDoc {
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
                    "Amend the cancelled sales order SAL-ORD-2026-00012.",
                    r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012"}"#,
                ),
                ToolExample::worked(
                    "Make a new draft of the cancelled sales invoice ACC-SINV-2026-00004.",
                    r#"{"doctype": "Sales Invoice", "name": "ACC-SINV-2026-00004"}"#,
                ),
            ],
            ..ToolSpec::new::<AmendDocInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        super::about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        draft::objects::<AmendDocInput>(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        draft::assess::<AmendDocInput>(&self.0, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: AmendDocInput = read_input(call.input.clone())?;
        let plan = Box::pin(self.unmade(&input, call.id)).await?;
        let AmendPlan {
            draft, cancelled, ..
        } = &plan;
        let (meta, document) = (&draft.meta, &draft.document);
        let mut risks = effect(meta);
        let others = self.amendments(meta, &input.name).await?;
        if !others.is_empty() {
            let sentence = say::amended_already(&others.join(", "));
            risks.push(RiskReason::new(
                "amended_already",
                RiskWeight::Warning,
                sentence,
            ));
        }
        let reason = RiskReason::new("filled_by_erp", RiskWeight::Note, say::FILLED_BY_ERP);
        risks.push(reason.meaning(say::FILLED_BY_ERP_DETAIL));
        risks.extend(unchecked_links(&plan.unchecked));
        risks.extend(draft::reasons(&self.0.config, &input.draft()));
        let bank = party_warnings::bank_changes(&self.0, &draft.who, document).await;
        let assurance = assurance(bank.as_ref(), draft::party(document));
        risks.extend(bank);
        let mut sections = Vec::new();
        let currencies = self.0.known_currencies().await;
        let values = draft.values(&currencies);
        let lines = draft::change_lines(values.of(cancelled), &plan.fields, &plan.tables);
        if !lines.is_empty() {
            let title = say::CHANGES.to_owned();
            sections.push(CardSection::Diff { title, lines });
        }
        let totals = TotalsOf::Cancelled;
        sections.extend(draft::mapped_content(values, &plan.fields, totals));
        if !plan.tables.is_empty() {
            risks.extend(draft::estimate(values, &plan.tables));
        }
        let target = format!("{} {}", meta.name, input.name);
        Ok(Preview {
            assurance,
            sections,
            risks,
            said: &["doctype", "name", "fields", "rows"],
            objects: draft::linked_objects(meta, document),
            state: json!({
                "modified": cancelled.get("modified"),
                "copy": draft::facts_of(meta, document),
                "workflow": governing(meta),
            }),
            ..Preview::new(say::amend(&target, draft::party(document)), target)
        })
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let plan = match read_input::<AmendDocInput>(call.input.clone()) {
            Ok(input) => Box::pin(self.plan(&input, call.id)).await,
            Err(error) => Err(error),
        };
        match plan {
            Ok(AmendPlan { draft, .. }) => {
                draft::reconcile(&self.0, &draft.meta, &draft.who, &draft.trace, since).await
            }
            Err(error) => Reconciled::Unknown(shared::cannot_look(&error.message)),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let input: AmendDocInput = read_input(call.input).map_err(ToolError)?;
        let plan = Box::pin(self.unmade(&input, call.id)).await;
        plan.map_err(ToolError)?
            .draft
            .send(&self.0, &progress)
            .await
    }
}
