//! Waits between attempts to connect.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(300);

/// Waits that double from one second to five minutes.
pub(crate) struct Backoff(Duration);

impl Default for Backoff {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Backoff {
    /// The wait after this failure. The next one is longer.
    pub(crate) fn lengthen(&mut self) -> Duration {
        let now = self.0;
        self.0 = (now * 2).min(LONGEST);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_five_minutes() {
        let mut backoff = Backoff::default();
        let waits: Vec<_> = (0..11).map(|_| backoff.lengthen().as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    }
}
