#![doc = include_str!("../README.md")]

mod fold;
mod live;
mod message;
mod row;

pub use fold::{ActiveTurn, Change, Gap, Phase, QueuedMessage, Transcript, Waiting};
pub use row::{BlockState, Row, RowContent, RowKey, ToolInput, ToolRow, ToolState};

#[cfg(test)]
mod tests;
