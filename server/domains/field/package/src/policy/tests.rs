//! Risk by table: each rule and each refusal.

mod narrowing;

use std::collections::BTreeSet;

use super::{
    ContactPlace, DeviceFacts, FieldPolicy, NamedDestinations, PolicySettings, RefusalRule,
    RiskLevel, RiskReport, RiskRule, RuleWeight, ScriptFacts, ScriptSurroundings, ValueOrigin,
};
use crate::{
    remedy::{RemedyChange, RemedyPair},
    script::{FreeScript, ProbeScript},
    steps::ProbeStep,
};

fn script(json: &str) -> ProbeScript {
    let steps: Vec<ProbeStep> =
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"));
    ProbeScript::new(&steps, false).unwrap_or_else(|error| panic!("{json}: {error}"))
}

fn nets(texts: &[&str]) -> Vec<ipnet::IpNet> {
    texts
        .iter()
        .map(|text| text.parse().expect("a network"))
        .collect()
}

fn words(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn around() -> ScriptSurroundings {
    ScriptSurroundings {
        device: DeviceFacts {
            networks: nets(&["192.168.7.0/24", "10.0.0.0/16"]),
            interfaces: Some(words(&["eth0", "wlan0"])),
            ..DeviceFacts::default()
        },
        site_networks: nets(&["172.20.0.0/16"]),
        site_domains: vec!["office.example".to_owned()],
        named: NamedDestinations {
            hosts: words(&["speed.example", "9.9.9.9"]),
            networks: nets(&["198.18.0.0/24"]),
        },
        person_values: words(&["8.8.8.8", "https://status.example/x", "typed.example"]),
        server: words(&["jarvis.example", "10.0.0.5"]),
    }
}

fn report(json: &str, around: &ScriptSurroundings) -> RiskReport {
    let policy = FieldPolicy::new(&PolicySettings::default()).expect("a policy");
    RiskReport::new(
        &ScriptFacts::of_steps(&script(json), around),
        around,
        &policy,
    )
}

#[test]
fn each_rule_has_its_weight_and_its_place() {
    use RiskRule as R;
    let ping = |target: &str| format!(r#"[{{"run":"ping","target":"{target}"}}]"#);
    let eleven = format!("[{}]", [r#"{"run":"links"}"#; 11].join(","));
    let table: Vec<(String, Vec<RiskRule>, u32, RiskLevel)> = vec![
        (ping("192.168.7.1"), vec![], 0, RiskLevel::Low),
        (ping("172.20.3.3"), vec![], 0, RiskLevel::Low),
        (ping("printer.office.example"), vec![], 0, RiskLevel::Low),
        (ping("9.9.9.9"), vec![], 0, RiskLevel::Low),
        (ping("198.18.0.7"), vec![], 0, RiskLevel::Low),
        (ping("8.8.8.8"), vec![R::PublicDestination], 2, RiskLevel::Low),
        (ping("typed.example"), vec![R::PublicDestination], 2, RiskLevel::Low),
        (ping("1.1.1.1"), vec![R::UnaskedDestination, R::PublicDestination], 5, RiskLevel::Medium),
        (ping("172.31.0.1"), vec![R::UnaskedDestination], 3, RiskLevel::Medium),
        (
            r#"[{"run":"dig","name":"secret.attacker.example"}]"#.to_owned(),
            vec![R::UnaskedName],
            3,
            RiskLevel::Medium,
        ),
        (r#"[{"run":"dig","name":"mail.office.example."}]"#.to_owned(), vec![], 0, RiskLevel::Low),
        (
            r#"[{"run":"http_timing","url":"https://status.example/x"}]"#.to_owned(),
            vec![R::PublicDestination],
            2,
            RiskLevel::Low,
        ),
        (
            r#"[{"run":"capture","interface":"eth0","filter":"arp"}]"#.to_owned(),
            vec![R::RawSockets],
            3,
            RiskLevel::Medium,
        ),
        (
            r#"[{"run":"sweep","interface":"eth0","network":"192.168.7.0/27"}]"#.to_owned(),
            vec![R::RawSockets, R::SweepSmall],
            4,
            RiskLevel::Medium,
        ),
        (
            r#"[{"run":"sweep","interface":"eth0","network":"192.168.7.0/24"}]"#.to_owned(),
            vec![R::RawSockets, R::SweepMedium],
            5,
            RiskLevel::Medium,
        ),
        (
            r#"[{"run":"sweep","interface":"eth0","network":"10.0.0.0/22"}]"#.to_owned(),
            vec![R::RawSockets, R::SweepLarge],
            6,
            RiskLevel::High,
        ),
        // Four small ones are a large one.
        (
            r#"[{"run":"sweep","interface":"eth0","network":"10.0.0.0/24"},
                {"run":"sweep","interface":"eth0","network":"10.0.1.0/24"}]"#
                .to_owned(),
            vec![R::RawSockets, R::SweepLarge],
            6,
            RiskLevel::High,
        ),
        (
            r#"[{"run":"throughput","target":"speed.example"}]"#.to_owned(),
            vec![R::LineTest],
            2,
            RiskLevel::Low,
        ),
        (
            r#"[{"run":"wait","seconds":60}]"#.to_owned(),
            vec![R::OverMinute],
            1,
            RiskLevel::Low,
        ),
        (
            r#"[{"run":"wait","seconds":60},{"run":"wait","seconds":60},{"run":"wait","seconds":60}]"#.to_owned(),
            vec![R::OverThreeMinutes],
            2,
            RiskLevel::Low,
        ),
        (eleven, vec![R::ManySteps], 1, RiskLevel::Low),
    ];
    for (json, rules, score, level) in table {
        let report = report(&json, &around());
        let found: Vec<_> = report.findings.iter().map(|finding| finding.rule).collect();
        assert_eq!(found, rules, "{json}");
        assert_eq!(report.refusals, [], "{json}");
        assert_eq!((report.score, report.level), (score, level), "{json}");
        let text = script(&json).render().text;
        for span in report.findings.iter().flat_map(|finding| &finding.spans) {
            assert!(!text[span.clone()].is_empty(), "{json}");
        }
    }
    let report = report(&ping("1.1.1.1"), &around());
    let span = report.findings[0].spans[0].clone();
    assert_eq!(&script(&ping("1.1.1.1")).render().text[span], "1.1.1.1");
}

#[test]
fn the_device_counts() {
    let json = r#"[{"run":"throughput","target":"speed.example"}]"#;
    let mut around = around();
    around.device.metered = true;
    around.device.critical = true;
    around.device.first_run = true;
    let report = report(json, &around);
    let rules: Vec<_> = report.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(
        rules,
        [
            RiskRule::LineTestMetered,
            RiskRule::CriticalDevice,
            RiskRule::FirstRun
        ]
    );
    assert_eq!(
        (report.score, report.level, report.persons()),
        (6, RiskLevel::High, 2)
    );
}

#[test]
fn refused_is_refused_whoever_asks() {
    use RefusalRule as R;
    let settings = PolicySettings {
        forbidden: nets(&["172.20.9.0/24"]),
        ..PolicySettings::default()
    };
    let policy = FieldPolicy::new(&settings).expect("a policy");
    for (json, rule) in [
        (
            r#"[{"run":"ping","target":"224.0.0.1"}]"#,
            R::ManyDestination,
        ),
        (
            r#"[{"run":"ping","target":"255.255.255.255"}]"#,
            R::ManyDestination,
        ),
        (
            r#"[{"run":"ping","target":"192.168.7.255"}]"#,
            R::ManyDestination,
        ),
        (r#"[{"run":"ping","target":"0.0.0.0"}]"#, R::ManyDestination),
        (r#"[{"run":"ping","target":"ff02::1"}]"#, R::ManyDestination),
        (
            r#"[{"run":"http_timing","url":"http://169.254.169.254/latest"}]"#,
            R::TrustingDestination,
        ),
        (
            r#"[{"run":"http_timing","url":"http://127.0.0.1:8080/"}]"#,
            R::TrustingDestination,
        ),
        (
            r#"[{"run":"http_timing","url":"http://[::1]/"}]"#,
            R::TrustingDestination,
        ),
        (
            r#"[{"run":"http_timing","url":"http://localhost/"}]"#,
            R::TrustingDestination,
        ),
        (
            r#"[{"run":"http_timing","url":"http://[fd00:ec2::254]/"}]"#,
            R::TrustingDestination,
        ),
        (
            r#"[{"run":"ping","target":"jarvis.example"}]"#,
            R::ServerItself,
        ),
        (
            r#"[{"run":"http_timing","url":"https://10.0.0.5/"}]"#,
            R::ServerItself,
        ),
        (
            r#"[{"run":"ping","target":"172.20.9.4"}]"#,
            R::ForbiddenNetwork,
        ),
        (
            r#"[{"run":"sweep","interface":"eth0","network":"172.20.0.0/24"}]"#,
            R::ForeignSweep,
        ),
        (
            r#"[{"run":"sweep","interface":"eth0","network":"203.0.113.0/24"}]"#,
            R::ForeignSweep,
        ),
        (
            r#"[{"run":"throughput","target":"192.168.7.9"}]"#,
            R::UnnamedTest,
        ),
        (
            r#"[{"run":"download_rate","url":"https://typed.example/1GB"}]"#,
            R::UnnamedTest,
        ),
        (
            r#"[{"run":"link_info","interface":"eth9"}]"#,
            R::UnknownInterface,
        ),
        (r#"[{"run":"ping","target":"host-2"}]"#, R::UnknownToken),
        (
            r#"[{"run":"http_timing","url":"http://pub-s7-2/"}]"#,
            R::UnknownToken,
        ),
        (r#"[{"run":"dig","name":"host-2"}]"#, R::UnknownToken),
    ] {
        let around = around();
        let facts = ScriptFacts::of_steps(&script(json), &around);
        let report = RiskReport::new(&facts, &around, &policy);
        let found: Vec<_> = report.refusals.iter().map(|refusal| refusal.rule).collect();
        assert!(found.contains(&rule), "{json}: {found:?}");
        assert!(!rule.by().is_empty() && rule.sentence().ends_with('.'));
    }
}

#[test]
fn free_sh_is_high_and_takes_two() {
    let policy = FieldPolicy::new(&PolicySettings::default()).expect("a policy");
    let free = FreeScript::by_person("true\n", "anna").expect("a script");
    let report = RiskReport::new(&ScriptFacts::of_free(&free, 10), &around(), &policy);
    assert_eq!((report.level, report.persons()), (RiskLevel::High, 2));
    assert_eq!(report.findings[0].weight, RuleWeight::High);
    assert!(!report.is_refused());
}

#[test]
fn a_remedy_is_medium_at_least_and_refused_in_this_version() {
    let policy = FieldPolicy::new(&PolicySettings::default()).expect("a policy");
    let pair = RemedyPair {
        change: RemedyChange::SetMtu {
            interface: "eth0".to_owned(),
            mtu: 1400,
            before: 1500,
        },
        undo_after_s: 30,
    };
    let report = RiskReport::new(&ScriptFacts::of_remedy(&pair), &around(), &policy);
    assert!(report.level >= RiskLevel::Medium);
    assert_eq!(report.refusals[0].rule, RefusalRule::Capability);
}

#[test]
fn places_and_origins_of_destinations() {
    for (target, place, origin) in [
        ("192.168.7.1", ContactPlace::Own, ValueOrigin::ToolOutput),
        ("172.20.3.3", ContactPlace::Site, ValueOrigin::ToolOutput),
        ("8.8.8.8", ContactPlace::Public, ValueOrigin::Person),
        ("9.9.9.9", ContactPlace::Public, ValueOrigin::Configuration),
        (
            "172.31.0.1",
            ContactPlace::Elsewhere,
            ValueOrigin::ToolOutput,
        ),
        (
            "notoffice.example",
            ContactPlace::Public,
            ValueOrigin::ToolOutput,
        ),
    ] {
        let json = format!(r#"[{{"run":"ping","target":"{target}"}}]"#);
        let facts = ScriptFacts::of_steps(&script(&json), &around());
        let contact = &facts.contacts[0];
        assert_eq!((contact.place, contact.origin), (place, origin), "{target}");
    }
}

#[test]
fn every_rule_has_an_id_and_a_sentence_of_its_own() {
    let ids: BTreeSet<_> = RiskRule::ALL.iter().map(|rule| rule.id()).collect();
    let sentences: BTreeSet<_> = RiskRule::ALL.iter().map(|rule| rule.sentence()).collect();
    assert_eq!((ids.len(), sentences.len()), (16, 16));
    let refusals: BTreeSet<_> = RefusalRule::ALL
        .iter()
        .map(|rule| rule.sentence())
        .collect();
    assert_eq!(refusals.len(), RefusalRule::ALL.len());
    assert!(
        RiskRule::ALL
            .iter()
            .all(|rule| RiskRule::from_id(rule.id()) == Some(*rule))
    );
}
