//! Tool that lists work orders by the day on which they are due.

use std::time::Duration;

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::try_join;
use jiff::civil::Date;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::orders;
use crate::{
    cell, dates,
    decimal::{shared, times},
    packs::{
        figures::{amount, input_day, number, text, today},
        lists,
        reading::PackReading,
    },
    site::ErpSite,
    texts::packs as say,
    tools::{ROWS_BYTES, SHORT, drop_empty, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkOrdersDueInput {
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
    /// First day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    from: Option<String>,
    /// Last day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    to: Option<String>,
    /// Only of this status; else all that are not completed, stopped or closed.
    status: Option<WorkOrderStatus>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
enum WorkOrderStatus {
    #[serde(rename = "Not Started")]
    NotStarted,
    #[serde(rename = "In Process")]
    InProcess,
    Stopped,
    Completed,
}

impl WorkOrderStatus {
    const fn word(self) -> &'static str {
        match self {
            Self::NotStarted => "Not Started",
            Self::InProcess => "In Process",
            Self::Stopped => "Stopped",
            Self::Completed => "Completed",
        }
    }
}

pub(crate) struct WorkOrdersDue;

#[async_trait]
impl PackReading for WorkOrdersDue {
    const NAME: &'static str = "work_orders_due";
    const DESCRIPTION: &'static str = "Lists the work orders of a company by the day on which they are \
        due, with their progress; the late ones come first.";
    const TIMEOUT: Duration = SHORT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Which work orders are due at Aldergate Cycles?",
            r#"{"company": "Aldergate Cycles"}"#,
        ),
        ToolExample::worked(
            "Which work orders of Aldergate Cycles are late?",
            r#"{"company": "Aldergate Cycles"}"#,
        ),
    ];
    type Input = WorkOrdersDueInput;

    async fn read(site: &ErpSite, input: WorkOrdersDueInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(list(site, &input)).await
    }
}

async fn list(site: &ErpSite, input: &WorkOrdersDueInput) -> Result<ToolOutput, ErrorBody> {
    let day = |field: &str, value: Option<&str>| {
        let day = value.map(|value| input_day(field, value));
        day.transpose()
    };
    let from = day("from", input.from.as_deref())?;
    let to = day("to", input.to.as_deref())?;
    let status = input.status.map(WorkOrderStatus::word);
    let (orders, ()) = try_join!(
        orders::read(site, &input.company, status, None),
        lists::company(site, &input.company),
    )?;
    let today = today(site).await?;
    let mut found: Vec<_> = orders
        .iter()
        .map(|order| (orders::due(order), order))
        .filter(|(due, _)| from.is_none_or(|from| due.is_some_and(|due| due >= from)))
        .filter(|(due, _)| to.is_none_or(|to| due.is_some_and(|due| due <= to)))
        .collect();
    // An order without a day comes last.
    found.sort_by_key(|(due, order)| (due.is_none(), *due, text(order, "name").to_owned()));
    let is_late = |due: Option<Date>| due.is_some_and(|due| due < today);
    let late = found
        .iter()
        .filter(|(due, order)| is_late(*due) && !orders::is_done(order))
        .count();
    let rows = found.iter().map(|(due, order)| {
        let (qty, made) = (amount(order, "qty"), amount(order, "produced_qty"));
        let share = if qty.is_zero() {
            Decimal::ZERO
        } else {
            shared(times(made, Decimal::ONE_HUNDRED), qty).round_dp(1)
        };
        let mut row = json!({
            "work_order": order.get("name"),
            "item": order.get("production_item"),
            "due": orders::shown(*due),
            "late": (is_late(*due) && !orders::is_done(order)).then_some(true),
            "status": order.get("status"),
            "qty": number(qty),
            "produced": number(made),
            "percent": number(share),
            "sales_order": order.get("sales_order"),
        });
        for field in ["late", "sales_order"] {
            drop_empty(&mut row, field);
        }
        row
    });
    let rows: Vec<_> = rows.collect();
    let count = rows.len();
    let (rows, is_cut) = cell::fit(rows, ROWS_BYTES);
    let mut data = json!({
        "company": input.company,
        "today": today.to_string(),
        "work_orders": rows,
        "of": is_cut.then_some(count),
        "definition": say::DUE_DAY,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "of");
    told(say::work_orders(count, late), data)
}
