//! Tool that makes a draft out of a submitted document, as the ERP maps it.

mod examples;

use std::sync::Arc;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolSpec,
    read_input,
};
use async_trait::async_trait;
use futures::{join, try_join};
use protocol::{CallId, ErrorBody, ErrorCode, Fact, RiskReason, RiskWeight, Timestamp, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::create_doc::{assurance, effect, governing, unchecked_links};
use crate::tools::writing::{
    acting,
    cells::money,
    draft::{
        self, CopyBefore, DraftCall, DraftInput, DraftTrace, FieldCheck, FieldValue, MapTarget,
        NewDraft, SourceRow, TotalsOf,
    },
    party_warnings,
};
use crate::{
    cell,
    error::ErpError,
    identity::ErpIdentity,
    meta::{TypeMeta, TypeRight},
    site::{Document, ErpSite},
    texts::{acting as shared, draft as say},
};

const NAME: &str = "make_from";
const DESCRIPTION: &str = "Makes a DRAFT out of a submitted document, as the ERP maps it: rows, prices, taxes \
    and what is still open. A delivery or invoice of an order, a receipt of a purchase order, a payment of an \
    invoice, received or made, and so on. Name rows to take only some of them, with their quantities.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MakeFromInput {
    /// Exact type, such as "Sales Order".
    #[schemars(length(min = 1, max = 140))]
    source_doctype: String,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    source_name: String,
    /// The type of the new document.
    target_doctype: MapTarget,
    /// Only these rows, each with its quantity; none for all that is open.
    #[serde(default)]
    #[schemars(length(max = 100))]
    rows: Vec<SourceRow>,
    /// Fields that differ from the mapping, such as due_date.
    #[serde(default)]
    #[schemars(length(max = 20))]
    fields: Vec<FieldValue>,
}

impl DraftCall for MakeFromInput {
    fn draft(&self) -> DraftInput<'_> {
        DraftInput::new(self.target_doctype.doctype(), &self.fields)
    }
}

pub(crate) struct MakeFrom(pub(crate) Arc<ErpSite>);

impl MakeFromInput {
    /// Type and name of the document that it is made from.
    fn source(&self) -> String {
        format!("{} {}", self.source_doctype, self.source_name)
    }
}

/// A mapped document, and the source that it comes from.
struct MapPlan {
    draft: NewDraft,
    source: Document,
    /// The fields that differ from the mapping.
    given: Document,
    unchecked: Vec<String>,
}

/// The types and marks of a call, without a look at the source.
struct MapStart {
    meta: Arc<TypeMeta>,
    who: Arc<ErpIdentity>,
    given: Document,
}

impl MakeFrom {
    async fn start(&self, input: &MakeFromInput) -> Result<MapStart, ErrorBody> {
        let site = &self.0;
        let target = input.target_doctype.doctype();
        acting::writable_type(site, target)?;
        let meta = site.readable_type(target).await?;
        let who = site.identity().await?;
        acting::demand(&who, &meta, TypeRight::Create)?;
        let rights = who.roles.as_ref().map(|roles| meta.rights(roles));
        let check = FieldCheck::new(site, rights.as_ref());
        let given = check.values(&meta.name, &meta.fields, &input.fields, CopyBefore::New)?;
        Ok(MapStart { meta, who, given })
    }

    /// Drafts of the type that were made from the document before.
    async fn drafts(&self, input: &MakeFromInput) -> Result<Vec<Document>, ErpError> {
        let source = draft::DraftSource {
            doctype: &input.source_doctype,
            name: &input.source_name,
        };
        draft::open_drafts(&self.0, source, input.target_doctype.doctype()).await
    }

    async fn plan(&self, input: &MakeFromInput, call: CallId) -> Result<MapPlan, ErrorBody> {
        let site = &self.0;
        let MapStart { meta, who, given } = self.start(input).await?;
        let (doctype, name) = (&input.source_doctype, &input.source_name);
        let source_meta = site.readable_type(doctype).await?;
        let (source, mapped, unchecked) = try_join!(
            site.document(&source_meta, name),
            draft::mapped(site, doctype, name, input.target_doctype),
            draft::check_links(site, &meta, &given),
        )?;
        if source.get("docstatus").and_then(Value::as_i64) != Some(1) {
            let message = say::is_not_submitted(name);
            return Err(ErrorBody::new(ErrorCode::ToolFailed, message));
        }
        let mut document = draft::narrowed(&meta, mapped, &input.rows)?;
        document.extend(given.clone());
        draft::part_paid(&mut document, &given);
        draft::demand_reference(site, &meta, &document).await?;
        site.reach.document(&meta, &document)?;
        acting::unprotected(site, &draft::linked_objects(&meta, &document))?;
        acting::unprotected(site, &draft::linked_objects(&source_meta, &source))?;
        let wanted = document.clone();
        let mut draft = NewDraft::new(site, call, meta, who, document, wanted);
        draft.trace = trace(input, draft.trace, &given);
        Ok(MapPlan {
            draft,
            source,
            given,
            unchecked,
        })
    }
}

/// The marks that do not depend on what is open in the source: after the call, that is another.
fn trace(input: &MakeFromInput, trace: DraftTrace, given: &Document) -> DraftTrace {
    DraftTrace {
        source: Some(input.source_name.clone()),
        source_rows: input.rows.clone(),
        wanted: given.clone(),
        ..trace
    }
}

#[async_trait]
impl Tool for MakeFrom {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: draft::tier(&self.0.config),
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            editable: vec!["/rows/*/qty".to_owned(), "/fields/*/value".to_owned()],
            examples: examples::ALL.to_vec(),
            ..ToolSpec::new::<MakeFromInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        let doctype = input.get("target_doctype").and_then(Value::as_str)?;
        Some(say::new(doctype))
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let Ok(it) = MakeFromInput::deserialize(input) else {
            return super::touched(input);
        };
        let source = json!({ "doctype": it.source_doctype, "name": it.source_name });
        let mut objects = super::touched(&source);
        objects.extend(draft::objects::<MakeFromInput>(input));
        objects
    }

    fn assess(&self, input: &Value) -> Assessment {
        draft::assess::<MakeFromInput>(&self.0, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input: MakeFromInput = read_input(call.input.clone())?;
        let plan = Box::pin(self.plan(&input, call.id)).await?;
        let MapPlan { draft, source, .. } = &plan;
        let (meta, document) = (&draft.meta, &draft.document);
        let doctype = &meta.name;
        let mut risks = effect(meta);
        if input.rows.is_empty() && input.fields.is_empty() {
            let reason = RiskReason::new("totals", RiskWeight::Good, say::TOTALS_OF_ERP);
            risks.push(reason.meaning(say::TOTALS_OF_ERP_DETAIL));
        } else {
            let reason = RiskReason::new("no_totals", RiskWeight::Note, say::FILLED_BY_ERP);
            risks.push(reason.meaning(say::FILLED_BY_ERP_DETAIL));
        }
        risks.extend(unchecked_links(&plan.unchecked));
        let currencies = self.0.known_currencies().await;
        let values = draft.values(&currencies);
        if !input.rows.is_empty() {
            risks.extend(draft::estimate(values, &[]));
        }
        let limit = Decimal::from(self.0.config.t1);
        if let Some(total) = acting::base_total(document).filter(|it| *it > limit) {
            let currency = values.company_currency();
            let [total, limit] = [total, limit].map(|it| money(it, &currency));
            let sentence = say::total_above(&total, &limit);
            risks.push(RiskReason::new("amount", RiskWeight::Warning, sentence));
        }
        risks.extend(draft::reasons(&self.0.config, &input.draft()));
        let (drafts, duplicates) = join!(
            Box::pin(self.drafts(&input)),
            party_warnings::duplicates(&self.0, meta, document)
        );
        risks.extend(draft::drafts_reason(&drafts, &input.source()));
        risks.extend(duplicates?);
        let bank = party_warnings::bank_changes(&self.0, &draft.who, document).await;
        let assurance = assurance(bank.as_ref(), draft::party(document));
        risks.extend(bank);
        let mut objects = draft::linked_objects(meta, document);
        let source_type = self.0.readable_type(&input.source_doctype).await?;
        objects.extend(draft::linked_objects(&source_type, source));
        let status = source
            .get("status")
            .and_then(|it| cell::cell(None, it, cell::IN_LIST));
        let modified = source.get("modified");
        let digest = draft::facts_of(meta, document);
        self.0.shown.keep(call.id, digest.clone());
        // Of some rows the ERP has computed no totals; they are those of all that is open.
        let totals = if input.rows.is_empty() && !input.fields.is_empty() {
            TotalsOf::WithoutFields
        } else {
            TotalsOf::Document
        };
        let there = drafts.ok();
        let there = there.and_then(|it| draft::drafts_section(&it, doctype));
        let mapped = draft::mapped_content(values, &plan.given, totals);
        Ok(Preview {
            assurance,
            facts: vec![Fact {
                label: input.source_name.clone(),
                value: status.map_or_else(|| say::SUBMITTED.to_owned(), |it| super::text(&it)),
            }],
            sections: there.into_iter().chain(mapped).collect(),
            risks,
            said: &["source_doctype", "source_name", "target_doctype", "fields"],
            objects,
            state: json!({
                "source_modified": modified,
                "mapped": digest,
                "workflow": governing(meta),
            }),
            ..Preview::new(
                say::make(doctype, &input.source(), draft::party(document)),
                say::new(doctype),
            )
        })
    }

    fn drift(&self, _: &[Fact], now: &Preview) -> Option<String> {
        let source = now.facts.first()?;
        Some(say::mapping_changed(&source.label))
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let cannot = |error: ErrorBody| Reconciled::Unknown(shared::cannot_look(&error.message));
        let input: MakeFromInput = match read_input(call.input.clone()) {
            Ok(input) => input,
            Err(error) => return cannot(error),
        };
        let MapStart { meta, who, given } = match self.start(&input).await {
            Ok(start) => start,
            Err(error) => return cannot(error),
        };
        let site = &self.0;
        let draft = NewDraft::new(site, call.id, meta, who, Document::new(), Document::new());
        let trace = trace(&input, draft.trace, &given);
        draft::reconcile(site, &draft.meta, &draft.who, &trace, since).await
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let input: MakeFromInput = read_input(call.input).map_err(ToolError)?;
        let (plan, drafts) = join!(
            Box::pin(self.plan(&input, call.id)),
            Box::pin(self.drafts(&input))
        );
        let MapPlan { mut draft, .. } = plan.map_err(ToolError)?;
        // Where drafts are made unasked, nobody has read it on a card.
        let there = drafts.unwrap_or_default();
        draft.warnings = draft::drafts_sentence(&there, &input.source())
            .into_iter()
            .collect();
        // The ERP mapped it once more: nothing is made that the card did not show.
        let digest = draft::facts_of(&draft.meta, &draft.document);
        if self.0.shown.differs(call.id, &digest) {
            let message = say::mapping_changed(&input.source_name);
            return Err(ToolError(ErrorBody::new(ErrorCode::ToolFailed, message)));
        }
        draft.send(&self.0, &progress).await
    }
}
