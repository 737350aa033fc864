//! Conversations about charts.

use protocol::{ConversationId, FromJson};
use serde::{Deserialize, Serialize};

use crate::{Symbol, Timeframe};

/// A conversation that has the tools of the charts, and the chart that its first message is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ChartTalk {
    pub conversation: ConversationId,
    pub title: String,
    pub symbol: Symbol,
    pub timeframe: Timeframe,
}

/// The page `conversations`: those of the person who asks, newest change first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ChartTalks {
    pub talks: Vec<ChartTalk>,
}
