//! The messages that share a place, from the points at which branches left.
//!
//! A branch keeps the numbers of the events that it copies. So a place is identified by the
//! conversation in which its event was first written, and its number; every branch that left later
//! has it too.

use std::collections::BTreeMap;

use protocol::ConversationId;

/// A conversation of a family.
pub(super) struct Member {
    pub(super) id: ConversationId,
    pub(super) key: i64,
    pub(super) parent: Option<ConversationId>,
    /// The number in the parent that its own first turn replaces.
    pub(super) leaves: i64,
    /// The number of that turn.
    pub(super) begins: i64,
    pub(super) updated: i64,
}

/// The alternatives at one message of a conversation, oldest first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ways {
    /// The conversation's own.
    pub(super) at: usize,
    pub(super) ways: Vec<ForkStep>,
}

/// One alternative: the branch that shows it, and the number of the message there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ForkStep {
    pub(super) member: usize,
    pub(super) seq: i64,
}

/// The conversation that wrote an event first, and its number.
type Place = (usize, i64);

/// The messages of a member that have siblings, in their order. Members are oldest first.
pub(super) fn of(members: &[Member], whose: usize) -> Vec<Ways> {
    // Messages in the same place, under the one that all of them descend from.
    let mut groups: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    let mut first: BTreeMap<Place, Place> = BTreeMap::new();
    for (at, member) in members.iter().enumerate() {
        let Some(parent) = parent(members, at) else {
            continue;
        };
        let left = origin(members, (parent, member.leaves));
        let group = *first.entry(left).or_insert(left);
        let own = (at, member.begins);
        first.insert(own, group);
        groups.entry(group).or_insert_with(|| vec![group]).push(own);
    }
    let mut found: Vec<(i64, Ways)> = Vec::new();
    for places in groups.values() {
        let at = places.iter().position(|place| has(members, whose, *place));
        let Some(at) = at else {
            continue;
        };
        let ways = places.iter().enumerate().map(|(n, place)| {
            let shows = |member: &usize| has(members, *member, *place);
            let newest = (0..members.len())
                .filter(shows)
                .max_by_key(|member| members[*member].updated);
            ForkStep {
                member: if n == at {
                    whose
                } else {
                    newest.unwrap_or(place.0)
                },
                seq: place.1,
            }
        });
        let ways = Ways {
            at,
            ways: ways.collect(),
        };
        found.push((places[at].1, ways));
    }
    found.sort_by_key(|(seq, _)| *seq);
    found.into_iter().map(|(_, ways)| ways).collect()
}

fn parent(members: &[Member], at: usize) -> Option<usize> {
    let parent = members.get(at)?.parent?;
    members.iter().position(|member| member.id == parent)
}

/// The place at which an event was first written.
fn origin(members: &[Member], (mut at, seq): Place) -> Place {
    while seq < members[at].leaves
        && let Some(before) = parent(members, at)
    {
        at = before;
    }
    (at, seq)
}

/// True if a member shows an event.
fn has(members: &[Member], mut at: usize, (owner, seq): Place) -> bool {
    loop {
        if at == owner {
            return true;
        }
        if seq >= members[at].leaves {
            return false;
        }
        match parent(members, at) {
            Some(before) => at = before,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::Timestamp;

    use super::*;

    fn id(n: usize) -> ConversationId {
        ConversationId::new(Timestamp(0), n as u128 + 1)
    }

    /// Members by parent, the number at which each leaves and the one at which it begins.
    fn members(branches: &[(Option<usize>, i64, i64)]) -> Vec<Member> {
        let member = |(n, (parent, leaves, begins)): (usize, &(Option<usize>, i64, i64))| Member {
            id: id(n),
            key: 0,
            parent: parent.map(id),
            leaves: *leaves,
            begins: *begins,
            updated: i64::try_from(n).unwrap(),
        };
        branches.iter().enumerate().map(member).collect()
    }

    /// Each of `expect`: the own place, and member and number of every way.
    #[track_caller]
    fn check(members: &[Member], whose: usize, expect: &[(usize, &[(usize, i64)])]) {
        let expect: Vec<_> = expect
            .iter()
            .map(|(at, ways)| Ways {
                at: *at,
                ways: ways
                    .iter()
                    .map(|(member, seq)| ForkStep {
                        member: *member,
                        seq: *seq,
                    })
                    .collect(),
            })
            .collect();
        assert_eq!(of(members, whose), expect, "of {whose}");
    }

    #[test]
    fn edits_of_edits_are_siblings_of_the_same_message() {
        // 1 edits the turn at 10 of 0; 2 edits that of 1 again; 3 does so to the one of 0.
        let family = members(&[
            (None, 0, 0),
            (Some(0), 10, 11),
            (Some(1), 11, 12),
            (Some(0), 10, 11),
        ]);
        // The edit of an edit leaves the copy's own mark behind too: it begins after it.
        let ways: &[_] = &[(0, 10), (1, 11), (2, 12), (3, 11)];
        for whose in 0..4 {
            check(&family, whose, &[(whose, ways)]);
        }
    }

    #[test]
    fn a_message_that_was_copied_is_the_same_message() {
        // 1 leaves 0 at 20; 2 leaves 1 at 5, which 1 has from 0; 3 leaves 2 at 30.
        let family = members(&[
            (None, 0, 0),
            (Some(0), 20, 21),
            (Some(1), 5, 6),
            (Some(2), 30, 31),
        ]);
        // The copied message of 0 leads to the branch where it was read last: 1. That of 2 leads to
        // 3.
        check(
            &family,
            0,
            &[(0, &[(0, 5), (3, 6)]), (0, &[(0, 20), (1, 21)])],
        );
        check(
            &family,
            1,
            &[(0, &[(1, 5), (3, 6)]), (1, &[(0, 20), (1, 21)])],
        );
        check(
            &family,
            2,
            &[(1, &[(1, 5), (2, 6)]), (0, &[(2, 30), (3, 31)])],
        );
        check(
            &family,
            3,
            &[(1, &[(1, 5), (3, 6)]), (1, &[(2, 30), (3, 31)])],
        );
    }

    #[test]
    fn a_conversation_alone_has_no_siblings() {
        check(&members(&[(None, 0, 0)]), 0, &[]);
    }
}
