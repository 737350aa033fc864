//! Waves: smooth, seeded functions of time with an exact integral.

use std::f64::consts::TAU;

/// Period in seconds and fraction of the base value. The sum of all fractions is below one, so that
/// a wave is never negative and its integral never decreases.
const PARTS: [(f64, f64); 5] = [
    (86_400.0, 0.24),
    (10_331.0, 0.13),
    (1_013.0, 0.16),
    (191.0, 0.12),
    (43.0, 0.1),
];

/// A quantity that oscillates around its base.
#[derive(Clone, Debug)]
pub(crate) struct Wave {
    base: f64,
    parts: [(f64, f64, f64); 5],
}

impl Wave {
    /// A wave. `liveliness` 1 swings by up to three quarters of the base, 0 is constant.
    pub(crate) fn new(seed: u64, key: &str, base: f64, liveliness: f64) -> Self {
        let mut state = mix(seed, key);
        let parts = PARTS.map(|(period, share)| {
            state = step(state);
            let own_period = period * (0.9 + 0.2 * unit(state));
            state = step(state);
            let phase = TAU * unit(state);
            let period = if period > 80_000.0 {
                period
            } else {
                own_period
            };
            (share * liveliness, TAU / period, phase)
        });
        Self { base, parts }
    }

    /// The value at a time in Unix seconds.
    pub(crate) fn at(&self, t: f64) -> f64 {
        let swing: f64 = self
            .parts
            .iter()
            .map(|(share, omega, phase)| share * (omega * t + phase).sin())
            .sum();
        self.base * (1.0 + swing)
    }

    /// The integral between two times: a counter, if the wave is a rate.
    pub(crate) fn total(&self, from: f64, to: f64) -> f64 {
        let swing: f64 = self
            .parts
            .iter()
            .map(|(share, omega, phase)| {
                share / omega * ((omega * from + phase).cos() - (omega * to + phase).cos())
            })
            .sum();
        self.base * (to - from + swing)
    }

    /// The mean between two times.
    pub(crate) fn mean(&self, from: f64, to: f64) -> f64 {
        if to > from {
            self.total(from, to) / (to - from)
        } else {
            self.at(from)
        }
    }
}

/// A number derived from a name, the same in every run with the same seed (FNV-1a, then mixed).
pub(crate) fn mix(seed: u64, key: &str) -> u64 {
    let start = seed ^ 0xcbf2_9ce4_8422_2325;
    step(key.bytes().fold(start, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    }))
}

/// The next number of a SplitMix64 sequence.
pub(crate) fn step(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Converts a number to a fraction from 0 to 1.
pub(crate) fn unit(state: u64) -> f64 {
    f64::from((state >> 32) as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_is_that_of_the_value_and_never_falls() {
        let wave = Wave::new(7, "netin", 1000.0, 1.0);
        let start = 1_795_226_523.0;
        let mut summed = 0.0;
        let mut last = 0.0;
        for tenth in 0..6000 {
            let t = start + f64::from(tenth) / 10.0;
            summed += wave.at(t + 0.05) * 0.1;
            let total = wave.total(start, t + 0.1);
            assert!(total > last, "the counter fell at {t}");
            last = total;
        }
        assert!((summed / last - 1.0).abs() < 1e-4, "{summed} is not {last}");
    }

    #[test]
    fn the_same_seed_and_name_give_the_same_wave() {
        let at = |seed, key| Wave::new(seed, key, 1.0, 1.0).at(1_795_226_523.0);
        assert_eq!(at(1, "cpu"), at(1, "cpu"));
        assert_ne!(at(1, "cpu"), at(2, "cpu"));
        assert_ne!(at(1, "cpu"), at(1, "mem"));
    }
}
