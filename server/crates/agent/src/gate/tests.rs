//! The gate, as a table.

use std::sync::Arc;

use protocol::{BlockedReason, Choice, Mode, Origin, OriginSource, Role, Tier};
use serde_json::{Value, json};

use super::{GateQuestion, GateVerdict, decide};
use crate::{
    Policy,
    fixed_tools::Fixed,
    ports::{Assessment, Audience, Impact, Recovery, ToolSpec},
    tools::Tools,
};

mod policy;
mod word;

fn spec(name: &str, tier: Tier) -> ToolSpec {
    ToolSpec {
        tier,
        recovery: Recovery::Pure,
        choices: vec![Choice {
            name: "hard".to_owned(),
            label: String::new(),
            detail: String::new(),
            chosen: false,
        }],
        ..ToolSpec::with_schema(
            name,
            "",
            json!({
                "type": "object",
                "additionalProperties": false,
                "properties": { "node": { "type": "string" }, "vmid": { "type": "integer" } },
                "required": ["node"],
            }),
        )
    }
}

fn tools() -> Tools {
    let specs = vec![
        spec("get_vms", Tier::Green),
        spec("restart_service", Tier::Yellow),
        spec("stop_vm", Tier::Red),
        spec("reboot_node", Tier::Black),
        spec("get_new", Tier::Green),
        ToolSpec {
            impact: Impact::None,
            ..spec("execute_ssh", Tier::Yellow)
        },
    ];
    let people = ToolSpec {
        audience: Audience::People,
        ..spec("take_back", Tier::Yellow)
    };
    let specs = specs.into_iter().chain([people]).collect();
    Tools::new(vec![Arc::new(Fixed(specs))]).unwrap()
}

/// The expected verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Say {
    Run,
    Act,
    Confirm,
    Block(BlockedReason),
}

/// A question of which every field may be changed.
#[derive(Clone)]
struct Case {
    name: &'static str,
    input: Value,
    by_person: bool,
    own: bool,
    redefined: bool,
    mode: Mode,
    role: Option<Role>,
    kill_switch: Option<bool>,
    assessment: fn(Assessment) -> Assessment,
    origin: OriginSource,
    has_outside: bool,
    denied: bool,
}

fn case(name: &'static str) -> Case {
    Case {
        name,
        input: json!({ "node": "pve" }),
        by_person: false,
        own: false,
        redefined: false,
        mode: Mode::Default,
        role: Some(Role::Operator),
        kill_switch: Some(false),
        assessment: |plain| plain,
        origin: OriginSource::User,
        has_outside: true,
        denied: false,
    }
}

fn check(case: &Case, expect: Say) {
    let Case {
        name, input, mode, ..
    } = case;
    let got = say(case, &Policy::default());
    assert_eq!(got, expect, "{name} {input} {mode:?}");
}

/// The gate's verdict under a policy.
fn say(case: &Case, policy: &Policy) -> Say {
    let tools = tools();
    let allowed: Vec<String> = [
        "get_vms",
        "restart_service",
        "stop_vm",
        "reboot_node",
        "take_back",
        "execute_ssh",
    ]
    .map(ToOwned::to_owned)
    .to_vec();
    let tool = tools.get(case.name);
    let tool = tool.as_deref();
    let assessment = tool.map(|tool| {
        let plain = (case.assessment)(Assessment::plain(tool.spec.tier, &case.input));
        let objects = tool.tool.objects(&case.input);
        policy.tighten(&tool.spec.name, &objects, plain)
    });
    let origins = [Origin {
        path: "/node".to_owned(),
        value: "pve".to_owned(),
        source: case.origin.clone(),
    }];
    let verdict = decide(&GateQuestion {
        name: case.name,
        tool,
        input: &case.input,
        by_person: case.by_person,
        own: case.own,
        mode: case.mode,
        allowed: &allowed,
        redefined: case.redefined,
        role: case.role,
        kill_switch: case.kill_switch,
        assessment: assessment.as_ref(),
        origins: &origins,
        ordered: &[],
        has_outside: case.has_outside,
        has_image: false,
        denied: case.denied,
    });
    match &verdict {
        GateVerdict::Run => Say::Run,
        GateVerdict::Act => Say::Act,
        GateVerdict::Confirm { .. } => Say::Confirm,
        GateVerdict::Block { reason, .. } => Say::Block(*reason),
    }
}

const TIERS: [(&str, Say); 4] = [
    ("get_vms", Say::Run),
    ("restart_service", Say::Act),
    ("stop_vm", Say::Confirm),
    ("reboot_node", Say::Block(BlockedReason::Tier)),
];

#[test]
fn each_tier_has_its_answer() {
    for (name, expect) in TIERS {
        check(&case(name), expect);
    }
}

#[test]
fn names_are_exact_and_belong_to_the_conversation() {
    for name in [
        "nothing",
        "Get_vms",
        "get_vms ",
        "ɡet_vms",
        "",
        "STOP_VM",
        "stop_vm\u{200b}",
    ] {
        check(&case(name), Say::Block(BlockedReason::UnknownTool));
    }
    check(&case("get_new"), Say::Block(BlockedReason::NotAllowed));
}

#[test]
fn another_definition_than_the_conversation_began_with_never_runs() {
    for (name, _) in TIERS {
        let redefined = Case {
            redefined: true,
            ..case(name)
        };
        check(&redefined, Say::Block(BlockedReason::NotAllowed));
        let own = Case {
            own: true,
            ..redefined
        };
        check(&own, Say::Block(BlockedReason::NotAllowed));
    }
}

#[test]
fn a_tool_of_people_is_none_to_the_model() {
    let named = case("take_back");
    check(&named, Say::Block(BlockedReason::UnknownTool));
    check(&Case { own: true, ..named }, Say::Act);
}

#[test]
fn a_mode_without_tools_blocks_all() {
    for mode in [Mode::Plan, Mode::Unknown] {
        for name in ["get_vms", "stop_vm", "reboot_node", "nothing"] {
            let case = Case { mode, ..case(name) };
            check(&case, Say::Block(BlockedReason::Mode));
        }
    }
}

#[test]
fn inputs_fit_the_closed_schema() {
    let bad = [
        json!({}),
        json!(null),
        json!([]),
        json!("{\"node\": "),
        json!({ "node": 1 }),
        json!({ "node": "pve", "confirmed": true }),
        json!({ "node": "pve", "approval_token": "x" }),
        // A switch is not the model's to set.
        json!({ "node": "pve", "hard": true }),
    ];
    for input in bad {
        for name in ["get_vms", "restart_service", "stop_vm"] {
            let input = input.clone();
            let case = Case {
                input,
                ..case(name)
            };
            check(&case, Say::Block(BlockedReason::InvalidInput));
        }
    }
    let by_person = |input| Case {
        input,
        by_person: true,
        ..case("stop_vm")
    };
    check(
        &by_person(json!({ "node": "pve", "hard": true })),
        Say::Confirm,
    );
    for input in [
        json!({ "node": "pve", "hard": false }),
        json!({ "node": "pve", "hard": "true" }),
        json!({ "node": "pve", "harder": true }),
        json!({ "node": 1, "hard": true }),
    ] {
        check(&by_person(input), Say::Block(BlockedReason::InvalidInput));
    }
}

#[test]
fn the_kill_switch_and_protection_stop_all_but_green() {
    for (name, free) in TIERS {
        let stopped = |reason| match free {
            Say::Act | Say::Confirm => Say::Block(reason),
            other => other,
        };
        for kill_switch in [Some(true), None] {
            let case = Case {
                kill_switch,
                ..case(name)
            };
            check(&case, stopped(BlockedReason::KillSwitch));
        }
        let protected = Case {
            assessment: |plain| Assessment {
                protected: Some("Protected.".to_owned()),
                ..plain
            },
            ..case(name)
        };
        check(&protected, stopped(BlockedReason::Protected));
    }
}

#[test]
fn what_acts_needs_an_operator() {
    for (name, free) in TIERS {
        for role in [Some(Role::Operator), Some(Role::Admin)] {
            check(&Case { role, ..case(name) }, free);
        }
        let stopped = match free {
            Say::Act | Say::Confirm => Say::Block(BlockedReason::Role),
            other => other,
        };
        for role in [Some(Role::Viewer), Some(Role::Unknown), None] {
            check(&Case { role, ..case(name) }, stopped);
            // A person's own change of the input is no way around it.
            let by_person = true;
            let changed = Case {
                role,
                by_person,
                ..case(name)
            };
            check(&changed, stopped);
        }
    }
    // A tier that a toolset has raised counts.
    let raised = Case {
        role: Some(Role::Viewer),
        assessment: |plain| Assessment {
            tier: Tier::Yellow,
            ..plain
        },
        ..case("get_vms")
    };
    check(&raised, Say::Block(BlockedReason::Role));
}

#[test]
fn a_toolset_may_raise_and_refuse_but_never_lower() {
    fn assessed(tier: Tier) -> fn(Assessment) -> Assessment {
        match tier {
            Tier::Green => |plain| Assessment {
                tier: Tier::Green,
                ..plain
            },
            Tier::Yellow => |plain| Assessment {
                tier: Tier::Yellow,
                ..plain
            },
            Tier::Red => |plain| Assessment {
                tier: Tier::Red,
                ..plain
            },
            Tier::Black => |plain| Assessment {
                tier: Tier::Black,
                ..plain
            },
        }
    }
    let black = Say::Block(BlockedReason::Tier);
    for (name, tier, expect) in [
        ("stop_vm", Tier::Green, Say::Confirm),
        ("restart_service", Tier::Green, Say::Act),
        ("reboot_node", Tier::Green, black),
        ("get_vms", Tier::Yellow, Say::Act),
        ("get_vms", Tier::Red, Say::Confirm),
        ("restart_service", Tier::Red, Say::Confirm),
        ("stop_vm", Tier::Black, black),
    ] {
        let case = Case {
            assessment: assessed(tier),
            ..case(name)
        };
        check(&case, expect);
    }
    for name in ["get_vms", "restart_service", "stop_vm"] {
        let refused = Case {
            assessment: |plain| Assessment {
                refused: Some("No.".to_owned()),
                ..plain
            },
            ..case(name)
        };
        check(&refused, Say::Block(BlockedReason::InvalidInput));
    }
}

#[test]
fn definitions_that_leave_a_gap_are_refused() {
    let open = |schema: Value| {
        let mut spec = spec("tool", Tier::Green);
        spec.input_schema = schema;
        vec![spec]
    };
    let table = [
        (open(json!({ "type": "object" })), "additionalProperties"),
        (open(json!({ "type": "string" })), "not an object"),
        (
            open(json!({
                "type": "object",
                "additionalProperties": false,
                "properties": { "deep": { "type": "object", "properties": {} } },
            })),
            "additionalProperties",
        ),
        (
            open(json!({ "type": "object", "additionalProperties": false, "required": 3 })),
            "not valid",
        ),
        (
            vec![spec("a", Tier::Green), spec("a", Tier::Red)],
            "two tools",
        ),
        (vec![spec("a b", Tier::Green)], "name"),
        (vec![spec("", Tier::Green)], "name"),
    ];
    for (specs, expect) in table {
        let Err(error) = Tools::new(vec![Arc::new(Fixed(specs))]) else {
            panic!("accepted, though {expect}");
        };
        assert!(error.to_string().contains(expect), "{error}");
    }
}
