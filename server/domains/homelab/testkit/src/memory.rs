//! Measurements in memory.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use homelab::{
    KEPT_STEPS, MAX_METRICS, MeasuredQuantity, MeasuredSubject, Measurement, MeasurementError,
    MeasurementStore, STEP_SECONDS, StepMean,
};

/// The newest step of a metric, and its means by step.
type Metric = (i64, BTreeMap<i64, f64>);

/// The store in memory. Clones are the same store.
#[derive(Default, Clone)]
pub struct MemoryMeasurements(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    metrics: BTreeMap<(MeasuredSubject, MeasuredQuantity), Metric>,
    fails: bool,
}

impl MemoryMeasurements {
    /// Makes everything fail from now on, or nothing.
    pub fn fail(&self, fails: bool) {
        self.0.lock().unwrap().fails = fails;
    }
}

#[async_trait]
impl MeasurementStore for MemoryMeasurements {
    async fn put(&self, at: i64, means: &[Measurement]) -> Result<(), MeasurementError> {
        let mut state = self.0.lock().unwrap();
        if state.fails {
            return Err(MeasurementError("on purpose".to_owned()));
        }
        let step = at.div_euclid(STEP_SECONDS);
        let is_in = |key: &(MeasuredSubject, MeasuredQuantity)| {
            let mut means = means.iter();
            means.any(|mean| mean.subject == key.0 && mean.quantity == key.1)
        };
        let old = step - KEPT_STEPS;
        state
            .metrics
            .retain(|key, (newest, _)| *newest > old || is_in(key));
        for mean in means {
            let key = (mean.subject.clone(), mean.quantity);
            if state.metrics.len() >= MAX_METRICS && !state.metrics.contains_key(&key) {
                continue;
            }
            let (newest, kept) = state.metrics.entry(key).or_insert((step, BTreeMap::new()));
            *newest = step.max(*newest);
            kept.retain(|at, _| (at - step).rem_euclid(KEPT_STEPS) != 0);
            kept.insert(step, mean.value);
        }
        Ok(())
    }

    async fn series(
        &self,
        subject: &MeasuredSubject,
        quantity: MeasuredQuantity,
        from: i64,
        until: i64,
    ) -> Result<Vec<StepMean>, MeasurementError> {
        let state = self.0.lock().unwrap();
        if state.fails {
            return Err(MeasurementError("on purpose".to_owned()));
        }
        let metric = state.metrics.get(&(subject.clone(), quantity));
        let means = metric.into_iter().flat_map(|(_, means)| means);
        let means = means.map(|(step, value)| StepMean {
            at: step * STEP_SECONDS,
            value: *value,
        });
        let from = from.max(until - KEPT_STEPS * STEP_SECONDS);
        Ok(means
            .filter(|mean| (from..until).contains(&mean.at))
            .collect())
    }
}
