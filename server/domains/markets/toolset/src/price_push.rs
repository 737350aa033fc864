//! Prices that a program sends, as a source. What a message says is judged like any other price: a
//! jump, or a time that goes back, makes the price unknown until another message.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;
use serde::Serialize;

use crate::{
    Live, StoreError, Symbol, UnknownSymbol,
    price_source::{Line, PriceSource},
    texts,
};

/// Characters of an unknown name that its refusal repeats.
const SHOWN_NAME: usize = 32;

/// The newest message about each symbol.
#[derive(Debug, Default)]
pub struct PushedPrices {
    said: Mutex<BTreeMap<Symbol, Line>>,
    /// Messages are judged one after the other, so that none is passed over.
    turn: tokio::sync::Mutex<()>,
}

/// Reason that a message is refused as a whole; the prices stay as they were.
#[derive(Debug, thiserror::Error)]
pub enum PushRefusal {
    /// It is not of the form.
    #[error("{0}")]
    Form(String),
    #[error(transparent)]
    Symbol(#[from] UnknownSymbol),
    /// Its numbers are no price.
    #[error("{0}")]
    Price(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PushRefusal {
    /// The word that programs match.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Form(_) => "prices_unreadable",
            Self::Symbol(_) => "symbol_unknown",
            Self::Price(_) => "price_impossible",
            Self::Store(_) => "storage_failed",
        }
    }
}

/// The symbols of a message, by their prices after it.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct PushAnswer {
    /// Symbols whose price is the sent one.
    pub accepted: Vec<Symbol>,
    /// Symbols whose price is unknown, each with the reason.
    pub unknown: BTreeMap<Symbol, String>,
}

impl PushedPrices {
    /// Takes a message in and judges its prices.
    ///
    /// # Errors
    /// The message is refused as a whole, or the store fails.
    pub(crate) async fn bring(&self, text: &str, live: &Live) -> Result<PushAnswer, PushRefusal> {
        let lines = lines(text)?;
        let _turn = self.turn.lock().await;
        let symbols: Vec<Symbol> = lines.keys().copied().collect();
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(lines);
        let mut answer = PushAnswer::default();
        for symbol in symbols {
            match live.quote(symbol).await {
                Ok(_) => answer.accepted.push(symbol),
                Err(StoreError::Source(price)) => {
                    answer.unknown.insert(symbol, price.reason);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(answer)
    }
}

/// The lines of a message, each a possible price of a known symbol.
fn lines(text: &str) -> Result<BTreeMap<Symbol, Line>, PushRefusal> {
    let all: HashMap<String, Line> =
        serde_json::from_str(text).map_err(|error| PushRefusal::Form(texts::unreadable(&error)))?;
    if all.is_empty() {
        return Err(PushRefusal::Form(texts::MESSAGE_WITHOUT_PRICES.to_owned()));
    }
    let mut lines = BTreeMap::new();
    for (name, line) in all {
        let symbol = Symbol::named(&name)
            .ok_or_else(|| UnknownSymbol(name.chars().take(SHOWN_NAME).collect()))?;
        line.check(symbol).map_err(PushRefusal::Price)?;
        lines.insert(symbol, line);
    }
    Ok(lines)
}

#[async_trait]
impl PriceSource for PushedPrices {
    async fn read(&self) -> Result<String, String> {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.is_empty() {
            return Err(texts::NOTHING_WAS_SENT.to_owned());
        }
        serde_json::to_string(&*said).map_err(|error| error.to_string())
    }
}
