//! Pauses between attempts.

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
/// Seconds before each attempt after the first: soon for a restart of the receiver, and over a day for an
/// outage that somebody has to see first.
const DELAYS: [u64; 9] = [
    5,
    30,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    10 * HOUR,
];
/// The least of a pause that is kept, in thousandths, and what chance adds at most: messages that failed
/// together do not come back together.
const LEAST: u32 = 800;
const SPREAD: u32 = 400;

/// The pause after so many failed attempts; none when the message is given up. `chance` is any number,
/// drawn anew each time.
pub fn delay_after(failed: u32, chance: u32) -> Option<Duration> {
    let index = usize::try_from(failed).ok()?.checked_sub(1)?;
    let seconds = DELAYS.get(index)?;
    let thousandths = LEAST + chance % (SPREAD + 1);
    Some(Duration::from_secs(*seconds) * thousandths / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_over_a_day_and_then_end() {
        let sum = |chance: u32| {
            let delays = (1..20).map_while(|failed| delay_after(failed, chance));
            let delays: Vec<_> = delays.collect();
            assert!(delays.is_sorted(), "{delays:?}");
            (delays.len(), delays.iter().sum::<Duration>())
        };
        let day = Duration::from_secs(24 * HOUR);
        let ((fewest, shortest), (most, longest)) = (sum(0), sum(SPREAD));
        assert_eq!((fewest, most), (DELAYS.len(), DELAYS.len()));
        assert!(shortest > day * 9 / 10, "{shortest:?}");
        assert!(longest < day * 3 / 2, "{longest:?}");
        assert_eq!(delay_after(0, 0), None, "nothing has failed yet");
        // Chance spreads them, and no more than that.
        assert_eq!(delay_after(1, 0), Some(Duration::from_secs(4)));
        assert_eq!(delay_after(1, SPREAD), Some(Duration::from_secs(6)));
        assert_eq!(delay_after(1, SPREAD + 1), Some(Duration::from_secs(4)));
        assert!(delay_after(1, u32::MAX) <= delay_after(1, SPREAD));
    }
}
