//! Data that ships with Jarvis: a year of real candles, with made-up records to match.

mod calendar;
mod candles;
mod chance;
mod cot;
mod headlines;
mod trades;

pub use self::{
    calendar::{JOBS_DAYS, calendar, jobs_releases},
    candles::candles,
    cot::{cot, cot_file},
    headlines::headlines,
    trades::{ACCOUNT, trades},
};
