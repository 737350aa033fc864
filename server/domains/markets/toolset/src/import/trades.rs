//! Trade history files: a header line, then one trade per row. Money is a decimal in the account's
//! currency; an open trade has no `closed_at`, and one of the installation no `person`.

use std::io::BufRead;

use super::{
    ImportCode, ImportError,
    table::{Cells, Table},
};
use crate::{Points, Side, Symbol, Trade, price::parse, texts};

const REQUIRED: [&str; 6] = ["id", "symbol", "side", "lots", "opened_at", "entry"];
const OPTIONAL: [&str; 10] = [
    "stop",
    "target",
    "closed_at",
    "exit",
    "gross",
    "costs",
    "initial_risk",
    "note",
    "person",
    "synthetic",
];

/// Limit on characters of a name.
const NAME: usize = 64;

/// Reads trades in the order of the file.
///
/// # Errors
/// The header line is invalid.
pub fn trades(
    input: impl BufRead,
) -> Result<impl Iterator<Item = Result<Trade, ImportError>>, ImportError> {
    let mut table = Table::new(input, &REQUIRED, &OPTIONAL)?;
    Ok(std::iter::from_fn(move || {
        table.next().map(|cells| trade(&cells?))
    }))
}

/// The name of the person whose the trade is.
fn person(cells: &Cells<'_>) -> Result<Option<String>, ImportError> {
    let Some(name) = cells.text("person") else {
        return Ok(None);
    };
    let wrong = |message: String| Err(cells.error(ImportCode::Word, message));
    if name.chars().count() > NAME {
        return wrong(texts::imports::is_longer_than("person", NAME));
    }
    if name.chars().any(char::is_control) {
        return wrong(texts::imports::has_control_characters("person"));
    }
    Ok(Some(name.to_owned()))
}

fn trade(cells: &Cells<'_>) -> Result<Trade, ImportError> {
    let symbol = cells.needed("symbol")?.replace('/', "");
    let symbol = symbol
        .parse::<Symbol>()
        .map_err(|error| cells.error(ImportCode::Word, texts::symbols::not_declared(&error)))?;
    let side = match cells.needed("side")?.to_ascii_lowercase().as_str() {
        "long" | "buy" => Side::Long,
        "short" | "sell" => Side::Short,
        other => {
            let message = texts::imports::is_no_side(other);
            return Err(cells.error(ImportCode::Word, message));
        }
    };
    let price = |name: &str| -> Result<Option<Points>, ImportError> {
        let read = |text: &str| {
            let price = parse(symbol, text);
            price.map_err(|error| cells.error(ImportCode::Number, format!("{name}: {error}")))
        };
        cells.text(name).map(read).transpose()
    };
    cells.needed("entry")?;
    cells.needed("lots")?;
    let trade = Trade {
        id: cells.needed("id")?.to_owned(),
        symbol,
        side,
        millilots: cells.fixed("lots", 3)?.unwrap_or_default(),
        opened_at: cells.needed_time("opened_at")?,
        entry: price("entry")?.unwrap_or_default(),
        stop: price("stop")?,
        target: price("target")?,
        closed_at: cells.time("closed_at")?,
        exit: price("exit")?,
        gross: cells.fixed("gross", 2)?,
        costs: cells.fixed("costs", 2)?.unwrap_or_default(),
        initial_risk: cells.fixed("initial_risk", 2)?,
        note: cells.text("note").unwrap_or_default().to_owned(),
        person: person(cells)?,
        owner: None,
        synthetic: cells.flag("synthetic")?,
    };
    let wrong = |message: &str| Err(cells.error(ImportCode::Contradiction, message));
    if trade.millilots <= 0 {
        return wrong(texts::imports::LOTS_ARE_NOT_ABOVE_ZERO);
    }
    match (trade.closed_at, trade.exit, trade.gross) {
        (None, None, None) => {}
        (Some(closed), Some(_), Some(_)) if closed >= trade.opened_at => {}
        (Some(_), Some(_), Some(_)) => return wrong(texts::imports::IT_CLOSES_BEFORE_IT_OPENS),
        _ => return wrong(texts::imports::CLOSING_IS_INCOMPLETE),
    }
    if trade.initial_risk.is_some_and(|risk| risk <= 0) {
        return wrong(texts::imports::INITIAL_RISK_IS_NOT_ABOVE_ZERO);
    }
    Ok(trade)
}
