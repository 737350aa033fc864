//! Tool that closes, holds or reopens an order.

mod change;
mod work_order;

use std::sync::Arc;

use agent::ports::{
    Assessment, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError, ToolExample,
    ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{ErrorBody, Fact, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

pub(crate) use self::change::OrderChange;
use self::change::{OrderPlan, OrderType};
use super::{about, output, touched};
use crate::tools::writing::{
    acting, notes,
    ordered::ErpOrder,
    plan::{self, ErpSubject},
    verdict::{ErpVerdict, judge},
};
use crate::{
    client::ErpWrite,
    site::ErpSite,
    texts::{acting as shared, order as say},
};

const NAME: &str = "set_order_status";
const DESCRIPTION: &str = "Closes, holds, stops or reopens a submitted order of the ERP without changing what \
    it says. Closing drops what is still open. A person is asked, and sees the open rows.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetOrderStatusInput {
    /// Its type.
    doctype: OrderType,
    /// Exact name, such as "SAL-ORD-2026-00012".
    #[schemars(length(min = 1, max = 140))]
    name: String,
    /// The "modified" of the document as you read it last.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$"))]
    modified: String,
    /// Hold is for orders, stop for a Material Request, close for all others.
    status: OrderChange,
    /// For the document's comments; it mentions nobody.
    #[schemars(length(max = 500))]
    reason: Option<String>,
}

impl SetOrderStatusInput {
    /// The input of a pack's tool as this one reads it.
    pub(crate) fn of_work_order(name: String, modified: String, status: OrderChange) -> Self {
        Self {
            doctype: OrderType::WorkOrder,
            name,
            modified,
            status,
            reason: None,
        }
    }
}

/// Reads the input of a call.
type OrderReader = fn(Value) -> Result<SetOrderStatusInput, ErrorBody>;

pub(crate) struct SetOrderStatus {
    site: Arc<ErpSite>,
    read: OrderReader,
}

impl SetOrderStatus {
    pub(crate) fn new(site: Arc<ErpSite>) -> Self {
        Self {
            site,
            read: read_input,
        }
    }

    /// The same for the tool of a pack, whose input is another.
    pub(crate) fn reading(site: Arc<ErpSite>, read: OrderReader) -> Self {
        Self { site, read }
    }
}

#[async_trait]
impl Tool for SetOrderStatus {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Red,
            recovery: Recovery::Reconcilable,
            timeout: acting::WRITING,
            examples: vec![
                ToolExample::worked(
                    "Close the sales order SAL-ORD-2026-00012.",
                    r#"{"doctype": "Sales Order", "name": "SAL-ORD-2026-00012", "modified": "2026-11-20 10:00:00.000000", "status": "close"}"#,
                ),
                ToolExample::worked(
                    "Put the purchase order PUR-ORD-2026-00007 on hold.",
                    r#"{"doctype": "Purchase Order", "name": "PUR-ORD-2026-00007", "modified": "2026-11-20 10:00:00.000000", "status": "hold"}"#,
                ),
            ],
            ..ToolSpec::new::<SetOrderStatusInput>(NAME, DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let weighed = ["/name", "/status"];
        acting::assess_step(&self.site, input, &weighed, "reason", say::REASON_MENTIONS)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        let input = (self.read)(call.input.clone())?;
        let plan = OrderPlan::read(&self.site, &input).await?;
        Ok(plan.card(input.reason))
    }

    fn drift(&self, shown: &[Fact], now: &Preview) -> Option<String> {
        plan::drift(shown, now)
    }

    async fn reconcile(&self, call: &ToolCall, since: Timestamp) -> Reconciled {
        let input = match (self.read)(call.input.clone()) {
            Ok(input) => input,
            Err(error) => return Reconciled::Unknown(shared::cannot_look(&error.message)),
        };
        let doctype = input.doctype.name();
        let subject = match ErpSubject::read(&self.site, doctype, &input.name).await {
            Ok(subject) => subject,
            Err(error) => return Reconciled::Unknown(shared::cannot_look(&error.message)),
        };
        let is_there = input.status.is_in(&subject) && !subject.is_copy(&input.modified);
        let verdict = if is_there {
            let reason = input.reason.as_deref();
            let missing = notes::missing_reason(&self.site, &subject, reason, since, call.id).await;
            ErpVerdict::Done(result(&subject, missing.into_iter().collect()))
        } else {
            ErpVerdict::Before
        };
        judge(&self.site, &subject, &input.modified, since, false, verdict)
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let site = &self.site;
        let input = (self.read)(call.input).map_err(ToolError)?;
        // The ERP has no lock here, so the copy is compared as late as can be.
        let plan = OrderPlan::read(site, &input).await.map_err(ToolError)?;
        let subject = &plan.subject;
        let write = ErpWrite::OrderStatus(input.doctype.method(input.status));
        let body = plan.body();
        let order = ErpOrder {
            site,
            subject,
            name: "status of an order",
            write,
            body: &body,
            field: "status",
        };
        let effect = |now: &ErpSubject| {
            let is_there =
                input.status.is_in(now) && now.raw("modified") != subject.raw("modified");
            is_there.then(|| result(now, Vec::new()))
        };
        let (done, mut warnings) = order.carry_out(&progress, &effect).await?;
        // It is done: nothing from here on makes a failure of it.
        warnings.extend(notes::reason(site, subject, input.reason.as_deref(), call.id).await);
        Ok(notes::warned(done, warnings))
    }
}

fn result(subject: &ErpSubject, warnings: Vec<String>) -> Result<ToolOutput, ErrorBody> {
    let status = subject.shown("status");
    let mut data = serde_json::json!({
        "doctype": subject.meta.name,
        "name": subject.name,
        "status": status,
        "modified": subject.document.get("modified"),
        "warnings": warnings,
    });
    super::drop_empty(&mut data, "warnings");
    let status = status.as_deref().unwrap_or("?");
    output(
        say::changed(&subject.meta.name, &subject.name, status),
        data,
    )
}
