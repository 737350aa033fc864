#![doc = include_str!("../README.md")]

mod alert;
mod board;
mod candles;
mod drawing;
mod instrument;
mod life;
mod shape;
mod stage;
mod symbol;
mod talk;
mod timeframe;
mod trail;
mod words;

pub use alert::{
    AlertLine, AlertPart, AlertRecord, AlertState, AlertSubject, Crossing, DrawingLevel, Firing,
    FiringLine, Indicator, LevelSide,
};
pub use board::{
    Bound, Check, DrawingPart, Figures, HourPart, LastPrice, LevelSeen, PricePart, Quoted,
};
pub use candles::{CandleRow, CandlesPage};
pub use drawing::{Actor, Change, Colour, Content, Drawing, FieldChange, Importance, Line, Style};
pub use instrument::{Instrument, InstrumentKind, SessionHours, SymbolTaken, is_name};
pub use life::{Cause, Life, Mark, State};
pub use shape::{Anchor, Extent, Fill, MarkerKind, MarkerSize, Risk, SHAPE_KINDS, Shape, Side};
pub use stage::{DrawingKey, Scroll};
pub use symbol::{Points, Symbol, UnknownSymbol};
pub use talk::{ChartTalk, ChartTalks};
pub use timeframe::{Timeframe, UnknownTimeframe};
pub use trail::{ALERT_KIND, TrailEntry, TrailPage};

#[cfg(test)]
mod golden;
