//! Tool that shows the hours that are not billed.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::hours;
use crate::{
    cell, dates,
    packs::figures::{digits, number, span},
    packs::reading::PackReading,
    site::ErpSite,
    texts::packs as say,
    tools::{LONG, ROWS_BYTES, amounts, drop_empty, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnbilledTimeInput {
    /// Only of this project.
    #[schemars(length(min = 1, max = 140))]
    project: Option<String>,
    /// Only of this employee, by the exact name of the document, such as HR-EMP-00001.
    #[schemars(length(min = 1, max = 140))]
    employee: Option<String>,
    /// First day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    from: String,
    /// Last day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    to: String,
}

pub(crate) struct UnbilledTime;

#[async_trait]
impl PackReading for UnbilledTime {
    const NAME: &'static str = "unbilled_time";
    const DESCRIPTION: &'static str = "Shows the billable hours of submitted timesheets that no invoice \
        has billed, by project and person, with their amount.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "How many unbilled hours are there from 2026-11-01 to 2026-11-30?",
            r#"{"from": "2026-11-01", "to": "2026-11-30"}"#,
        ),
        ToolExample::worked(
            "Which time of the project PROJ-00001 is unbilled from 2026-10-01 to 2026-11-30?",
            r#"{"project": "PROJ-00001", "from": "2026-10-01", "to": "2026-11-30"}"#,
        ),
    ];
    type Input = UnbilledTimeInput;

    async fn read(site: &ErpSite, input: UnbilledTimeInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(list(site, &input)).await
    }
}

#[derive(Default)]
struct UnbilledGroup {
    name: String,
    hours: Decimal,
    amount: Decimal,
    sheets: Vec<String>,
}

async fn list(site: &ErpSite, input: &UnbilledTimeInput) -> Result<ToolOutput, ErrorBody> {
    let [from, to] = span(&input.from, &input.to)?;
    let mut filters = hours::within(from, to);
    filters.push(json!(["docstatus", "=", 1]));
    filters.extend(input.employee.iter().map(|it| json!(["employee", "=", it])));
    let of_rows: Vec<_> = input
        .project
        .iter()
        .map(|it| json!(["project", "=", it]))
        .collect();
    let logged = hours::read(site, filters, &of_rows).await?;
    let mut groups: BTreeMap<(String, String, Option<String>), UnbilledGroup> = BTreeMap::new();
    let mut totals: BTreeMap<Option<String>, [Decimal; 2]> = BTreeMap::new();
    let open = logged.into_iter().filter(|it| {
        let is_within = it.day.is_some_and(|day| (from..=to).contains(&day));
        is_within && !it.is_billed && !it.billable_hours.is_zero()
    });
    for it in open {
        let total = totals.entry(it.currency.clone()).or_default();
        total[0] += it.billable_hours;
        total[1] += it.billable;
        let group = groups.entry((it.project, it.employee, it.currency));
        let group = group.or_default();
        group.name = it.employee_name;
        group.hours += it.billable_hours;
        group.amount += it.billable;
        if !group.sheets.contains(&it.sheet) {
            group.sheets.push(it.sheet);
        }
    }
    let hours: Decimal = totals.values().map(|it| it[0]).sum();
    let rows = groups
        .into_iter()
        .map(|((project, employee, currency), group)| {
            let mut row = json!({
                "project": project,
                "employee": employee,
                "name": cell::cell(None, &group.name.into(), cell::IN_LIST),
                "hours": number(group.hours),
                "amount": number(group.amount),
                "currency": amounts::currency(currency.as_deref()),
                "timesheets": group.sheets,
            });
            drop_empty(&mut row, "name");
            row
        });
    let rows: Vec<_> = rows.collect();
    let count = rows.len();
    let (rows, is_cut) = cell::fit(rows, ROWS_BYTES);
    let totals = totals.iter().map(|(currency, [hours, amount])| {
        json!({
            "currency": amounts::currency(currency.as_deref()),
            "hours": number(*hours),
            "amount": number(*amount),
        })
    });
    let mut data = json!({
        "from": from.to_string(),
        "to": to.to_string(),
        "groups": rows,
        "of": is_cut.then_some(count),
        "totals": totals.collect::<Vec<_>>(),
        "definition": say::UNBILLED,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "of");
    told(say::unbilled(&digits(hours)), data)
}
