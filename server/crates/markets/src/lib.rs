#![doc = include_str!("../README.md")]

mod board;
mod candle;
pub mod check;
pub mod drawing;
pub mod import;
pub mod intake;
pub mod maths;
mod pages;
mod ports;
mod price;
mod prompt;
mod quote;
mod records;
mod refer;
pub mod sample;
pub mod session;
mod time;
mod timeframe;
pub mod tools;
mod toolset;

pub use candle::{BadCandle, Candle, NotDerived, aggregate};
pub use ports::{CandleStore, MOST, RecordStore, StoreError, Upserted, bars};
pub use price::{BadPrice, Points, Symbol, UnknownSymbol};
pub use records::{
    CalendarEvent, CotGroup, CotReport, Headline, Impact, Kept, RecordKind, RecordRow, Side, Trade,
    typed,
};
pub use time::{BadTime, Time};
pub use timeframe::{Timeframe, UnknownTimeframe};
pub use toolset::Markets;
