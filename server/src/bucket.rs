//! A token bucket: a burst, and a rate in the long run.

use std::time::Duration;

use tokio::time::Instant;

/// A bucket that fills steadily.
#[derive(Debug)]
pub(crate) struct Bucket {
    capacity: f64,
    per_second: f64,
    left: f64,
    filled: Instant,
}

impl Bucket {
    /// Creates a full bucket.
    pub(crate) fn new(capacity: f64, per_second: f64) -> Self {
        Self {
            capacity,
            per_second,
            left: capacity,
            filled: Instant::now(),
        }
    }

    /// Takes an amount. One that is larger than the bucket needs a full one and is paid off later.
    ///
    /// # Errors
    /// The time until there is enough.
    pub(crate) fn take(&mut self, amount: f64) -> Result<(), Duration> {
        self.fill();
        let lacking = amount.min(self.capacity) - self.left;
        if lacking > 0.0 {
            return Err(Duration::from_secs_f64(lacking / self.per_second));
        }
        self.left -= amount;
        Ok(())
    }

    /// Returns what is in it now.
    pub(crate) fn level(&mut self) -> QuotaLevel {
        self.fill();
        let seconds = |amount: f64| Duration::from_secs_f64(amount.max(0.0) / self.per_second);
        QuotaLevel {
            capacity: self.capacity,
            fills_in: seconds(self.capacity),
            left: self.left.max(0.0),
            full_in: seconds(self.capacity - self.left),
        }
    }

    fn fill(&mut self) {
        let now = Instant::now();
        let passed = now.duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.left = (self.left + passed * self.per_second).min(self.capacity);
    }
}

/// The level of a bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct QuotaLevel {
    pub(crate) capacity: f64,
    /// Time in which an empty one fills.
    pub(crate) fills_in: Duration,
    pub(crate) left: f64,
    /// Time until it is full, if nothing is taken.
    pub(crate) full_in: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn fills_again() {
        let mut bucket = Bucket::new(2.0, 4.0);
        let mut take = |amount| bucket.take(amount).map_err(|wait| wait.as_millis());
        assert_eq!(
            [take(1.0), take(1.0), take(1.0)],
            [Ok(()), Ok(()), Err(250)]
        );
        tokio::time::advance(Duration::from_millis(250)).await;
        assert_eq!([take(1.0), take(1.0)], [Ok(()), Err(250)]);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!([take(6.0), take(1.0)], [Ok(()), Err(1_250)]);
    }

    #[tokio::test(start_paused = true)]
    async fn its_level_is_never_negative() {
        let mut bucket = Bucket::new(2.0, 4.0);
        bucket.take(6.0).unwrap();
        let level = QuotaLevel {
            capacity: 2.0,
            fills_in: Duration::from_millis(500),
            left: 0.0,
            full_in: Duration::from_millis(1_500),
        };
        assert_eq!(bucket.level(), level);
        tokio::time::advance(Duration::from_secs(9)).await;
        let (left, full_in) = (2.0, Duration::ZERO);
        let full = QuotaLevel {
            left,
            full_in,
            ..level
        };
        assert_eq!(bucket.level(), full);
    }
}
