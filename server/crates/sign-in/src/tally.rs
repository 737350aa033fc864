//! Records of frequent events: each of the first ones, then only their number, so that records
//! cannot fill the disk.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use protocol::{Timestamp, UserId};

/// Limits on individual records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// The most individual records in a span.
    pub(crate) each: u32,
    pub(crate) span: Duration,
}

/// Sign-ins of a user by the proxy: a browser causes one, a script without cookies one per request.
const BY_PROXY: Bounds = Bounds {
    each: 20,
    span: Duration::from_secs(24 * 60 * 60),
};

/// A record of one more event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    /// This event.
    Each,
    /// The number of events since then, this one and those on record included.
    Count { count: u32, since: Timestamp },
}

/// The number of events in the current span.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    begun: Timestamp,
    count: u32,
    /// The last number that was recorded.
    told: u32,
}

impl Tally {
    /// Returns the records of one more event: each of the first in a span, then only their number,
    /// whenever it has doubled and once more when the span is over.
    pub(crate) fn record(&mut self, bounds: Bounds, now: Timestamp) -> Vec<Row> {
        let mut rows = Vec::new();
        let passed = now.0.saturating_sub(self.begun.0);
        if u128::try_from(passed).is_ok_and(|passed| passed >= bounds.span.as_millis()) {
            if self.count > self.told.max(bounds.each) {
                rows.push(self.row());
            }
            *self = Self {
                begun: now,
                ..Self::default()
            };
        }
        self.count = self.count.saturating_add(1);
        if self.count <= bounds.each {
            rows.push(Row::Each);
        } else if self.count >= self.told.max(bounds.each).saturating_mul(2) {
            self.told = self.count;
            rows.push(self.row());
        }
        rows
    }

    fn row(&self) -> Row {
        Row::Count {
            count: self.count,
            since: self.begun,
        }
    }
}

/// Sign-ins by the proxy, counted for each user.
#[derive(Debug, Default)]
pub(crate) struct ByUser(Mutex<HashMap<UserId, Tally>>);

impl ByUser {
    /// Returns the records of one more sign-in of a user who has an account.
    pub(crate) fn record(&self, user: UserId, now: Timestamp) -> Vec<Row> {
        let mut tallies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tallies.entry(user).or_default().record(BY_PROXY, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: Bounds = Bounds {
        each: 500,
        span: Duration::from_secs(60 * 60),
    };

    fn at(seconds: i64) -> Timestamp {
        Timestamp(1_700_000_000_000 + 1000 * seconds)
    }

    #[test]
    fn records_are_bounded_and_leave_none_out() {
        let mut tally = Tally::default();
        let (mut each, mut counts) = (0, Vec::new());
        for n in 0..5_000 {
            for row in tally.record(MANY, at(n / 100)) {
                match row {
                    Row::Each => each += 1,
                    Row::Count { count, .. } => counts.push(count),
                }
            }
        }
        assert_eq!((each, &counts[..]), (500, &[1000, 2000, 4000][..]));
        // The last of a span are recorded with the first of the next.
        let since = at(0);
        let last = Row::Count {
            count: 5_000,
            since,
        };
        assert_eq!(tally.record(MANY, at(3600)), [last, Row::Each]);
        assert_eq!(tally.record(MANY, at(9000)), [Row::Each]);
    }

    #[test]
    fn a_user_who_signs_in_all_the_time_hides_no_other() {
        let tallies = ByUser::default();
        let [one, other] = [1, 2].map(|n| UserId::new(at(0), n));
        let rows = (0..86_400).flat_map(|second| tallies.record(one, at(second)));
        assert_eq!(rows.count(), 20 + 12);
        assert_eq!(tallies.record(other, at(86_399)), [Row::Each]);
    }
}
