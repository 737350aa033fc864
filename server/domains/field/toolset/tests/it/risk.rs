//! The risk of a proposal, and what its card asks for.

use std::collections::BTreeMap;

use field::{
    FieldConfig,
    field_package::policy::{PolicySettings, RuleWeight},
};
use field_testkit::office::ROOM;
use protocol::{Assurance, RiskWeight};
use serde_json::{Value, json};

use crate::stub::{Stub, approved};

fn level(stub_steps: &[(Value, &str, u64)]) -> Vec<(Value, String, u64)> {
    stub_steps
        .iter()
        .map(|(steps, level, points)| (steps.clone(), (*level).to_owned(), *points))
        .collect()
}

#[tokio::test]
async fn risk_decides_how_a_run_is_approved() {
    let table = level(&[
        // A first run.
        (json!([{ "run": "ping", "target": "ip-s1-n1.1" }]), "low", 1),
        // And packet sockets.
        (
            json!([{ "run": "capture", "interface": "eth0", "filter": "arp" }]),
            "medium",
            4,
        ),
        // And an address on the internet that came out of a tool.
        (json!([{ "run": "ping", "target": "9.9.9.9" }]), "high", 6),
    ]);
    for (number, (steps, level, points)) in table.into_iter().enumerate() {
        let stub = Stub::new();
        let check = json!({ "device": ROOM, "steps": steps });
        let checked = stub.call("check_script", check).await.unwrap();
        assert_eq!(checked.data["risk"]["level"], *level, "{steps}");
        assert_eq!(checked.data["risk"]["points"], points, "{steps}");
        assert_eq!(checked.data["refused"], Value::Null, "{steps}");
        let (id, version) = stub.proposal(number as u128 + 1, steps.clone()).await;
        let call = approved(50, &id, version, &["Ada"]);
        let card = stub.preview(&call).await.unwrap();
        let expected = match &*level {
            "low" => (Assurance::Press, RiskWeight::Note),
            "medium" => (Assurance::Hold, RiskWeight::Warning),
            _ => (
                Assurance::Type {
                    word: "meeting room".to_owned(),
                },
                RiskWeight::Grave,
            ),
        };
        assert_eq!((card.assurance, card.risks[0].weight), expected, "{steps}");
        assert_eq!(card.second.is_some(), level == "high", "{steps}");
        assert_eq!(card.grantable, level == "low", "{steps}");
        assert_eq!(card.risks[0].rule, "risk_level");
    }
}

#[tokio::test]
async fn what_the_policy_refuses_is_not_kept() {
    let stub = Stub::new();
    let steps = json!([{ "run": "wait", "seconds": 1 }, { "run": "ping", "target": "224.0.0.1" }]);
    let propose = json!({ "device": ROOM, "title": "t", "why": "w", "steps": steps });
    let refused = stub.assess("propose_script", &propose).refused.unwrap();
    assert!(refused.starts_with("Line 3 is refused by"), "{refused}");
    assert!(stub.call("propose_script", propose).await.is_err());
    let checked = stub
        .call("check_script", json!({ "device": ROOM, "steps": steps }))
        .await
        .unwrap();
    assert_eq!(checked.data["refused"], refused);
    assert_eq!(checked.summary, "refused by the policy");
}

#[test]
fn settings_make_the_policy_stricter_only() {
    let policy = |weights: &[(&str, RuleWeight)], high| PolicySettings {
        weights: weights
            .iter()
            .map(|(rule, weight)| ((*rule).to_owned(), *weight))
            .collect::<BTreeMap<_, _>>(),
        high,
        ..PolicySettings::default()
    };
    let config = |policy| FieldConfig {
        policy,
        ..FieldConfig::default()
    };
    let memory = Stub::new().memory;
    let refused = |config| {
        let made = field::Field::new(config, memory.ports());
        made.err().map(|error| error.to_string())
    };
    assert_eq!(
        refused(config(policy(&[("first_run", RuleWeight::High)], Some(4)))),
        None
    );
    for wrong in [
        config(policy(&[("first_run", RuleWeight::Points(0))], None)),
        config(policy(&[("no_rule", RuleWeight::High)], None)),
        config(policy(&[], Some(7))),
        FieldConfig {
            delivery_minutes: 61,
            ..FieldConfig::default()
        },
    ] {
        assert!(refused(wrong).is_some());
    }
}
