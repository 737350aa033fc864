#![doc = include_str!("../README.md")]

mod board;
mod house;
mod ports;
mod readings;
mod texts;
mod tools;
mod toolset;

pub use board::NOTICE;
pub use house::{House, MOST, canonical};
pub use ports::{Reading, ReadingStore, StoreError, Switch, SwitchStore};
pub use readings::{Recorder, csv};
pub use toolset::Lamps;
