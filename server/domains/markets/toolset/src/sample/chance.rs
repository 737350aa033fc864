//! Pseudo-random numbers that are the same in every build.

/// A pseudo-random generator (SplitMix64).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn within(&mut self, low: i64, high: i64) -> i64 {
        let span = high.saturating_sub(low).unsigned_abs() + 1;
        low + (self.next() % span) as i64
    }

    /// A number around zero, seldom as far away as `most`.
    pub(super) fn around(&mut self, most: i64) -> i64 {
        (0..3).map(|_| self.within(-most, most)).sum::<i64>() / 3
    }

    pub(super) fn one<'t, T>(&mut self, of: &'t [T]) -> Option<&'t T> {
        let last = i64::try_from(of.len()).ok()?.checked_sub(1)?;
        of.get(usize::try_from(self.within(0, last)).ok()?)
    }
}
