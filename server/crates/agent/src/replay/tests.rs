//! Calls on record under two policies.

use std::sync::Arc;

use protocol::{Role, Tier, Timestamp};
use serde_json::json;

use super::{Recorded, Replay, ReplayOutcome, replay};
use crate::{
    GrantRules, Policy, SecondRules, SecondScope,
    fixed_tools::Fixed,
    ports::{Recovery, ToolSpec},
    tools::Tools,
};

fn tools() -> Tools {
    let spec = |name: &str, tier, recovery| ToolSpec {
        tier,
        recovery,
        ..ToolSpec::with_schema(
            name,
            "",
            json!({
                "type": "object",
                "additionalProperties": false,
                "properties": { "node": { "type": "string" } },
            }),
        )
    };
    Tools::new(vec![Arc::new(Fixed(vec![
        spec("look", Tier::Green, Recovery::Pure),
        spec("poke", Tier::Yellow, Recovery::Reconcilable),
        spec("stop", Tier::Red, Recovery::Reconcilable),
    ]))])
    .unwrap()
}

/// With every fact on record.
fn call(tool: &str) -> Recorded {
    Recorded {
        at: Timestamp(1),
        tool: tool.to_owned(),
        input: json!({ "node": "pve" }),
        target: Some("node pve".to_owned()),
        by_person: false,
        role: Some(Role::Operator),
        tainted: Some(false),
        denied: false,
        irreversible: Some(false),
        granted: false,
    }
}

fn raised(tool: &str, tier: Tier) -> Policy {
    Policy {
        tiers: [(tool.to_owned(), tier)].into(),
        ..Policy::default()
    }
}

fn under(call: Recorded, proposed: &Policy) -> Replay {
    replay(&tools(), &[call], &Policy::default(), proposed, || true)
}

fn changed(call: Recorded, proposed: &Policy) -> Option<(ReplayOutcome, ReplayOutcome)> {
    let found = under(call, proposed);
    assert_eq!(found.unknown.len(), 0, "{found:?}");
    let changed = found.changed.into_keys().next();
    assert_eq!(found.same, usize::from(changed.is_none()));
    changed
}

#[test]
fn what_differs_is_told_and_counted() {
    let two = |scope| Policy {
        second: SecondRules {
            scope,
            ..SecondRules::default()
        },
        ..Policy::default()
    };
    let no_grants = Policy {
        grants: GrantRules {
            allowed: false,
            ..GrantRules::default()
        },
        ..Policy::default()
    };
    let protected = Policy {
        protected: ["node/pve".to_owned()].into(),
        ..Policy::default()
    };
    let granted = Recorded {
        granted: true,
        ..call("stop")
    };
    let lost = Recorded {
        irreversible: Some(true),
        ..call("stop")
    };
    let (yellow, red) = (Tier::Yellow, Tier::Red);
    use ReplayOutcome::{Acts, Asked, AskedOfTwo, Blocked, Granted, Runs};
    for (call, policy, expect) in [
        (call("look"), Policy::default(), None),
        (call("look"), raised("look", yellow), Some((Runs, Acts))),
        (call("poke"), raised("poke", red), Some((Acts, Asked))),
        (call("poke"), raised("poke", Tier::Green), None),
        (
            call("stop"),
            raised("stop", Tier::Black),
            Some((Asked, Blocked)),
        ),
        (call("gone"), raised("gone", red), None),
        (call("poke"), protected.clone(), Some((Acts, Blocked))),
        (call("look"), protected, None),
        (granted.clone(), no_grants, Some((Granted, Asked))),
        (granted, two(SecondScope::All), Some((Granted, AskedOfTwo))),
        (call("stop"), two(SecondScope::Irreversible), None),
        (
            lost,
            two(SecondScope::Irreversible),
            Some((Asked, AskedOfTwo)),
        ),
    ] {
        let named = format!("{call:?} {policy:?}");
        assert_eq!(changed(call, &policy), expect, "{named}");
    }
}

#[test]
fn what_hangs_on_a_missing_fact_is_unknown() {
    let bare = |tool| Recorded {
        role: None,
        tainted: None,
        irreversible: None,
        ..call(tool)
    };
    let reason = |found: Replay| found.unknown.into_keys().next();
    // Missing and without weight.
    assert_eq!(under(bare("look"), &raised("poke", Tier::Red)).same, 1);
    assert_eq!(under(bare("poke"), &raised("look", Tier::Red)).same, 1);
    // A viewer's call of a raised tool is blocked, an operator's is not.
    let found = under(bare("look"), &raised("look", Tier::Red));
    assert_eq!(
        reason(found),
        Some("The user's role then is not on record.")
    );
    let known = Recorded {
        role: Some(Role::Operator),
        ..bare("look")
    };
    let found = under(known.clone(), &raised("look", Tier::Yellow));
    assert_eq!(
        reason(found),
        Some("Where its values came from is not on record.")
    );
    let found = under(known, &raised("look", Tier::Red));
    assert_eq!(
        found.changed.len(),
        1,
        "RED is asked for wherever values are from"
    );
    let undone = Policy {
        second: SecondRules {
            scope: SecondScope::Irreversible,
            ..SecondRules::default()
        },
        ..Policy::default()
    };
    let stop = Recorded {
        irreversible: None,
        ..call("stop")
    };
    assert_eq!(
        reason(under(stop, &undone)),
        Some("Whether it can be undone is not on record.")
    );
    let granted = Recorded {
        granted: true,
        ..call("stop")
    };
    let shorter = Policy {
        grants: GrantRules {
            minutes: 15,
            ..GrantRules::default()
        },
        ..Policy::default()
    };
    assert_eq!(
        reason(under(granted, &shorter)),
        Some("How old its grant was is not on record.")
    );
}

#[test]
fn it_stops_when_the_time_is_up() {
    let calls = vec![call("look"); 5];
    let mut left = 3;
    let found = replay(
        &tools(),
        &calls,
        &Policy::default(),
        &raised("look", Tier::Red),
        || {
            left -= 1;
            left >= 0
        },
    );
    assert!(found.cut);
    assert_eq!((found.calls, found.differences.len()), (3, 3));
}
