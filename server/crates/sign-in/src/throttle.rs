//! Throttling of password attempts.
//!
//! Nobody can lock out another person: only an address is refused for a while, or an address for
//! one name. Attempts on one name from many addresses only slow its answers down, by a little.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use protocol::Timestamp;

use crate::tally::{Bounds, Row, Tally};

/// Time without a failure after which a count is dropped.
const FORGET: Duration = Duration::from_secs(60 * 60);
/// The significant length of a name, in characters.
const MAX_NAME: usize = 64;
/// The most counts kept.
const MAX: usize = 20_000;
/// Limits on individual records of failures.
const RECORDS: Bounds = Bounds {
    each: 500,
    span: Duration::from_secs(60 * 60),
};

/// The subject of a count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// One name, from one address.
    Pair(IpAddr, String),
    /// All names, from one address: an office has one for many people.
    Address(IpAddr),
    /// One name, from all addresses.
    Name(String),
}

impl Key {
    /// Returns the wait after this many failures: none for the first few, then doubling each time.
    fn wait(&self, failures: u32) -> Duration {
        let (free, first, longest) = match self {
            Self::Pair(..) => (5, 1_000, 15 * 60_000),
            Self::Address(_) => (30, 1_000, 60_000),
            Self::Name(_) => (10, 100, 2_000),
        };
        if failures < free {
            return Duration::ZERO;
        }
        let doubled = 1_u64.checked_shl(failures - free).unwrap_or(u64::MAX);
        Duration::from_millis(doubled.saturating_mul(first).min(longest))
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    failures: u32,
    last: Timestamp,
}

#[derive(Debug, Default)]
struct Counts {
    entries: HashMap<Key, Entry>,
    recorded: Tally,
}

/// Counts attempts and decides who has to wait.
#[derive(Debug, Default)]
pub(crate) struct Throttle(Mutex<Counts>);

/// The permission for an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Allowed, after this delay.
    Go(Duration),
    /// Refused until this has passed; the attempt does not count.
    Wait(Duration),
}

impl Throttle {
    /// Begins an attempt. It counts as a failure until [`Throttle::succeeded`], so that parallel
    /// ones are counted.
    pub(crate) fn begin(&self, address: Option<IpAddr>, name: &str, now: Timestamp) -> Turn {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = &mut counts.entries;
        make_room(entries, now);
        let [pair, address, name] = keys(address, name);
        for key in [&pair, &address, &name] {
            if entries
                .get(key)
                .is_some_and(|entry| since(entry, now) >= FORGET)
            {
                entries.remove(key);
            }
        }
        let left = |key: &Key| {
            let entry = entries.get(key)?;
            let wait = key.wait(entry.failures).saturating_sub(since(entry, now));
            (!wait.is_zero()).then_some(wait)
        };
        if let Some(wait) = left(&pair).max(left(&address)) {
            return Turn::Wait(wait);
        }
        let slow = entries
            .get(&name)
            .map_or(Duration::ZERO, |entry| name.wait(entry.failures));
        for key in [pair, address, name] {
            let entry = entries.entry(key).or_insert(Entry {
                failures: 0,
                last: now,
            });
            entry.failures = entry.failures.saturating_add(1);
            entry.last = now;
        }
        Turn::Go(slow)
    }

    /// Records that the password was correct: the count of the name at this address is reset. Other
    /// counts of the address stay, or a person with a valid password could try those of others
    /// forever.
    pub(crate) fn succeeded(&self, address: Option<IpAddr>, name: &str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [pair, address, name] = keys(address, name);
        counts.entries.remove(&pair);
        for key in [address, name] {
            if let Some(entry) = counts.entries.get_mut(&key) {
                entry.failures = entry.failures.saturating_sub(1);
            }
        }
    }

    /// Returns the records of one more failure.
    pub(crate) fn record(&self, now: Timestamp) -> Vec<Row> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.recorded.record(RECORDS, now)
    }
}

fn since(entry: &Entry, now: Timestamp) -> Duration {
    let passed = now.0.saturating_sub(entry.last.0);
    Duration::from_millis(u64::try_from(passed).unwrap_or(0))
}

fn keys(address: Option<IpAddr>, name: &str) -> [Key; 3] {
    let address = network(address.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)));
    // No real name is longer; made-up ones must not fill the memory.
    let name: String = name.chars().take(MAX_NAME).collect();
    let name = name.to_lowercase();
    [
        Key::Pair(address, name.clone()),
        Key::Address(address),
        Key::Name(name),
    ]
}

/// Returns the network of one subscriber: an IPv4 address, or an IPv6 network of 64 bits.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

/// Drops expired counts, and if too many are left, those with the fewest failures.
fn make_room(entries: &mut HashMap<Key, Entry>, now: Timestamp) {
    if entries.len() + 3 <= MAX {
        return;
    }
    entries.retain(|_, entry| since(entry, now) < FORGET);
    let mut least = 1;
    while entries.len() + 3 > MAX {
        entries.retain(|_, entry| entry.failures > least);
        least *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));

    fn there(n: u32) -> Option<IpAddr> {
        Some(IpAddr::from(n.to_be_bytes()))
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp(1_700_000_000_000 + 1000 * seconds)
    }

    fn waits(turn: Turn) -> u64 {
        match turn {
            Turn::Go(_) => 0,
            Turn::Wait(wait) => wait.as_secs(),
        }
    }

    #[test]
    fn one_name_from_one_address_waits_ever_longer() {
        let throttle = Throttle::default();
        for _ in 0..5 {
            assert_eq!(throttle.begin(HERE, "Ada", at(0)), Turn::Go(Duration::ZERO));
        }
        let mut now = 0;
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            // Attempts during the wait are refused and do not extend it.
            assert_eq!(waits(throttle.begin(HERE, "ada", at(now))), wait);
            assert_eq!(waits(throttle.begin(HERE, "ADA", at(now))), wait);
            now += i64::try_from(wait).unwrap();
            assert_eq!(waits(throttle.begin(HERE, "Ada", at(now))), 0);
        }
    }

    #[test]
    fn nobody_is_shut_out_by_others() {
        let throttle = Throttle::default();
        for n in 0..3000 {
            for _ in 0..5 {
                assert_eq!(waits(throttle.begin(there(n), "Ada", at(0))), 0);
            }
        }
        // Ada herself, from another address: slower, but not refused.
        let slow = throttle.begin(HERE, "Ada", at(1));
        assert_eq!(slow, Turn::Go(Duration::from_secs(2)));
        throttle.succeeded(HERE, "Ada");
        assert_eq!(waits(throttle.begin(HERE, "Ada", at(2))), 0);
    }

    #[test]
    fn an_address_that_tries_many_names_waits() {
        let throttle = Throttle::default();
        for n in 0..30 {
            assert_eq!(waits(throttle.begin(HERE, &n.to_string(), at(0))), 0);
        }
        assert_eq!(waits(throttle.begin(HERE, "Ada", at(0))), 1);
        assert_eq!(waits(throttle.begin(there(1), "Ada", at(0))), 0);
        // A success with another name in between does not reset it.
        assert_eq!(waits(throttle.begin(HERE, "Eve", at(1))), 0);
        throttle.succeeded(HERE, "Eve");
        assert_eq!(waits(throttle.begin(HERE, "Ada", at(1))), 1);
    }

    #[test]
    fn an_hour_without_a_failure_is_a_fresh_start() {
        let throttle = Throttle::default();
        for _ in 0..5 {
            throttle.begin(HERE, "Ada", at(0));
        }
        assert_eq!(waits(throttle.begin(HERE, "Ada", at(0))), 1);
        for _ in 0..5 {
            assert_eq!(waits(throttle.begin(HERE, "Ada", at(3600))), 0);
        }
    }

    #[test]
    fn a_network_counts_as_one_and_a_mapped_address_as_itself() {
        let throttle = Throttle::default();
        let of = |text: &str| Some(text.parse().unwrap());
        for n in 1..=5 {
            throttle.begin(of(&format!("2001:db8::{n}")), "Ada", at(0));
            throttle.begin(of("::ffff:192.0.2.1"), "Eve", at(0));
        }
        assert_eq!(waits(throttle.begin(of("2001:db8::f:1"), "Ada", at(0))), 1);
        assert_eq!(
            waits(throttle.begin(of("2001:db8:0:1::1"), "Ada", at(0))),
            0
        );
        assert_eq!(waits(throttle.begin(HERE, "Eve", at(0))), 1);
    }

    #[test]
    fn memory_is_bounded_and_keeps_what_failed_most() {
        let throttle = Throttle::default();
        for _ in 0..6 {
            throttle.begin(HERE, "Ada", at(0));
        }
        for n in 0..30_000 {
            throttle.begin(there(n), &n.to_string(), at(0));
        }
        assert!(throttle.0.lock().unwrap().entries.len() <= MAX);
        assert_eq!(waits(throttle.begin(HERE, "Ada", at(0))), 1);
    }
}
