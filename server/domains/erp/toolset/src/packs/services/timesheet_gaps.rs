//! Tool that shows the working days without hours.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::try_join;
use jiff::civil::{Date, Weekday};
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::hours;
use crate::{
    cell, dates,
    error::ErpError,
    packs::{
        figures::{day, span, text},
        lists,
        reading::PackReading,
    },
    site::ErpSite,
    texts::packs as say,
    tools::{LONG, ROWS_BYTES, drop_empty, told},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimesheetGapsInput {
    /// The company.
    #[schemars(length(min = 1, max = 140))]
    company: String,
    /// First day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    from: String,
    /// Last day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    to: String,
}

pub(crate) struct TimesheetGaps;

#[async_trait]
impl PackReading for TimesheetGaps {
    const NAME: &'static str = "timesheet_gaps";
    const DESCRIPTION: &'static str = "Shows the working days for which the active employees of a company \
        have logged no hours, drafts included, by person.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Who has timesheet gaps at Aldergate Cycles from 2026-11-09 to 2026-11-20?",
            r#"{"company": "Aldergate Cycles", "from": "2026-11-09", "to": "2026-11-20"}"#,
        ),
        ToolExample::worked(
            "Which working days lack hours at Aldergate Cycles from 2026-11-16 to 2026-11-20?",
            r#"{"company": "Aldergate Cycles", "from": "2026-11-16", "to": "2026-11-20"}"#,
        ),
    ];
    type Input = TimesheetGapsInput;

    async fn read(site: &ErpSite, input: TimesheetGapsInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(find(site, &input)).await
    }
}

async fn find(site: &ErpSite, input: &TimesheetGapsInput) -> Result<ToolOutput, ErrorBody> {
    let [from, to] = span(&input.from, &input.to)?;
    let active = vec![
        json!(["company", "=", input.company]),
        json!(["status", "=", "Active"]),
    ];
    let mut filters = hours::within(from, to);
    filters.push(json!(["company", "=", input.company]));
    filters.push(json!(["docstatus", "in", [0, 1]]));
    let (people, logged, holidays, ()) = try_join!(
        hours::names(site, active),
        hours::read(site, filters, &[]),
        holidays(site, &input.company),
        lists::company(site, &input.company),
    )?;
    let days = from.series(jiff::Span::new().days(1));
    let days: Vec<_> = days
        .take_while(|day| *day <= to)
        .filter(|day| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday))
        .filter(|day| holidays.as_ref().is_none_or(|it| !it.contains(day)))
        .collect();
    let mut worked: BTreeMap<&str, BTreeSet<Date>> = BTreeMap::new();
    for it in logged.iter().filter(|it| !it.hours.is_zero()) {
        worked.entry(&it.employee).or_default().extend(it.day);
    }
    let gaps = people.iter().filter_map(|(employee, name)| {
        let has = worked.get(employee.as_str());
        let missing: Vec<_> = days
            .iter()
            .filter(|day| has.is_none_or(|it| !it.contains(day)))
            .map(ToString::to_string)
            .collect();
        (!missing.is_empty()).then(|| {
            json!({
                "employee": employee,
                "name": cell::cell(None, &name.as_str().into(), cell::IN_LIST),
                "days_without_hours": missing.len(),
                "days": missing,
            })
        })
    });
    let gaps: Vec<_> = gaps.collect();
    let count = gaps.len();
    let (gaps, is_cut) = cell::fit(gaps, ROWS_BYTES);
    let mut data = json!({
        "company": input.company,
        "from": from.to_string(),
        "to": to.to_string(),
        "working_days": days.len(),
        "employees": people.len(),
        "gaps": gaps,
        "of": is_cut.then_some(count),
        "definition": match holidays {
            Some(_) => say::GAPS,
            None => say::GAPS_WITHOUT_HOLIDAYS,
        },
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "of");
    told(say::gaps(count, people.len()), data)
}

/// The holidays of a company; none if it has no list of them, or the list cannot be read.
async fn holidays(site: &ErpSite, company: &str) -> Result<Option<BTreeSet<Date>>, ErpError> {
    let meta = site.readable_type("Company").await?;
    let filters = vec![json!(["name", "=", company])];
    let columns = ["name", "default_holiday_list"];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let list = found.first().map(|it| text(it, "default_holiday_list"));
    let Some(list) = list.filter(|it| !it.is_empty()) else {
        return Ok(None);
    };
    let Ok(meta) = site.readable_type("Holiday List").await else {
        return Ok(None);
    };
    let document = site.document(&meta, list).await?;
    let rows = document.get("holidays").and_then(Value::as_array);
    let rows = rows.into_iter().flatten().filter_map(Value::as_object);
    Ok(Some(
        rows.filter_map(|row| day(row, "holiday_date")).collect(),
    ))
}
