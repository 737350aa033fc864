//! Calendar files: a header line, then one release per row. Times are RFC 3339 in UTC.

use std::io::BufRead;

use super::{
    ImportCode, ImportError,
    table::{Cells, Table},
};
use crate::{CalendarEvent, Impact, texts};

const REQUIRED: [&str; 5] = ["id", "currency", "name", "impact", "scheduled_at"];
const OPTIONAL: [&str; 7] = [
    "source_zone",
    "forecast",
    "actual",
    "previous",
    "revised",
    "unit",
    "synthetic",
];

/// Reads releases in the order of the file.
///
/// # Errors
/// The header line is invalid.
pub fn calendar(
    input: impl BufRead,
) -> Result<impl Iterator<Item = Result<CalendarEvent, ImportError>>, ImportError> {
    let mut table = Table::new(input, &REQUIRED, &OPTIONAL)?;
    Ok(std::iter::from_fn(move || {
        table.next().map(|cells| event(&cells?))
    }))
}

fn event(cells: &Cells<'_>) -> Result<CalendarEvent, ImportError> {
    let currency = cells.needed("currency")?;
    if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_uppercase()) {
        let message = texts::imports::is_no_currency(currency);
        return Err(cells.error(ImportCode::Word, message));
    }
    let impact = match cells.needed("impact")?.to_ascii_lowercase().as_str() {
        "low" => Impact::Low,
        "medium" => Impact::Medium,
        "high" => Impact::High,
        other => {
            let message = texts::imports::is_no_impact(other);
            return Err(cells.error(ImportCode::Word, message));
        }
    };
    Ok(CalendarEvent {
        id: cells.needed("id")?.to_owned(),
        currency: currency.to_owned(),
        name: cells.needed("name")?.to_owned(),
        impact,
        scheduled_at: cells.needed_time("scheduled_at")?,
        source_zone: cells.text("source_zone").unwrap_or("UTC").to_owned(),
        forecast: cells.number("forecast")?,
        actual: cells.number("actual")?,
        previous: cells.number("previous")?,
        revised: cells.number("revised")?,
        unit: cells.text("unit").unwrap_or_default().to_owned(),
        synthetic: cells.flag("synthetic")?,
    })
}
