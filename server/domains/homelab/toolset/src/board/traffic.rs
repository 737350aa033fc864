//! Network throughput of a guest, from counters that only increase.

use std::collections::VecDeque;

/// Window in seconds. The cluster updates its counters every ten.
const WINDOW: i64 = 60;
/// Least span in seconds: in less, the counters may not have moved.
const LEAST: i64 = 10;

/// Samples of the counters: time in Unix seconds, bytes received, bytes sent.
#[derive(Debug, Default)]
pub(super) struct Traffic(VecDeque<(i64, i64, i64)>);

impl Traffic {
    /// Records the bytes received and sent since the guest was started.
    pub(super) fn note(&mut self, at: i64, received: i64, sent: i64) {
        if let Some((last, before_in, before_out)) = self.0.back().copied() {
            // Restarted, or the clock was set back: earlier samples are useless.
            if received < before_in || sent < before_out || at < last {
                self.0.clear();
            } else if at == last {
                return;
            }
        }
        self.0.push_back((at, received, sent));
        while self.0.len() > 2
            && self
                .0
                .front()
                .is_some_and(|(first, ..)| *first < at - WINDOW)
        {
            self.0.pop_front();
        }
    }

    /// Bytes per second, received and sent.
    pub(super) fn rates(&self) -> Option<[u64; 2]> {
        let (first, last) = (self.0.front()?, self.0.back()?);
        let time = last.0 - first.0;
        let rate = |from: i64, to: i64| u64::try_from((to - from) / time).unwrap_or(0);
        (time >= LEAST).then(|| [rate(first.1, last.1), rate(first.2, last.2)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_counters() {
        for (notes, expect) in [
            (&[][..], None),
            (&[(0, 1_000, 0)], None),
            (&[(0, 1_000, 0), (5, 2_000, 0)], None),
            (&[(0, 1_000, 0), (10, 2_000, 50)], Some([100, 5])),
            // Repeated, but no newer.
            (&[(0, 0, 0), (10, 1_000, 0), (10, 1_000, 0)], Some([100, 0])),
            // The guest was restarted, then ran on.
            (&[(0, 9_000, 9_000), (20, 10, 0)], None),
            (
                &[(0, 9_000, 9_000), (20, 10, 0), (30, 1_010, 0)],
                Some([100, 0]),
            ),
            // Only the last minute counts.
            (
                &[
                    (0, 0, 0),
                    (100, 100_000, 0),
                    (120, 100_000, 0),
                    (160, 100_060, 0),
                ],
                Some([1, 0]),
            ),
        ] {
            let mut traffic = Traffic::default();
            for (at, received, sent) in notes {
                traffic.note(*at, *received, *sent);
            }
            assert_eq!(traffic.rates(), expect, "{notes:?}");
        }
    }
}
