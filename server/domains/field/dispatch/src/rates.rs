//! Rates of requests that anybody can make: each key has so many in a minute.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::error::{DispatchRefusal, RefusalClass};
use crate::texts::devices as texts;

/// Milliseconds of a window.
const WINDOW: i64 = 60_000;
/// Keys that are counted at once. More of them is an attack, in which the oldest windows end early.
const MOST_KEYS: usize = 4_096;

/// Counters by key.
#[derive(Debug, Default)]
pub(crate) struct RequestRates(Mutex<HashMap<String, RateWindow>>);

#[derive(Debug, Clone, Copy)]
struct RateWindow {
    since_ms: i64,
    count: u32,
}

impl RequestRates {
    /// Counts a request, or refuses it if the key has had `most` in this minute.
    pub(crate) fn count(&self, key: &str, most: u32, now_ms: i64) -> Result<(), DispatchRefusal> {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MOST_KEYS && !windows.contains_key(key) {
            windows.retain(|_, window| now_ms - window.since_ms < WINDOW);
            if windows.len() >= MOST_KEYS {
                return Err(too_many());
            }
        }
        let window = windows.entry(key.to_owned()).or_insert(RateWindow {
            since_ms: now_ms,
            count: 0,
        });
        // A clock that was set back begins a new window, too.
        if !(0..WINDOW).contains(&(now_ms - window.since_ms)) {
            *window = RateWindow {
                since_ms: now_ms,
                count: 0,
            };
        }
        window.count = window.count.saturating_add(1);
        if window.count > most {
            return Err(too_many());
        }
        Ok(())
    }
}

fn too_many() -> DispatchRefusal {
    let class = RefusalClass::TooMany;
    DispatchRefusal::new(
        class,
        "too_many_requests",
        texts::TOO_MANY,
        texts::REPEAT_HELP,
    )
}

#[cfg(test)]
mod tests {
    use super::{RequestRates, WINDOW};

    #[test]
    fn a_key_has_so_many_in_a_minute_and_others_have_their_own() {
        let rates = RequestRates::default();
        let is_ok = |key: &str, at: i64| rates.count(key, 2, at).is_ok();
        assert!(is_ok("a", 0) && is_ok("a", 1) && !is_ok("a", 2) && is_ok("b", 2));
        assert!(!is_ok("a", WINDOW - 1) && is_ok("a", WINDOW));
        assert!(is_ok("a", -5), "a clock that was set back");
    }
}
