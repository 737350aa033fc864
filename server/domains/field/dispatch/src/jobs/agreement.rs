//! The queue's machine and the tables see the same events, and are in the same state after each.

mod logs;
mod pair;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use self::pair::{Pair, PairEvent, PairHome, events};

/// Runs a property for many lists of events, each with a device of its own in one database.
fn for_all<T: std::fmt::Debug>(
    cases: u32,
    strategy: impl Strategy<Value = T>,
    holds: impl Fn(&PairHome, &T, usize),
) {
    let home = PairHome::open();
    let mut number = 0;
    let case = std::cell::RefCell::new(&mut number);
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let run = TestRunner::new(config).run(&strategy, |value| {
        let mut number = case.borrow_mut();
        **number += 1;
        holds(&home, &value, **number);
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
}

fn walk(home: &PairHome, events: &[PairEvent], number: usize) -> Vec<&'static str> {
    home.runtime.block_on(async {
        let mut pair = Pair::begin(home, number).await;
        let mut answers = Vec::new();
        for event in events {
            answers.push(pair.event(event).await);
            pair.compare(event).await;
        }
        answers
    })
}

#[test]
fn the_same_events_lead_to_the_same_state_in_both() {
    let seen = std::cell::RefCell::new(std::collections::BTreeSet::new());
    for_all(96, events(), |home, events, number| {
        seen.borrow_mut().extend(walk(home, events, number));
    });
    // Walks that get nowhere would agree about everything.
    for answer in [
        "offer", "nothing", "go", "kept", "recorded", "stale", "gone",
    ] {
        assert!(seen.borrow().contains(answer), "no {answer}");
    }
}

/// The cases that the two once saw differently, whatever the walks above come across.
#[test]
fn a_start_after_the_lease_is_stale_and_the_job_runs_under_its_next_claim_alone() {
    let home = PairHome::open();
    let events = [
        PairEvent::Claim { secret: 0 },
        PairEvent::Pass { seconds: 30 },
        PairEvent::Start {
            claim: 0,
            nonce: 0,
            is_allowed: true,
        },
        PairEvent::Claim { secret: 0 },
        PairEvent::Claim { secret: 1 },
        PairEvent::Start {
            claim: 0,
            nonce: 0,
            is_allowed: true,
        },
        PairEvent::Start {
            claim: 1,
            nonce: 1,
            is_allowed: true,
        },
        PairEvent::Start {
            claim: 1,
            nonce: 1,
            is_allowed: true,
        },
        PairEvent::Start {
            claim: 1,
            nonce: 1,
            is_allowed: false,
        },
        PairEvent::Start {
            claim: 1,
            nonce: 2,
            is_allowed: true,
        },
    ];
    let answers = walk(&home, &events, 1);
    let expected = [
        "offer", "", "stale", "nothing", "offer", "stale", "go", "go", "gone", "gone",
    ];
    assert_eq!(answers, expected);
}
