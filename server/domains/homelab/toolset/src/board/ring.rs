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

#[derive(Debug, Default)]
pub(super) struct Ring(BTreeMap<i64, Minute>);

impl Ring {
    pub(super) fn note(&mut self, at: i64, sample: RingSample) {
        let minute = self.0.entry(at.div_euclid(STEP)).or_default();
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
        let newest = self.0.last_key_value().map_or(0, |(at, _)| *at);
        self.0.retain(|at, _| *at >= newest - KEPT);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn series(&self, now: i64) -> RingSeries {
        let end = now.div_euclid(STEP);
        let mean = |(sum, count): (f64, u32)| {
            (count > 0).then(|| (sum / f64::from(count) * 10.0).round() / 10.0)
        };
        let mut series = RingSeries::default();
        for at in end - KEPT..end {
            let minute = self.0.get(&at).copied().unwrap_or_default();
            series.cpu.push(mean(minute.cpu));
            series.memory.push(mean(minute.memory));
            series.io_wait.push(mean(minute.io_wait));
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
        let series = ring.series(781);
        assert_eq!(series.cpu.len(), 60);
        assert_eq!(series.cpu[57..], [Some(15.0), None, None]);
        assert_eq!(series.memory[57..], [Some(40.0), None, None]);
        assert_eq!(series.io_wait[57..], [Some(1.5), None, None]);
        assert_eq!(series.cpu[47], Some(50.0));

        // An hour later all of it has expired.
        ring.note(780 + 61 * 60, RingSample::default());
        let series = ring.series(781 + 61 * 60);
        assert!(series.cpu.iter().all(Option::is_none));
        assert_eq!(ring.0.len(), 1);
    }
}
