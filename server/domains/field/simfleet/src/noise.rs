//! Numbers that look random and follow from a seed, a name and a place alone.

/// A family of numbers under one seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeededNoise(u64);

impl SeededNoise {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mixed(seed ^ 0x6a09_e667_f3bc_c908))
    }

    /// The family below a name.
    pub(crate) fn named(self, name: &str) -> Self {
        // FNV-1a, then mixed.
        let hash = name
            .bytes()
            .fold(self.0 ^ 0xcbf2_9ce4_8422_2325, |it, byte| {
                (it ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        Self(mixed(hash))
    }

    /// The whole number at a place.
    pub(crate) fn whole(self, at: u64) -> u64 {
        mixed(self.0.wrapping_add(at.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// The fraction at a place, from 0 to below 1.
    pub(crate) fn fraction(self, at: u64) -> f64 {
        f64::from((self.whole(at) >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
    }

    /// True at this share of all places.
    pub(crate) fn happens(self, at: u64, share: f64) -> bool {
        self.fraction(at) < share
    }

    /// A number from `least` to `most`.
    pub(crate) fn between(self, at: u64, least: f64, most: f64) -> f64 {
        least + (most - least) * self.fraction(at)
    }

    /// Time on a network in milliseconds: seldom much more than the base, never less.
    pub(crate) fn delay(self, at: u64, base: f64, spread: f64) -> f64 {
        let fraction = self.fraction(at);
        base + spread * fraction * fraction * fraction
    }
}

/// SplitMix64.
fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
