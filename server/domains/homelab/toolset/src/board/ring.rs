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
}

#[derive(Debug, Default)]
pub(super) struct Ring(BTreeMap<i64, Minute>);

impl Ring {
    /// Records a sample, in percent.
    pub(super) fn note(&mut self, at: i64, cpu: Option<f64>, memory: Option<f64>) {
        let minute = self.0.entry(at.div_euclid(STEP)).or_default();
        for (sum, value) in [(&mut minute.cpu, cpu), (&mut minute.memory, memory)] {
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

    /// Mean processor and memory load of each full minute, oldest first. `None` for a minute
    /// without samples.
    pub(super) fn series(&self, now: i64) -> [Vec<Option<f64>>; 2] {
        let end = now.div_euclid(STEP);
        let minutes = (end - KEPT..end).map(|at| self.0.get(&at).copied().unwrap_or_default());
        let mean = |(sum, count): (f64, u32)| {
            (count > 0).then(|| (sum / f64::from(count) * 10.0).round() / 10.0)
        };
        let (cpu, memory) = minutes
            .map(|minute| (mean(minute.cpu), mean(minute.memory)))
            .unzip();
        [cpu, memory]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_means_and_gaps_are_gaps() {
        let mut ring = Ring::default();
        for (at, cpu, memory) in [
            (0, Some(50.0), None),
            (600, Some(10.0), Some(40.0)),
            (620, Some(20.0), None),
            (725, None, None),
            (780, Some(99.0), None),
        ] {
            ring.note(at, cpu, memory);
        }
        let [cpu, memory] = ring.series(781);
        assert_eq!(cpu.len(), 60);
        assert_eq!(cpu[57..], [Some(15.0), None, None]);
        assert_eq!(memory[57..], [Some(40.0), None, None]);
        assert_eq!(cpu[47], Some(50.0));

        // An hour later all of it has expired.
        ring.note(780 + 61 * 60, None, None);
        let [cpu, _] = ring.series(781 + 61 * 60);
        assert!(cpu.iter().all(Option::is_none));
        assert_eq!(ring.0.len(), 1);
    }
}
