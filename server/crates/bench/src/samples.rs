//! Measured durations, and their quantiles.

/// Microseconds.
#[derive(Default)]
pub(crate) struct Samples(Vec<u32>);

impl Samples {
    pub(crate) fn add(&mut self, micros: u64) {
        self.0.push(u32::try_from(micros).unwrap_or(u32::MAX));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The values at these shares of the sorted list, in milliseconds; none without samples.
    pub(crate) fn quantiles<const N: usize>(&self, shares: [f64; N]) -> Option<[f64; N]> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        Some(shares.map(|share| {
            let at = (sorted.len() as f64 * share) as usize;
            f64::from(sorted[at.min(last)]) / 1000.0
        }))
    }
}
