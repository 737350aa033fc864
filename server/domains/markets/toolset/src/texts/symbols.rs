//! Sentences of the markets for people: mistakes in a symbol that somebody declares.

use std::fmt::Display;

pub(crate) fn no_name(name: &str) -> String {
    format!("name: {name:?} is not 2 to 16 capital letters, digits and dots, such as XAUUSD")
}

pub(crate) fn no_label(most: usize) -> String {
    format!("label: expected 1 to {most} visible characters")
}

pub(crate) fn no_digits(digits: &impl Display, most: u32) -> String {
    format!("digits: {digits} is not 1 to {most}")
}

pub(crate) fn no_pip(pip: &impl Display, digits: &impl Display) -> String {
    format!("pip: {pip} is no size that prices with {digits} decimals can have")
}

pub(crate) fn no_currency(currency: &str) -> String {
    format!("{currency:?} is no currency such as USD or USDT")
}

pub(crate) const NO_CONTRACT: &str = "contract: expected up to 12 digits and capital letters";

pub(crate) fn no_zone(zone: &str) -> String {
    format!("session.zone: {zone:?} is no time zone such as America/New_York")
}

pub(crate) fn no_hour(text: &str) -> String {
    format!("session: {text:?} is no time of day such as 09:30")
}

pub(crate) fn no_days(days: &str) -> String {
    format!("session.days: expected some of {days}, each once")
}

pub(crate) fn no_timeframes(all: &str) -> String {
    format!("timeframes: expected some of {all}, each once")
}

pub(crate) fn declared_twice(name: &str) -> String {
    format!("{name} is declared already")
}

pub(crate) fn too_many(most: usize) -> String {
    format!("at most {most} symbols can be declared")
}

pub(crate) fn other_digits(name: &str, kept: &impl Display) -> String {
    format!(
        "digits: {name} has had {kept}, and what is stored of it is in these; keep them, or declare \
         another name"
    )
}

/// The unknown symbol is a clause.
pub(crate) fn not_declared(unknown: &impl Display) -> String {
    format!(
        "{unknown}; declare another one as [[markets.symbols]] in jarvis.toml, with its name, kind, \
         digits and quote"
    )
}

pub(crate) fn refused_symbol(name: &str, why: &impl Display) -> String {
    format!("symbol {name}: {why}")
}
