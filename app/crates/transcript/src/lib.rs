#![doc = include_str!("../README.md")]

mod closed;
mod fold;
mod grant;
mod live;
mod message;
mod own;
mod part;
mod row;
mod sums;

pub use fold::{ActiveTurn, Change, Gap, Phase, QueuedMessage, Transcript, Waiting};
pub use grant::StandingGrant;
pub use row::{
    Asked, BlockState, Decided, Resolved, Row, RowContent, RowKey, ToolInput, ToolRow, ToolState,
};

#[cfg(test)]
mod tests;
