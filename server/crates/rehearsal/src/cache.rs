//! Emulated prompt cache: exact prefixes, with lifetimes, a minimum and the 20-block look-back.

use std::{collections::HashMap, time::Duration};

use crate::{
    prefix::{Hash, Prefix},
    reply::Usage,
    ttl::Ttl,
};

/// Units searched from a breakpoint backwards, itself included, for a cached prefix.
const LOOK_BACK: usize = 20;

#[derive(Debug)]
struct Entry {
    ttl: Ttl,
    expires: Duration,
}

/// Cached prefixes by hash.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: HashMap<Hash, Entry>,
}

/// Tokens that a request reads, and prefixes that it writes once its answer has begun.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bill {
    pub(crate) usage: Usage,
    writes: Vec<(Hash, Ttl)>,
}

impl Cache {
    /// Looks up the cached part of a prompt. A hit renews its full lifetime.
    pub(crate) fn look_up(&mut self, prefix: &Prefix, minimum: u64, now: Duration) -> Bill {
        self.entries.retain(|_, entry| entry.expires > now);
        let units = &prefix.units;
        let sums: Vec<u64> = units
            .iter()
            .scan(0, |sum, unit| {
                *sum += unit.tokens;
                Some(*sum)
            })
            .collect();
        let breakpoints: Vec<(usize, Ttl)> = units
            .iter()
            .enumerate()
            .filter_map(|(at, unit)| Some((at, unit.breakpoint?)))
            .collect();
        let hit = breakpoints
            .iter()
            .filter_map(|(at, _)| {
                (at.saturating_sub(LOOK_BACK - 1)..=*at)
                    .rev()
                    .find(|look| self.entries.contains_key(&units[*look].hash))
            })
            .max();
        let mut usage = Usage::default();
        let mut done = 0;
        if let Some(at) = hit {
            done = sums[at];
            usage.cache_read = done;
            if let Some(entry) = self.entries.get_mut(&units[at].hash) {
                entry.expires = now + Duration::from_secs(entry.ttl.seconds());
            }
        }
        let mut writes = Vec::new();
        for (at, ttl) in breakpoints {
            if sums[at] < minimum || hit.is_some_and(|hit| at <= hit) {
                continue;
            }
            let fresh = sums[at] - done;
            match ttl {
                Ttl::FiveMinutes => usage.cache_write_5m += fresh,
                Ttl::OneHour => usage.cache_write_1h += fresh,
            }
            done = sums[at];
            writes.push((units[at].hash, ttl));
        }
        usage.input = sums.last().copied().unwrap_or_default() - done;
        Bill { usage, writes }
    }

    /// Makes the prefixes of a bill available, once its answer has begun.
    pub(crate) fn commit(&mut self, bill: &Bill, now: Duration) {
        for (hash, ttl) in &bill.writes {
            let expires = now + Duration::from_secs(ttl.seconds());
            self.entries.insert(*hash, Entry { ttl: *ttl, expires });
        }
    }
}
