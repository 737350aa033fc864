//! Sign-in challenges that wait for their answer: each belongs to one browser, works once, and
//! expires.
//!
//! A challenge begun by a stranger is not stored: it travels in the browser's own cookie, signed, and
//! is noted only when a correct answer has used it. So nobody can fill the memory or evict other
//! people's challenges. Those that need a password or a session to begin are stored, a few for each
//! user.

use std::{
    collections::{HashMap, hash_map},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use protocol::{Timestamp, UserId};
use serde::{Serialize, de::DeserializeOwned};
use sha2::Sha256;
use store::{StoredSecret, User};
use webauthn_rs::prelude::{PasskeyAuthentication, PasskeyRegistration};

use crate::lifetimes::later;

/// The lifetime of a challenge. Browsers give a person this long for a passkey.
pub(crate) const LIFE: Duration = Duration::from_secs(5 * 60);
/// The most stored challenges of one user, each in another browser.
const MAX: usize = 8;
/// The longest sealed text that is checked, in bytes: less than browsers store of a cookie.
const MAX_SEALED: usize = 3072;
/// The most used sign-in challenges that are remembered. Each took a passkey; beyond this number in
/// five minutes, sign-ins are refused rather than forgotten.
const MAX_USED: usize = 100_000;

/// A correct password of a user who also needs a passkey.
#[derive(Debug, Clone)]
pub(crate) struct Half {
    pub(crate) user: User,
    /// The hash that it was checked against.
    pub(crate) kept: String,
    /// Time at which it expires.
    pub(crate) until: Timestamp,
}

/// A stored challenge.
#[derive(Debug, Clone)]
pub(crate) enum Waiting {
    /// The password was correct, and no passkey was requested yet.
    Half(Half),
    /// A passkey after a password.
    Second(Half, Box<PasskeyAuthentication>),
    /// A new passkey.
    Add(Box<PasskeyRegistration>),
}

#[derive(Debug)]
struct Entry<T> {
    owner: UserId,
    until: Timestamp,
    waiting: T,
}

/// Stored challenges, by the hash of a secret that only the browser has.
#[derive(Debug)]
pub(crate) struct Challenges<T>(Mutex<HashMap<StoredSecret, Entry<T>>>);

impl<T> Default for Challenges<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Challenges<T> {
    /// Stores a challenge of a user until `until`, replacing the one of the same browser. Each user
    /// has room for a few; the oldest of the same user is dropped.
    pub(crate) fn put(
        &self,
        browser: StoredSecret,
        owner: UserId,
        waiting: T,
        until: Timestamp,
        now: Timestamp,
    ) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&browser);
        all.retain(|_, entry| entry.until > now);
        let own = all.iter().filter(|(_, entry)| entry.owner == owner);
        let own: Vec<_> = own
            .map(|(browser, entry)| (entry.until, *browser))
            .collect();
        if own.len() >= MAX
            && let Some((_, first)) = own.iter().min_by_key(|(until, _)| *until)
        {
            all.remove(first);
        }
        let entry = Entry {
            owner,
            until,
            waiting,
        };
        all.insert(browser, entry);
    }

    /// Takes the challenge of a browser out of the store.
    pub(crate) fn take(&self, browser: StoredSecret, now: Timestamp) -> Option<T> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = all.remove(&browser)?;
        (entry.until > now).then_some(entry.waiting)
    }
}

/// Challenges of strangers, signed with a key that lives as long as the process. Their contents are
/// not secret, because the browser gets the challenge anyway; nobody can forge or change one.
#[derive(Debug)]
pub(crate) struct Sealed {
    key: Hmac<Sha256>,
    /// The ones that a correct answer has used, until they expire.
    used: Mutex<HashMap<StoredSecret, Timestamp>>,
}

impl Default for Sealed {
    fn default() -> Self {
        // As long as a block of the hash.
        let mut block = [0; 64];
        for part in block.chunks_exact_mut(32) {
            part.copy_from_slice(&rand::random::<[u8; 32]>());
        }
        Self {
            key: Hmac::new(&block.into()),
            used: Mutex::default(),
        }
    }
}

impl Sealed {
    /// Seals a value until `until`, as the value of a cookie.
    pub(crate) fn seal(
        &self,
        what: &impl Serialize,
        until: Timestamp,
    ) -> Result<String, serde_json::Error> {
        // The random number keeps two of the same instant apart.
        let text = serde_json::to_vec(&(until, rand::random::<u64>(), what))?;
        let text = BASE64_URL_SAFE_NO_PAD.encode(text);
        let seal = self.mac(&text).finalize().into_bytes();
        Ok(format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(seal)))
    }

    /// The signed value, unless it has expired.
    pub(crate) fn open<T: DeserializeOwned>(&self, sealed: &str, now: Timestamp) -> Option<T> {
        if sealed.len() > MAX_SEALED {
            return None;
        }
        let (text, seal) = sealed.split_once('.')?;
        let seal = BASE64_URL_SAFE_NO_PAD.decode(seal).ok()?;
        // In constant time, wherever it differs.
        self.mac(text).verify_slice(&seal).ok()?;
        let text = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (until, _, what): (Timestamp, u64, T) = serde_json::from_slice(&text).ok()?;
        (until > now).then_some(what)
    }

    /// Records that a correct answer has used a challenge. False if one had before: of any number
    /// of requests with the same answer, only one succeeds.
    pub(crate) fn use_up(&self, sealed: StoredSecret, now: Timestamp) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, until| *until > now);
        if used.len() >= MAX_USED {
            return false;
        }
        match used.entry(sealed) {
            hash_map::Entry::Occupied(_) => false,
            hash_map::Entry::Vacant(place) => {
                // Its challenge expires no later than this, whenever it began.
                place.insert(until(now));
                true
            }
        }
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = self.key.clone();
        mac.update(text.as_bytes());
        mac
    }
}

/// Returns the expiry of a challenge that begins now.
pub(crate) fn until(now: Timestamp) -> Timestamp {
    later(now, LIFE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn browser(n: u32) -> StoredSecret {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&n.to_be_bytes());
        StoredSecret(bytes)
    }

    fn user(n: u128) -> UserId {
        UserId::new(NOW, n)
    }

    #[test]
    fn an_answer_comes_once_in_time_and_from_the_same_browser() {
        let challenges = Challenges::default();
        let end = until(NOW);
        let put = |what| challenges.put(browser(1), user(1), what, end, NOW);
        put("one");
        assert_eq!(challenges.take(browser(2), NOW), None);
        assert_eq!(challenges.take(browser(1), NOW), Some("one"));
        assert_eq!(challenges.take(browser(1), NOW), None);
        put("one");
        put("two");
        assert_eq!(challenges.take(browser(1), NOW), Some("two"));
        put("late");
        assert_eq!(challenges.take(browser(1), end), None);
    }

    #[test]
    fn nobody_pushes_out_what_waits_for_another() {
        let challenges = Challenges::default();
        challenges.put(browser(0), user(1), 0, until(NOW), NOW);
        for n in 1..10_000 {
            let now = Timestamp(NOW.0 + i64::from(n));
            challenges.put(browser(n), user(2), n, until(now), now);
        }
        assert_eq!(challenges.0.lock().unwrap().len(), 1 + MAX);
        let now = Timestamp(NOW.0 + 10_000);
        assert_eq!(challenges.take(browser(0), now), Some(0));
        assert_eq!(challenges.take(browser(1), now), None);
        assert_eq!(challenges.take(browser(9_999), now), Some(9_999));
    }

    #[test]
    fn what_is_sealed_cannot_be_made_changed_or_kept() {
        let sealed = Sealed::default();
        let text = sealed.seal(&"challenge", until(NOW)).unwrap();
        assert_eq!(sealed.open(&text, NOW), Some("challenge".to_owned()));
        assert_eq!(sealed.open::<String>(&text, until(NOW)), None, "it is over");
        assert_eq!(
            Sealed::default().open::<String>(&text, NOW),
            None,
            "another key"
        );
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            // The last character of each part has unused bits.
            let same = sealed.open::<String>(&changed, NOW);
            assert!(
                same.is_none() || same.as_deref() == Some("challenge"),
                "{changed}"
            );
        }
        for bad in [
            "",
            ".",
            "a.b",
            &text[..text.len() - 2],
            &format!("{text}AA"),
        ] {
            assert_eq!(sealed.open::<String>(bad, NOW), None, "{bad}");
        }
        let long = format!("{}.x", "A".repeat(MAX_SEALED));
        assert_eq!(sealed.open::<String>(&long, NOW), None);
    }

    /// The attack from the review: strangers cannot evict anyone's challenge, however many they
    /// begin, and leave nothing behind.
    #[test]
    fn strangers_leave_nothing_behind() {
        let sealed = Sealed::default();
        let mine = sealed.seal(&"mine", until(NOW)).unwrap();
        let others: std::collections::HashSet<_> = (0..10_000)
            .map(|_| sealed.seal(&"theirs", until(NOW)).unwrap())
            .collect();
        assert_eq!(others.len(), 10_000, "no two are the same");
        assert!(sealed.used.lock().unwrap().is_empty());
        assert_eq!(sealed.open(&mine, NOW), Some("mine".to_owned()));
    }

    #[test]
    fn a_right_answer_counts_once() {
        let sealed = Sealed::default();
        assert!(sealed.use_up(browser(1), NOW));
        let last = Timestamp(until(NOW).0 - 1);
        assert!(!sealed.use_up(browser(1), last));
        assert!(sealed.use_up(browser(2), last));
        // The first has expired; nothing about it has to be remembered.
        assert!(sealed.use_up(browser(3), until(NOW)));
        assert_eq!(sealed.used.lock().unwrap().len(), 2);
    }
}
