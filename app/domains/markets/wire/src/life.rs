//! The life of a position so far.

use protocol::FromJson;
use serde::{Deserialize, Serialize};

use crate::{Points, words::words};

words! {
    /// State of a position.
    State {
        // An idea.
        Signal = "signal",
        // Waiting for its entry.
        Pending = "pending",
        Open = "open",
        Closed = "closed",
        Cancelled = "cancelled",
        Expired = "expired",
        Rejected = "rejected",
    }
}

words! {
    /// Why a position was closed.
    Cause {
        // The target.
        Tp = "tp",
        // The stop.
        Sl = "sl",
        Manual = "manual",
        Expiry = "expiry",
    }
}

/// A price with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Mark<T = String> {
    pub time: T,
    pub price: Points,
}

/// The life so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Life<T = String> {
    pub state: State,
    /// Start of the current state.
    pub since: T,
    pub opened: Option<Mark<T>>,
    pub closed: Option<Mark<T>>,
    pub cause: Option<Cause>,
    /// The market's time of the newest change of the plan: prices before it count no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<T>,
}
