//! Samples of a node's last hour, by minute.

use std::collections::BTreeMap;

/// Seconds per step.
pub(super) const STEP: i64 = 60;
/// Steps kept.
pub(super) const KEPT: i64 = 60;

/// Sums of one minute.
#[derive(Debug, Clone, Copy, Default)]
struct Minute {
    cpu: (f64, u32),
    memory: (f64, u32),
    io_wait: (f64, u32),
}

/// A sample, in percent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct RingSample {
    pub(super) cpu: Option<f64>,
    pub(super) memory: Option<f64>,
    pub(super) io_wait: Option<f64>,
}

/// The mean of each full minute, oldest first; `None` for a minute without samples.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RingSeries {
    pub(super) cpu: Vec<Option<f64>>,
    pub(super) memory: Vec<Option<f64>>,
    pub(super) io_wait: Vec<Option<f64>>,
}

/// Means that were measured before the start, of a longer time than a minute.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RingFill {
    pub(super) cpu: Option<f64>,
    /// In bytes, because the node's memory may not be known yet.
    pub(super) memory: Option<f64>,
    pub(super) io_wait: Option<f64>,
}

#[derive(Debug, Default)]
pub(super) struct Ring {
    minutes: BTreeMap<i64, Minute>,
    /// Shown in minutes without samples.
    fills: BTreeMap<i64, RingFill>,
}

impl Ring {
    pub(super) fn note(&mut self, at: i64, sample: RingSample) {
        let minute = self.minutes.entry(at.div_euclid(STEP)).or_default();
        for (sum, value) in [
            (&mut minute.cpu, sample.cpu),
            (&mut minute.memory, sample.memory),
            (&mut minute.io_wait, sample.io_wait),
        ] {
            if let Some(value) = value {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
        // Relative to the newest sample: if the clock is set back, old ones must still expire.
        let newest = self.minutes.last_key_value().map_or(0, |(at, _)| *at);
        self.minutes.retain(|at, _| *at >= newest - KEPT);
        self.fills.retain(|at, _| *at >= newest - KEPT);
    }

    /// Fills the minutes that begin in `from..until` and have no samples.
    pub(super) fn fill(&mut self, from: i64, until: i64, set: impl Fn(&mut RingFill)) {
        let minutes = from.div_euclid(STEP)..until.div_euclid(STEP);
        for at in minutes.take(KEPT as usize) {
            set(self.fills.entry(at).or_default());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.minutes.is_empty() && self.fills.is_empty()
    }

    /// The last hour. `memory` is all memory of the node, in bytes.
    pub(super) fn series(&self, now: i64, memory: Option<f64>) -> RingSeries {
        let end = now.div_euclid(STEP);
        let mean = |(sum, count): (f64, u32), fill: Option<f64>| {
            let mean = if count > 0 {
                Some(sum / f64::from(count))
            } else {
                fill
            };
            mean.map(|mean| (mean * 10.0).round() / 10.0)
        };
        let memory = memory.filter(|memory| *memory > 0.0);
        let mut series = RingSeries::default();
        for at in end - KEPT..end {
            let minute = self.minutes.get(&at).copied().unwrap_or_default();
            let fill = self.fills.get(&at).copied().unwrap_or_default();
            let share = fill
                .memory
                .zip(memory)
                .map(|(used, all)| used / all * 100.0);
            series.cpu.push(mean(minute.cpu, fill.cpu));
            series.memory.push(mean(minute.memory, share));
            series.io_wait.push(mean(minute.io_wait, fill.io_wait));
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_means_and_gaps_are_gaps() {
        let mut ring = Ring::default();
        for (at, cpu, memory, io_wait) in [
            (0, Some(50.0), None, None),
            (600, Some(10.0), Some(40.0), Some(1.0)),
            (620, Some(20.0), None, Some(2.0)),
            (725, None, None, None),
            (780, Some(99.0), None, None),
        ] {
            let sample = RingSample {
                cpu,
                memory,
                io_wait,
            };
            ring.note(at, sample);
        }
        let series = ring.series(781, None);
        assert_eq!(series.cpu.len(), 60);
        assert_eq!(series.cpu[57..], [Some(15.0), None, None]);
        assert_eq!(series.memory[57..], [Some(40.0), None, None]);
        assert_eq!(series.io_wait[57..], [Some(1.5), None, None]);
        assert_eq!(series.cpu[47], Some(50.0));

        // An hour later all of it has expired.
        ring.note(780 + 61 * 60, RingSample::default());
        let series = ring.series(781 + 61 * 60, None);
        assert!(series.cpu.iter().all(Option::is_none));
        assert_eq!(ring.minutes.len(), 1);
    }

    #[test]
    fn means_of_before_fill_minutes_without_samples() {
        let mut ring = Ring::default();
        ring.fill(600, 900, |fill| fill.cpu = Some(30.0));
        ring.fill(600, 900, |fill| fill.memory = Some(512.0));
        assert!(!ring.is_empty());
        let sample = RingSample {
            cpu: Some(10.0),
            ..RingSample::default()
        };
        ring.note(660, sample);
        let series = ring.series(960, Some(2_048.0));
        let cpu = [Some(30.0), Some(10.0), Some(30.0), Some(30.0), Some(30.0)];
        assert_eq!(series.cpu[54..59], cpu);
        assert_eq!((series.cpu[53], series.cpu[59]), (None, None));
        assert_eq!(series.memory[54..59], [Some(25.0); 5]);
        assert_eq!(series.io_wait, [None; 60]);
        assert_eq!(ring.series(960, None).memory, [None; 60]);
        ring.note(900 + 61 * 60, RingSample::default());
        assert!(ring.fills.is_empty());
    }
}
