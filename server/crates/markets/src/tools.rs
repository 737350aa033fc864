//! The tools: those that read, and in `draw` those that draw. JSON in, JSON out. The now of every
//! answer is the market's own, which may be simulated; nothing of an answer is later.

mod definitions;
pub mod draw;
mod events;
mod positions;
mod prices;

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use self::definitions::{Definition, definitions};
use crate::{
    CandleStore, Kept, Live, RecordStore, StoreError, Symbol, Time, drawing::Drawing,
    simulate::Quote, typed,
};

/// What a tool brought back: one line for a person, and the data for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub summary: String,
    pub data: Value,
}

/// Why a tool brought nothing back.
#[derive(Debug, thiserror::Error)]
pub enum ToolProblem {
    /// There is no such tool, or the input does not fit it.
    #[error("{0}")]
    Input(String),
    /// There is nothing to answer from.
    #[error("{0}")]
    Missing(String),
    /// It cannot be done as things are.
    #[error("{0}")]
    Refused(String),
    /// A person has locked the drawing.
    #[error("A person has locked the drawing: only they can change it.")]
    Locked,
    /// Somebody has changed the drawing since; this is how it is now.
    #[error("The drawing has changed since: {} is at version {} now.", .0.id, .0.version)]
    Conflict(Box<Drawing>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Answers calls from what is stored. Cheap to clone.
#[derive(Clone)]
pub struct Tools {
    /// Stored candles and simulated ones after them.
    candles: Live,
    records: Arc<dyn RecordStore>,
}

impl Tools {
    /// With a price that stands still where the stored candles end.
    pub fn new(candles: Arc<dyn CandleStore>, records: Arc<dyn RecordStore>) -> Self {
        Self::live(Live::still(candles), records)
    }

    /// With a price that goes on.
    pub fn live(candles: Live, records: Arc<dyn RecordStore>) -> Self {
        Self { candles, records }
    }

    /// Answers a call.
    ///
    /// # Errors
    /// There is no such tool, the input does not fit it, or there is nothing to answer from.
    pub async fn call(&self, name: &str, input: Value) -> Result<Answer, ToolProblem> {
        // One instant for all that an answer reads.
        let at_once = Self {
            candles: self.candles.pinned(),
            records: self.records.clone(),
        };
        at_once.answer(name, input).await
    }

    async fn answer(&self, name: &str, input: Value) -> Result<Answer, ToolProblem> {
        match name {
            "get_candles" => prices::candles(self, read(input)?).await,
            "get_current_price" => prices::current(self, read(input)?).await,
            "get_news_events" => events::news(self, read(input)?).await,
            "get_event_statistics" => events::statistics(self, read(input)?).await,
            "get_headlines" => events::headlines(self, read(input)?).await,
            "get_cot_positioning" => positions::cot(self, read(input)?).await,
            "get_cot_history" => positions::cot_history(self, read(input)?).await,
            "get_trade_history" => positions::trades(self, read(input)?).await,
            "get_trade_stats" => positions::trade_stats(self, read(input)?).await,
            _ => Err(no_tool(name)),
        }
    }

    /// The price now.
    async fn quote(&self, symbol: Symbol) -> Result<Quote, ToolProblem> {
        let missing = || ToolProblem::Missing(format!("No candles of {symbol} are stored."));
        self.candles.quote(symbol).await?.ok_or_else(missing)
    }

    /// The now of all answers about a symbol.
    async fn now(&self, symbol: Symbol) -> Result<Time, ToolProblem> {
        Ok(self.quote(symbol).await?.time)
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

fn no_tool(name: &str) -> ToolProblem {
    ToolProblem::Input(format!("There is no tool {name:?} here."))
}

fn read<T: DeserializeOwned>(input: Value) -> Result<T, ToolProblem> {
    serde_json::from_value(input)
        .map_err(|error| ToolProblem::Input(format!("The input does not fit the tool: {error}.")))
}

fn json(value: &impl serde::Serialize) -> Result<Value, ToolProblem> {
    serde_json::to_value(value).map_err(|error| StoreError::Damaged(error.to_string()).into())
}

/// What figures mean, as a part of an answer.
fn meaning(definitions: &[(&str, &str)]) -> Value {
    let pairs = definitions
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).into()));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// As many as were asked for, within bounds; the schema says the same.
fn bounded(count: Option<usize>, usual: usize, most: usize) -> Result<usize, ToolProblem> {
    let count = count.unwrap_or(usual);
    match (1..=most).contains(&count) {
        true => Ok(count),
        false => Err(ToolProblem::Input(format!(
            "{count} is not between 1 and {most}."
        ))),
    }
}
