//! The allowances for people's own calls: for those that only read, and for those that are refused.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use protocol::{ErrorBody, Timestamp, UserId};
use tokio::sync::Semaphore;

use crate::{error, sync::lock};

/// Reads that a user may begin at once.
const BURST: i64 = 120;
/// Milliseconds until one more is allowed.
const PACE: i64 = 1_000;
/// Reads that run at the same time for a user, over all journals: each may be a sign-in on a node.
const AT_ONCE: usize = 4;
/// Refusals that are recorded for a user in an hour: records must not fill the disk.
const RECORDS: u32 = 20;
const HOUR: i64 = 3_600_000;

/// The allowances that one user has used up.
struct OwnCallsAccount {
    /// Time at which all that was begun is forgotten: each call puts it off by [`PACE`].
    even: Timestamp,
    running: Arc<Semaphore>,
    /// Refusals recorded in the hour that began then, and those left out since the last record.
    hour: Timestamp,
    recorded: u32,
    unrecorded: u32,
}

/// The used allowances of each user. There are as many as users, whom only admins make.
#[derive(Default)]
pub(crate) struct OwnCalls(Mutex<HashMap<UserId, OwnCallsAccount>>);

impl OwnCalls {
    fn with<T>(&self, user: UserId, work: impl FnOnce(&mut OwnCallsAccount) -> T) -> T {
        work(
            lock(&self.0)
                .entry(user)
                .or_insert_with(|| OwnCallsAccount {
                    even: Timestamp(i64::MIN),
                    running: Arc::new(Semaphore::new(AT_ONCE)),
                    hour: Timestamp(i64::MIN),
                    recorded: 0,
                    unrecorded: 0,
                }),
        )
    }

    /// Takes one read from a user's allowance.
    pub(crate) fn begin(&self, user: UserId, now: Timestamp) -> Result<(), ErrorBody> {
        self.with(user, |account| {
            let even = account.even.0.max(now.0);
            let wait = even
                .saturating_sub(now.0)
                .saturating_sub((BURST - 1) * PACE);
            if wait > 0 {
                return Err(error::too_many_looks(wait));
            }
            account.even = Timestamp(even.saturating_add(PACE));
            Ok(())
        })
    }

    /// The permits for a user's running calls.
    pub(crate) fn running(&self, user: UserId) -> Arc<Semaphore> {
        self.with(user, |account| Arc::clone(&account.running))
    }

    /// The number of refusals since the last recorded one; none if this one is not to be recorded
    /// either.
    pub(crate) fn refused(&self, user: UserId, now: Timestamp) -> Option<u32> {
        self.with(user, |account| {
            if now.0.saturating_sub(account.hour.0) >= HOUR {
                (account.hour, account.recorded) = (now, 0);
            }
            if account.recorded >= RECORDS {
                account.unrecorded = account.unrecorded.saturating_add(1);
                return None;
            }
            account.recorded += 1;
            Some(std::mem::take(&mut account.unrecorded))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(n: u128) -> UserId {
        UserId::new(Timestamp(0), n)
    }

    #[test]
    fn looks_are_bounded_for_each_user_and_come_again() {
        let calls = OwnCalls::default();
        let begun = |n, now| {
            let tries = (0..1000).filter(|_| calls.begin(user(n), Timestamp(now)).is_ok());
            tries.count()
        };
        assert_eq!([begun(1, 0), begun(2, 0)], [120, 120]);
        assert_eq!([begun(1, 999), begun(1, 1_000)], [0, 1]);
        assert_eq!(begun(1, 24 * HOUR), 120);
    }

    #[test]
    fn refusals_are_recorded_within_bounds_and_none_is_left_out() {
        let calls = OwnCalls::default();
        let recorded = |now| {
            let rows = (0..1000).filter_map(|_| calls.refused(user(1), Timestamp(now)));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(recorded(0), [0; 20]);
        assert!(recorded(HOUR - 1).is_empty());
        let next = recorded(HOUR);
        assert_eq!((next.len(), next[0], next[1]), (20, 1980, 0));
    }
}
