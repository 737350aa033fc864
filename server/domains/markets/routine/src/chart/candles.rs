//! Candles out of a result, and what can be seen in them: swings, levels, the last leg.

use rehearsal::routine::seconds;
use serde_json::Value;

/// Neighbours on either side that a swing stands above.
const REACH: usize = 5;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candle {
    pub(super) time: String,
    pub(super) high: f64,
    pub(super) low: f64,
    pub(super) close: f64,
}

/// A high or a low that stands out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Swing {
    pub(super) time: String,
    pub(super) price: f64,
    pub(super) is_high: bool,
}

/// Prices near each other that the market turned at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Level {
    pub(super) price: f64,
    /// Oldest first.
    pub(super) swings: Vec<Swing>,
}

/// The candles of one result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chart {
    pub(super) candles: Vec<Candle>,
    pub(super) last: Candle,
    /// Decimals of its prices.
    pub(super) digits: usize,
    /// The size of a pip; none if the result does not tell it.
    pub(super) pip: Option<f64>,
    /// Candles from this time on are simulated.
    pub(super) simulated_from: Option<String>,
}

impl Chart {
    /// Reads `{"columns": […], "rows": [[…], …]}`, oldest first. Rows that are no candles are left out.
    pub(super) fn read(data: &Value) -> Option<Self> {
        let columns = data["columns"].as_array()?;
        let column = |name: &str| columns.iter().position(|column| column == name);
        let (time, close) = (column("time")?, column("close")?);
        let (high, low) = (column("high")?, column("low")?);
        let mut digits = 0;
        let rows = data["rows"].as_array()?.iter();
        let candles = rows.filter_map(|row| {
            let mut price = |at: usize| {
                let number = row.get(at)?.as_f64().filter(|number| *number > 0.0)?;
                digits = digits.max(decimals(number));
                Some(number)
            };
            let candle = Candle {
                high: price(high)?,
                low: price(low)?,
                close: price(close)?,
                time: row
                    .get(time)?
                    .as_str()
                    .filter(|time| is_time(time))?
                    .to_owned(),
            };
            (candle.low <= candle.close && candle.close <= candle.high).then_some(candle)
        });
        let candles: Vec<Candle> = candles.collect();
        Some(Self {
            last: candles.last()?.clone(),
            candles,
            digits: digits.min(8),
            pip: data["pip"].as_f64().filter(|pip| *pip > 0.0),
            simulated_from: data["simulated_from"].as_str().map(str::to_owned),
        })
    }

    /// A price with all its decimals.
    pub(super) fn show(&self, price: f64) -> String {
        format!("{price:.*}", self.digits)
    }

    /// The nearest price with these decimals.
    pub(super) fn round(&self, price: f64) -> f64 {
        self.show(price).parse().unwrap_or(price)
    }

    /// Pips from the last close to a price, above zero if it is higher.
    pub(super) fn pips_to(&self, price: f64) -> Option<f64> {
        let pips = (price - self.last.close) / self.pip?;
        Some((pips * 10.0).round() / 10.0)
    }

    /// The candles of the last so many hours before the end of the last one.
    pub(super) fn since(&self, hours: u64) -> &[Candle] {
        let begins = |candle: &Candle| seconds(&candle.time);
        let Some(end) = begins(&self.last) else {
            return &self.candles;
        };
        let begin = end.saturating_sub(hours * 3_600);
        let at = self
            .candles
            .iter()
            .position(|candle| begins(candle) >= Some(begin));
        self.candles.get(at.unwrap_or(0)..).unwrap_or_default()
    }

    /// The candle that a moment lies in; none before the first and long after the last one.
    pub(super) fn at(&self, time: &str) -> Option<&Candle> {
        let moment = seconds(time)?;
        let candle = self.candles.iter().rfind(|candle| {
            let begin = seconds(&candle.time);
            begin.is_some_and(|begin| begin <= moment)
        })?;
        // The market rests at weekends.
        let is_near = moment.saturating_sub(seconds(&candle.time)?) <= 3 * 86_400;
        is_near.then_some(candle)
    }

    /// From high to low, on average.
    pub(super) fn mean_range(&self) -> f64 {
        let ranges = self.candles.iter().map(|candle| candle.high - candle.low);
        ranges.sum::<f64>() / self.candles.len() as f64
    }

    /// Candles whose high or low stands out from their neighbours; of equal ones the first.
    pub(super) fn swings(&self) -> Vec<Swing> {
        let mut out = Vec::new();
        for window in self.candles.windows(2 * REACH + 1) {
            let (before, rest) = window.split_at(REACH);
            let Some((candle, after)) = rest.split_first() else {
                continue;
            };
            let swing = |price: f64, is_high: bool| Swing {
                time: candle.time.clone(),
                price,
                is_high,
            };
            if before.iter().all(|other| other.high < candle.high)
                && after.iter().all(|other| other.high <= candle.high)
            {
                out.push(swing(candle.high, true));
            }
            if before.iter().all(|other| other.low > candle.low)
                && after.iter().all(|other| other.low >= candle.low)
            {
                out.push(swing(candle.low, false));
            }
        }
        out
    }

    /// The levels below or above the last close, strongest first: where most swings lie within a mean
    /// range of each other, and of those the newest. Where no two do, the outermost swing.
    pub(super) fn levels(&self, support: bool) -> Vec<Level> {
        let width = self.mean_range();
        let is_here = |price: f64| {
            if support {
                price < self.last.close
            } else {
                price > self.last.close
            }
        };
        let mut open = self.swings();
        open.retain(|swing| is_here(swing.price));
        open.sort_by(|a, b| a.price.total_cmp(&b.price));
        let mut out = Vec::new();
        loop {
            let ends = |start: usize| {
                let first = open.get(start).map_or(f64::NAN, |swing| swing.price);
                open.partition_point(|swing| swing.price <= first + width)
            };
            let stretches = (0..open.len()).map(|start| start..ends(start));
            let newest = |stretch: &std::ops::Range<usize>| {
                let swings = open.get(stretch.clone()).unwrap_or_default();
                swings.iter().map(|swing| swing.time.clone()).max()
            };
            let best = stretches
                .filter(|stretch| stretch.len() > 1)
                .max_by_key(|stretch| (stretch.len(), newest(stretch)));
            let Some(best) = best else {
                break;
            };
            let mut swings: Vec<Swing> = open.drain(best).collect();
            let sum: f64 = swings.iter().map(|swing| swing.price).sum();
            let price = self.round(sum / swings.len() as f64);
            swings.sort_by(|a, b| a.time.cmp(&b.time));
            out.push(Level { price, swings });
        }
        if out.is_empty() {
            let outermost = if support {
                open.into_iter().next()
            } else {
                open.pop()
            };
            out.extend(outermost.map(|swing| Level {
                price: swing.price,
                swings: vec![swing],
            }));
        }
        out
    }

    /// The last swing from a low to a high or the other way round; of several ends the furthest.
    pub(super) fn last_leg(&self) -> Option<(Swing, Swing)> {
        let swings = self.swings();
        let last = swings.last()?;
        let from = swings
            .iter()
            .rposition(|swing| swing.is_high != last.is_high)?;
        let since = swings.get(from..)?.iter();
        let since = since.filter(|swing| swing.is_high == last.is_high);
        let to = if last.is_high {
            since.max_by(|a, b| a.price.total_cmp(&b.price))
        } else {
            since.min_by(|a, b| a.price.total_cmp(&b.price))
        };
        Some((swings.get(from)?.clone(), to?.clone()))
    }
}

fn decimals(number: f64) -> usize {
    let text = number.to_string();
    text.split_once('.')
        .map_or(0, |(_, fraction)| fraction.len())
}

/// `2017-03-10T13:00:00Z` and nothing else: it goes back into calls.
fn is_time(text: &str) -> bool {
    let pattern = b"0000-00-00T00:00:00Z";
    text.len() == pattern.len()
        && text.bytes().zip(pattern).all(|(byte, sign)| match sign {
            b'0' => byte.is_ascii_digit(),
            sign => byte == *sign,
        })
}
