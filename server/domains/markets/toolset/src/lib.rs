#![doc = include_str!("../README.md")]

mod board;
mod candle;
pub mod candle_folder;
pub mod check;
mod code;
pub mod context;
pub mod drawing;
mod follow;
mod gaps;
pub mod import;
pub mod intake;
mod keep;
mod live;
pub mod maths;
mod minutes;
mod own_notices;
mod pages;
mod passed_prices;
mod person_names;
mod ports;
mod price;
mod price_push;
mod price_source;
mod prompt;
mod records;
mod refer;
pub mod sample;
pub mod session;
pub mod simulate;
pub mod symbols;
mod talks;
mod texts;
mod time;
pub mod tools;
mod toolset;

pub use board::NOTICES;
pub use candle::{BadCandle, Candle, DERIVED, NotDerived, aggregate, merged};
pub use code::Coded;
pub use drawing::trail::{
    BadTrailFilter, TrailBody, TrailFilter, TrailPart, TrailPlace, TrailRow, TrailWay,
};
pub use follow::PositionFollower;
pub use keep::PriceKeeper;
pub use live::{Clock, Live};
pub use markets_wire::{
    Instrument, InstrumentKind, Points, SessionHours, Side, Symbol, Timeframe, UnknownSymbol,
    UnknownTimeframe,
};
pub use own_notices::OwnNotice;
pub use person_names::PersonNames;
pub use ports::{
    CandleStore, FactStore, ImportCounts, MOST, RecordStore, StoreError, Upserted, bars,
};
pub use price::BadPrice;
pub use price_push::{PushAnswer, PushRefusal, PushedPrices};
pub use price_source::{NoPrices, PriceSource, SILENT_SECONDS, UnknownPrice};
pub use records::{
    CalendarEvent, CotGroup, CotReport, Headline, Impact, Kept, RecordKind, RecordRow, Trade, typed,
};
pub use talks::{TalkSubject, TalkSubjects};
pub use time::{BadTime, Time};
pub use tools::alert;
pub use toolset::Markets;
