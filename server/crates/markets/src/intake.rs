//! Brings files into stores. A file is read twice: once to see that every line is sound, once to
//! write it. So a mistake in its last line leaves nothing of it behind, and a file of any length
//! needs little memory. The same file twice is the same as once.

use std::io::BufRead;

use crate::{
    Candle, CandleStore, Kept, RecordStore, StoreError, Symbol, Timeframe, Upserted,
    import::{self, ImportError},
    sample,
};

/// Rows of one write.
const PART: usize = 5_000;

/// Why a file was not taken.
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

/// What is kept as records, and how its files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Records {
    Cot,
    Calendar,
    Trades,
}

/// Brings candles in. `open` opens the file anew.
///
/// # Errors
/// The file is wrong, or the store fails. Then the store holds a beginning of the file.
pub async fn candles<R: BufRead + Send>(
    open: impl Fn() -> std::io::Result<R>,
    symbol: Symbol,
    frame: Timeframe,
    store: &dyn CandleStore,
) -> Result<Upserted, IntakeError> {
    for candle in import::candles(open()?, symbol, frame) {
        candle?;
    }
    let mut done = Upserted::default();
    let mut rows = import::candles(open()?, symbol, frame);
    loop {
        let part: Vec<Candle> = rows.by_ref().take(PART).collect::<Result<_, _>>()?;
        if part.is_empty() {
            return Ok(done);
        }
        done += store.upsert(symbol, frame, &part).await?;
    }
}

/// Brings reports, releases or trades in. `open` opens the file anew.
///
/// # Errors
/// As of [`candles`].
pub async fn records<R: BufRead + Send>(
    open: impl Fn() -> std::io::Result<R>,
    what: Records,
    store: &dyn RecordStore,
) -> Result<Upserted, IntakeError> {
    match what {
        Records::Cot => kept(|| Ok(import::cot(open()?)), store).await,
        Records::Calendar => kept(|| Ok(import::calendar(open()?)?), store).await,
        Records::Trades => kept(|| Ok(import::trades(open()?)?), store).await,
    }
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

/// Brings in the data that comes with Jarvis.
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
