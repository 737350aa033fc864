//! Places in a text at which something was found, and the choice between those that overlap.

use std::cmp::Reverse;
use std::ops::Range;

use crate::class::Class;

/// A value of a class at a place of the text that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) class: Class,
    pub(crate) range: Range<usize>,
    /// The value as it will be known: without escapes, in the canonical spelling of an address.
    pub(crate) value: String,
}

/// A place with its rank: of two of the same length the lower one is taken.
#[derive(Clone, Debug)]
pub(crate) struct RankedPlace<T> {
    pub(crate) range: Range<usize>,
    pub(crate) rank: u8,
    pub(crate) what: T,
}

/// Places that do not overlap, in their order, and the pieces of others that none of them covers.
pub(crate) struct NonOverlapping<T> {
    pub(crate) taken: Vec<RankedPlace<T>>,
    pub(crate) rests: Vec<Range<usize>>,
}

/// Takes the longest places first, then those of the lowest rank.
pub(crate) fn longest<T>(mut places: Vec<RankedPlace<T>>) -> NonOverlapping<T> {
    places.sort_by_key(|place| (place.range.start, Reverse(place.range.end), place.rank));
    let mut choice = NonOverlapping {
        taken: Vec::with_capacity(places.len()),
        rests: Vec::new(),
    };
    let mut cluster: Vec<RankedPlace<T>> = Vec::new();
    let mut end = 0;
    for place in places {
        if place.range.start >= end {
            settle(&mut cluster, &mut choice);
            end = place.range.end;
        }
        end = end.max(place.range.end);
        cluster.push(place);
    }
    settle(&mut cluster, &mut choice);
    choice
}

fn settle<T>(cluster: &mut Vec<RankedPlace<T>>, choice: &mut NonOverlapping<T>) {
    if cluster.len() == 1 {
        choice.taken.append(cluster);
        return;
    }
    cluster.sort_by_key(|place| (Reverse(place.range.len()), place.rank, place.range.start));
    let mut taken: Vec<RankedPlace<T>> = Vec::new();
    let mut lost: Vec<Range<usize>> = Vec::new();
    for place in cluster.drain(..) {
        if taken
            .iter()
            .any(|other| overlap(&other.range, &place.range))
        {
            lost.push(place.range);
        } else {
            taken.push(place);
        }
    }
    taken.sort_by_key(|place| place.range.start);
    for range in lost {
        let mut from = range.start;
        for place in taken.iter().filter(|place| overlap(&place.range, &range)) {
            if from < place.range.start {
                choice.rests.push(from..place.range.start);
            }
            from = from.max(place.range.end);
        }
        if from < range.end {
            choice.rests.push(from..range.end);
        }
    }
    choice.taken.append(&mut taken);
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wins_then_the_rank() {
        let place = |range: Range<usize>, rank| RankedPlace {
            range,
            rank,
            what: rank,
        };
        let choice = longest(vec![
            place(0..4, 1),
            place(2..12, 2),
            place(11..14, 3),
            place(20..22, 5),
            place(20..22, 4),
        ]);
        let taken: Vec<_> = choice.taken.iter().map(|it| it.what).collect();
        assert_eq!(taken, [2, 4]);
        assert_eq!(choice.rests, [0..2, 12..14]);
    }
}
