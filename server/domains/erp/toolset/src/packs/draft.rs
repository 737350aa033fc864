//! Drafts that a pack makes: the input of a call becomes that of `create_doc` or `make_from`, which
//! checks, shows, makes and finds them again. So there is one path on which documents come into being.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use agent::ports::{
    Assessment, InputValue, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
    ToolExample, ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, OriginSource, RiskReason, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{PackSite, input};
use crate::{
    site::ErpSite,
    tools::{CreateDoc, MakeFrom, writing::draft},
};

/// The ERP itself may work for two minutes, and a call that is cut off has an unknown outcome.
const TIMEOUT: Duration = Duration::from_secs(150);

/// Words of descriptions, and those in their place where drafts may be made unasked.
const IS_ASKED: &str = "person is asked";
const MAY_BE_ASKED: &str = "person may be asked";

/// A field and its value.
pub(super) type DraftField = (&'static str, Value);

/// A document to be made.
pub(super) struct PackDocument {
    pub(super) doctype: &'static str,
    pub(super) fields: Vec<DraftField>,
    /// Its tables, each with the rows.
    pub(super) tables: Vec<(&'static str, Vec<Vec<DraftField>>)>,
}

/// A call of the tool that makes the draft.
pub(super) struct PackMaking {
    input: Value,
    /// Reasons that the card gives before those of that tool.
    risks: Vec<RiskReason>,
}

impl From<Value> for PackMaking {
    fn from(input: Value) -> Self {
        Self {
            input,
            risks: Vec::new(),
        }
    }
}

impl PackMaking {
    pub(super) fn into_input(self) -> Value {
        self.input
    }

    /// The same with reasons on its card.
    #[must_use]
    pub(super) fn because(self, risks: Vec<RiskReason>) -> Self {
        Self { risks, ..self }
    }
}

impl PackDocument {
    /// The same as a call of `create_doc`. Fields without a value are left to the ERP, and so are
    /// tables without rows.
    pub(super) fn into_making(self) -> PackMaking {
        let values = |fields: Vec<DraftField>| {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            let fields = fields.map(|(field, value)| json!({ "field": field, "value": value }));
            fields.collect::<Vec<_>>()
        };
        let tables = self.tables.into_iter().filter(|(_, rows)| !rows.is_empty());
        let tables = tables.map(|(table, rows)| {
            let rows = rows.into_iter().map(|row| json!({ "fields": values(row) }));
            json!({ "table": table, "rows": rows.collect::<Vec<_>>() })
        });
        let input = json!({
            "doctype": self.doctype,
            "fields": values(self.fields),
            "tables": tables.collect::<Vec<_>>(),
        });
        input.into()
    }
}

/// The tool that makes a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DraftWay {
    /// `create_doc`
    Create,
    /// `make_from`
    MakeFrom,
}

/// A kind of draft.
#[async_trait]
pub(super) trait PackDraft: Send + Sync + 'static {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    const EXAMPLES: &'static [ToolExample];
    /// The fields of the input that a person may change on the card, as JSON pointers.
    const EDITABLE: &'static [&'static str];
    const DOCTYPE: &'static str;
    const WAY: DraftWay = DraftWay::Create;
    /// False if the document also follows from figures that others change. Then that none is found
    /// after a crash is no proof that none was made.
    const FOLLOWS_INPUT: bool = true;
    /// The call of the tool that makes it as far as the input alone says it, where the gate can weigh that as any
    /// other call of that tool: whatever the ERP adds decides nothing that a rule asks for. None where it does;
    /// then a person is always asked.
    const FROM_INPUT: Option<fn(&Self::Input) -> Value> = None;
    /// Ends of the pointers of values whose origin does not matter, as that tool leaves them out.
    const UNWEIGHED: &'static [&'static str] = &[];
    /// Fields and tables that people cannot fill, but that the ERP's own form for this does.
    const FORM: &'static [&'static str] = &[];
    type Input: DeserializeOwned + JsonSchema + Send;

    /// The same call as one of the tool that makes it. The document is part of the card's digest:
    /// if it changes, the person is asked again.
    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody>;

    /// Refuses what has been made already or what the ERP would refuse, and gives more reasons for the card.
    /// After a crash it is not asked: what is there may be the call's own. `making` is the input of the tool
    /// that makes the draft.
    async fn demand_new(_: &ErpSite, _making: &Value) -> Result<Vec<RiskReason>, ErrorBody> {
        Ok(Vec::new())
    }
}

/// The rows of a table, in a call of `create_doc`.
pub(super) fn rows_of<'a>(making: &'a Value, table: &'a str) -> impl Iterator<Item = &'a Value> {
    let tables = making["tables"].as_array().into_iter().flatten();
    let rows = tables.filter(move |it| it["table"] == table);
    rows.flat_map(|it| it["rows"].as_array().into_iter().flatten())
}

/// The texts of a field in the rows of a table, in a call of `create_doc`.
pub(super) fn texts_of<'a>(
    making: &'a Value,
    table: &'a str,
    field: &'a str,
) -> impl Iterator<Item = &'a str> {
    rows_of(making, table).filter_map(move |row| text_of(row, field))
}

/// A field of a document or row, in a call of `create_doc`.
pub(super) fn value_of<'a>(of: &'a Value, field: &str) -> Option<&'a Value> {
    let mut fields = of["fields"].as_array()?.iter();
    Some(&fields.find(|it| it["field"] == field)?["value"])
}

/// The same as a text.
pub(super) fn text_of<'a>(of: &'a Value, field: &str) -> Option<&'a str> {
    value_of(of, field)?.as_str()
}

/// The tool of a kind of draft.
pub(super) struct DraftTool<D> {
    site: Arc<PackSite>,
    by: Arc<dyn Tool>,
    kind: PhantomData<fn() -> D>,
}

impl<D: PackDraft> DraftTool<D> {
    pub(super) fn new(site: &Arc<PackSite>) -> Self {
        let erp = Arc::clone(&site.site);
        Self {
            by: match D::WAY {
                DraftWay::Create => {
                    let by = CreateDoc::new(erp).filling(D::FORM);
                    let is_weighed = D::FROM_INPUT.is_some();
                    Arc::new(if is_weighed { by } else { by.saying_rules() })
                }
                DraftWay::MakeFrom => Arc::new(MakeFrom(erp)),
            },
            site: Arc::clone(site),
            kind: PhantomData,
        }
    }

    fn erp(&self) -> &ErpSite {
        &self.site.site
    }

    /// The call of the tool that makes the draft, as far as the input says it.
    fn known(input: &Value) -> Option<Value> {
        let known = D::FROM_INPUT?;
        let input = D::Input::deserialize(input).ok()?;
        Some(known(&input))
    }

    /// The values whose origin matters: no fewer than that tool weighs.
    fn weighed(&self, input: &Value) -> Vec<InputValue> {
        let mut values = InputValue::all(input);
        values.retain(|it| !D::UNWEIGHED.iter().any(|end| it.path.ends_with(end)));
        for value in &mut values {
            // Configured names say what may be a target.
            if value.path == "/company" && self.erp().reach.companies().contains(&value.text) {
                value.source = Some(OriginSource::Configuration);
            }
        }
        values
    }

    /// The same call of the tool that makes the draft, with the reasons on its card.
    async fn making(&self, call: &ToolCall) -> Result<(ToolCall, Vec<RiskReason>), ErrorBody> {
        let input: D::Input = read_input(call.input.clone())?;
        let site = self.site.get().await?;
        let PackMaking { input, risks } = D::input(site, input).await?;
        let call = ToolCall {
            input,
            ..call.clone()
        };
        Ok((call, risks))
    }

    /// The same of a call that has not been made.
    async fn new_making(&self, call: &ToolCall) -> Result<(ToolCall, Vec<RiskReason>), ErrorBody> {
        let (call, mut risks) = self.making(call).await?;
        risks.extend(D::demand_new(self.site.get().await?, &call.input).await?);
        Ok((call, risks))
    }
}

#[async_trait]
impl<D: PackDraft> Tool for DraftTool<D> {
    fn spec(&self) -> ToolSpec {
        let tier = D::FROM_INPUT.map_or(Tier::Red, |_| draft::tier(&self.erp().config));
        let mut description = D::DESCRIPTION.to_owned();
        if tier < Tier::Red {
            description = description.replace(IS_ASKED, MAY_BE_ASKED);
        }
        ToolSpec {
            tier,
            recovery: Recovery::Reconcilable,
            timeout: TIMEOUT,
            editable: D::EDITABLE.iter().map(|&path| path.to_owned()).collect(),
            examples: D::EXAMPLES.to_vec(),
            ..ToolSpec::new::<D::Input>(D::NAME, &description)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        input::target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let doctype = format!("doctype/{}", D::DOCTYPE).to_lowercase();
        let mut objects = vec![doctype];
        objects.extend(input::objects(input));
        // A call that runs unasked has no preview that could name the rest.
        let more = Self::known(input).map(|making| self.by.objects(&making));
        for object in more.into_iter().flatten() {
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        objects
    }

    fn assess(&self, input: &Value) -> Assessment {
        let Some(making) = Self::known(input) else {
            // A document that nobody has seen yet is not weighed by its amounts: a person looks at it.
            return Assessment::plain(Tier::Red, input);
        };
        let mut assessment = self.by.assess(&making);
        assessment.values = self.weighed(input);
        if assessment.protected.is_none() {
            assessment.protected = self.erp().reach.protects(&self.objects(input));
        }
        assessment
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let (making, mut risks) = Box::pin(self.new_making(call)).await?;
        let preview = self.by.preview(&making).await?;
        risks.extend(preview.risks);
        // The card shows the document; the input stands beside it, because its fields are others.
        Ok(Preview {
            said: &[],
            risks,
            ..preview
        })
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        match Box::pin(self.making(call)).await {
            Ok((making, _)) => match self.by.reconcile(&making, since).await {
                Reconciled::NotDone(reason) if !D::FOLLOWS_INPUT => Reconciled::Unknown(reason),
                settled => settled,
            },
            Err(error) => Reconciled::Unknown(error.message),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let making = Box::pin(self.new_making(&call)).await;
        let (making, _) = making.map_err(ToolError)?;
        self.by.call(making, progress).await
    }
}
