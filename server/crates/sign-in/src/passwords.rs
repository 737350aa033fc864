//! Passwords: argon2id, hashed off the async threads, a few at a time.

use std::sync::Arc;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;

use crate::texts;

/// The most hashes that run at once. One takes 19 MiB and a core for some hundredths of a second.
const RUNNING: usize = 2;
/// The most requests that wait for one.
const WAITING: usize = 32;

/// The shortest password, in characters.
pub(crate) const MIN_CHARACTERS: usize = 12;
/// The longest password, in bytes.
pub(crate) const MAX_BYTES: usize = 256;

/// The hash that is checked if there is no password, so that it takes as long. Nobody knows a
/// password with these bytes.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The reason why a password was not hashed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotHashed {
    /// Too many are waiting.
    #[error("too many passwords are being checked")]
    Busy,
    #[error("the hash failed: {0}")]
    Failed(String),
}

/// Hashes and checks passwords. The parameters are OWASP's for argon2id, which are the crate's
/// defaults.
#[derive(Clone)]
pub(crate) struct Passwords {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self {
            running: Arc::new(Semaphore::new(RUNNING)),
            waiting: Arc::new(Semaphore::new(WAITING)),
        }
    }

    /// Returns the hash of a password, for the database.
    pub(crate) async fn hash(&self, password: String) -> Result<String, NotHashed> {
        self.run(move || {
            let salt: [u8; 16] = rand::random();
            let hash: Result<PasswordHash, _> =
                Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
            match hash {
                Ok(hash) => Ok(hash.to_string()),
                Err(error) => Err(NotHashed::Failed(error.to_string())),
            }
        })
        .await?
    }

    /// Returns whether a password has this hash; takes as long if there is none.
    pub(crate) async fn matches(
        &self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, NotHashed> {
        self.run(move || {
            let known = hash.is_some();
            let hash = hash.unwrap_or_else(|| NOBODY.to_owned());
            let parsed = PasswordHash::new(&hash)
                .map_err(|error| NotHashed::Failed(format!("a stored hash: {error}")))?;
            let verified = Argon2::default().verify_password(password.as_bytes(), &parsed);
            Ok(verified.is_ok() && known)
        })
        .await?
    }

    /// Runs on a blocking thread; continues to its end, and counts, if the caller goes away.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotHashed> {
        let _place = self.waiting.try_acquire().map_err(|_| NotHashed::Busy)?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        let running = running.map_err(|error| NotHashed::Failed(error.to_string()))?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(running);
            done
        });
        done.await
            .map_err(|error| NotHashed::Failed(error.to_string()))
    }
}

/// Returns the first problem of a password that somebody chooses; none if it is strong enough.
pub(crate) fn weakness(password: &str, name: &str) -> Option<String> {
    if password.chars().count() < MIN_CHARACTERS {
        return Some(texts::password_is_too_short(MIN_CHARACTERS));
    }
    if password.len() > MAX_BYTES {
        return Some(texts::password_is_too_long(MAX_BYTES));
    }
    let mut characters = password.chars();
    let first = characters.next();
    if characters.all(|character| Some(character) == first) {
        return Some(texts::PASSWORD_REPEATS_ONE_CHARACTER.to_owned());
    }
    let plain = password.to_lowercase();
    for known in [name.to_lowercase().as_str(), "password", "jarvis"] {
        if known.len() >= 4 && plain.replace(known, "").chars().count() < MIN_CHARACTERS / 2 {
            return Some(texts::too_short_without(known));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_password_matches_its_hash() {
        let passwords = Passwords::new();
        let right = "correct horse battery".to_owned();
        let hash = passwords.hash(right.clone()).await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(
            passwords
                .matches(right.clone(), Some(hash.clone()))
                .await
                .unwrap()
        );
        let wrong = passwords.matches("correct horse".to_owned(), Some(hash));
        assert!(!wrong.await.unwrap());
        for nobody in [String::new(), right] {
            assert!(!passwords.matches(nobody, None).await.unwrap());
        }
    }

    #[tokio::test]
    async fn no_more_wait_than_there_are_places() {
        let passwords = Passwords::new();
        let all = passwords.waiting.clone();
        let _taken = all
            .try_acquire_many(u32::try_from(WAITING).unwrap())
            .unwrap();
        let refused = passwords.matches(String::new(), None).await;
        assert!(matches!(refused, Err(NotHashed::Busy)));
    }

    #[test]
    fn weak_passwords_are_named() {
        for (password, weak) in [
            ("", true),
            ("short", true),
            ("aaaaaaaaaaaaaaaa", true),
            ("Password1234", true),
            ("Operator1234", true),
            ("ää-öö-üü-ß1", true),
            ("ää-öö-üü-ß12", false),
            ("correct horse battery", false),
        ] {
            let found = weakness(password, "Operator");
            assert_eq!(found.is_some(), weak, "{password}: {found:?}");
        }
        assert!(weakness(&"ab".repeat(MAX_BYTES), "Ada").is_some());
    }
}
