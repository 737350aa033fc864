//! Symbols as somebody declares them, checked: those beyond the built-in ones are kept with what is stored
//! of them, and a built-in one is replaced but for its digits.

use jiff::tz::TimeZoneDatabase;
use markets_wire::{Instrument, InstrumentKind, SessionHours, is_name};
use serde::Deserialize;

use crate::{Coded, FactStore, StoreError, Symbol, Timeframe, UnknownSymbol, texts};

/// The most symbols that can be declared: the model reads all names with every tool.
pub const MOST_SYMBOLS: usize = 64;

/// The most decimals: with more, a price of a million would not fit.
const MOST_DIGITS: u32 = 6;
/// Points of the largest pip.
const LARGEST_PIP: f64 = 100_000.0;
const LONGEST_LABEL: usize = 24;
/// The words for days, from Monday.
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/// The fact that has the declared instruments.
const KEPT: &str = "symbols";

/// A symbol as it is written in a configuration.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SymbolEntry {
    /// Such as `XAUUSD`.
    pub name: String,
    /// The name for people; the name itself if left out.
    pub label: Option<String>,
    pub kind: InstrumentKind,
    /// Decimals of a quote.
    pub digits: u32,
    /// The size of a pip in units of price; the last digit if left out.
    pub pip: Option<f64>,
    pub base: Option<String>,
    /// The currency of its prices.
    pub quote: String,
    /// The CFTC contract of the reports about it.
    pub contract: Option<String>,
    /// The hours of its trade; always traded if left out.
    pub session: Option<SessionEntry>,
    /// All if left out.
    pub timeframes: Option<Vec<Timeframe>>,
}

/// The hours of a symbol as they are written in a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionEntry {
    /// As IANA names it.
    pub zone: String,
    /// Such as `09:30`.
    pub opens: String,
    /// No later than it opens: on the next day.
    pub closes: String,
    /// The days on which it closes; Monday to Friday if left out.
    pub days: Option<Vec<String>>,
}

/// Reason that a symbol cannot be declared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SymbolFault {
    #[error("{}", texts::symbols::no_name(.0))]
    Name(String),
    #[error("{}", texts::symbols::no_label(LONGEST_LABEL))]
    Label,
    #[error("{}", texts::symbols::no_digits(.0, MOST_DIGITS))]
    Digits(u32),
    #[error("{}", texts::symbols::no_pip(.0, .1))]
    Pip(f64, u32),
    #[error("{}", texts::symbols::no_currency(.0))]
    Currency(String),
    #[error("{}", texts::symbols::NO_CONTRACT)]
    Contract,
    #[error("{}", texts::symbols::no_zone(.0))]
    Zone(String),
    #[error("{}", texts::symbols::no_hour(.0))]
    Hour(String),
    #[error("{}", texts::symbols::no_days(&DAYS.join(", ")))]
    Days,
    #[error("{}", texts::symbols::no_timeframes(&Timeframe::NAMES.join(", ")))]
    Timeframes,
    #[error("{}", texts::symbols::declared_twice(.0))]
    Duplicate(String),
    #[error("{}", texts::symbols::too_many(MOST_SYMBOLS))]
    TooMany,
    #[error("{}", texts::symbols::other_digits(.0, .1))]
    OtherDigits(String, u32),
}

impl SymbolFault {
    /// A stable word for it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Name(_) => "symbol_name",
            Self::Label => "symbol_label",
            Self::Digits(_) => "symbol_digits",
            Self::Pip(..) => "symbol_pip",
            Self::Currency(_) => "symbol_currency",
            Self::Contract => "symbol_contract",
            Self::Zone(_) => "symbol_zone",
            Self::Hour(_) => "symbol_hours",
            Self::Days => "symbol_days",
            Self::Timeframes => "symbol_timeframes",
            Self::Duplicate(_) => "symbol_duplicate",
            Self::TooMany => "symbols_too_many",
            Self::OtherDigits(..) => "symbol_digits_changed",
        }
    }
}

/// Error for data of a symbol that nobody has declared; it says how to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} ({})", texts::symbols::not_declared(.0), UNDECLARED)]
pub struct UndeclaredSymbol(UnknownSymbol);

/// A stable word for it.
const UNDECLARED: &str = "symbol_unknown";

/// Returns the symbol for which data comes in.
///
/// # Errors
/// Nobody has declared it.
pub fn declared(name: &str) -> Result<Symbol, UndeclaredSymbol> {
    name.parse().map_err(UndeclaredSymbol)
}

/// Reason that the declared symbols cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SymbolsError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}", texts::symbols::refused_symbol(.0, .1))]
    Refused(String, SymbolFault),
}

/// Returns the instruments of entries, up to the first one beyond the most; each mistake with the
/// place of its entry.
///
/// # Errors
/// Names everything that is wrong, not only the first.
pub fn instruments(
    entries: Vec<SymbolEntry>,
) -> Result<Vec<Instrument>, Vec<(usize, SymbolFault)>> {
    let (mut found, mut faults) = (Vec::<Instrument>::new(), Vec::new());
    for (place, entry) in entries.into_iter().enumerate() {
        if place == MOST_SYMBOLS {
            faults.push((place, SymbolFault::TooMany));
            break;
        }
        match entry.instrument() {
            Ok(instrument) => match conflict(&instrument, &found) {
                Some(fault) => faults.push((place, fault)),
                None => found.push(instrument),
            },
            Err(fault) => faults.push((place, fault)),
        }
    }
    if faults.is_empty() {
        Ok(found)
    } else {
        Err(faults)
    }
}

/// The reason why an instrument cannot be declared beside others.
fn conflict(instrument: &Instrument, found: &[Instrument]) -> Option<SymbolFault> {
    let name = || instrument.name.clone();
    if found.iter().any(|other| other.name == instrument.name) {
        return Some(SymbolFault::Duplicate(name()));
    }
    let known = Symbol::named(&instrument.name)?;
    if known.is_built_in() {
        return other_digits(known, instrument);
    }
    (known.instrument() != instrument).then(|| SymbolFault::Duplicate(name()))
}

/// The fault of digits other than those in which rows of a symbol are stored.
fn other_digits(known: Symbol, declared: &Instrument) -> Option<SymbolFault> {
    let digits = known.digits();
    let is_other = digits != declared.digits;
    is_other.then(|| SymbolFault::OtherDigits(declared.name.clone(), digits))
}

impl SymbolEntry {
    fn instrument(self) -> Result<Instrument, SymbolFault> {
        if !is_name(&self.name) {
            return Err(SymbolFault::Name(self.name));
        }
        let label = self.label.unwrap_or_else(|| self.name.clone());
        let length = label.chars().count();
        let is_hidden = label.trim().is_empty() || label.chars().any(char::is_control);
        if !(1..=LONGEST_LABEL).contains(&length) || is_hidden {
            return Err(SymbolFault::Label);
        }
        if !(1..=MOST_DIGITS).contains(&self.digits) {
            return Err(SymbolFault::Digits(self.digits));
        }
        for currency in self.base.iter().chain([&self.quote]) {
            if !(3..=10).contains(&currency.len()) || !is_capital(currency) {
                return Err(SymbolFault::Currency(currency.clone()));
            }
        }
        let is_contract = |text: &String| (1..=12).contains(&text.len()) && is_capital(text);
        if !self.contract.iter().all(is_contract) {
            return Err(SymbolFault::Contract);
        }
        Ok(Instrument {
            pip: points_of_pip(self.pip, self.digits)?,
            session: self.session.map(SessionEntry::hours).transpose()?,
            timeframes: timeframes(self.timeframes)?,
            name: self.name,
            label,
            kind: self.kind,
            digits: self.digits,
            base: self.base,
            quote: self.quote,
            contract: self.contract,
        })
    }
}

/// Whole points of a pip: at least one, and no fraction of one.
fn points_of_pip(pip: Option<f64>, digits: u32) -> Result<i64, SymbolFault> {
    let Some(pip) = pip else {
        return Ok(1);
    };
    let points = pip * 10_f64.powi(digits.cast_signed());
    let whole = points.round();
    // NaN is within nothing.
    if (1.0..=LARGEST_PIP).contains(&whole) && (points - whole).abs() < 1e-6 {
        Ok(whole as i64)
    } else {
        Err(SymbolFault::Pip(pip, digits))
    }
}

fn timeframes(named: Option<Vec<Timeframe>>) -> Result<Vec<Timeframe>, SymbolFault> {
    let Some(mut named) = named else {
        return Ok(Timeframe::ALL.to_vec());
    };
    let count = named.len();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() || named.len() != count {
        return Err(SymbolFault::Timeframes);
    }
    Ok(named)
}

fn is_capital(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    text.bytes().all(fits)
}

impl SessionEntry {
    fn hours(self) -> Result<SessionHours, SymbolFault> {
        // The rules are in the binary: the system's data must not change a candle.
        if self.zone.len() > 40 || TimeZoneDatabase::bundled().get(&self.zone).is_err() {
            return Err(SymbolFault::Zone(self.zone));
        }
        let mut days = match self.days {
            None => vec![0, 1, 2, 3, 4],
            Some(words) => words
                .iter()
                .map(|word| day(word))
                .collect::<Result<_, _>>()?,
        };
        let count = days.len();
        days.sort_unstable();
        days.dedup();
        if days.is_empty() || days.len() != count {
            return Err(SymbolFault::Days);
        }
        Ok(SessionHours {
            opens: minutes(&self.opens)?,
            closes: minutes(&self.closes)?,
            zone: self.zone,
            days,
        })
    }
}

fn day(word: &str) -> Result<u8, SymbolFault> {
    let place = DAYS.iter().position(|day| *day == word);
    let place = place.and_then(|place| u8::try_from(place).ok());
    place.ok_or(SymbolFault::Days)
}

/// The minutes after midnight of a time of day, such as `09:30`.
fn minutes(text: &str) -> Result<u32, SymbolFault> {
    let read = || {
        let (hour, minute) = text.split_once(':')?;
        let number = |part: &str| {
            let is_plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            is_plain.then(|| part.parse::<u32>().ok()).flatten()
        };
        let (hour, minute) = (number(hour)?, number(minute)?);
        (hour < 24 && minute < 60).then_some(hour * 60 + minute)
    };
    read().ok_or_else(|| SymbolFault::Hour(text.to_owned()))
}

/// Declares the configured symbols, and those that were configured once: what is stored of them stays
/// readable. Keeps them for the next start, but for the built-in ones.
///
/// # Errors
/// The store fails, or a symbol contradicts what is stored of it.
pub async fn settle(facts: &dyn FactStore, configured: &[Instrument]) -> Result<(), SymbolsError> {
    let before = facts.fact(KEPT).await?;
    let before = before.as_deref().unwrap_or("[]");
    let damaged = |error: serde_json::Error| StoreError::Damaged(error.to_string());
    let mut all: Vec<Instrument> = serde_json::from_str(before).map_err(damaged)?;
    for instrument in configured {
        let refused = |fault| SymbolsError::Refused(instrument.name.clone(), fault);
        let pair = Symbol::named(&instrument.name).filter(|known| known.is_built_in());
        if let Some(pair) = pair {
            if let Some(fault) = other_digits(pair, instrument) {
                return Err(refused(fault));
            }
            // It is not kept: without its declaration it is again as it was built in.
            Symbol::learn(instrument.clone());
            continue;
        }
        if let Some(kept) = all.iter_mut().find(|kept| kept.name == instrument.name) {
            if kept.digits != instrument.digits {
                let fault = SymbolFault::OtherDigits(kept.name.clone(), kept.digits);
                return Err(refused(fault));
            }
            *kept = instrument.clone();
            continue;
        }
        if all.len() >= MOST_SYMBOLS {
            return Err(refused(SymbolFault::TooMany));
        }
        all.push(instrument.clone());
    }
    for instrument in &all {
        let taken = || SymbolFault::Duplicate(instrument.name.clone());
        let refused = |fault| SymbolsError::Refused(instrument.name.clone(), fault);
        let symbol = Symbol::declare(instrument.clone()).map_err(|_| refused(taken()))?;
        let is_same = |other: &Symbol| *other != symbol && other.code() == symbol.code();
        if Symbol::all().iter().any(is_same) {
            return Err(refused(taken()));
        }
    }
    let text = serde_json::to_string(&all).map_err(damaged)?;
    if text != before {
        facts.put_fact(KEPT, &text).await?;
    }
    Ok(())
}
