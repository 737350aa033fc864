//! The data that comes with Jarvis: a year of real candles, and what was made up to go with it.

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
