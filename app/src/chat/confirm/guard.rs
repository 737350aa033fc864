//! The guard of the approve button: not before a person can have read the card, and not by a key or
//! a press that was meant for something else.

use crate::texts::{common, confirm as texts};

/// Time for which the button must have been in view, in one place, in milliseconds.
const STILL: i64 = 700;
/// Movement to the side and down that still counts as one place, in pixels: its label changes its
/// width, and it never leaves the pointer.
const SWAY: (i32, i32) = (64, 8);
/// A check that comes later than this after the last one says nothing about the time between, in
/// milliseconds.
const ASLEEP: i64 = 1_500;

/// A reason why the button cannot be pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bar {
    /// The server has not answered the last command yet.
    Asking,
    Expired,
    Offline,
    /// The tab is hidden.
    Hidden,
    KillSwitch,
    /// The person's role is read-only.
    Role(&'static str),
    /// The requester may not approve it.
    Second,
    /// The input is being edited.
    Editing,
    /// The word has to be typed.
    Word(String),
    /// This page does not know how to approve this call.
    Unknown,
    /// The beginning of the card was never in view.
    NotRead,
    /// Its end was never in view: the button comes into view earlier.
    NotThrough,
    /// The button itself is not in view.
    OutOfView,
    /// It has not been still long enough.
    Settling,
}

impl Bar {
    /// Returns the reason as a sentence.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Asking => texts::ASKING_THE_SERVER,
            Self::Expired => texts::THIS_REQUEST_HAS_EXPIRED,
            Self::Offline => texts::NO_CONNECTION_TO_THE_SERVER,
            Self::Hidden => texts::TAB_IS_HIDDEN,
            Self::KillSwitch => common::KILL_SWITCH_BLOCKS_ACTIONS,
            Self::Role(reason) => reason,
            Self::Second => texts::ASKER_CANNOT_APPROVE,
            Self::Editing => texts::FINISH_OR_DISCARD_YOUR_CHANGE_FIRST,
            Self::Word(word) => return texts::type_to_approve(word),
            Self::Unknown => texts::THIS_PAGE_CANT_SHOW_THIS_APPROVAL,
            Self::NotRead => texts::READ_FROM_THE_BEGINNING,
            Self::NotThrough => texts::READ_TO_THE_END,
            Self::OutOfView | Self::Settling => texts::ONE_MOMENT,
        }
        .to_owned()
    }
}

/// A snapshot of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct CardLook {
    /// Time in milliseconds, by any clock.
    pub(super) at: i64,
    /// True if the tab is visible.
    pub(super) visible: bool,
    /// True if the beginning of the card is in view.
    pub(super) head: bool,
    /// True if the end of the text to read is in view.
    pub(super) end: bool,
    /// Position of the button, if nothing covers it.
    pub(super) button: Option<(i32, i32)>,
}

/// The checks of the page so far.
#[derive(Debug, Default)]
pub(super) struct Guard {
    read: bool,
    through: bool,
    place: Option<(i32, i32)>,
    since: i64,
    looked: i64,
}

impl Guard {
    /// Returns the reason why the button may not be pressed yet; none if it may.
    pub(super) fn look(&mut self, look: CardLook) -> Option<Bar> {
        let slept = look.at - self.looked > ASLEEP;
        self.looked = look.at;
        if !look.visible {
            self.place = None;
            return Some(Bar::Hidden);
        }
        self.read |= look.head;
        if look.end && !self.through {
            self.through = true;
            // The button may have been in place all the time, but the text was not.
            self.since = look.at;
        }
        if look.button.is_none() {
            self.place = None;
            return Some(if self.read {
                Bar::OutOfView
            } else {
                Bar::NotRead
            });
        }
        if slept || !near(self.place, look.button) {
            self.place = look.button;
            self.since = look.at;
        }
        if !self.read {
            Some(Bar::NotRead)
        } else if !self.through {
            Some(Bar::NotThrough)
        } else if look.at - self.since < STILL {
            Some(Bar::Settling)
        } else {
            None
        }
    }

    /// Records that a key moved the focus here: the next key may have been meant for the element
    /// before.
    pub(super) fn focus_came(&mut self) {
        self.place = None;
    }
}

/// Returns whether it is in the same place, give or take a line of text.
fn near(before: Option<(i32, i32)>, now: Option<(i32, i32)>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => {
            (before.0 - now.0).abs() <= SWAY.0 && (before.1 - now.1).abs() <= SWAY.1
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(at: i64) -> CardLook {
        CardLook {
            at: 1_000_000 + at,
            visible: true,
            head: true,
            end: true,
            button: Some((10, 500)),
        }
    }

    fn check(looks: &[CardLook], expect: Option<Bar>) {
        let mut guard = Guard::default();
        let mut last = Some(Bar::Settling);
        for look in looks {
            last = guard.look(*look);
        }
        assert_eq!(last, expect, "{looks:?}");
    }

    #[test]
    fn it_takes_a_still_card_that_was_seen_from_its_beginning() {
        let moved = |at| CardLook {
            button: Some((10, 530)),
            ..look(at)
        };
        let covered = |at| CardLook {
            button: None,
            ..look(at)
        };
        let below = |at| CardLook {
            head: false,
            ..look(at)
        };
        let hidden = |at| CardLook {
            visible: false,
            ..look(at)
        };
        check(&[look(0)], Some(Bar::Settling));
        check(&[look(0), look(600)], Some(Bar::Settling));
        check(&[look(0), look(700)], None);
        check(&[look(0), moved(600), moved(800)], Some(Bar::Settling));
        check(&[look(0), moved(600), moved(1_300)], None);
        let swayed = |at| CardLook {
            button: Some((10, 504)),
            ..look(at)
        };
        check(&[look(0), swayed(600), look(700)], None);
        check(&[look(0), covered(300), look(800)], Some(Bar::Settling));
        check(&[look(0), covered(300)], Some(Bar::OutOfView));
        check(&[below(0), below(900)], Some(Bar::NotRead));
        // The beginning of a long card came into view before the button did.
        check(&[covered(0), below(300), below(1_000)], None);
        // Its button is in view all the time, its end only for a reader who scrolls there.
        let above = |at| CardLook {
            end: false,
            ..look(at)
        };
        check(&[above(0), above(900), above(1_800)], Some(Bar::NotThrough));
        check(&[above(0), above(900), below(1_000)], Some(Bar::Settling));
        check(&[above(0), above(900), below(1_000), below(1_700)], None);
        check(&[look(0), look(800), hidden(900)], Some(Bar::Hidden));
        check(
            &[look(0), look(800), hidden(900), look(1_000)],
            Some(Bar::Settling),
        );
        // The page slept: its content on screen meanwhile is unknown.
        check(&[look(0), look(800), look(60_000)], Some(Bar::Settling));
    }

    #[test]
    fn focus_by_a_key_starts_anew() {
        let mut guard = Guard::default();
        guard.look(look(0));
        assert_eq!(guard.look(look(800)), None);
        guard.focus_came();
        assert_eq!(guard.look(look(900)), Some(Bar::Settling));
        assert_eq!(guard.look(look(1_600)), None);
    }
}
