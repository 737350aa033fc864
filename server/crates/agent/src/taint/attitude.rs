//! The attitude of a person to a value, over all their messages.

use std::sync::Arc;

use super::{
    negation::Force,
    words::{Mention, WordSet},
};
use crate::ports::Case;

/// The attitude of a person to a value. Nothing but [`Attitude::Named`] lets a call act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attitude {
    /// They never named it.
    None,
    /// They only wanted to know about it.
    Asked,
    /// They said something of it, or ordered something for it.
    Named,
    /// They said to leave it alone.
    Excluded,
}

/// Reads the messages of a person in their order. A newer message that orders something for a value
/// lifts a prohibition; one that merely mentions it does not.
pub(super) fn attitude(messages: &[Arc<WordSet>], value: &str, case: Case) -> Attitude {
    let mut attitude = Attitude::None;
    let mut was_ordered = false;
    let mut forbids_all = false;
    for words in messages {
        let may_lift = |force| force == Force::Orders;
        let is_forbidden = forbids_all || attitude == Attitude::Excluded;
        attitude = match words.mention(value, case) {
            Mention::Excluded => Attitude::Excluded,
            Mention::Named(force) if is_forbidden && !may_lift(force) => Attitude::Excluded,
            Mention::Named(Force::Asks) if attitude != Attitude::Named => Attitude::Asked,
            Mention::Named(force) => {
                was_ordered |= force >= Force::Requests;
                Attitude::Named
            }
            Mention::None if matches!(attitude, Attitude::None | Attitude::Excluded) => attitude,
            Mention::None if words.takes_back() || words.forbids_all() => Attitude::Excluded,
            Mention::None if was_ordered && words.stops() => Attitude::Excluded,
            Mention::None if words.orders_it().is_some() => {
                was_ordered = true;
                Attitude::Named
            }
            // "smbd hangs." "Don't restart Samba."
            Mention::None if words.forbids() && !was_ordered => Attitude::Excluded,
            Mention::None => attitude,
        };
        if attitude == Attitude::Excluded {
            was_ordered = false;
        }
        forbids_all |= words.forbids_all();
    }
    attitude
}

/// True if they order something for a value, where a verb at the beginning of a sentence about it is that of
/// the call itself and no wish to leave it alone: "cancel X", for a call that cancels.
pub(super) fn is_ordered_by(
    messages: &[Arc<WordSet>],
    verb: &str,
    value: &str,
    case: Case,
) -> bool {
    let as_order = |words: &Arc<WordSet>| match words.with_order(verb, value, case) {
        Some(other) => Arc::new(other),
        None => words.clone(),
    };
    let read: Vec<_> = messages.iter().map(as_order).collect();
    attitude(&read, value, case) == Attitude::Named
}
