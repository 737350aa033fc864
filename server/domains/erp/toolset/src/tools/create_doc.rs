//! Tool that creates one document: a draft, where its type has drafts.

use std::sync::Arc;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolExample,
    ToolSpec, read_input,
};
use async_trait::async_trait;
use futures::join;
use protocol::{Assurance, CallId, ErrorBody, RiskReason, RiskWeight, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::tools::writing::{
    acting,
    draft::{self, DraftCall, DraftInput, FieldCheck, FieldValue, NewDraft, TableRows},
    party_warnings::{self, BANK_CHANGED},
    tax_warning,
};
use crate::{
    error::ErpError,
    meta::{TypeMeta, TypeRight},
    site::{Document, ErpSite},
    texts::{acting as shared, draft as say, workflow as governed},
};

const NAME: &str = "create_doc";
const DESCRIPTION: &str = "Creates one DRAFT in the ERP; a draft posts nothing. A document of a type that \
    is never submitted, such as Customer or Item Price, is in effect at once. Exact names only (find_link); \
    dates as YYYY-MM-DD; numbers without separators. Call describe_doctype first for the fields of the type, \
    and give company where the type has it. Use make_from where there is a document to make it from.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateDocInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    doctype: String,
    /// Fields of the document. Not docstatus, workflow_state, name, owner or amended_from.
    #[schemars(length(min = 1, max = 60))]
    fields: Vec<FieldValue>,
    /// Its tables, such as "items", with their rows.
    #[serde(default)]
    #[schemars(length(max = 6))]
    tables: Vec<TableRows>,
}

impl DraftCall for CreateDocInput {
    fn draft(&self) -> DraftInput<'_> {
        DraftInput::new(&self.doctype, &self.fields).with_tables(&self.tables)
    }
}

pub(crate) struct CreateDoc {
    site: Arc<ErpSite>,
    /// Fields and tables that a form of the ERP fills, and no call may.
    form: &'static [&'static str],
    /// True if a card has all rules that the document meets, because the assessment knew no document.
    says_rules: bool,
}

impl CreateDoc {
    pub(crate) fn new(site: Arc<ErpSite>) -> Self {
        Self {
            site,
            form: &[],
            says_rules: false,
        }
    }

    /// The same for a document that a form of the ERP fills.
    #[must_use]
    pub(crate) fn filling(self, form: &'static [&'static str]) -> Self {
        Self { form, ..self }
    }

    /// The same for a document that the gate has not weighed.
    #[must_use]
    pub(crate) fn saying_rules(self) -> Self {
        Self {
            says_rules: true,
            ..self
        }
    }

    /// The draft of a call, without a look at what it links to.
    async fn draft(&self, input: &CreateDocInput, call: CallId) -> Result<NewDraft, ErrorBody> {
        let site = &self.site;
        acting::writable_type(site, &input.doctype)?;
        let meta = site.readable_type(&input.doctype).await?;
        let who = site.identity().await?;
        acting::demand(&who, &meta, TypeRight::Create)?;
        let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
        let check = FieldCheck::new(site, rights.as_ref()).filling(self.form);
        let document = draft::new_document(site, &meta, check, &input.fields, &input.tables)?;
        acting::unprotected(site, &draft::linked_objects(&meta, &document))?;
        let wanted = document.clone();
        Ok(NewDraft::new(site, call, meta, who, document, wanted))
    }

    /// Refuses what the ERP would refuse. Returns the types of links that could not be checked.
    async fn checked(&self, draft: &NewDraft) -> Result<Vec<String>, ErpError> {
        let NewDraft { meta, document, .. } = draft;
        draft::demand_reference(&self.site, meta, document).await?;
        draft::check_links(&self.site, meta, document).await
    }
}

#[async_trait]
impl Tool for CreateDoc {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: draft::tier(&self.site.config),
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            editable: vec![
                "/fields/*/value".to_owned(),
                "/tables/*/rows/*/fields/*/value".to_owned(),
            ],
            examples: vec![
                ToolExample::worked(
                    "Make a draft order of Aldergate Cycles for Kestrel Cycles: 5 FRAME-M, delivery on 2026-12-10.",
                    r#"{"doctype": "Sales Order", "fields": [{"field": "company", "value": "Aldergate Cycles"}, {"field": "customer", "value": "Kestrel Cycles"}, {"field": "delivery_date", "value": "2026-12-10"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "FRAME-M"}, {"field": "qty", "value": 5}]}]}]}"#,
                ),
                ToolExample::worked(
                    "Draft a material request of Aldergate Cycles: 40 RAW-RIM into Raw - AC by 2026-12-10.",
                    r#"{"doctype": "Material Request", "fields": [{"field": "material_request_type", "value": "Purchase"}, {"field": "company", "value": "Aldergate Cycles"}, {"field": "schedule_date", "value": "2026-12-10"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "RAW-RIM"}, {"field": "qty", "value": 40}, {"field": "warehouse", "value": "Raw - AC"}]}]}]}"#,
                ),
                ToolExample::worked(
                    "Create the customer Harbour Bikes.",
                    r#"{"doctype": "Customer", "fields": [{"field": "customer_name", "value": "Harbour Bikes"}]}"#,
                ),
                ToolExample::worked(
                    "Create a sales order for Kestrel Cycles with 5 PUMP.",
                    r#"{"doctype": "Sales Order", "fields": [{"field": "customer", "value": "Kestrel Cycles"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "PUMP"}, {"field": "qty", "value": 5}]}]}]}"#,
                ),
                ToolExample::worked(
                    "Create a sales order of Aldergate Cycles for Kestrel Cycles with 5 PUMP, delivery on 2026-12-10.",
                    r#"{"doctype": "Sales Order", "fields": [{"field": "company", "value": "Aldergate Cycles"}, {"field": "customer", "value": "Kestrel Cycles"}, {"field": "delivery_date", "value": "2026-12-10"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "PUMP"}, {"field": "qty", "value": 5}]}]}]}"#,
                ),
                ToolExample::worked(
                    "Create a sales order for Kestrel Cycles with 5 PUMP at 24.90, delivery on 2026-12-10.",
                    r#"{"doctype": "Sales Order", "fields": [{"field": "customer", "value": "Kestrel Cycles"}, {"field": "delivery_date", "value": "2026-12-10"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "PUMP"}, {"field": "qty", "value": 5}, {"field": "rate", "value": 24.9}]}]}]}"#,
                ),
                ToolExample::worked(
                    "Draft a sales order for Kestrel Cycles: 4 PUMP, delivery on 2026-12-10.",
                    r#"{"doctype": "Sales Order", "fields": [{"field": "customer", "value": "Kestrel Cycles"}, {"field": "delivery_date", "value": "2026-12-10"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "PUMP"}, {"field": "qty", "value": 4}]}]}]}"#,
                ),
                ToolExample::worked(
                    "Draft a sales order for Kestrel Cycles: 4 PUMP at 24.90, delivery on 2026-12-10.",
                    r#"{"doctype": "Sales Order", "fields": [{"field": "customer", "value": "Kestrel Cycles"}, {"field": "delivery_date", "value": "2026-12-10"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "PUMP"}, {"field": "qty", "value": 4}, {"field": "rate", "value": 24.9}]}]}]}"#,
                ),
                ToolExample::worked(
                    "Draft a purchase order for Rimfire Wheels: 20 RAW-RIM at 14.50, delivery on 2026-12-10.",
                    r#"{"doctype": "Purchase Order", "fields": [{"field": "supplier", "value": "Rimfire Wheels"}, {"field": "schedule_date", "value": "2026-12-10"}], "tables": [{"table": "items", "rows": [{"fields": [{"field": "item_code", "value": "RAW-RIM"}, {"field": "qty", "value": 20}, {"field": "rate", "value": 14.5}]}]}]}"#,
                ),
            ],
            ..ToolSpec::new::<CreateDocInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        let doctype = input.get("doctype").and_then(Value::as_str)?;
        Some(say::new(doctype))
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        draft::objects::<CreateDocInput>(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        draft::assess::<CreateDocInput>(&self.site, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: CreateDocInput = read_input(call.input.clone())?;
        let draft = self.draft(&input, call.id).await?;
        let unchecked = self.checked(&draft).await?;
        let (doctype, document) = (&draft.meta.name, &draft.document);
        let (currencies, shown, untaxed) = join!(
            self.site.known_currencies(),
            draft::with_linked_currency(&self.site, &draft.meta, document),
            tax_warning::untaxed(&self.site, &draft.meta, document),
        );
        let mut risks = effect(&draft.meta);
        risks.push(filled(&draft.meta, document));
        let values = draft.values(&currencies).of(&shown);
        risks.extend(draft::estimate(values, &[]));
        risks.extend(untaxed);
        risks.extend(unchecked_links(&unchecked));
        let chosen = input.draft().without(self.form);
        risks.extend(if self.says_rules {
            draft::all_reasons(&self.site.config, &chosen)
        } else {
            draft::reasons(&self.site.config, &chosen)
        });
        risks.extend(party_warnings::duplicates(&self.site, &draft.meta, document).await?);
        let bank = party_warnings::bank_changes(&self.site, &draft.who, document).await;
        let assurance = assurance(bank.as_ref(), draft::party(document));
        risks.extend(bank);
        Ok(Preview {
            assurance,
            sections: draft::content(values),
            risks,
            said: &["doctype", "fields", "tables"],
            objects: draft::linked_objects(&draft.meta, document),
            state: json!({
                "doctype": doctype,
                "document": shown,
                "workflow": governing(&draft.meta),
            }),
            ..Preview::new(
                say::create(doctype, draft::party(document), draft.meta.is_submittable),
                say::new(doctype),
            )
        })
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let draft = match read_input::<CreateDocInput>(call.input.clone()) {
            Ok(input) => self.draft(&input, call.id).await,
            Err(error) => Err(error),
        };
        match draft {
            Ok(it) => draft::reconcile(&self.site, &it.meta, &it.who, &it.trace, since).await,
            Err(error) => Reconciled::Unknown(shared::cannot_look(&error.message)),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let input: CreateDocInput = read_input(call.input).map_err(ToolError)?;
        let draft = self.draft(&input, call.id).await.map_err(ToolError)?;
        let checked = self.checked(&draft).await;
        checked.map_err(|error| ToolError(error.body()))?;
        draft.send(&self.site, &progress).await
    }
}

/// The effect of a new document on the books, and the workflow that governs it.
pub(super) fn effect(meta: &TypeMeta) -> Vec<RiskReason> {
    let reason = if meta.is_submittable {
        RiskReason::new("draft", RiskWeight::Good, say::POSTS_NOTHING)
            .meaning(say::POSTS_NOTHING_DETAIL)
    } else {
        RiskReason::new("no_draft", RiskWeight::Note, say::NOT_A_DRAFT)
            .meaning(say::NOT_A_DRAFT_DETAIL)
    };
    let mut reasons = vec![reason];
    if let Some(workflow) = &meta.workflow {
        let sentence = governed::governs(&workflow.name, workflow.first_state());
        reasons.push(
            RiskReason::new("workflow", RiskWeight::Note, sentence)
                .meaning(governed::GOVERNS_DETAIL),
        );
    }
    reasons
}

/// The workflow that a card names, for its digest: another one is another card.
pub(super) fn governing(meta: &TypeMeta) -> Option<&str> {
    Some(&meta.workflow.as_ref()?.name)
}

/// The part that the ERP fills in, with the mandatory fields among it.
fn filled(meta: &TypeMeta, document: &Document) -> RiskReason {
    let missing = meta
        .fields
        .iter()
        .filter(|it| it.is_mandatory && !document.contains_key(&it.name) && it.default.is_none());
    let missing: Vec<_> = missing.map(|it| acting::label(meta, &it.name)).collect();
    RiskReason::new("filled_by_erp", RiskWeight::Note, say::FILLED_BY_ERP)
        .meaning(say::filled_by_erp(&missing))
}

/// The way in which a draft is approved: a payment to changed bank details needs the party's name.
pub(super) fn assurance(bank: Option<&RiskReason>, party: Option<&str>) -> Assurance {
    match (bank, party) {
        (Some(reason), Some(party)) if reason.rule == BANK_CHANGED => Assurance::Type {
            word: party.to_owned(),
        },
        _ => Assurance::Press,
    }
}

pub(super) fn unchecked_links(types: &[String]) -> Option<RiskReason> {
    if types.is_empty() {
        return None;
    }
    let sentence = say::unchecked_links(&types.join(", "));
    Some(RiskReason::new(
        "unchecked_links",
        RiskWeight::Warning,
        sentence,
    ))
}
