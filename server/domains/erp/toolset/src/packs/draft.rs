//! Drafts that a pack makes: the input of a call becomes that of `create_doc` or `make_from`, which
//! checks, shows, makes and finds them again. So there is one path on which documents come into being.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolSpec,
    read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{PackSite, input};
use crate::{
    site::ErpSite,
    tools::{CreateDoc, MakeFrom},
};

/// The ERP itself may work for two minutes, and a call that is cut off has an unknown outcome.
const TIMEOUT: Duration = Duration::from_secs(150);

/// A field and its value.
pub(super) type DraftField = (&'static str, Value);

/// A document to be made.
pub(super) struct PackDocument {
    pub(super) doctype: &'static str,
    pub(super) fields: Vec<DraftField>,
    /// Its table, and the rows.
    pub(super) table: Option<(&'static str, Vec<Vec<DraftField>>)>,
}

impl PackDocument {
    /// The same as the input of `create_doc`. Fields without a value are left to the ERP.
    pub(super) fn into_input(self) -> Value {
        let values = |fields: Vec<DraftField>| {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            let fields = fields.map(|(field, value)| json!({ "field": field, "value": value }));
            fields.collect::<Vec<_>>()
        };
        let tables = self.table.into_iter().map(|(table, rows)| {
            let rows = rows.into_iter().map(|row| json!({ "fields": values(row) }));
            json!({ "table": table, "rows": rows.collect::<Vec<_>>() })
        });
        json!({
            "doctype": self.doctype,
            "fields": values(self.fields),
            "tables": tables.collect::<Vec<_>>(),
        })
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
    const EXAMPLES: &'static [&'static str];
    /// The fields of the input that a person may change on the card, as JSON pointers.
    const EDITABLE: &'static [&'static str];
    const DOCTYPE: &'static str;
    const WAY: DraftWay = DraftWay::Create;
    /// False if the document also follows from figures that others change. Then that none is found
    /// after a crash is no proof that none was made.
    const FOLLOWS_INPUT: bool = true;
    type Input: DeserializeOwned + JsonSchema + Send;

    /// The same call as input of the tool that makes it. The document is part of the card's digest:
    /// if it changes, the person is asked again.
    async fn input(site: &ErpSite, input: Self::Input) -> Result<Value, ErrorBody>;
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
                DraftWay::Create => Arc::new(CreateDoc(erp)),
                DraftWay::MakeFrom => Arc::new(MakeFrom(erp)),
            },
            site: Arc::clone(site),
            kind: PhantomData,
        }
    }

    /// The same call of the tool that makes the draft.
    async fn making(&self, call: &ToolCall) -> Result<ToolCall, ErrorBody> {
        let input: D::Input = read_input(call.input.clone())?;
        let site = self.site.get().await?;
        Ok(ToolCall {
            input: D::input(site, input).await?,
            ..call.clone()
        })
    }
}

#[async_trait]
impl<D: PackDraft> Tool for DraftTool<D> {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: TIMEOUT,
            editable: D::EDITABLE.iter().map(|&path| path.to_owned()).collect(),
            examples: D::EXAMPLES.iter().map(|&text| text.to_owned()).collect(),
            ..ToolSpec::new::<D::Input>(D::NAME, D::DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        input::target(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        let doctype = format!("doctype/{}", D::DOCTYPE).to_lowercase();
        let mut objects = vec![doctype];
        objects.extend(input::objects(input));
        objects
    }

    fn assess(&self, input: &Value) -> Assessment {
        // A document that nobody has seen yet is not weighed by its amounts: a person looks at it.
        Assessment::plain(Tier::Red, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let preview = self.by.preview(&self.making(call).await?).await?;
        // The card shows the document; the input stands beside it, because its fields are others.
        Ok(Preview {
            said: &[],
            ..preview
        })
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        match self.making(call).await {
            Ok(making) => match self.by.reconcile(&making, since).await {
                Reconciled::NotDone(reason) if !D::FOLLOWS_INPUT => Reconciled::Unknown(reason),
                settled => settled,
            },
            Err(error) => Reconciled::Unknown(error.message),
        }
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let making = self.making(&call).await.map_err(ToolError)?;
        self.by.call(making, progress).await
    }
}
