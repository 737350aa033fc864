//! The CFTC's legacy report, futures only: 126 columns with or without a header, quoted names,
//! numbers padded with spaces. The CFTC's portal uses other column names for the same data as JSON
//! and CSV.

use std::{collections::HashMap, io::BufRead};

use super::{
    ImportCode, ImportError,
    csv::{Row, Rows},
};
use crate::{CotGroup, CotReport, Time, session, texts};

/// Columns of the file. A few more, such as codes for quotes, may follow.
pub const COLUMNS: usize = 126;

/// A column in use: its index in a file without a header, and all names that it has had.
struct Column {
    index: usize,
    names: &'static [&'static str],
}

const fn column(index: usize, names: &'static [&'static str]) -> Column {
    Column { index, names }
}

const MARKET: Column = column(
    0,
    &["market and exchange names", "market_and_exchange_names"],
);
const SHORT_DATE: Column = column(
    1,
    &["as of date in form yymmdd", "as_of_date_in_form_yymmdd"],
);
const DATE: Column = column(
    2,
    &[
        "as of date in form yyyy-mm-dd",
        "report_date_as_yyyy_mm_dd",
        "report_date_as_yyyy-mm-dd",
    ],
);
const CODE: Column = column(
    3,
    &["cftc contract market code", "cftc_contract_market_code"],
);
const OPEN_INTEREST: Column = column(7, &["open interest (all)", "open_interest_all"]);
const LONG: Column = column(
    8,
    &[
        "noncommercial positions-long (all)",
        "noncomm_positions_long_all",
        "noncommercial_positions_long_all",
    ],
);
const SHORT: Column = column(
    9,
    &[
        "noncommercial positions-short (all)",
        "noncomm_positions_short_all",
        "noncommercial_positions_short_all",
    ],
);
const SPREADING: Column = column(
    10,
    &[
        "noncommercial positions-spreading (all)",
        // The portal's own spelling.
        "noncomm_postions_spread_all",
        "noncomm_positions_spread_all",
        "noncommercial_positions_spreading_all",
    ],
);
const COMMERCIAL_LONG: Column = column(
    11,
    &[
        "commercial positions-long (all)",
        "comm_positions_long_all",
        "commercial_positions_long_all",
    ],
);
const COMMERCIAL_SHORT: Column = column(
    12,
    &[
        "commercial positions-short (all)",
        "comm_positions_short_all",
        "commercial_positions_short_all",
    ],
);
const SMALL_LONG: Column = column(
    15,
    &[
        "nonreportable positions-long (all)",
        "nonrept_positions_long_all",
        "nonreportable_positions_long_all",
    ],
);
const SMALL_SHORT: Column = column(
    16,
    &[
        "nonreportable positions-short (all)",
        "nonrept_positions_short_all",
        "nonreportable_positions_short_all",
    ],
);

/// Index of each column by name; `None` in a file without a header.
struct Layout(Option<HashMap<String, usize>>);

/// Reads reports in the order of the file, which the CFTC sorts by market.
pub fn cot(input: impl BufRead) -> impl Iterator<Item = Result<CotReport, ImportError>> {
    let mut layout: Option<Layout> = None;
    Rows::new(input).filter_map(move |row| {
        let row = match row {
            Ok(row) => row,
            Err(error) => return Some(Err(error)),
        };
        match &layout {
            Some(layout) => Some(report(&row, layout)),
            None if is_header(&row) => {
                let names = row.fields.iter().enumerate();
                let names = names.map(|(index, name)| (name.to_ascii_lowercase(), index));
                layout = Some(Layout(Some(names.collect())));
                None
            }
            None => Some(report(&row, layout.insert(Layout(None)))),
        }
    })
}

fn is_header(row: &Row) -> bool {
    let is_name = |field: &String| {
        let name = field.to_ascii_lowercase();
        DATE.names.contains(&&*name) || OPEN_INTEREST.names.contains(&&*name)
    };
    row.fields.iter().any(is_name)
}

fn report(row: &Row, layout: &Layout) -> Result<CotReport, ImportError> {
    let error = |code, message: String| ImportError::new(row.line, code, message);
    if layout.0.is_none() && row.fields.len() < COLUMNS {
        let found = row.fields.len();
        let message = texts::imports::report_has_values(COLUMNS, found);
        return Err(error(ImportCode::Columns, message));
    }
    let find = |column: &Column| -> Option<&str> {
        let index = match &layout.0 {
            None => column.index,
            Some(names) => *column.names.iter().find_map(|name| names.get(*name))?,
        };
        row.fields.get(index).map(String::as_str)
    };
    let text = |column: &Column| {
        let name = column.names.first().copied().unwrap_or_default();
        let missing = || error(ImportCode::Columns, texts::imports::column_is_missing(name));
        find(column)
            .filter(|text| !text.is_empty())
            .ok_or_else(missing)
    };
    let number = |column: &Column| {
        let text = text(column)?;
        let plain = text.replace(',', "");
        let bad = || {
            error(
                ImportCode::Number,
                texts::imports::is_no_number_of_contracts(text),
            )
        };
        plain
            .parse::<i64>()
            .ok()
            .filter(|number| *number >= 0)
            .ok_or_else(bad)
    };

    let date = text(&DATE)?.get(..10).unwrap_or_default();
    let as_of = Time::parse(&format!("{date}T00:00:00Z"))
        .map_err(|_| error(ImportCode::Time, texts::imports::is_no_date(date)))?;
    // The file has the date twice.
    if let Some(short) = find(&SHORT_DATE)
        && short != date.get(2..).unwrap_or_default().replace('-', "")
    {
        let message = texts::imports::report_is_of_two_dates(date, short);
        return Err(error(ImportCode::Contradiction, message));
    }
    let report = CotReport {
        market: text(&MARKET)?.to_owned(),
        code: text(&CODE)?.to_owned(),
        as_of,
        published_at: published(as_of),
        open_interest: number(&OPEN_INTEREST)?,
        noncommercial: CotGroup {
            long: number(&LONG)?,
            short: number(&SHORT)?,
        },
        spreading: number(&SPREADING)?,
        commercial: CotGroup {
            long: number(&COMMERCIAL_LONG)?,
            short: number(&COMMERCIAL_SHORT)?,
        },
        nonreportable: CotGroup {
            long: number(&SMALL_LONG)?,
            short: number(&SMALL_SHORT)?,
        },
        synthetic: false,
    };
    let (large, hedgers, small) = (
        report.noncommercial,
        report.commercial,
        report.nonreportable,
    );
    let sums = [
        ("long", large.long + hedgers.long + small.long),
        ("short", large.short + hedgers.short + small.short),
    ];
    for (name, sum) in sums {
        let (sum, open) = (sum + report.spreading, report.open_interest);
        if sum != open {
            let message = texts::imports::positions_are_not_open_interest(name, sum, open);
            return Err(error(ImportCode::Contradiction, message));
        }
    }
    Ok(report)
}

/// The publication time: the Friday of the week, 15:30 in New York. In weeks with a holiday the
/// CFTC publishes later, but the file does not say so.
pub(crate) fn published(as_of: Time) -> Time {
    let date = as_of.0.div_euclid(86_400);
    session::new_york(date + 4 - session::weekday(date), 15, 30)
}
