//! Snapshots of what begins and goes on with a conversation beside its plain form.

use super::{check, conversation, message, turn};
use crate::{Command, EventBody, Mode, Reference};

#[test]
fn a_plan_to_carry_out() {
    check(
        "command_start_plan",
        &Command::Start {
            conversation: conversation(),
            mode: Mode::Default,
            text: "Carry out the plan.".to_owned(),
            from: Some(conversation()),
            plan: Some(message()),
            choice: None,
            references: Vec::new(),
            packs: None,
        },
    );
}

/// None is left to the server; an empty list is a choice.
#[test]
fn a_start_with_packs() {
    for (name, packs) in [
        ("command_start_packs", vec!["lamps-attic".to_owned()]),
        ("command_start_no_packs", Vec::new()),
    ] {
        check(
            name,
            &Command::Start {
                conversation: conversation(),
                mode: Mode::Default,
                text: "How is the cluster?".to_owned(),
                from: None,
                plan: None,
                choice: None,
                references: Vec::new(),
                packs: Some(packs),
            },
        );
    }
}

/// Empty references are omitted, as older builds write and read it.
#[test]
fn messages_with_references() {
    let references = || {
        vec![
            Reference::new("guest", "101"),
            Reference::new("node", "pve"),
        ]
    };
    check(
        "command_start_about",
        &Command::Start {
            conversation: conversation(),
            mode: Mode::Default,
            text: "Why is it slow?".to_owned(),
            from: None,
            plan: None,
            choice: None,
            references: references(),
            packs: None,
        },
    );
    check(
        "command_send_about",
        &Command::Send {
            conversation: conversation(),
            text: "And this one?".to_owned(),
            withdraw: false,
            references: references(),
        },
    );
    check(
        "event_turn_started_about",
        &EventBody::TurnStarted {
            turn: turn(),
            message: message(),
            text: "Why is it slow?".to_owned(),
            references: references(),
        },
    );
    check(
        "event_message_queued_about",
        &EventBody::MessageQueued {
            message: message(),
            text: "And this one?".to_owned(),
            references: references(),
        },
    );
}
