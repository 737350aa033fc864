#![doc = include_str!("../README.md")]

mod drawing;
mod from_json;
mod life;
mod shape;
mod symbol;
mod timeframe;
mod words;

pub use drawing::{Actor, Change, Colour, Content, Drawing, FieldChange, Importance, Line, Style};
pub use life::{Cause, Life, Mark, State};
pub use shape::{Anchor, Extent, Risk, Shape, Side};
pub use symbol::{Points, Symbol, UnknownSymbol};
pub use timeframe::{Timeframe, UnknownTimeframe};

#[cfg(test)]
mod golden;
