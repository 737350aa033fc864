//! Tool that runs a report of the catalogue.

mod catalogue;
mod chosen;
mod examples;
mod period;
mod table;
mod taxes;

use std::{collections::BTreeSet, time::Duration};

use agent::ports::ToolExample;
use async_trait::async_trait;
use futures::join;
use protocol::{ErrorBody, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use self::{
    catalogue::{ReportFilterKind, ReportName},
    chosen::AskedReport,
    period::ReportPeriod,
    table::ReportTable,
    taxes::TaxBalance,
};
use super::{ROWS_BYTES, amounts, drop_empty, filter::value_schema, told};
use crate::{
    cell,
    client::ErpMethod,
    dates,
    error::ErpError,
    plain_text::plain,
    reach::Reach,
    reading::ErpReading,
    site::ErpSite,
    texts::{check as invalid, readings as say},
};

/// Rows, if the call does not say.
const ROWS: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunReportInput {
    /// The report.
    report: ReportName,
    /// Its filters. Days as YYYY-MM-DD; "range" of receivables as "30, 60, 90, 120".
    #[schemars(length(max = 15))]
    filters: Vec<ReportFilterInput>,
    /// Its days in words, instead of filters for them.
    period: Option<ReportPeriod>,
    /// Rows at most; 50 if not given.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

/// A filter of a report.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReportFilterInput {
    #[schemars(regex(pattern = r"^[a-z_][a-z0-9_]{0,139}$"))]
    name: String,
    #[schemars(schema_with = "value_schema")]
    value: Value,
}

pub(crate) struct RunReport;

#[async_trait]
impl ErpReading for RunReport {
    const NAME: &'static str = "run_report";
    const DESCRIPTION: &'static str = "Reads one report of the ERP: receivables and payables by age, the \
        general ledger, a trial balance with VAT and other taxes, profit and loss, revenue and gross \
        profit, stock or sales figures. Without company it is that of the ERP user's \
        default, without days this month or today; filters_chosen names what was chosen. \
        \"not generated\" is not \"no data\".";
    const TIMEOUT: Duration = Duration::from_secs(60);
    const EXAMPLES: &'static [ToolExample] = examples::ALL;
    type Input = RunReportInput;

    async fn read(site: &ErpSite, input: RunReportInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(run(site, input)).await
    }
}

async fn run(site: &ErpSite, input: RunReportInput) -> Result<ToolOutput, ErrorBody> {
    let who = site.identity().await?;
    let RunReportInput {
        report: asked,
        mut filters,
        period,
        limit,
    } = input;
    let report = asked.name();
    let chosen = chosen::chosen(
        site,
        &who,
        AskedReport {
            report: asked,
            given: &filters,
            period,
        },
    );
    let chosen = Box::pin(chosen).await?;
    let names: Vec<String> = chosen.iter().map(|it| it.name.clone()).collect();
    filters.extend(chosen);
    let filters = checked(&site.reach, asked, &filters)?;
    let parameters = [
        ("report_name", report.to_owned()),
        ("filters", Value::Object(filters.clone()).to_string()),
    ];
    let company = filters.get("company").and_then(Value::as_str);
    let (answer, currency, tax_accounts) = join!(
        site.method(ErpMethod::Report, &parameters),
        currency(site, company),
        async {
            match company.filter(|_| asked == ReportName::TrialBalance) {
                Some(company) => Box::pin(taxes::accounts(site, company)).await,
                None => Ok(BTreeSet::new()),
            }
        },
    );
    let answer = answer?;
    let as_of = dates::utc(site.client.now());
    let scope = period::scope(&filters);
    let is_prepared = answer.data["prepared_report"] == true || answer.data["prepared_report"] == 1;
    if is_prepared && answer.data["doc"].is_null() {
        let data = json!({
            "report": report, "outcome": "not generated", "filters": filters,
            "note": say::NOT_GENERATED_NOTE, "as_of": as_of,
        });
        return told(say::not_generated(report, &scope), data);
    }
    let table = ReportTable::read(&answer.data, currency.as_deref())
        .ok_or_else(|| site.unusable("columns"))?;
    let most = limit.map_or(ROWS, |limit| usize::try_from(limit).unwrap_or(ROWS));
    let count = table.rows.len();
    let taxes = tax_accounts.map(|it| TaxBalance::of(&answer.data, &it));
    let figures = match &taxes {
        Ok(Some(taxes)) => vec![taxes.figure(currency.as_deref())],
        _ => Vec::new(),
    };
    let figures = [figures, table.figures()].concat();
    let (rows, _) = cell::fit(table.rows.into_iter().take(most).collect(), ROWS_BYTES);
    let shown = rows.len();
    let prepared_at = answer.data["doc"]["report_end_time"].as_str();
    let mut data = json!({
        "report": report,
        "filters": filters,
        "filters_chosen": names,
        "columns": table.columns,
        "rows": rows,
        "of": count,
        "totals": table.totals,
        "taxes": taxes::told(&taxes, currency.as_deref()),
        "message": message(&answer.data["message"]),
        // A prepared report is as old as its copy.
        "prepared_at": prepared_at.map(|at| dates::moment(at, &who.time_zone)),
        "warnings": answer.warnings,
        "as_of": as_of,
    });
    for field in [
        "filters_chosen",
        "totals",
        "taxes",
        "message",
        "prepared_at",
        "warnings",
    ] {
        drop_empty(&mut data, field);
    }
    told(say::report(report, &scope, shown, count, &figures), data)
}

/// The currency of a report's company.
async fn currency(site: &ErpSite, company: Option<&str>) -> Option<String> {
    let currency = amounts::company_currency(site, company?).await.ok()?;
    currency.as_str().map(|text| plain(text, 10))
}

fn message(message: &Value) -> Option<String> {
    let text = message.as_str().or_else(|| message.get(0)?.as_str())?;
    Some(plain(text, 300)).filter(|it| !it.is_empty())
}

/// The filters as they are sent.
fn checked(
    reach: &Reach,
    report: ReportName,
    filters: &[ReportFilterInput],
) -> Result<Map<String, Value>, ErpError> {
    let mut sent = Map::new();
    for ReportFilterInput { name, value } in filters {
        let known = report.filters().iter().find(|it| it.name == name);
        let known = known.ok_or_else(|| {
            let known: Vec<_> = report.filters().iter().map(|it| it.name).collect();
            let known = known.join(", ");
            ErpError::input(invalid::unknown_report_filter(report.name(), name, &known))
        })?;
        let value = report_value(name, known.kind, value)?;
        if name == "company"
            && let Some(company) = value.as_str()
        {
            reach.company(company)?;
        }
        if sent.insert(name.clone(), value).is_some() {
            return Err(ErpError::input(invalid::twice(name)));
        }
    }
    // Without a company a report covers all of them.
    let is_missing = |name: &str, is_required: bool| {
        let narrows = name == "company" && !reach.companies().is_empty();
        (is_required || narrows) && !sent.contains_key(name)
    };
    let filters = report.filters().iter();
    let missing = filters
        .filter(|it| is_missing(it.name, it.is_required))
        .map(|it| it.name);
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        Ok(sent)
    } else {
        let names = missing.join(", ");
        Err(ErpError::input(invalid::missing_report_filter(
            report.name(),
            &names,
        )))
    }
}

fn report_value(name: &str, kind: ReportFilterKind, value: &Value) -> Result<Value, ErpError> {
    let refused = |form| ErpError::input(invalid::must_be(name, &value.to_string(), form));
    let text = value
        .as_str()
        .map(str::trim)
        .filter(|text| (1..=140).contains(&text.len()));
    match kind {
        ReportFilterKind::Name | ReportFilterKind::Text => {
            text.map(Value::from).ok_or_else(|| refused(invalid::TEXT))
        }
        ReportFilterKind::Names => match (text, value.as_array()) {
            (Some(text), _) => Ok(json!([text])),
            (None, Some(list)) if list.iter().all(Value::is_string) && !list.is_empty() => {
                Ok(value.clone())
            }
            _ => Err(refused(invalid::A_LIST)),
        },
        ReportFilterKind::Day => match text.and_then(dates::day) {
            Some(_) => Ok(value.clone()),
            None => Err(refused(invalid::A_DAY)),
        },
        ReportFilterKind::Flag => match value.as_bool() {
            Some(flag) => Ok(u8::from(flag).into()),
            None => Err(refused(invalid::YES_OR_NO)),
        },
        ReportFilterKind::Choice(choices) => match text {
            Some(text) if choices.contains(&text) => Ok(text.into()),
            _ => {
                let choices = choices.join(", ");
                Err(ErpError::input(invalid::not_a_choice(
                    name,
                    &value.to_string(),
                    &choices,
                )))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ErpConfig;

    fn check(report: ReportName, filters: &[(&str, Value)]) -> Result<Map<String, Value>, String> {
        let reach = Reach::new(&ErpConfig {
            companies: vec!["AC".to_owned()],
            ..ErpConfig::default()
        });
        let filters: Vec<_> = filters
            .iter()
            .map(|(name, value)| ReportFilterInput {
                name: (*name).to_owned(),
                value: value.clone(),
            })
            .collect();
        checked(&reach, report, &filters).map_err(|error| error.body().message)
    }

    #[test]
    fn filters_are_those_of_the_catalogue() {
        let day = || json!("2026-11-30");
        let good = [
            ("company", json!("AC")),
            ("report_date", day()),
            ("range", json!("30, 60")),
            ("party", json!("Kestrel")),
        ];
        let sent = check(ReportName::AccountsReceivable, &good).unwrap();
        assert_eq!(sent["party"], json!(["Kestrel"]));
        let error = |report, filters: &[(&str, Value)]| check(report, filters).unwrap_err();
        let receivable = ReportName::AccountsReceivable;
        assert!(error(receivable, &good[..1]).contains("report_date, range"));
        assert!(error(receivable, &[("user", json!("x"))]).contains("\"user\""));
        assert!(error(receivable, &[("company", json!("AT"))]).contains("\"AT\""));
        assert!(error(receivable, &[("report_date", json!("30.11.2026"))]).contains("YYYY-MM-DD"));
        let twice = [("company", json!("AC")), ("company", json!("AC"))];
        assert!(error(receivable, &twice).contains("twice"));
        // Nothing needs a company, but the configuration has companies.
        assert!(error(ReportName::StockProjectedQty, &[]).contains("company"));
    }
}
