//! Rules from forms.

use agent::{
    Policy, SecondScope,
    ports::{Recovery, ToolSpec},
};
use app::plain_pages::settings::ToolRule;
use mcp_client::{ReviewStanding, ReviewedTool, ServedTool, TierSource};
use protocol::Tier;
use serde_json::{Value, json};

use super::{Fields, add_outside, read, tool_rule};
use crate::{domains::homelab::KINDS, rules::Protection};

fn tool(name: &str, tier: Tier) -> ToolSpec {
    ToolSpec {
        tier,
        recovery: Recovery::Pure,
        ..ToolSpec::with_schema(name, "", json!({}))
    }
}

fn protection() -> Protection {
    let service = |name: &str| (name.to_owned(), format!("service/pve/{name}.service"));
    Protection {
        fixed: Vec::new(),
        kinds: KINDS.into(),
        listed: Some(("Services", vec![service("smbd"), service("pveproxy")])),
    }
}

/// Reads a form as the page makes it, with some fields replaced.
fn form(changed: &[(&str, &str)]) -> Result<Policy, String> {
    let plain = [
        ("tier.stop_vm", "red"),
        ("tier.get_vms", "green"),
        ("scope", "none"),
        ("grants", "on"),
        ("uses", "100"),
        ("minutes", "1440"),
        ("may", "service/pve/smbd.service"),
        ("may", "service/pve/pveproxy.service"),
    ];
    let kept = plain
        .iter()
        .filter(|(name, _)| !changed.iter().any(|(other, _)| other == name));
    let fields: Vec<_> = kept
        .chain(changed)
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let stored = Policy {
        tiers: [("of_another_day".to_owned(), Tier::Black)].into(),
        protected: ["rack/1".to_owned()].into(),
        ..Policy::default()
    };
    let tools = [
        tool("stop_vm", Tier::Red),
        tool("get_vms", Tier::Green),
        tool("reboot_node", Tier::Black),
    ];
    read(&Fields::from(fields), &stored, &tools, &[protection()])
}

#[test]
fn forms_become_rules_and_what_they_do_not_show_stays() {
    let same = form(&[]).unwrap();
    assert_eq!(same.tiers.len(), 1);
    assert_eq!(same.protected.len(), 1);
    assert!(!same.wants_second());

    let policy = form(&[
        ("tier.stop_vm", "black"),
        ("tier.get_vms", "yellow"),
        ("two", "stop_vm"),
        ("scope", "irreversible"),
        ("grants", "off"),
        ("node", "Agent1, pve2"),
        ("guest", "101 102"),
        ("may", "service/pve/smbd.service"),
    ])
    .unwrap();
    assert_eq!(policy.tiers["stop_vm"], Tier::Black);
    assert_eq!(policy.tiers["get_vms"], Tier::Yellow);
    assert_eq!(policy.second.scope, SecondScope::Irreversible);
    assert!(policy.second.tools.contains("stop_vm"));
    assert!(!policy.grants.allowed);
    let protected: Vec<_> = policy.protected.iter().map(String::as_str).collect();
    assert_eq!(
        protected,
        [
            "guest/101",
            "guest/102",
            "node/agent1",
            "node/pve2",
            "rack/1",
            "service/pve/pveproxy.service"
        ]
    );
}

#[test]
fn a_tool_is_never_lowered_by_a_form() {
    for tier in ["green", "yellow", "red"] {
        let policy = form(&[("tier.stop_vm", tier)]).unwrap();
        assert!(!policy.tiers.contains_key("stop_vm"), "{tier}");
        let policy = form(&[("tier.reboot_node", tier)]).unwrap();
        assert!(!policy.tiers.contains_key("reboot_node"), "{tier}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for bad in [
        ("tier.stop_vm", "purple"),
        ("scope", "three"),
        ("uses", "0"),
        ("uses", "101"),
        ("minutes", "1441"),
        ("minutes", "x"),
        ("node", "a/b"),
        ("guest", "99"),
        ("guest", "pihole"),
    ] {
        assert!(form(&[bad]).is_err(), "{bad:?}");
    }
}

fn reviewed(name: &str, standing: ReviewStanding, source: Option<TierSource>) -> ReviewedTool {
    ReviewedTool {
        name: format!("files__{name}"),
        served: ServedTool {
            name: name.to_owned(),
            description: String::new(),
            input_schema: json!({ "type": "object" }),
            output_schema: Value::Null,
            annotations: Value::Null,
        },
        digest: String::new(),
        standing,
        tier: source.map(|_| Tier::Red),
        tier_source: source,
        unusable: None,
        name_holder: None,
    }
}

#[test]
fn tools_of_a_server_say_where_their_tier_is_from_and_only_accepted_ones_can_be_changed() {
    let policy = Policy::default();
    let accepted = tool_rule(&policy, &tool("files__write", Tier::Red));
    let mut groups = vec![("files".to_owned(), vec![accepted])];
    let (unseen, allowed) = (ReviewStanding::Unseen, ReviewStanding::Accepted);
    let listed = [
        reviewed("write", allowed, Some(TierSource::Raised(Tier::Green))),
        reviewed("read", unseen.clone(), Some(TierSource::Unset)),
        reviewed("erase", ReviewStanding::NotAllowed, None),
    ];
    add_outside(&mut groups, "files", &listed);
    let other = [reviewed("look", unseen, Some(TierSource::Configured))];
    add_outside(&mut groups, "others", &other);
    let shown = |rule: &ToolRule| {
        let source = rule.source.clone().unwrap_or_default();
        (rule.name.clone(), rule.is_out, source)
    };
    let shown: Vec<_> = groups
        .iter()
        .flat_map(|(system, rules)| rules.iter().map(move |rule| (system.as_str(), shown(rule))))
        .collect();
    let row = |name: &str, is_out: bool, source: &str| (name.to_owned(), is_out, source.to_owned());
    assert_eq!(
        shown,
        [
            (
                "files",
                row(
                    "files__write",
                    false,
                    "Raised from GREEN by the server's annotations"
                )
            ),
            (
                "files",
                row(
                    "files__read",
                    true,
                    "RED, since the configuration file sets no tier; new, not accepted"
                )
            ),
            (
                "others",
                row(
                    "files__look",
                    true,
                    "Tier from the configuration file; new, not accepted"
                )
            ),
        ]
    );
}
