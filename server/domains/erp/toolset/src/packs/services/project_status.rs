//! Tool that shows where a project stands.

use std::{collections::BTreeMap, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::join;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::hours;
use crate::{
    cell,
    currency::{AmountPlace, Currencies, is_amount},
    dates,
    decimal::decimal,
    error::ErpError,
    packs::{
        figures::{amount, day, number, text, today},
        lists,
        reading::PackReading,
    },
    site::ErpSite,
    texts::packs as say,
    tools::{
        LONG,
        amounts::{self, CurrencySums},
        drop_empty, known, told,
    },
};

/// Statuses of tasks that are not late however old they are.
const DONE: [&str; 3] = ["Completed", "Cancelled", "Template"];
/// The most late tasks that are named.
const MOST_LATE: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProjectStatusInput {
    /// Exact name of the project, such as PROJ-00001.
    #[schemars(length(min = 1, max = 140))]
    project: String,
}

pub(crate) struct ProjectStatus;

#[async_trait]
impl PackReading for ProjectStatus {
    const NAME: &'static str = "project_status";
    const DESCRIPTION: &'static str = "Shows where a project stands: its own fields and figures, tasks and \
        late ones, hours and what of them is billed, invoices.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What is the status of the project PROJ-00001?",
            r#"{"project": "PROJ-00001"}"#,
        ),
        ToolExample::worked(
            "How far is the project PROJ-00002, and which of its tasks are late?",
            r#"{"project": "PROJ-00002"}"#,
        ),
    ];
    type Input = ProjectStatusInput;

    async fn read(site: &ErpSite, input: ProjectStatusInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(show(site, &input.project)).await
    }
}

async fn show(site: &ErpSite, project: &str) -> Result<ToolOutput, ErrorBody> {
    let meta = site.readable_type("Project").await?;
    // First, because a project that is not there has zeros everywhere.
    let document = site.document(&meta, project).await?;
    let currencies = site.known_currencies().await;
    let own = currencies.get(text(&document, "company"));
    let own = own.map(String::as_str);
    let (tasks, time, invoices) = join!(
        tasks(site, project),
        time(site, project, own),
        invoices(site, project, own, &currencies),
    );
    let late = tasks.as_ref().ok().and_then(|it| it["late_count"].as_u64());
    let shown = meta
        .fields
        .iter()
        .filter(|it| !it.is_hidden && it.kind.holds_value());
    let shown = shown.map(|field| (field.name.as_str(), Some(field)));
    let mut fields = cell::row(shown, &document);
    let place = AmountPlace {
        document: &document,
        row: None,
        currencies: &currencies,
    };
    for (name, value) in &mut fields {
        let field = meta.field(name).filter(|it| is_amount(&meta, it));
        if let Some((field, amount)) = field.zip(decimal(value)) {
            *value = amounts::shown(amount, place.currency(&meta, field).as_deref()).into();
        }
    }
    let data = json!({
        "project": project,
        "fields": fields,
        "tasks": known(tasks),
        "time": known(time),
        "invoices": known(invoices),
        "as_of": dates::utc(site.client.now()),
    });
    told(say::project(project, text(&document, "status"), late), data)
}

async fn tasks(site: &ErpSite, project: &str) -> Result<Value, ErpError> {
    let meta = site.readable_type("Task").await?;
    let today = today(site).await?;
    let filters = vec![json!(["project", "=", project])];
    let columns = ["name", "subject", "status", "exp_end_date", "progress"];
    let tasks = lists::documents(site, &meta, &columns, filters, "exp_end_date asc, name asc");
    let tasks = tasks.await?;
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for task in &tasks {
        *by_status.entry(text(task, "status")).or_default() += 1;
    }
    let late: Vec<_> = tasks
        .iter()
        .filter(|task| !DONE.contains(&text(task, "status")))
        .filter(|task| day(task, "exp_end_date").is_some_and(|day| day < today))
        .collect();
    let named = late.iter().take(MOST_LATE).map(|task| {
        let columns = columns.into_iter().map(|it| (it, meta.field(it)));
        Value::Object(cell::row(columns, task))
    });
    Ok(json!({
        "count": tasks.len(),
        "by_status": by_status,
        "late_count": late.len(),
        "late": named.collect::<Vec<_>>(),
        "definition": say::LATE_TASKS,
    }))
}

/// `own`: the currency of the project's company.
async fn time(site: &ErpSite, project: &str, own: Option<&str>) -> Result<Value, ErpError> {
    let of_project = json!(["project", "=", project]);
    let sheets = site.readable_type("Timesheet").await?;
    let rows = sheets.table_fields().find(|it| it.name == "time_logs");
    let rows = rows.map_or("", |it| it.options.as_str());
    let filters = vec![
        json!(["docstatus", "=", 1]),
        json!([rows, "project", "=", project]),
    ];
    let logged = hours::read(site, filters, &[of_project]).await?;
    let sum = |value: &dyn Fn(&hours::LoggedTime) -> Decimal| {
        number(logged.iter().map(value).sum::<Decimal>())
    };
    // Where nothing is logged, it is nothing in the currency of the company.
    let own = own.filter(|_| logged.is_empty());
    let money = |value: &dyn Fn(&hours::LoggedTime) -> Decimal| {
        let mut sums = CurrencySums::default();
        for it in &logged {
            sums.add(it.currency.as_deref(), value(it));
        }
        sums.shown(own)
    };
    let has_cost = !logged.is_empty() && logged.iter().all(|it| it.cost.is_some());
    let mut data = json!({
        "hours": sum(&|it| it.hours),
        "billable_hours": sum(&|it| it.billable_hours),
        "unbilled_hours": sum(&|it| if it.is_billed { Decimal::ZERO } else { it.billable_hours }),
        "billable": money(&|it| it.billable),
        "unbilled": money(&|it| if it.is_billed { Decimal::ZERO } else { it.billable }),
        "cost": has_cost.then(|| money(&|it| it.cost.unwrap_or_default())),
        "definition": say::PROJECT_TIME,
    });
    drop_empty(&mut data, "cost");
    Ok(data)
}

async fn invoices(
    site: &ErpSite,
    project: &str,
    own: Option<&str>,
    currencies: &Currencies,
) -> Result<Value, ErpError> {
    let meta = site.readable_type("Sales Invoice").await?;
    let filters = vec![
        json!(["project", "=", project]),
        json!(["docstatus", "=", 1]),
    ];
    let columns = [
        "name",
        "company",
        "base_net_total",
        "outstanding_amount",
        "party_account_currency",
    ];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let [mut net, mut outstanding] = <[CurrencySums; 2]>::default();
    for row in &found {
        let of_company = currencies.get(text(row, "company")).map(String::as_str);
        net.add(of_company, amount(row, "base_net_total"));
        let of_account = Some(text(row, "party_account_currency")).filter(|it| !it.is_empty());
        outstanding.add(of_account.or(of_company), amount(row, "outstanding_amount"));
    }
    let own = own.filter(|_| found.is_empty());
    Ok(json!({
        "count": found.len(),
        "net": net.shown(own),
        "outstanding": outstanding.shown(own),
        "definition": say::PROJECT_INVOICES,
    }))
}
