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
        let now = Instant::now();
        let passed = now.duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.left = (self.left + passed * self.per_second).min(self.capacity);
        let lacking = amount.min(self.capacity) - self.left;
        if lacking > 0.0 {
            return Err(Duration::from_secs_f64(lacking / self.per_second));
        }
        self.left -= amount;
        Ok(())
    }
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
}
