//! Means of the current step, and the steps that are over and not yet written.

use std::collections::{BTreeMap, VecDeque};

use super::{MAX_METRICS, MeasuredQuantity, MeasuredSubject, Measurement, STEP_SECONDS};

/// Steps that wait for a store which does not take them: an hour.
const MAX_WAITING: usize = 12;

/// The means over a step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SampledStep {
    /// Start of the step, in Unix seconds.
    pub(super) at: i64,
    pub(super) means: Vec<Measurement>,
}

#[derive(Debug, Default)]
pub(super) struct MeasurementSampler {
    /// Number of the current step since 1970.
    step: i64,
    /// Sum and number of the values.
    sums: BTreeMap<(MeasuredSubject, MeasuredQuantity), (f64, u32)>,
    waiting: VecDeque<SampledStep>,
}

impl MeasurementSampler {
    /// Records measurements; returns true if a step is over.
    pub(super) fn note(&mut self, at: i64, measured: Vec<Measurement>) -> bool {
        let step = at.div_euclid(STEP_SECONDS);
        // Earlier, too: the clock may have been set back.
        let is_over = step != self.step && self.end();
        self.step = step;
        for Measurement {
            subject,
            quantity,
            value,
        } in measured
        {
            let key = (subject, quantity);
            let has_room = self.sums.len() < MAX_METRICS || self.sums.contains_key(&key);
            if value.is_finite() && has_room {
                let sum = self.sums.entry(key).or_default();
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
        is_over
    }

    /// Ends the current step, whether it is over or not; returns false if it has no measurements.
    pub(super) fn end(&mut self) -> bool {
        let sums = std::mem::take(&mut self.sums);
        if sums.is_empty() {
            return false;
        }
        let means = sums.into_iter().map(|((subject, quantity), (sum, count))| {
            let value = sum / f64::from(count);
            Measurement {
                subject,
                quantity,
                value,
            }
        });
        self.waiting.push_back(SampledStep {
            at: self.step.saturating_mul(STEP_SECONDS),
            means: means.collect(),
        });
        if self.waiting.len() > MAX_WAITING {
            self.waiting.pop_front();
            tracing::error!(
                waiting = MAX_WAITING,
                "oldest measurements lost, the database has not taken any for an hour"
            );
        }
        true
    }

    /// The oldest step that waits.
    pub(super) fn first(&self) -> Option<SampledStep> {
        self.waiting.front().cloned()
    }

    /// Forgets a step that is written.
    pub(super) fn written(&mut self, step: &SampledStep) {
        if self.waiting.front() == Some(step) {
            self.waiting.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpu(vmid: u32, value: f64) -> Measurement {
        Measurement {
            subject: MeasuredSubject::guest(vmid),
            quantity: MeasuredQuantity::CpuPercent,
            value,
        }
    }

    #[test]
    fn a_step_is_the_mean_of_what_was_measured_in_it() {
        let mut sampler = MeasurementSampler::default();
        assert!(!sampler.note(3_000, vec![cpu(1, 10.0), cpu(2, f64::NAN)]));
        assert!(!sampler.note(3_150, vec![]));
        assert!(!sampler.note(3_299, vec![cpu(1, 20.0), cpu(3, 7.0)]));
        assert!(sampler.note(3_300, vec![]), "it is over without a new one");
        let first = SampledStep {
            at: 3_000,
            means: vec![cpu(1, 15.0), cpu(3, 7.0)],
        };
        assert_eq!(sampler.first(), Some(first.clone()));
        assert!(!sampler.note(3_600, vec![cpu(1, 1.0)]), "nothing was in it");
        // The clock is set back by an hour.
        assert!(sampler.note(0, vec![cpu(1, 2.0)]));
        assert!(sampler.end());
        sampler.written(&first);
        let left: Vec<_> = sampler.waiting.iter().map(|step| step.at).collect();
        assert_eq!(left, [3_600, 0]);
    }

    #[test]
    fn memory_has_bounds() {
        let mut sampler = MeasurementSampler::default();
        let many = (0..MAX_METRICS as u32 + 5).map(|vmid| cpu(vmid, 1.0));
        sampler.note(0, many.collect());
        for step in 1..20 {
            sampler.note(step * STEP_SECONDS, vec![cpu(1, 1.0)]);
        }
        assert_eq!(sampler.waiting.len(), MAX_WAITING);
        assert_eq!(sampler.waiting[0].at, 7 * STEP_SECONDS);
    }
}
