//! Notices for one person: what the price has done to positions that they alone see. The engine's notices are
//! everybody's, so these never get there; their person reads them, on the page and with programs.

use agent::ports::Condition;
use protocol::{Timestamp, UserId};
use serde::Serialize;

use crate::{StoreError, Symbol, Time, board::MarketNotices, tools::draw::ChartDrawings};

/// A notice that one person alone gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwnNotice {
    /// The same whenever it is read, such as `position/call_1/closed`.
    pub key: String,
    /// Such as `position`.
    pub kind: &'static str,
    /// The symbol.
    pub about: String,
    /// One sentence.
    pub text: String,
    /// Time at which it happened; `None` for a state that lasts.
    pub at: Option<Time>,
}

impl From<Condition> for OwnNotice {
    fn from(condition: Condition) -> Self {
        let at = condition.happened;
        Self {
            key: condition.key,
            kind: condition.kind,
            about: condition.about,
            text: condition.text,
            at: at.map(|at| Time(at.0.div_euclid(1_000))),
        }
    }
}

/// The notices of a person from the last day, newest first. They follow from the records alone, so a
/// restart loses none and repeats none.
pub(crate) async fn own_notices(
    charts: &ChartDrawings,
    notices: MarketNotices,
    person: UserId,
    now: Timestamp,
) -> Result<Vec<OwnNotice>, StoreError> {
    let mut found: Vec<OwnNotice> = Vec::new();
    for symbol in Symbol::all() {
        let own = charts.own(person, symbol).await?;
        let told = own.iter().filter_map(|it| notices.of_position(it, now));
        found.extend(told.map(OwnNotice::from));
    }
    found.sort_by(|one, other| (other.at, &other.key).cmp(&(one.at, &one.key)));
    Ok(found)
}
