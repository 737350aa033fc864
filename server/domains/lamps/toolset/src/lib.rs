#![doc = include_str!("../README.md")]

mod board;
mod house;
mod ports;
mod tools;
mod toolset;

pub use board::NOTICE;
pub use house::{House, MOST, canonical};
pub use ports::{StoreError, Switch, SwitchStore};
pub use toolset::Lamps;
