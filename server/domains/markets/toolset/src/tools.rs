//! Tools of the markets: those that read, and in `draw` those that draw. JSON in, JSON out. The
//! current time of an answer is the market's, which may be simulated; no data in it is later.

pub mod alert;
pub mod draw;
mod events;
mod positions;
mod prices;

use std::{sync::Arc, time::Duration};

use agent::ports::Tool;
use protocol::{ErrorBody, ErrorCode, ToolOutput};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{
    CandleStore, Kept, Live, RecordStore, StoreError, Symbol, Time, drawing::Drawing,
    simulate::Quote, texts, typed,
};

/// Timeout of an answer from the database.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Result of a tool: one line for a person, and the data for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub summary: String,
    pub data: Value,
}

/// Reason that a tool failed.
#[derive(Debug, thiserror::Error)]
pub enum ToolProblem {
    /// The input is invalid.
    #[error("{0}")]
    Input(String),
    /// The required data is missing.
    #[error("{0}")]
    Missing(String),
    /// It is not possible in the present state.
    #[error("{0}")]
    Refused(String),
    /// A person has locked the drawing.
    #[error("A person has locked the drawing: only they can change it.")]
    Locked,
    /// Somebody has changed the drawing since; this is its current version.
    #[error("The drawing has changed since: {} is at version {} now.", .0.id, .0.version)]
    Conflict(Box<Drawing>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tools that answer from stored data. Cheap to clone.
#[derive(Clone)]
pub struct Tools {
    /// Stored candles, followed by simulated ones.
    candles: Live,
    records: Arc<dyn RecordStore>,
}

impl Tools {
    /// Uses a price that stands still where the stored candles end.
    pub fn new(candles: Arc<dyn CandleStore>, records: Arc<dyn RecordStore>) -> Self {
        Self::live(Live::still(candles), records)
    }

    /// Uses a price that continues.
    pub fn live(candles: Live, records: Arc<dyn RecordStore>) -> Self {
        Self { candles, records }
    }

    /// All tools that read, always in the same order.
    pub fn all(&self) -> Vec<Arc<dyn Tool>> {
        let with = || self.clone();
        vec![
            Arc::new(prices::GetCandles(with())),
            Arc::new(prices::GetCurrentPrice(with())),
            Arc::new(events::GetNewsEvents(with())),
            Arc::new(events::GetEventStatistics(with())),
            Arc::new(events::GetHeadlines(with())),
            Arc::new(positions::GetCotPositioning(with())),
            Arc::new(positions::GetCotHistory(with())),
            Arc::new(positions::GetTradeHistory(with())),
            Arc::new(positions::GetTradeStats(with())),
        ]
    }

    /// A copy fixed at one instant, so that everything in an answer is consistent.
    fn at_once(&self) -> Self {
        Self {
            candles: self.candles.pinned(),
            records: self.records.clone(),
        }
    }

    /// The current price.
    async fn quote(&self, symbol: Symbol) -> Result<Quote, ToolProblem> {
        let missing = || ToolProblem::Missing(texts::records::no_candles(&symbol));
        self.candles.quote(symbol).await?.ok_or_else(missing)
    }

    /// The current time for all answers about a symbol.
    async fn now(&self, symbol: Symbol) -> Result<Time, ToolProblem> {
        let missing = || ToolProblem::Missing(texts::records::no_candles(&symbol));
        self.candles.market_time(symbol).await?.ok_or_else(missing)
    }

    async fn newest<T: Kept>(
        &self,
        about: Option<&str>,
        until: Time,
        count: usize,
    ) -> Result<Vec<T>, ToolProblem> {
        let rows = self.records.newest(T::KIND, about, until, count).await?;
        Ok(typed(&rows)?)
    }
}

/// Converts an answer for the engine.
pub(crate) fn output(answer: Result<Answer, ToolProblem>) -> Result<ToolOutput, ErrorBody> {
    let answer = answer.map_err(error)?;
    Ok(ToolOutput {
        summary: answer.summary,
        data: answer.data,
        images: Vec::new(),
    })
}

pub(crate) fn error(problem: ToolProblem) -> ErrorBody {
    let code = match &problem {
        ToolProblem::Input(_) => ErrorCode::ToolInputInvalid,
        ToolProblem::Locked => ErrorCode::ToolProtected,
        ToolProblem::Missing(_) | ToolProblem::Refused(_) | ToolProblem::Conflict(_) => {
            ErrorCode::ToolFailed
        }
        ToolProblem::Store(_) => ErrorCode::StorageFailed,
    };
    let error = ErrorBody::new(code, problem.to_string());
    match problem {
        // An error has little room: only the data needed to decide whether to repeat the change.
        ToolProblem::Conflict(now) => {
            error.with_help(texts::records::it_is_now(&serde_json::json!({
                "version": now.version,
                "shape": now.content.shape,
                "label": now.content.label,
                "removed": now.removed,
            })))
        }
        _ => error,
    }
}

/// The text in a field of an input.
pub(crate) fn text(input: &Value, field: &str) -> Option<String> {
    let text = input.get(field)?.as_str()?;
    Some(text.to_owned())
}

fn read<T: DeserializeOwned>(input: Value) -> Result<T, ToolProblem> {
    serde_json::from_value(input)
        .map_err(|error| ToolProblem::Input(texts::records::input_does_not_fit(&error)))
}

fn json(value: &impl serde::Serialize) -> Result<Value, ToolProblem> {
    serde_json::to_value(value).map_err(|error| StoreError::Damaged(error.to_string()).into())
}

/// Definitions of figures, as a part of an answer.
fn meaning(definitions: &[(&str, &str)]) -> Value {
    let pairs = definitions
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).into()));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// The requested count within bounds; the schema has the same limits.
fn bounded(count: Option<usize>, usual: usize, most: usize) -> Result<usize, ToolProblem> {
    let count = count.unwrap_or(usual);
    if (1..=most).contains(&count) {
        Ok(count)
    } else {
        Err(ToolProblem::Input(texts::records::count_out_of_range(
            count, most,
        )))
    }
}
