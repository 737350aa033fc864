//! Instruments: what is known of each symbol, as data. Some are built in, more are declared.

use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use protocol::FromJson;
use serde::{Deserialize, Serialize};

use crate::{Timeframe, words::words};

/// New York's time zone, where the days of currencies begin.
const NEW_YORK: &str = "America/New_York";
/// 17:00 in minutes.
const FIVE: u32 = 17 * 60;
/// The number of built-in instruments.
pub(crate) const BUILT_IN: u16 = 3;
/// The most rows of the table. The browser adds names before it knows what they are.
const MOST_ROWS: usize = 1_000;

words! {
    /// The kind of market on which something is traded.
    InstrumentKind {
        Forex = "forex",
        Metal = "metal",
        Crypto = "crypto",
        Index = "index",
        Stock = "stock",
    }
}

/// The facts about a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Instrument {
    /// The symbol's name, such as `EURUSD`.
    pub name: String,
    /// Its name for people, such as `EUR/USD`.
    pub label: String,
    /// The kind of its market.
    pub kind: InstrumentKind,
    /// Decimals of a quote.
    pub digits: u32,
    /// Points per pip.
    pub pip: i64,
    /// The currency that is traded, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The currency of its prices.
    pub quote: String,
    /// The CFTC contract of the reports about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
    /// The hours of its trade; none if it is always traded, with days in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionHours>,
    /// The timeframes in which there are candles, shortest first.
    pub timeframes: Vec<Timeframe>,
}

/// The hours of a trading day. If it closes no later than it opens, it opens on the evening before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SessionHours {
    /// The time zone of the hours, as IANA names it.
    pub zone: String,
    /// Minutes after midnight.
    pub opens: u32,
    /// Minutes after midnight.
    pub closes: u32,
    /// The days on which a session closes, from 0 for Monday to 6 for Sunday.
    pub days: Vec<u8>,
}

impl SessionHours {
    /// Returns whether it opens on the day before the one on which it closes.
    pub fn is_over_midnight(&self) -> bool {
        self.closes <= self.opens
    }
}

/// Error for an instrument whose name belongs to another one, or for which there is no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolTaken(pub String);

#[derive(Clone, Copy)]
struct InstrumentRow {
    instrument: &'static Instrument,
    /// False for a name of an address whose instrument has not arrived yet.
    is_known: bool,
}

/// Rows are only added or told better, so that a place always means the same symbol.
static TABLE: LazyLock<RwLock<Vec<InstrumentRow>>> =
    LazyLock::new(|| RwLock::new(built_in().into_iter().map(row).collect()));

static NOTHING: LazyLock<Instrument> = LazyLock::new(|| unknown(""));

/// The instruments that are built in, in the order of their places: defaults, which a configuration may
/// replace.
fn built_in() -> [Instrument; 3] {
    [
        currencies("EUR", "USD", 5, "099741"),
        currencies("GBP", "USD", 5, "096742"),
        currencies("USD", "JPY", 3, "097741"),
    ]
}

/// A pair of currencies, which is traded from Sunday to Friday, 17:00 in New York.
fn currencies(base: &str, quote: &str, digits: u32, contract: &str) -> Instrument {
    Instrument {
        label: format!("{base}/{quote}"),
        kind: InstrumentKind::Forex,
        digits,
        base: Some(base.to_owned()),
        quote: quote.to_owned(),
        contract: Some(contract.to_owned()),
        session: Some(SessionHours {
            zone: NEW_YORK.to_owned(),
            opens: FIVE,
            closes: FIVE,
            days: vec![0, 1, 2, 3, 4],
        }),
        ..unknown(&format!("{base}{quote}"))
    }
}

/// An instrument of which only the name is known.
fn unknown(name: &str) -> Instrument {
    Instrument {
        name: name.to_owned(),
        label: name.to_owned(),
        kind: InstrumentKind::Forex,
        digits: 5,
        pip: 10,
        base: None,
        quote: String::new(),
        contract: None,
        session: None,
        timeframes: Timeframe::ALL.to_vec(),
    }
}

fn row(instrument: Instrument) -> InstrumentRow {
    InstrumentRow {
        // There are few, and they are known for as long as the program runs.
        instrument: Box::leak(Box::new(instrument)),
        is_known: true,
    }
}

fn rows() -> RwLockReadGuard<'static, Vec<InstrumentRow>> {
    TABLE.read().unwrap_or_else(PoisonError::into_inner)
}

fn rows_to_change() -> RwLockWriteGuard<'static, Vec<InstrumentRow>> {
    TABLE.write().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether an instrument is exactly one of those that are built in.
pub(crate) fn is_as_built_in(instrument: &Instrument) -> bool {
    built_in().contains(instrument)
}

/// Returns the instrument at a place.
pub(crate) fn at(place: u16) -> &'static Instrument {
    let row = rows().get(usize::from(place)).copied();
    row.map_or_else(|| &*NOTHING, |row| row.instrument)
}

/// Returns the places of all instruments that are known: the built-in ones, then the others by name, so
/// that the order of a configuration means nothing.
pub(crate) fn places() -> Vec<u16> {
    let known = |(place, row): (u16, &InstrumentRow)| row.is_known.then_some(place);
    let known: Vec<u16> = (0..).zip(rows().iter()).filter_map(known).collect();
    let name = |place: u16| (place >= BUILT_IN).then(|| at(place).name.as_str());
    let mut places = Vec::with_capacity(known.len());
    // One by one: the code of a sort weighs more than a kilobyte in the browser.
    for place in known {
        let after = places.partition_point(|other| name(*other) <= name(place));
        places.insert(after, place);
    }
    places
}

/// Returns the place of a name. In the browser any well-formed one has a place: an address is read
/// before the board, which tells what is traded.
pub(crate) fn place(name: &str) -> Option<u16> {
    let found = find(&rows(), name);
    if found.is_some() || !cfg!(target_arch = "wasm32") || !is_name(name) {
        return found;
    }
    let mut rows = rows_to_change();
    let row = InstrumentRow {
        is_known: false,
        ..row(unknown(name))
    };
    push(&mut rows, row)
}

/// Adds an instrument; the same one again changes nothing.
///
/// # Errors
/// Its name is another one's, or there is no place.
pub(crate) fn declare(instrument: Instrument) -> Result<u16, SymbolTaken> {
    let mut rows = rows_to_change();
    let name = instrument.name.clone();
    let Some(place) = find(&rows, &name) else {
        return push(&mut rows, row(instrument)).ok_or(SymbolTaken(name));
    };
    match rows.get(usize::from(place)) {
        Some(known) if *known.instrument == instrument => Ok(place),
        _ => Err(SymbolTaken(name)),
    }
}

/// Takes over what the server tells of an instrument, or its configuration of a built-in one.
pub(crate) fn learn(instrument: Instrument) {
    let mut rows = rows_to_change();
    let Some(place) = find(&rows, &instrument.name) else {
        push(&mut rows, row(instrument));
        return;
    };
    if let Some(known) = rows.get_mut(usize::from(place))
        && !(known.is_known && *known.instrument == instrument)
    {
        *known = row(instrument);
    }
}

/// Returns whether a text can be the name of a symbol: 2 to 16 capital letters, digits and dots.
pub fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'.';
    let is_plain = (2..=16).contains(&text.len()) && text.bytes().all(fits);
    is_plain && !text.starts_with('.') && !text.ends_with('.')
}

fn find(rows: &[InstrumentRow], name: &str) -> Option<u16> {
    let place = rows.iter().position(|row| row.instrument.name == name)?;
    u16::try_from(place).ok()
}

fn push(rows: &mut Vec<InstrumentRow>, row: InstrumentRow) -> Option<u16> {
    let place = u16::try_from(rows.len()).ok()?;
    (rows.len() < MOST_ROWS).then(|| rows.push(row))?;
    Some(place)
}
