//! What was begun in a browser and waits for its answer: each for one browser, once, for a while.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use protocol::Timestamp;
use store::{Secret, User};
use webauthn_rs::prelude::{
    DiscoverableAuthentication, PasskeyAuthentication, PasskeyRegistration,
};

use super::auth::later;

/// How long an answer may take. Browsers give a person as long for a passkey.
pub(super) const LIFE: Duration = Duration::from_secs(5 * 60);
/// What waits at most: whoever asks without end must not fill the memory.
const MAX: usize = 4096;

/// A password that was right, of a user who also has to show a passkey.
#[derive(Debug, Clone)]
pub(super) struct Half {
    pub(super) user: User,
    /// The hash that it was checked against.
    pub(super) kept: String,
    /// It counts no longer than this.
    pub(super) until: Timestamp,
}

/// What waits.
#[derive(Debug, Clone)]
pub(super) enum Waiting {
    /// The password was right, and no passkey was asked for yet.
    Half(Half),
    /// A passkey in place of a password, whosever it is.
    SignIn(Box<DiscoverableAuthentication>),
    /// A passkey after a password.
    Second(Half, Box<PasskeyAuthentication>),
    /// A new passkey.
    Add(Box<PasskeyRegistration>),
}

/// What waits, by the hash of what its browser alone knows.
#[derive(Debug)]
pub(super) struct Challenges<T>(Mutex<HashMap<Secret, (Timestamp, T)>>);

impl<T> Default for Challenges<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Challenges<T> {
    /// Lets something wait until `until`, in place of what waited for the same browser.
    pub(super) fn put(&self, browser: Secret, waiting: T, until: Timestamp, now: Timestamp) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX {
            all.retain(|_, (until, _)| *until > now);
        }
        if all.len() >= MAX {
            let first = all.iter().min_by_key(|(_, (until, _))| *until);
            if let Some(first) = first.map(|(browser, _)| *browser) {
                all.remove(&first);
            }
        }
        all.insert(browser, (until, waiting));
    }

    /// What waits for a browser, which it does no longer.
    pub(super) fn take(&self, browser: Secret, now: Timestamp) -> Option<T> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (until, waiting) = all.remove(&browser)?;
        (until > now).then_some(waiting)
    }
}

/// When something that begins now is over.
pub(super) fn until(now: Timestamp) -> Timestamp {
    later(now, LIFE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser(n: u32) -> Secret {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&n.to_be_bytes());
        Secret(bytes)
    }

    #[test]
    fn an_answer_comes_once_in_time_and_from_the_same_browser() {
        let challenges = Challenges::default();
        let now = Timestamp(1_700_000_000_000);
        let end = until(now);
        challenges.put(browser(1), "one", end, now);
        assert_eq!(challenges.take(browser(2), now), None);
        assert_eq!(challenges.take(browser(1), now), Some("one"));
        assert_eq!(challenges.take(browser(1), now), None);
        challenges.put(browser(1), "one", end, now);
        challenges.put(browser(1), "two", end, now);
        assert_eq!(challenges.take(browser(1), now), Some("two"));
        challenges.put(browser(1), "late", end, now);
        assert_eq!(challenges.take(browser(1), end), None);
    }

    #[test]
    fn memory_is_bounded() {
        let challenges = Challenges::default();
        for n in 0..10_000 {
            let now = Timestamp(i64::from(n));
            challenges.put(browser(n), n, until(now), now);
        }
        assert_eq!(challenges.0.lock().unwrap().len(), MAX);
        let now = Timestamp(10_000);
        assert_eq!(challenges.take(browser(0), now), None);
        assert_eq!(challenges.take(browser(9_999), now), Some(9_999));
    }
}
