//! Filters that a call leaves out and that the site answers: the ERP user's company, the days until today, and
//! the fiscal year of the newest posting.

use jiff::civil::Date;
use serde_json::json;

use super::{
    ReportFilterInput,
    catalogue::{ReportFilter, ReportFilterKind, ReportName},
    period::ReportPeriod,
};
use crate::{
    dates,
    error::ErpError,
    identity::ErpIdentity,
    site::{ErpSite, ListQuery},
    texts::check as invalid,
};

/// The ends of the ages of open items, in days, as the ERP's own form has them.
const AGES: &str = "30, 60, 90, 120";
/// The period of a statement that is asked for as a whole.
const PERIOD: &str = "Yearly";
/// Fields of a statement any of which says of when it is.
const TIMES: [&str; 4] = [
    "from_fiscal_year",
    "to_fiscal_year",
    "period_start_date",
    "period_end_date",
];

/// The filters of days that a period stands for, by the kinds of reports; the first two are its ends.
const PERIODS: [[&str; 2]; 2] = [
    ["from_date", "to_date"],
    ["period_start_date", "period_end_date"],
];

/// A report with what a call says of it.
pub(super) struct AskedReport<'a> {
    pub(super) report: ReportName,
    pub(super) given: &'a [ReportFilterInput],
    pub(super) period: Option<ReportPeriod>,
}

impl AskedReport<'_> {
    fn takes(&self, name: &str) -> bool {
        self.report.filters().iter().any(|it| it.name == name)
    }

    fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|it| it.name == name)
    }

    /// The filters for its period.
    fn days(&self, today: Date) -> Result<Vec<ReportFilterInput>, ErpError> {
        let Some(period) = self.period else {
            return Ok(Vec::new());
        };
        let [from, to] = PERIODS
            .into_iter()
            .find(|[from, _]| self.takes(from))
            .ok_or_else(|| ErpError::input(invalid::takes_no_period(self.report.name())))?;
        let others = ["filter_based_on", "fiscal_year", from, to];
        if others.into_iter().chain(TIMES).any(|it| self.is_given(it)) {
            return Err(ErpError::input(invalid::PERIOD_OR_DAYS));
        }
        let (first, last) = period.days(today);
        let mut days = vec![
            filter(from, &first.to_string()),
            filter(to, &last.to_string()),
        ];
        if self.takes("filter_based_on") {
            days.push(filter("filter_based_on", "Date Range"));
        }
        Ok(days)
    }
}

/// The filters to add to those that a call gives. What cannot be known is left out, and refused then.
pub(super) async fn chosen(
    site: &ErpSite,
    who: &ErpIdentity,
    asked: AskedReport<'_>,
) -> Result<Vec<ReportFilterInput>, ErpError> {
    let day = dates::today(site.client.now(), &who.time_zone);
    let mut added = asked.days(day)?;
    let until = added.get(1).and_then(|it| it.value.as_str());
    let until = until.map(str::to_owned);
    let has_days = until.is_some();
    let takes = |name: &str| asked.takes(name);
    let is_given = |name: &str| asked.is_given(name);
    let lacks = |name: &str| {
        let mut filters = asked.report.filters().iter();
        !is_given(name) && filters.any(|it| it.name == name && it.is_required)
    };
    let narrows = takes("company") && !is_given("company") && !site.reach.companies().is_empty();
    let own = if lacks("company") || narrows {
        site.default_company().await
    } else {
        None
    };
    let own = own.as_deref();
    added.extend(own.map(|own| filter("company", own)));
    let today = day.to_string();
    if lacks("report_date") {
        added.push(filter("report_date", &today));
    }
    if lacks("from_date") && lacks("to_date") && !has_days {
        added.push(filter("from_date", &day.first_of_month().to_string()));
        added.push(filter("to_date", &today));
    }
    let is_of_ages = |it: &ReportFilter| it.name == "range" && it.kind == ReportFilterKind::Text;
    if lacks("range") && asked.report.filters().iter().any(is_of_ages) {
        added.push(filter("range", AGES));
    }
    if lacks("periodicity") {
        added.push(filter("periodicity", PERIOD));
    }
    let is_statement = takes("from_fiscal_year") && !TIMES.into_iter().any(is_given) && !has_days;
    if is_statement || lacks("fiscal_year") {
        let company = asked.given.iter().find(|it| it.name == "company");
        let company = company.and_then(|it| it.value.as_str()).or(own);
        let year = match company {
            Some(company) => newest_year(site, company, until.as_deref()).await,
            None => None,
        };
        match year {
            Some(year) if is_statement => {
                if !is_given("filter_based_on") {
                    added.push(filter("filter_based_on", "Fiscal Year"));
                }
                added.push(filter("from_fiscal_year", &year));
                added.push(filter("to_fiscal_year", &year));
            }
            Some(year) => added.push(filter("fiscal_year", &year)),
            None => {}
        }
    }
    Ok(added)
}

fn filter(name: &str, value: &str) -> ReportFilterInput {
    ReportFilterInput {
        name: name.to_owned(),
        value: value.into(),
    }
}

/// The fiscal year of the newest posting of a company until a day: the type of the years itself is out of
/// reach.
async fn newest_year(site: &ErpSite, company: &str, until: Option<&str>) -> Option<String> {
    let read = async {
        let meta = site.readable_type("GL Entry").await?;
        let until = until.map(|until| json!(["posting_date", "<=", until]));
        let mut filters = vec![
            json!(["company", "=", company]),
            json!(["is_cancelled", "=", 0]),
        ];
        filters.extend(until);
        let query = ListQuery {
            doctype: "GL Entry",
            fields: vec![json!("fiscal_year")],
            filters,
            order: "posting_date desc".to_owned(),
            limit: 1,
            ..ListQuery::default()
        };
        site.list(&meta, query).await
    };
    let found = Box::pin(read).await.ok()?;
    let year = found.rows.first()?.get("fiscal_year")?.as_str()?;
    (!year.is_empty()).then(|| year.to_owned())
}
