//! Tool that drafts a timesheet.

use std::collections::BTreeMap;

use async_trait::async_trait;
use jiff::civil::Date;
use protocol::ErrorBody;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, json};

use crate::{
    error::ErpError,
    packs::{
        draft::{PackDocument, PackDraft, PackMaking},
        figures::{input_day, number, quantity, text},
    },
    site::ErpSite,
    texts::packs as say,
};

/// Minutes after midnight at which the first hours of a day begin.
const MORNING: i64 = 8 * 60;
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
    const EXAMPLES: &'static [&'static str] = &[
        "Log time for the employee HR-EMP-00001: 2 hours of Consulting on 2026-11-20.",
        "Log 3 hours of Repair on 2026-11-19 for the employee HR-EMP-00002.",
    ];
    const EXAMPLE_INPUTS: &'static [&'static str] = &[
        r#"{"employee": "HR-EMP-00001", "rows": [{"activity": "Consulting", "date": "2026-11-20", "hours": 2}]}"#,
        r#"{"employee": "HR-EMP-00002", "rows": [{"activity": "Repair", "date": "2026-11-19", "hours": 3}]}"#,
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
            tables: vec![("time_logs", rows)],
        };
        Ok(document.into_making())
    }
}

/// The time of the day after so many hours of work; none on the next day.
fn clock(worked: Decimal) -> Option<String> {
    let minutes = i64::try_from((worked * Decimal::from(60)).round()).ok()?;
    let at = MORNING + minutes;
    (at < MINUTES_OF_DAY).then(|| format!("{:02}:{:02}:00", at / 60, at % 60))
}
