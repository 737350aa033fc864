//! Settings, approvals and the device's veto: none of them makes anything weaker.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{around, report, script};
use crate::{
    policy::{
        DeviceVeto, FieldPolicy, PolicySettings, RiskLevel, RiskReport, RiskRule, RuleWeight,
        ScriptFacts, ScriptSurroundings, SettingsError, VetoRefusal,
    },
    script::{FreeScript, ProbeScript},
    steps::any_step,
};

#[test]
fn settings_that_would_weaken_the_policy_are_refused() {
    let with = |id: &str, weight| PolicySettings {
        weights: BTreeMap::from([(id.to_owned(), weight)]),
        ..PolicySettings::default()
    };
    let refused = [
        (
            with("raw_sockets", RuleWeight::Points(2)),
            SettingsError::Weight {
                id: "raw_sockets".to_owned(),
            },
        ),
        (
            with("free_text", RuleWeight::Points(255)),
            SettingsError::Weight {
                id: "free_text".to_owned(),
            },
        ),
        (
            with("raw", RuleWeight::Points(9)),
            SettingsError::Rule {
                id: "raw".to_owned(),
            },
        ),
        (
            PolicySettings {
                medium: Some(4),
                ..PolicySettings::default()
            },
            SettingsError::Threshold {
                name: "medium",
                most: 3,
            },
        ),
        (
            PolicySettings {
                high: Some(7),
                ..PolicySettings::default()
            },
            SettingsError::Threshold {
                name: "high",
                most: 6,
            },
        ),
        (
            PolicySettings {
                medium: Some(0),
                ..PolicySettings::default()
            },
            SettingsError::Threshold {
                name: "medium",
                most: 3,
            },
        ),
    ];
    for (settings, error) in refused {
        assert_eq!(FieldPolicy::new(&settings), Err(error));
    }
    let raised = FieldPolicy::new(&with("raw_sockets", RuleWeight::High)).expect("a policy");
    let built_in = FieldPolicy::new(&PolicySettings::default()).expect("a policy");
    assert_ne!(raised.hash(), built_in.hash());
    assert_eq!(
        built_in.hash(),
        FieldPolicy::new(&PolicySettings::default())
            .expect("a policy")
            .hash()
    );
}

#[test]
fn an_approval_covers_what_is_not_worse() {
    let around_then = around();
    let json = r#"[{"run":"ping","target":"8.8.8.8"}]"#;
    let approved = report(json, &around_then);
    assert!(report(json, &around_then).is_covered_by(&approved));
    let mut now = around();
    now.device.critical = true;
    assert!(!report(json, &now).is_covered_by(&approved));
    let mut forgotten = around();
    forgotten.person_values.clear();
    assert!(!report(json, &forgotten).is_covered_by(&approved));
}

#[test]
fn a_veto_narrows() {
    let facts = |json: &str| ScriptFacts::of_steps(&script(json), &ScriptSurroundings::default());
    let ping = r#"[{"run":"ping","target":"192.0.2.1"}]"#;
    let capture = r#"[{"run":"capture","interface":"eth0","filter":"arp"}]"#;
    let check = |veto: &DeviceVeto, json: &str| {
        veto.check(&facts(json), Some(&script(json)), RiskLevel::Medium)
    };
    let nothing = DeviceVeto::default();
    assert_eq!(check(&nothing, ping), Ok(()));
    let veto: DeviceVeto =
        serde_json::from_str(r#"{"raw":true,"rows":["dig"],"networks":["192.0.2.0/24"]}"#)
            .expect("a veto");
    assert!(matches!(
        check(&veto, ping),
        Err(VetoRefusal::Network { .. })
    ));
    assert_eq!(check(&veto, capture), Err(VetoRefusal::Raw));
    assert!(matches!(
        check(&veto, r#"[{"run":"dig","name":"a"}]"#),
        Err(VetoRefusal::Row { .. })
    ));
    assert!(matches!(
        check(&veto, r#"[{"run":"ping","target":"a.example"}]"#),
        Err(VetoRefusal::Name { .. })
    ));
    assert_eq!(
        check(&veto, r#"[{"run":"ping","target":"198.51.100.1"}]"#),
        Ok(())
    );
    let short = DeviceVeto {
        max_seconds: Some(5),
        ..DeviceVeto::default()
    };
    assert!(matches!(
        check(&short, ping),
        Err(VetoRefusal::Seconds { .. })
    ));
    let low = DeviceVeto {
        max_risk: Some(RiskLevel::Low),
        ..DeviceVeto::default()
    };
    assert_eq!(check(&low, ping), Err(VetoRefusal::Risk));
    let free = FreeScript::by_person("id", "anna").expect("a script");
    let free = ScriptFacts::of_free(&free, 5);
    assert_eq!(nothing.check(&free, None, RiskLevel::High), Ok(()));
    assert_eq!(
        veto.check(&free, None, RiskLevel::High),
        Err(VetoRefusal::Sh)
    );
    assert!(serde_json::from_str::<DeviceVeto>(r#"{"allow":["dig"]}"#).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever settings are accepted: no script has less risk than without them.
    #[test]
    fn settings_make_no_script_less_risky(
        steps in prop::collection::vec(any_step(), 1..5),
        raised in prop::collection::btree_map(prop::sample::select(RiskRule::ALL.to_vec()), 0..12_u8, 0..4),
        medium in prop::option::of(1..=3_u8),
        high in prop::option::of(1..=6_u8),
    ) {
        let steps: Vec<_> = steps.into_iter().filter(|step| crate::steps::accept(step).is_ok()).collect();
        let Ok(script) = ProbeScript::new(&steps, false) else { return Ok(()) };
        let weights = raised.into_iter().map(|(rule, points)| (rule.id().to_owned(), RuleWeight::Points(points)));
        let settings = PolicySettings { weights: weights.collect(), medium, high, forbidden: Vec::new() };
        let Ok(strict) = FieldPolicy::new(&settings) else { return Ok(()) };
        let built_in = FieldPolicy::new(&PolicySettings::default()).expect("a policy");
        let around = around();
        let facts = ScriptFacts::of_steps(&script, &around);
        let (with, without) = (RiskReport::new(&facts, &around, &strict), RiskReport::new(&facts, &around, &built_in));
        prop_assert!(with.level >= without.level);
        prop_assert!(with.score >= without.score);
        prop_assert!(with.refusals.len() >= without.refusals.len());
    }
}
