//! Backoff: the wait before the next attempt to connect.

use std::time::Duration;

/// Steps in milliseconds: quick at first, because most breaks are short.
const STEPS: [u32; 7] = [200, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/// Returns the wait after `failures` attempts in a row, spread over its upper half by `chance` (0
/// to 1), so that the tabs of a restarted server do not reconnect all at once.
pub(super) fn wait(failures: usize, chance: f64) -> Duration {
    let step = STEPS[failures.min(STEPS.len() - 1)];
    let spread = f64::from(step) * (0.5 + chance.clamp(0.0, 1.0) / 2.0);
    Duration::from_millis(spread as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_limit_and_are_spread() {
        assert_eq!(wait(0, 0.0), Duration::from_millis(100));
        assert_eq!(wait(0, 1.0), Duration::from_millis(200));
        assert_eq!(wait(3, 0.5), Duration::from_millis(1_500));
        assert_eq!(wait(99, 1.0), Duration::from_millis(15_000));
    }
}
