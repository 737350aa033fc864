//! How many frames a client may send.

use std::time::Duration;

use tokio::time::Instant;

/// A bucket of tokens that fills steadily.
#[derive(Debug)]
pub(super) struct Bucket {
    capacity: f64,
    per_second: f64,
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    /// A full bucket for `capacity` frames at once and `per_second` frames in the long run.
    pub(super) fn new(capacity: u32, per_second: u32) -> Self {
        Self {
            capacity: capacity.into(),
            per_second: per_second.into(),
            tokens: capacity.into(),
            filled: Instant::now(),
        }
    }

    /// Takes one token, if there is one.
    pub(super) fn take(&mut self) -> bool {
        let now = Instant::now();
        let passed: Duration = now.duration_since(self.filled);
        self.filled = now;
        self.tokens = (self.tokens + passed.as_secs_f64() * self.per_second).min(self.capacity);
        let taken = self.tokens >= 1.0;
        if taken {
            self.tokens -= 1.0;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn fills_again() {
        let mut bucket = Bucket::new(2, 4);
        assert_eq!(
            [bucket.take(), bucket.take(), bucket.take()],
            [true, true, false]
        );
        tokio::time::advance(Duration::from_millis(250)).await;
        assert_eq!([bucket.take(), bucket.take()], [true, false]);
    }
}
