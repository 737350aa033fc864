//! Days of a report: in words, such as "last month", and as its summary says them.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{dates, texts::readings as say};

/// Days of a report in words. What is not over ends today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub(crate) enum ReportPeriod {
    #[serde(rename = "this month")]
    ThisMonth,
    #[serde(rename = "last month")]
    LastMonth,
    #[serde(rename = "this year")]
    ThisYear,
    #[serde(rename = "last year")]
    LastYear,
}

impl ReportPeriod {
    /// The first and the last day.
    pub(super) fn days(self, today: Date) -> (Date, Date) {
        let before = |first: Date| first.yesterday().unwrap_or(first);
        match self {
            Self::ThisMonth => (today.first_of_month(), today),
            Self::ThisYear => (today.first_of_year(), today),
            Self::LastMonth => {
                let last = before(today.first_of_month());
                (last.first_of_month(), last)
            }
            Self::LastYear => {
                let last = before(today.first_of_year());
                (last.first_of_year(), last)
            }
        }
    }
}

/// Company and days of a report for its summary, as its filters have them.
pub(super) fn scope(filters: &Map<String, Value>) -> String {
    let text = |name: &str| filters.get(name).and_then(Value::as_str);
    let day = |name: &str| text(name).map(dates::in_words);
    let between = |from: &str, to: &str| Some(say::between_days(&day(from)?, &day(to)?));
    let years = |from: &str, to: &str| Some(say::for_years(text(from)?, text(to)?));
    let days = between("from_date", "to_date")
        .or_else(|| between("period_start_date", "period_end_date"))
        .or_else(|| years("fiscal_year", "fiscal_year"))
        .or_else(|| years("from_fiscal_year", "to_fiscal_year"))
        .or_else(|| Some(say::as_of_day(&day("report_date")?)));
    let company = text("company").unwrap_or(say::ALL_COMPANIES);
    say::report_scope(company, days.as_deref().unwrap_or(say::AS_OF_NOW))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn periods_begin_with_a_month_or_a_year_and_end_with_it_or_today() {
        use ReportPeriod::{LastMonth, LastYear, ThisMonth, ThisYear};
        for (today, period, from, to) in [
            ("2026-11-27", ThisMonth, "2026-11-01", "2026-11-27"),
            ("2026-11-27", LastMonth, "2026-10-01", "2026-10-31"),
            ("2026-01-01", LastMonth, "2025-12-01", "2025-12-31"),
            ("2024-03-31", LastMonth, "2024-02-01", "2024-02-29"),
            ("2026-11-27", ThisYear, "2026-01-01", "2026-11-27"),
            ("2026-11-27", LastYear, "2025-01-01", "2025-12-31"),
        ] {
            let (first, last) = period.days(dates::day(today).unwrap());
            assert_eq!(
                (first.to_string(), last.to_string()),
                (from.into(), to.into())
            );
        }
    }

    #[test]
    fn the_summary_names_company_and_days() {
        for (filters, expect) in [
            (
                json!({"company": "AC", "from_date": "2026-11-01", "to_date": "2026-11-27"}),
                "of AC from 1 Nov 2026 to 27 Nov 2026",
            ),
            (
                json!({"company": "AC", "fiscal_year": "2026"}),
                "of AC for 2026",
            ),
            (
                json!({"company": "AC", "from_fiscal_year": "2025", "to_fiscal_year": "2026"}),
                "of AC for 2025 to 2026",
            ),
            (
                json!({"company": "AC", "report_date": "2026-11-27"}),
                "of AC as of 27 Nov 2026",
            ),
            (json!({}), "of all companies as of now"),
        ] {
            assert_eq!(scope(filters.as_object().unwrap()), expect);
        }
    }
}
