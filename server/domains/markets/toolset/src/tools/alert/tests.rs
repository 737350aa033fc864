use super::*;
use crate::{Symbol, drawing::Actor};

fn alert(crossing: Crossing, side: Option<LevelSide>) -> Alert {
    Alert {
        id: "a".to_owned(),
        symbol: Symbol::EurUsd,
        subject: AlertSubject::Price { level: 1.2 },
        crossing,
        note: String::new(),
        repeats: false,
        actor: Actor::User,
        person: None,
        call: "a".to_owned(),
        conversation: None,
        created_at: Time(0),
        version: 1,
        state: AlertState::Waiting,
        since: Time(0),
        side,
        drawing_version: None,
        fired: 0,
        last: None,
        withdrawn_by: None,
    }
}

fn seen(value: f64) -> Reading {
    Reading {
        time: Time(7),
        value,
        level: 1.2,
        drawing: None,
    }
}

/// The ways in which an alert fires on values, one after the other; it repeats without a rest.
fn fires(crossing: Crossing, values: &[f64]) -> Vec<(usize, Crossing)> {
    let mut alert = Alert {
        repeats: true,
        ..alert(crossing, None)
    };
    let mut fired = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let now = Time(at as i64 * REST);
        let Some(next) = after(&alert, &seen(*value), false, now) else {
            continue;
        };
        assert_eq!(next.version, alert.version + 1);
        if next.fired > alert.fired {
            fired.push((at, next.last.as_ref().unwrap().way));
        }
        alert = next;
    }
    fired
}

#[test]
fn a_crossing_is_from_one_side_to_the_level_or_beyond() {
    let (up, down, either) = (Crossing::Up, Crossing::Down, Crossing::Either);
    let path = [1.19, 1.21, 1.22, 1.19];
    assert_eq!(fires(up, &path), [(1, up)]);
    assert_eq!(fires(down, &path), [(3, down)]);
    assert_eq!(fires(either, &path), [(1, up), (3, down)]);
    // Where it begins is no crossing, and neither is leaving the level.
    assert_eq!(fires(either, &[1.21, 1.22]), []);
    assert_eq!(fires(either, &[1.2, 1.21, 1.22]), []);
    // Reaching it counts once, wherever it goes from there.
    assert_eq!(fires(either, &[1.19, 1.2, 1.2, 1.21]), [(1, up)]);
    assert_eq!(
        fires(either, &[1.21, 1.2, 1.21, 1.19]),
        [(1, down), (3, down)]
    );
    assert_eq!(fires(down, &[1.19, 1.2, 1.21]), []);
}

#[test]
fn an_alert_fires_once_unless_it_repeats_and_then_rests() {
    let below = Some(LevelSide::Below);
    let one = after(&alert(Crossing::Up, below), &seen(1.2001), true, Time(9)).unwrap();
    assert_eq!(
        (one.state, one.since, one.fired),
        (AlertState::Fired, Time(9), 1)
    );
    let firing = Firing {
        time: Time(7),
        value: 1.2001,
        level: 1.2,
        way: Crossing::Up,
        after_gap: true,
    };
    assert_eq!(one.last, Some(firing));

    let repeats = Alert {
        repeats: true,
        ..alert(Crossing::Either, below)
    };
    let first = after(&repeats, &seen(1.21), false, Time(1_000)).unwrap();
    assert_eq!((first.state, first.fired), (AlertState::Waiting, 1));
    // A crossing in its rest is seen, and fires neither then nor later.
    let rests = after(&first, &seen(1.19), false, Time(1_000 + REST - 1)).unwrap();
    assert_eq!((rests.fired, rests.side), (1, below));
    assert_eq!(after(&rests, &seen(1.19), false, Time(1_000 + REST)), None);
    let second = after(&rests, &seen(1.21), false, Time(1_000 + REST)).unwrap();
    assert_eq!(second.fired, 2);
}

#[test]
fn values_between_two_looks_are_one_change() {
    let below = Some(LevelSide::Below);
    let each = |alert: &Alert, values: &[f64]| {
        let readings: Vec<Reading> = values.iter().map(|value| seen(*value)).collect();
        after_each(alert, &readings, true, Time(9))
    };
    let once = alert(Crossing::Either, below);
    assert_eq!(each(&once, &[]), None);
    assert_eq!(each(&once, &[1.19, 1.18]), None);
    // Nothing is unknown about the second value.
    let fired = each(&once, &[1.19, 1.21, 1.19]).unwrap();
    assert_eq!(
        (fired.version, fired.fired, fired.state),
        (2, 1, AlertState::Fired)
    );
    let last = fired.last.unwrap();
    assert_eq!(
        (last.value, last.way, last.after_gap),
        (1.21, Crossing::Up, false)
    );
    let first = each(&once, &[1.21, 1.19]).unwrap();
    assert!(first.last.unwrap().after_gap);
    // It rests at once, and keeps the side of the last value.
    let repeats = Alert {
        repeats: true,
        ..once
    };
    let next = each(&repeats, &[1.21, 1.19, 1.22]).unwrap();
    assert_eq!(
        (next.version, next.fired, next.side),
        (2, 1, Some(LevelSide::Above))
    );
}

#[test]
fn a_line_that_is_moved_past_the_price_is_not_crossed() {
    let mut watched = alert(Crossing::Either, Some(LevelSide::Below));
    watched.drawing_version = Some(1);
    let moved = Reading {
        drawing: Some(2),
        ..seen(1.3)
    };
    let next = after(&watched, &moved, false, Time(9)).unwrap();
    assert_eq!(
        (next.fired, next.side, next.drawing_version),
        (0, Some(LevelSide::Above), Some(2))
    );
    let back = Reading {
        value: 1.1,
        ..moved
    };
    assert_eq!(after(&next, &back, false, Time(10)).unwrap().fired, 1);
}
