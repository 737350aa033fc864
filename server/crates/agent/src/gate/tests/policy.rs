//! The effect of a policy: never less strict than the built-in rules.

use proptest::{collection, option, prelude::*, sample};
use protocol::{BlockedReason, Mode, OriginSource, Role, Tier};
use serde_json::json;

use super::{Case, Say, TIERS, case, say};
use crate::{
    GrantRules, Policy, SecondRules, SecondScope,
    ports::{Assessment, Recovery},
};

fn raised(tool: &str, tier: Tier) -> Policy {
    Policy {
        tiers: [(tool.to_owned(), tier)].into(),
        ..Policy::default()
    }
}

#[test]
fn a_tool_is_raised_and_never_lowered() {
    let black = Say::Block(BlockedReason::Tier);
    for (name, tier, expect) in [
        ("get_vms", Tier::Green, Say::Run),
        ("get_vms", Tier::Yellow, Say::Act),
        ("get_vms", Tier::Red, Say::Confirm),
        ("get_vms", Tier::Black, black),
        ("restart_service", Tier::Green, Say::Act),
        ("restart_service", Tier::Red, Say::Confirm),
        ("stop_vm", Tier::Green, Say::Confirm),
        ("stop_vm", Tier::Yellow, Say::Confirm),
        ("stop_vm", Tier::Black, black),
        ("reboot_node", Tier::Green, black),
    ] {
        assert_eq!(say(&case(name), &raised(name, tier)), expect, "{name}");
        let other = raised("other", tier);
        let free = TIERS.iter().find(|(tool, _)| *tool == name).unwrap().1;
        assert_eq!(say(&case(name), &other), free, "{name}");
    }
}

#[test]
fn a_tool_that_takes_two_is_asked_for() {
    let policy = Policy {
        second: SecondRules {
            tools: ["restart_service".to_owned()].into(),
            ..SecondRules::default()
        },
        ..Policy::default()
    };
    assert_eq!(say(&case("restart_service"), &policy), Say::Confirm);
    assert_eq!(say(&case("get_vms"), &policy), Say::Run);
}

#[test]
fn protected_objects_are_only_read() {
    for (object, protected) in [
        ("node/pve", true),
        ("NODE/PVE", true),
        ("node/pv", false),
        ("guest/pve", false),
    ] {
        let policy = Policy {
            protected: [object.to_owned()].into(),
            ..Policy::default()
        };
        for (name, free) in TIERS {
            let expect = match free {
                Say::Act | Say::Confirm if protected => Say::Block(BlockedReason::Protected),
                other => other,
            };
            assert_eq!(say(&case(name), &policy), expect, "{object} {name}");
        }
        // The tier that the policy itself has raised counts.
        let both = policy.joined(&raised("get_vms", Tier::Yellow));
        let expect = if protected {
            Say::Block(BlockedReason::Protected)
        } else {
            Say::Act
        };
        assert_eq!(say(&case("get_vms"), &both), expect, "{object}");
    }
}

#[test]
fn two_persons_are_needed_as_the_scope_says() {
    let mut spec = super::spec("stop_vm", Tier::Red);
    let policy = |scope| Policy {
        second: SecondRules {
            scope,
            ..SecondRules::default()
        },
        ..Policy::default()
    };
    for (scope, irreversible, expect) in [
        (SecondScope::None, true, false),
        (SecondScope::Irreversible, false, false),
        (SecondScope::Irreversible, true, true),
        (SecondScope::All, false, true),
    ] {
        let second = policy(scope).second(&spec, irreversible);
        assert_eq!(second.is_some(), expect, "{scope:?} {irreversible}");
    }
    let press = protocol::Assurance::Press;
    let word = "nextcloud".to_owned();
    assert!(!crate::policy::is_irreversible(&spec, None, &press));
    for (text, assurance) in [
        (Some("It is lost."), press.clone()),
        (None, protocol::Assurance::Type { word }),
        (None, protocol::Assurance::Unknown),
    ] {
        let is = crate::policy::is_irreversible(&spec, text, &assurance);
        assert!(is, "{text:?} {assurance:?}");
    }
    spec.recovery = Recovery::Unsafe;
    assert!(crate::policy::is_irreversible(&spec, None, &press));
}

#[test]
fn a_rule_that_is_not_known_is_refused() {
    for bad in [
        json!({ "tiers": { "stop_vm": "purple" } }),
        json!({ "more": 1 }),
        json!({ "second": { "scope": "three" } }),
        json!({ "grants": { "allowed": true, "forever": true } }),
    ] {
        assert!(
            serde_json::from_value::<Policy>(bad.clone()).is_err(),
            "{bad}"
        );
    }
    assert_eq!(
        serde_json::from_value::<Policy>(json!({})).unwrap(),
        Policy::default()
    );
}

/// The strictness of a decision, as a number.
fn strictness(say: Say) -> u8 {
    match say {
        Say::Run => 0,
        Say::Act => 1,
        Say::Confirm => 2,
        Say::Block(_) => 3,
    }
}

const TIER: [Tier; 4] = [Tier::Green, Tier::Yellow, Tier::Red, Tier::Black];
const TOOLS: [&str; 6] = [
    "get_vms",
    "restart_service",
    "stop_vm",
    "reboot_node",
    "get_new",
    "nothing",
];

fn policies() -> impl Strategy<Value = Policy> {
    let name = || sample::select(&TOOLS[..]).prop_map(ToOwned::to_owned);
    let scope = sample::select(vec![
        SecondScope::None,
        SecondScope::Irreversible,
        SecondScope::All,
    ]);
    (
        collection::btree_map(name(), sample::select(&TIER[..]), 0..4),
        collection::btree_set(
            sample::select(vec!["node/pve", "node/agent", "guest/101"]).prop_map(ToOwned::to_owned),
            0..3,
        ),
        (any::<bool>(), 0_u32..200, 0_u32..3000),
        scope,
        collection::btree_set(name(), 0..3),
    )
        .prop_map(
            |(tiers, protected, (allowed, uses, minutes), scope, tools)| Policy {
                tiers,
                protected,
                grants: GrantRules {
                    allowed,
                    uses,
                    minutes,
                },
                second: SecondRules { scope, tools },
            },
        )
}

fn cases() -> impl Strategy<Value = Case> {
    let assessments: Vec<fn(Assessment) -> Assessment> = vec![
        |plain| plain,
        |plain| Assessment {
            tier: Tier::Yellow,
            ..plain
        },
        |plain| Assessment {
            tier: Tier::Black,
            ..plain
        },
        |plain| Assessment {
            protected: Some("Protected.".to_owned()),
            ..plain
        },
        |plain| Assessment {
            refused: Some("No.".to_owned()),
            ..plain
        },
    ];
    let inputs = vec![
        json!({ "node": "pve" }),
        json!({ "node": "agent", "vmid": 101 }),
        json!({ "node": "pve", "hard": true }),
        json!({}),
    ];
    let roles = vec![Role::Viewer, Role::Operator, Role::Admin, Role::Unknown];
    let origins = vec![
        OriginSource::User,
        OriginSource::Context,
        OriginSource::Model,
    ];
    (
        sample::select(&TOOLS[..]),
        sample::select(inputs),
        any::<bool>(),
        sample::select(vec![Mode::Default, Mode::Plan]),
        option::of(sample::select(roles)),
        option::of(any::<bool>()),
        sample::select(assessments),
        sample::select(origins),
        any::<(bool, bool, bool)>(),
    )
        .prop_map(
            |(
                name,
                input,
                by_person,
                mode,
                role,
                kill_switch,
                assessment,
                origin,
                (has_outside, denied, redefined),
            )| Case {
                name,
                input,
                by_person,
                own: false,
                mode,
                role,
                kill_switch,
                assessment,
                origin,
                has_outside,
                denied,
                redefined,
            },
        )
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            name,
            input,
            role,
            kill_switch,
            origin,
            ..
        } = self;
        write!(f, "{name} {input} {role:?} {kill_switch:?} {origin:?}")
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_policy_never_makes_a_decision_weaker(case in cases(), policy in policies()) {
        let built_in = strictness(say(&case, &Policy::default()));
        prop_assert!(strictness(say(&case, &policy)) >= built_in);
    }

    #[test]
    fn two_policies_are_as_strict_as_each(
        case in cases(),
        one in policies(),
        two in policies(),
        irreversible in any::<bool>(),
    ) {
        let both = one.joined(&two);
        prop_assert_eq!(&both, &two.joined(&one));
        let spec = super::spec("stop_vm", Tier::Red);
        for part in [&one, &two] {
            prop_assert!(strictness(say(&case, &both)) >= strictness(say(&case, part)));
            let needs = |policy: &Policy| policy.second(&spec, irreversible).is_some();
            prop_assert!(needs(&both) >= needs(part));
            prop_assert!(both.grants.allowed <= part.grants.allowed);
            prop_assert!(both.grants.limit().uses <= part.grants.limit().uses);
            prop_assert!(both.grants.limit().minutes <= part.grants.limit().minutes);
        }
    }
}
