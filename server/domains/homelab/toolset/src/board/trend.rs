//! Fill level of a storage over the past week, and its forecast.

use crate::wire::StorageRrdRow;

/// Seconds per step.
pub(super) const STEP: i64 = 3 * 3_600;
/// Steps shown: one week.
const STEPS: i64 = 56;
/// Least span in seconds; a shorter one predicts nothing.
const LEAST_SECONDS: f64 = 86_400.0;
/// Furthest forecast in days.
const MAX_DAYS: f64 = 730.0;

/// The past week of a storage.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Trend {
    /// Used share in percent, oldest first.
    pub used: Vec<Option<f64>>,
    /// Growth in bytes per day; `None` if there are too few samples.
    pub per_day: Option<f64>,
    /// Seconds until it is full; `None` without growth or beyond [`MAX_DAYS`].
    pub full_in: Option<u64>,
}

/// Aggregates samples up to a time in Unix seconds.
pub(super) fn trend(rows: &[StorageRrdRow], now: i64) -> Trend {
    let samples: Vec<(i64, f64, f64)> = rows
        .iter()
        .filter_map(|row| Some((row.time?, row.used?, row.total?)))
        .filter(|(_, _, total)| *total > 0.0)
        .collect();
    let end = now.div_euclid(STEP);
    let used = (end - STEPS..end).map(|step| {
        let of_step = samples
            .iter()
            .filter(|(at, ..)| at.div_euclid(STEP) == step);
        let (sum, count) = of_step.fold((0.0, 0_u32), |(sum, count), (_, used, total)| {
            (sum + used / total * 100.0, count + 1)
        });
        (count > 0).then(|| (sum / f64::from(count) * 10.0).round() / 10.0)
    });
    let per_day = slope(&samples).map(|slope| slope * 86_400.0);
    let left = samples.last().map(|(_, used, total)| total - used);
    let full_in = match (per_day, left) {
        (Some(per_day), Some(left)) if per_day > 0.0 && left / per_day <= MAX_DAYS => {
            Some((left.max(0.0) / per_day * 86_400.0) as u64)
        }
        _ => None,
    };
    Trend {
        used: used.collect(),
        per_day: per_day.map(f64::round),
        full_in,
    }
}

/// The slope of the best-fitting line, in bytes per second.
fn slope(samples: &[(i64, f64, f64)]) -> Option<f64> {
    let (first, last) = (samples.first()?.0, samples.last()?.0);
    if ((last - first) as f64) < LEAST_SECONDS {
        return None;
    }
    let count = samples.len() as f64;
    let times = samples.iter().map(|(at, ..)| (at - first) as f64);
    let mean_time = times.clone().sum::<f64>() / count;
    let mean_used = samples.iter().map(|(_, used, _)| used).sum::<f64>() / count;
    let (mut above, mut below) = (0.0, 0.0);
    for (time, (_, used, _)) in times.zip(samples) {
        above += (time - mean_time) * (used - mean_used);
        below += (time - mean_time) * (time - mean_time);
    }
    (below > 0.0).then(|| above / below)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;
    const NOW: i64 = 20_000 * DAY;

    /// One sample per hour, starting the given number of days ago.
    fn week(days: i64, used: impl Fn(f64) -> Option<f64>) -> Vec<StorageRrdRow> {
        let rows = (0..days * 24).map(|hour| {
            let time = NOW - days * DAY + hour * 3_600;
            StorageRrdRow {
                time: Some(time),
                used: used(hour as f64 / 24.0),
                total: Some(1_000.0),
            }
        });
        rows.collect()
    }

    #[test]
    fn trends() {
        let grows = trend(&week(7, |day| Some(100.0 + 50.0 * day)), NOW);
        assert_eq!(grows.per_day, Some(50.0));
        assert_eq!(grows.used.len(), 56);
        assert_eq!((grows.used[0], grows.used[55]), (Some(10.2), Some(44.6)));
        // 552 bytes are free.
        assert_eq!(grows.full_in.map(|seconds| seconds / 86_400), Some(11));

        let shrinks = trend(&week(7, |day| Some(500.0 - day)), NOW);
        assert_eq!((shrinks.per_day, shrinks.full_in), (Some(-1.0), None));
        let still = trend(&week(7, |_| Some(500.0)), NOW);
        assert_eq!((still.per_day, still.full_in), (Some(0.0), None));
        // Slower than the longest forecast.
        let slow = trend(&week(7, |day| Some(500.0 + day / 10.0)), NOW);
        assert_eq!(slow.full_in, None);

        // Missing samples leave a gap.
        let gap = trend(&week(2, |day| (day < 1.0).then_some(500.0)), NOW);
        assert_eq!(gap.used.iter().flatten().count(), 8);
        assert_eq!(gap.used[48..], [None; 8]);
        assert_eq!(gap.per_day, None);
        assert_eq!(trend(&[], NOW).used, [None; 56]);
    }
}
