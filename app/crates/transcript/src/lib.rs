#![doc = include_str!("../README.md")]

mod branch;
mod closed;
mod entries;
mod fold;
mod grant;
mod live;
mod message;
mod own_call;
mod part;
mod queue;
mod reads;
mod row;
mod sums;
mod texts;
mod turn;

pub use entries::{Branch, QueuedMessage, StandingGrant};
pub use fold::{Gap, RowChange, Transcript};
pub use reads::{ReadProgress, quiet_runs};
pub use row::{
    AskedRow, BlockState, Decided, Resolved, Row, RowContent, RowKey, ToolRow, ToolState,
};
pub use turn::{ActiveTurn, Phase, Waiting};

#[cfg(test)]
mod tests;
