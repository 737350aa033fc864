//! Scenarios wider than one conversation of one person on a healthy disk.

use protocol::ErrorCode;
use rehearsal::Block;
use serde_json::{Value, json};

use super::{approved, one_step, start_downloads, start_windows, starts_only};
use crate::scenario::{Act, Attached, End, Move, Sample, Scenario, Then, approve};

/// A packet, sent once for the message, unless a crash leaves open whether it was sent.
pub(super) fn wake() -> Scenario {
    let wake = Act::new(
        "wake_node",
        json!({ "node": "agent" }),
        "wake 9C:6B:00:1A:42:14",
        End::Runs,
    );
    let scenario = one_step(
        "a node is woken",
        &["Wake the node agent."],
        "agent",
        vec![wake.repeats()],
    );
    Scenario {
        asleep: Some("agent"),
        ..scenario
    }
    .short(&[
        "before the order: a magic packet",
        "ordered, not followed: a magic packet",
    ])
}

/// A message to the running turn, which reads it at its next step or leaves it for the next one.
pub(super) fn steer() -> Scenario {
    const WORD: &str = "And say nothing of it.";
    let act = start_downloads();
    let scenario = Scenario {
        steers: Some(WORD),
        ..Scenario::new("steered", &["First, start downloads, 213 on pve.", WORD])
    };
    scenario
        .answer("nothing", 0, vec![Block::text("Very well.")])
        .answer("nothing", 1, vec![Block::text("Very well.")])
        .answer("First", 0, vec![Block::text("At once."), act.call()])
        .answer("First", 1, vec![Block::text("That was that.")])
        .act(act)
        .person(|card| {
            if !card.lapsed {
                vec![Move::Steer(WORD), approve()]
            } else {
                Vec::new()
            }
        })
        .short(&[
            "committed, not heard: message_steered",
            "committed, not heard: message_read",
        ])
}

/// The earlier turn is copied, with a call that acted; the call does not run for the copy.
pub(super) fn branch() -> Scenario {
    let act = start_downloads();
    let scenario = Scenario {
        then: Some(Then::Branch),
        ..Scenario::new(
            "a branch",
            &["First, start downloads, 213 on pve.", "Second, what is it?"],
        )
    };
    scenario
        .answer("First", 0, vec![Block::text("At once."), act.call()])
        .answer("First", 1, vec![Block::text("That was that.")])
        .answer("Second", 0, vec![Block::text("A container, sir.")])
        .act(act)
        .person(starts_only)
        .short(&[
            "written, not committed: branched",
            "committed, not heard: branched",
        ])
}

/// A file that was uploaded before a message is there as long as the message.
pub(super) fn file() -> Scenario {
    let scenario = Scenario {
        file: Some(Attached {
            name: "notes.txt",
            content: b"The cellar is damp, and downloads is full of it.\n",
        }),
        ..Scenario::new("a file", &["What do these notes say?"])
    };
    scenario
        .answer(
            "notes",
            0,
            vec![
                Block::text("Let me look."),
                Block::tool_use("get_storage", json!({})),
            ],
        )
        .answer("notes", 1, vec![Block::text("The cellar is damp.")])
        .short(&[
            "committed, not heard: a file",
            "committed, not heard: conversation_started",
            "committed, not heard: tool_finished",
        ])
}

/// A turn draws, and the person undoes that.
pub(super) fn undo() -> Scenario {
    let line = |price: f64, reason: &str, effect| {
        let input = json!({ "symbol": "EURUSD", "price": price, "reason": reason });
        Act::new("draw_horizontal_line", input, effect, End::Runs)
    };
    let acts = vec![
        line(1.2, "support", "drawn support"),
        line(1.21, "resistance", "drawn resistance"),
    ];
    let scenario = Scenario {
        then: Some(Then::Undo),
        about: Some(("chart", "EURUSD/H4")),
        ..one_step(
            "drawn, and taken back",
            &["Draw support at 1.2 and resistance at 1.21 for EURUSD."],
            "support",
            acts,
        )
    };
    let undo = Act::new("undo_turn", Value::Null, "taken back support", End::Runs);
    scenario
        .act(undo.followed_by(&["taken back resistance"]))
        .short(&[
            "committed, not heard: a drawing",
            "committed, not heard: changes of drawings",
            "after undo_turn",
        ])
}

/// An alert fires once and is told once, wherever the server dies between its setting, the price, the
/// firing and the notice.
pub(super) fn alert() -> Scenario {
    let input = json!({ "symbol": "EURUSD", "level": 1.21, "direction": "up" });
    let act = Act::new("set_alert", input, "an alert", End::Runs);
    let scenario = Scenario {
        about: Some(("chart", "EURUSD/H4")),
        crosses: true,
        sample: Sample::All,
        ..one_step(
            "an alert, and its price",
            &["Tell me when EURUSD goes above 1.21."],
            "above",
            vec![act.with(&["an alert fired", "an alert told"])],
        )
    };
    scenario.short(&[
        "committed, not heard: an alert",
        "written, not committed: a change of an alert",
        "committed, not heard: a change of an alert",
        "committed, not heard: notices",
    ])
}

/// The person who asks may not approve; the one who approves does so once.
pub(super) fn second_person() -> Scenario {
    let scenario = one_step(
        "a second person approves",
        &["Start windows-11, VM 113 on pve."],
        "windows-11",
        vec![start_windows(End::Authorised)],
    );
    Scenario {
        second: true,
        ..scenario
    }
    .person(|card| {
        if !card.lapsed {
            vec![Move::InVain(
                approved(),
                &[ErrorCode::DecisionNotAllowed, ErrorCode::AlreadyDecided],
            )]
        } else {
            Vec::new()
        }
    })
    .short(&[
        "committed, not heard: confirmation_requested",
        "committed, not heard: confirmation_decided",
        "ordered, not followed",
    ])
}

/// The disk is full when an answer is to be written, when a start is, and when a result is.
pub(super) fn disk_full() -> [Scenario; 3] {
    let start = |name, full| Scenario {
        full: Some(full),
        ..one_step(
            name,
            &["Start windows-11, VM 113 on pve."],
            "windows-11",
            vec![start_windows(End::Authorised)],
        )
    };
    [
        start("disk full: an answer", "an answer is complete").short(&[
            "no room: assistant_message",
            "committed, not heard: assistant_message",
        ]),
        start(
            "disk full: an intent",
            "recorded, not told: confirmation_decided",
        )
        .short(&[
            "no room: tool_started",
            "committed, not heard: tool_started",
        ]),
        start("disk full: a result", "ordered, not followed").short(&[
            "no room: tool_finished",
            "committed, not heard: tool_finished",
        ]),
    ]
}
