//! The book of notices: it turns surveys of a system into notices that are raised once. Pure.
//!
//! A condition that is seen is first a suspicion. It is raised as a notice once it has persisted
//! for long enough in total; a suspicion that was absent for a while is dropped. A notice is
//! resolved once its condition was absent for a while without a break. So a condition that comes
//! and goes raises one notice, and a single flicker raises none. While it is unknown whether a
//! condition persists, no time passes for it. One that was settled for good cannot flicker: its
//! notice is resolved at once.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{Notice, NoticeId, Timestamp};

use crate::{
    config::NoticeTimes,
    ports::{Condition, NoticeChange, Survey},
};

/// Interval at which an open notice is recorded as still seen, in milliseconds.
const SEEN_EVERY: i64 = 10 * 60 * 1000;
/// The most conditions that are followed: more of them would be a flood.
const MOST: usize = 300;

pub(super) struct NoticeBook {
    system: String,
    /// In milliseconds.
    hold: i64,
    clear: i64,
    entries: BTreeMap<String, NoticeEntry>,
}

/// One condition.
struct NoticeEntry {
    /// None while it is a suspicion.
    told: Option<Notice>,
    first: Timestamp,
    /// Total time for which it was seen, in milliseconds.
    held: i64,
    /// Time of the last survey, if that survey saw the condition.
    holding: Option<Timestamp>,
    last: Timestamp,
    gone: Option<Timestamp>,
    /// Set once it was grave, which is raised once.
    was_grave: bool,
}

impl NoticeBook {
    /// A book that continues with the open notices.
    pub(super) fn new(system: &str, times: NoticeTimes, open: Vec<Notice>) -> Self {
        let milliseconds =
            |time: std::time::Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let entries = open.into_iter().map(|notice| {
            let entry = NoticeEntry {
                first: notice.since,
                held: 0,
                holding: None,
                last: notice.seen,
                gone: None,
                was_grave: notice.grave,
                told: Some(notice.clone()),
            };
            (notice.key, entry)
        });
        Self {
            system: system.to_owned(),
            hold: milliseconds(times.hold),
            clear: milliseconds(times.clear),
            entries: entries.collect(),
        }
    }

    /// The keys of all conditions that it knows of.
    pub(super) fn keys(&self) -> BTreeSet<String> {
        self.entries.keys().cloned().collect()
    }

    /// Takes in that a person has acknowledged a notice.
    pub(super) fn acknowledge(&mut self, notice: &Notice) {
        if let Some(entry) = self.entries.get_mut(&notice.key)
            && let Some(told) = &mut entry.told
            && told.id == notice.id
        {
            told.acknowledged.clone_from(&notice.acknowledged);
        }
    }

    /// Takes in a survey. Returns the changes of notices.
    pub(super) fn look(
        &mut self,
        survey: Survey,
        now: Timestamp,
        mut new_id: impl FnMut() -> NoticeId,
    ) -> Vec<NoticeChange> {
        let mut changes = Vec::new();
        // First every condition that is seen now, then those that are not: only the second pass
        // drops conditions, and never one that the survey could not check.
        let mut held = BTreeSet::new();
        for condition in survey.holds {
            let key = condition.key.clone();
            if held.contains(&key)
                || (self.entries.len() >= MOST && !self.entries.contains_key(&key))
            {
                continue;
            }
            let entry = self
                .entries
                .entry(key.clone())
                .or_insert_with(|| NoticeEntry {
                    told: None,
                    first: condition.happened.unwrap_or(now),
                    held: 0,
                    holding: None,
                    last: now,
                    gone: None,
                    was_grave: false,
                });
            entry.holds(
                condition,
                &self.system,
                self.hold,
                now,
                &mut new_id,
                &mut changes,
            );
            held.insert(key);
        }
        let clear = self.clear;
        self.entries.retain(|key, entry| {
            if held.contains(key) {
                return true;
            }
            entry.holding = None;
            if survey.unknown.contains(key) {
                // It may have been there all the time.
                entry.gone = None;
                return true;
            }
            let gone = *entry.gone.get_or_insert(now);
            if between(gone, now) < clear && !survey.settled.contains(key) {
                return true;
            }
            if let Some(notice) = &entry.told {
                changes.push(NoticeChange::Ended(Notice {
                    seen: entry.last,
                    ended: Some(gone),
                    ..notice.clone()
                }));
            }
            false
        });
        changes
    }
}

impl NoticeEntry {
    fn holds(
        &mut self,
        condition: Condition,
        system: &str,
        hold: i64,
        now: Timestamp,
        new_id: &mut impl FnMut() -> NoticeId,
        changes: &mut Vec<NoticeChange>,
    ) {
        // Time counts only between two surveys in a row that saw it: a gap in what is known adds
        // none.
        if let Some(before) = self.holding.replace(now) {
            self.held = self.held.saturating_add(between(before, now));
        }
        self.last = now;
        self.gone = None;
        let is_due = condition.happened.is_some() || self.held >= hold;
        let fresh = |id, since| Notice {
            id,
            system: system.to_owned(),
            key: condition.key.clone(),
            kind: condition.kind.to_owned(),
            grave: condition.grave,
            about: condition.about.clone(),
            text: condition.text.clone(),
            since,
            seen: now,
            acknowledged: None,
            ended: None,
        };
        let told = match &mut self.told {
            None if is_due => fresh(new_id(), self.first),
            None => return,
            // A known condition has become grave: that is another notice, once.
            Some(notice) if condition.grave && !notice.grave && !self.was_grave => {
                changes.push(NoticeChange::Ended(Notice {
                    seen: now,
                    ended: Some(now),
                    ..notice.clone()
                }));
                fresh(new_id(), now)
            }
            Some(notice) => {
                let says_more = notice.text != condition.text
                    || notice.grave != condition.grave
                    || between(notice.seen, now) >= SEEN_EVERY;
                if says_more {
                    notice.text = condition.text;
                    notice.grave = condition.grave;
                    notice.seen = now;
                    changes.push(NoticeChange::Changed(notice.clone()));
                }
                return;
            }
        };
        self.was_grave |= told.grave;
        changes.push(NoticeChange::Raised(told.clone()));
        self.told = Some(told);
    }
}

/// Milliseconds from one time to a later one; none pass while a clock is set back.
fn between(from: Timestamp, to: Timestamp) -> i64 {
    to.0.saturating_sub(from.0).max(0)
}

#[cfg(test)]
mod tests;
