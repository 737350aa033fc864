//! Tool that drafts a timesheet.

use agent::ports::ToolExample;
use std::{collections::BTreeMap, ops::Range};

use async_trait::async_trait;
use jiff::{
    Span,
    civil::{Date, DateTime},
};
use protocol::{ErrorBody, RiskReason, RiskWeight};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value, json};

use crate::{
    dates,
    decimal::decimal_or_zero,
    error::ErpError,
    packs::{
        draft::{PackDocument, PackDraft, PackMaking, rows_of, text_of, value_of},
        figures::{amount, input_day, number, quantity, text},
        lists,
    },
    site::ErpSite,
    texts::packs as say,
};

/// Minutes after midnight at which the first hours of a day begin.
const MORNING: i64 = 8 * 60;
const TABLE: &str = "time_logs";
const MINUTES_OF_DAY: i64 = 24 * 60;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogTimeInput {
    /// Exact name of the employee, such as HR-EMP-00001.
    #[schemars(length(min = 1, max = 140))]
    employee: String,
    /// The hours.
    #[schemars(length(min = 1, max = 20))]
    rows: Vec<TimeRow>,
}

/// Hours of a day.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TimeRow {
    /// Exact name of the project.
    #[schemars(length(min = 1, max = 140))]
    project: Option<String>,
    /// Exact name of the task.
    #[schemars(length(min = 1, max = 140))]
    task: Option<String>,
    /// Activity type, such as Consulting.
    #[schemars(length(min = 1, max = 140))]
    activity: String,
    /// The day, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    date: String,
    /// Number of hours.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 24))]
    hours: Number,
    /// True for hours that a customer pays.
    billable: Option<bool>,
    /// A note for the row.
    #[schemars(length(min = 1, max = 500))]
    note: Option<String>,
}

pub(crate) struct LogTime;

#[async_trait]
impl PackDraft for LogTime {
    const NAME: &'static str = "log_time";
    const DESCRIPTION: &'static str = "Makes a DRAFT timesheet of one person. Hours of a day follow each \
        other from 08:00. A person is asked before it is made.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Log time for the employee HR-EMP-00001: 2 hours of Consulting on 2026-11-20.",
            r#"{"employee": "HR-EMP-00001", "rows": [{"activity": "Consulting", "date": "2026-11-20", "hours": 2}]}"#,
        ),
        ToolExample::worked(
            "Log 3 hours of Repair on 2026-11-19 for the employee HR-EMP-00002.",
            r#"{"employee": "HR-EMP-00002", "rows": [{"activity": "Repair", "date": "2026-11-19", "hours": 3}]}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/rows/*/hours", "/rows/*/date", "/rows/*/note"];
    const DOCTYPE: &'static str = "Timesheet";
    type Input = LogTimeInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let meta = site.readable_type("Employee").await?;
        let employee = site.document(&meta, &input.employee).await?;
        let mut begun: BTreeMap<Date, Decimal> = BTreeMap::new();
        let mut rows = Vec::new();
        for row in input.rows {
            let day = input_day("date", &row.date)?;
            let hours = quantity(&row.hours)?;
            let before = begun.entry(day).or_default();
            let start =
                clock(*before).ok_or_else(|| ErpError::input(say::day_is_full(&row.date)))?;
            *before += hours;
            rows.push(vec![
                ("activity_type", json!(row.activity)),
                ("from_time", json!(format!("{day} {start}"))),
                ("hours", number(hours)),
                ("project", json!(row.project)),
                ("task", json!(row.task)),
                ("is_billable", json!(row.billable)),
                ("description", json!(row.note)),
            ]);
        }
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields: vec![
                ("company", json!(text(&employee, "company"))),
                ("employee", json!(input.employee)),
            ],
            tables: vec![(TABLE, rows)],
        };
        Ok(document.into_making())
    }

    /// The ERP takes no hours of a person beside others, unless its settings allow it.
    async fn demand_new(site: &ErpSite, making: &Value) -> Result<Vec<RiskReason>, ErrorBody> {
        let employee = text_of(making, "employee").unwrap_or_default();
        let wanted: Vec<_> = rows_of(making, TABLE)
            .filter_map(|row| {
                let hours = value_of(row, "hours").map(decimal_or_zero);
                worked(text_of(row, "from_time")?, hours.unwrap_or_default())
            })
            .collect();
        let Some(sheet) = Box::pin(beside(site, employee, &wanted)).await? else {
            return Ok(Vec::new());
        };
        match allows_overlaps(site).await {
            Some(true) => Ok(Vec::new()),
            Some(false) => Err(ErpError::input(say::has_hours(employee, &sheet)).into()),
            None => {
                let sentence = say::has_hours(employee, &sheet);
                let reason = RiskReason::new("overlap", RiskWeight::Warning, sentence);
                Ok(vec![reason.meaning(say::OVERLAPS_DETAIL)])
            }
        }
    }
}

/// The time from a moment on in which somebody works so many hours.
fn worked(from: &str, hours: Decimal) -> Option<Range<DateTime>> {
    let from = dates::time(from)?;
    let minutes = i64::try_from((hours * Decimal::from(60)).round()).ok()?;
    let to = from.checked_add(Span::new().try_minutes(minutes).ok()?);
    Some(from..to.ok()?)
}

/// A timesheet of the person that has hours in one of these times.
async fn beside(
    site: &ErpSite,
    employee: &str,
    wanted: &[Range<DateTime>],
) -> Result<Option<String>, ErpError> {
    let (Some(first), Some(last)) = (
        wanted.iter().map(|it| it.start.date()).min(),
        wanted.iter().map(|it| it.end.date()).max(),
    ) else {
        return Ok(None);
    };
    let meta = site.readable_type("Timesheet").await?;
    let table = meta.table_fields().find(|it| it.name == TABLE);
    let rows = table.map_or("", |it| it.options.as_str());
    let days = [format!("{first} 00:00:00"), format!("{last} 23:59:59")];
    let filters = vec![
        json!(["employee", "=", employee]),
        json!(["docstatus", "<", 2]),
        json!([rows, "from_time", "between", days]),
    ];
    let mut sheets = lists::documents(site, &meta, &["name"], filters, "name asc").await?;
    // A sheet with two such rows comes twice from the database's join.
    sheets.dedup_by(|left, right| left.get("name") == right.get("name"));
    let columns = ["from_time", "hours"];
    let logged = lists::rows(site, &meta, TABLE, &columns, &[], &sheets).await?;
    let mut logged = logged.iter().filter_map(|row| {
        let time = worked(text(row, "from_time"), amount(row, "hours"))?;
        Some((text(row, "parent"), time))
    });
    let is_beside = |time: &Range<DateTime>| {
        let mut wanted = wanted.iter();
        wanted.any(|it| it.start < time.end && time.start < it.end)
    };
    let found = logged.find(|(_, time)| is_beside(time));
    Ok(found.map(|(sheet, _)| sheet.to_owned()))
}

/// True if the ERP takes hours of a person that are beside others; None if it does not tell.
async fn allows_overlaps(site: &ErpSite) -> Option<bool> {
    const SETTINGS: &str = "Projects Settings";
    const FLAG: &str = "ignore_employee_time_overlap";
    let meta = site.readable_type(SETTINGS).await.ok()?;
    let settings = site.document(&meta, SETTINGS).await.ok()?;
    // The ERP leaves out a flag that was never set.
    Some(settings.get(FLAG).is_some_and(|it| *it == 1 || *it == true))
}

/// The time of the day after so many hours of work; none on the next day.
fn clock(worked: Decimal) -> Option<String> {
    let minutes = i64::try_from((worked * Decimal::from(60)).round()).ok()?;
    let at = MORNING + minutes;
    (at < MINUTES_OF_DAY).then(|| format!("{:02}:{:02}:00", at / 60, at % 60))
}
