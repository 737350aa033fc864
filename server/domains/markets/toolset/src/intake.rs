//! Import of files into stores. A file is read twice, once to validate every line and once to write
//! it, so that an error in its last line leaves nothing behind and a file of any length needs
//! little memory. Importing the same file again changes nothing.

use std::io::BufRead;

use crate::{
    Candle, CandleStore, FactStore, Kept, RecordStore, StoreError, Symbol, Timeframe, Trade,
    Upserted,
    import::{self, ImportCode, ImportError},
    sample, texts,
};

/// Rows per write.
const PART: usize = 5_000;

/// Reason that a file was rejected.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// It cannot be opened.
    #[error("the file cannot be opened: {0}")]
    Open(#[from] std::io::Error),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Kind of records, each with its own file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Records {
    Cot,
    Calendar,
    Trades,
    Headlines,
}

impl Records {
    /// The kind that a word stands for, such as `trades`.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "cot" => Some(Self::Cot),
            "calendar" => Some(Self::Calendar),
            "trades" => Some(Self::Trades),
            "headlines" => Some(Self::Headlines),
            _ => None,
        }
    }
}

/// Imports candles. `open` opens the file anew.
///
/// # Errors
/// The file is invalid, or the store fails. In the latter case the store may contain the beginning
/// of the file.
pub async fn candles<R: BufRead + Send>(
    open: impl Fn() -> std::io::Result<R>,
    symbol: Symbol,
    frame: Timeframe,
    store: &dyn CandleStore,
) -> Result<Upserted, IntakeError> {
    if !symbol.instrument().timeframes.contains(&frame) {
        let message = texts::imports::has_no_such_candles(&symbol, &frame);
        let code = ImportCode::Word;
        return Err(IntakeError::Import(ImportError {
            line: 1,
            code,
            message,
        }));
    }
    for candle in import::candles(open()?, symbol, frame) {
        candle?;
    }
    let mut done = Upserted::default();
    let mut rows = import::candles(open()?, symbol, frame);
    let taken = async {
        loop {
            let part: Vec<Candle> = rows.by_ref().take(PART).collect::<Result<_, _>>()?;
            if part.is_empty() {
                return Ok::<(), IntakeError>(());
            }
            done += store.upsert(symbol, frame, &part).await?;
        }
    };
    let taken = taken.await;
    // Also of a beginning.
    if done.written > 0 {
        store.count_import(symbol);
    }
    taken.map(|()| done)
}

/// Imports reports, releases, trades or headlines. `open` opens the file anew.
///
/// # Errors
/// Same as [`candles`].
pub async fn records<R: BufRead + Send>(
    open: impl Fn() -> std::io::Result<R>,
    what: Records,
    store: &dyn RecordStore,
) -> Result<Upserted, IntakeError> {
    match what {
        Records::Cot => kept(|| Ok(import::cot(open()?)), store).await,
        Records::Calendar => kept(|| Ok(import::calendar(open()?)?), store).await,
        Records::Trades => trades(open, None, store).await,
        Records::Headlines => kept(|| Ok(import::headlines(open()?)?), store).await,
    }
}

/// Imports trades: of everybody, or of an owner who alone sees them.
///
/// # Errors
/// Same as [`candles`].
pub async fn trades<R: BufRead + Send>(
    open: impl Fn() -> std::io::Result<R>,
    owner: Option<&str>,
    store: &dyn RecordStore,
) -> Result<Upserted, IntakeError> {
    let read = || -> Result<_, IntakeError> {
        let owner = owner.map(str::to_owned);
        let owned = move |trade: Result<Trade, ImportError>| {
            trade.map(|trade| Trade {
                owner: owner.clone(),
                ..trade
            })
        };
        Ok(import::trades(open()?)?.map(owned))
    };
    kept(read, store).await
}

async fn kept<T: Kept + Send, I: Iterator<Item = Result<T, ImportError>> + Send>(
    read: impl Fn() -> Result<I, IntakeError>,
    store: &dyn RecordStore,
) -> Result<Upserted, IntakeError> {
    for row in read()? {
        row?;
    }
    let mut done = Upserted::default();
    let mut rows = read()?;
    loop {
        let part: Vec<T> = rows.by_ref().take(PART).collect::<Result<_, _>>()?;
        if part.is_empty() {
            return Ok(done);
        }
        done += put(&part, store).await?;
    }
}

async fn put<T: Kept>(rows: &[T], store: &dyn RecordStore) -> Result<Upserted, StoreError> {
    let rows: Result<Vec<_>, _> = rows.iter().map(Kept::row).collect();
    store.put(T::KIND, &rows?).await
}

/// Imports the data that ships with Jarvis. The candles are not counted as an import: at the first start no
/// chart is open.
///
/// # Errors
/// A store fails.
pub async fn samples(
    candles: &dyn CandleStore,
    records: &dyn RecordStore,
) -> Result<Upserted, StoreError> {
    let bars = sample::candles();
    let mut done = candles.upsert(Symbol::EurUsd, Timeframe::H1, &bars).await?;
    done += put(&sample::calendar(), records).await?;
    done += put(&sample::headlines(), records).await?;
    done += put(&sample::cot(), records).await?;
    done += put(&sample::trades(), records).await?;
    Ok(done)
}

/// The fact that tells that a person wants no samples.
const FORGOTTEN: &str = "samples";

/// Deletes the data that ships with Jarvis, for good: candles that are exactly as shipped, and records
/// marked as samples. Returns the number of rows.
///
/// # Errors
/// A store fails. Deleting again is safe.
pub async fn forget_samples(
    candles: &dyn CandleStore,
    records: &dyn RecordStore,
    facts: &dyn FactStore,
) -> Result<u64, StoreError> {
    // First, so that no start brings them back.
    facts.put_fact(FORGOTTEN, "forgotten").await?;
    let bars = sample::candles();
    let gone = candles.forget(Symbol::EurUsd, Timeframe::H1, &bars).await?;
    if gone > 0 {
        candles.count_import(Symbol::EurUsd);
    }
    Ok(gone + records.forget_samples().await?)
}

/// Returns whether a person wants no samples.
///
/// # Errors
/// The store fails.
pub async fn are_samples_forgotten(facts: &dyn FactStore) -> Result<bool, StoreError> {
    Ok(facts.fact(FORGOTTEN).await?.is_some())
}
