//! Pairs, and the life of a change under all orders of events.

use super::{
    RemedyChange, RemedyEffect, RemedyInput, RemedyPair, RemedyRefusal, RemedyState, advance,
};
use crate::levels::LevelRefusal;

fn mtu(interface: &str, mtu: u32, before: u32, undo_after_s: u32) -> RemedyPair {
    RemedyPair {
        change: RemedyChange::SetMtu {
            interface: interface.to_owned(),
            mtu,
            before,
        },
        undo_after_s,
    }
}

#[test]
fn values_are_checked_and_the_level_is_refused_with_its_reason() {
    let good = mtu("eth0", 1400, 1500, 120);
    assert_eq!(good.check(), Ok(()));
    assert_eq!(
        good.offered(),
        Err(RemedyRefusal::Level(LevelRefusal::NetAdmin))
    );
    for bad in [
        mtu("-eth0", 1400, 1500, 120),
        mtu("eth0", 1400, 1400, 120),
        mtu("eth0", 100, 1500, 120),
        mtu("eth0", 1400, 1500, 5),
        mtu("eth0", 1400, 1500, 5000),
    ] {
        assert!(bad.check().is_err(), "{bad:?}");
    }
}

#[test]
fn the_undo_is_the_opposite_and_comes_first() {
    let pair = mtu("eth0", 1400, 1500, 120);
    assert!(
        pair.undo()
            .ends_with(&["mtu".to_owned(), "1500".to_owned()])
    );
    let text = pair.render();
    assert!(text.find("1500") < text.find("1400"), "{text}");
}

/// All sequences of six events: the change is made only after the timer reported, at most once, and
/// nothing but a person's word keeps it.
#[test]
fn no_order_of_events_leaves_a_change_that_nobody_kept() {
    const INPUTS: [RemedyInput; 9] = [
        RemedyInput::Armed,
        RemedyInput::ArmingFailed,
        RemedyInput::MakeEnded { succeeded: true },
        RemedyInput::MakeEnded { succeeded: false },
        RemedyInput::Keep,
        RemedyInput::Fired,
        RemedyInput::UndoEnded { succeeded: true },
        RemedyInput::UndoEnded { succeeded: false },
        RemedyInput::Restarted,
    ];
    let mut seen_kept = false;
    for sequence in 0..9_u32.pow(6) {
        let (mut state, mut made, mut armed, mut kept, mut undone) =
            (RemedyState::Arming, 0, false, false, false);
        let mut rest = sequence;
        for _ in 0..6 {
            let input = INPUTS[(rest % 9) as usize];
            rest /= 9;
            armed |= input == RemedyInput::Armed;
            let (next, effect) = advance(state, input);
            kept |= next == RemedyState::Kept && input == RemedyInput::Keep;
            undone |= effect == Some(RemedyEffect::Undo);
            if effect == Some(RemedyEffect::Make) {
                assert!(armed, "made before the timer was armed");
                made += 1;
            }
            state = next;
        }
        assert!(made <= 1);
        seen_kept |= state == RemedyState::Kept;
        match state {
            RemedyState::Kept => assert!(kept && !undone && made == 1),
            RemedyState::Undone | RemedyState::Stuck => assert!(undone && made == 1),
            RemedyState::NotMade => assert_eq!(made, 0),
            // Still under the timer.
            RemedyState::Arming
            | RemedyState::Making
            | RemedyState::Made
            | RemedyState::Undoing => {}
        }
    }
    assert!(seen_kept);
}
