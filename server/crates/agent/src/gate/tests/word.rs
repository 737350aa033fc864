//! The origins that are enough for each kind of tool.

use protocol::{BlockedReason, Origin, OriginSource};

use super::{super::taint_risk, Case, Say, case, check};

/// The verdict for each origin of a value: a tool that changes a system, one that only looks.
/// The first answer is that of a conversation with text from outside, the other of one without.
#[test]
fn only_the_persons_word_is_enough_to_act_on() {
    let named = |name: &str| name.to_owned();
    for (origin, acts, looks) in [
        (OriginSource::User, [Say::Act; 2], [Say::Act; 2]),
        (OriginSource::Person, [Say::Act; 2], [Say::Act; 2]),
        (
            OriginSource::Mapped { from: named("nas") },
            [Say::Act; 2],
            [Say::Act; 2],
        ),
        (
            OriginSource::Configuration,
            [Say::Confirm, Say::Act],
            [Say::Act; 2],
        ),
        (OriginSource::Model, [Say::Confirm, Say::Act], [Say::Act; 2]),
        (OriginSource::Excluded, [Say::Confirm; 2], [Say::Act; 2]),
        (
            OriginSource::Tool {
                name: named("get_vms"),
            },
            [Say::Confirm; 2],
            [Say::Confirm; 2],
        ),
        (OriginSource::Context, [Say::Confirm; 2], [Say::Confirm; 2]),
        (OriginSource::File, [Say::Confirm; 2], [Say::Confirm; 2]),
        (OriginSource::Plan, [Say::Confirm; 2], [Say::Confirm; 2]),
        (
            OriginSource::Refusal {
                name: named("stop_vm"),
            },
            [Say::Confirm; 2],
            [Say::Confirm; 2],
        ),
        (OriginSource::Unknown, [Say::Confirm; 2], [Say::Confirm; 2]),
    ] {
        for (n, has_outside) in [true, false].into_iter().enumerate() {
            for (name, expect) in [
                ("get_vms", Say::Run),
                ("restart_service", acts[n]),
                ("execute_ssh", looks[n]),
                ("stop_vm", Say::Confirm),
                ("reboot_node", Say::Block(BlockedReason::Tier)),
            ] {
                let origin = origin.clone();
                let case = Case {
                    origin,
                    has_outside,
                    ..case(name)
                };
                check(&case, expect);
            }
        }
    }
}

#[test]
fn what_was_denied_is_asked_again_whoever_named_it() {
    for (name, expect) in [
        ("get_vms", Say::Run),
        ("restart_service", Say::Confirm),
        ("execute_ssh", Say::Confirm),
        ("stop_vm", Say::Confirm),
        ("reboot_node", Say::Block(BlockedReason::Tier)),
    ] {
        let case = Case {
            denied: true,
            ..case(name)
        };
        check(&case, expect);
    }
}

#[test]
fn of_an_image_the_card_says_only_what_is_known() {
    let name = "look".to_owned();
    for (source, has_image, expect) in [
        (
            OriginSource::Tool { name: name.clone() },
            false,
            "it came up in the result of look.",
        ),
        (
            OriginSource::Tool { name },
            true,
            "it may be in the result of look.",
        ),
        (
            OriginSource::File,
            false,
            "it came up in a file or in quoted text.",
        ),
        (
            OriginSource::File,
            true,
            "it may be in a file, an image or quoted text.",
        ),
        (OriginSource::Plan, true, "it came up in the plan."),
    ] {
        let origin = Origin {
            path: "/x".to_owned(),
            value: "nas".to_owned(),
            source,
        };
        let said = taint_risk(&origin, has_image);
        assert_eq!(said, format!("nas is not in your words; {expect}"));
    }
}
