//! The pages of a device and a bundle, and looks.

use super::{AT, check, fact, offer, proposal, run};
use crate::{
    BundleSectionRow, FieldBundlePage, FieldBundlePart, FieldDevicePage, FieldDevicePart,
    FieldLookRow, FieldText, PersonNote, RevealedToken, SandboxRow,
};

#[test]
fn device() {
    let page = FieldDevicePage {
        device: FieldDevicePart::default(),
        retired: Some(PersonNote {
            by: "Ada".to_owned(),
            at: AT,
            reason: "It was stolen.".to_owned(),
        }),
        site_name: "Nordlicht office".to_owned(),
        fingerprint: "6465 765f".to_owned(),
        facts: vec![fact("hostname", "host-s1-3")],
        sandboxes: vec![SandboxRow {
            level: "systemd".to_owned(),
            limits: vec!["memory".to_owned()],
            lacks: vec!["packet sockets".to_owned()],
        }],
        bundles: vec![FieldBundlePart::default()],
        runs: vec![run()],
        proposals: vec![proposal()],
        offers: vec![offer("collect_diagnostics")],
        tokens: vec!["host-s1-3".to_owned()],
    };
    check("page_device", &page);
    let look = FieldLookRow {
        at: AT,
        person: "Ada".to_owned(),
        place: "bundle bun_00000000000000000000000001".to_owned(),
        shown: 4,
    };
    check("page_look", &look);
}

#[test]
fn bundle() {
    let section = BundleSectionRow {
        name: "neighbours".to_owned(),
        lines: 12,
        bytes: 800,
        hidden: vec![fact("ipv4", "7")],
        left_out: None,
    };
    let page = FieldBundlePage {
        bundle: FieldBundlePart::default(),
        device_name: Some("meeting room".to_owned()),
        site_name: "Nordlicht office".to_owned(),
        sections: vec![
            BundleSectionRow {
                left_out: Some("it is binary".to_owned()),
                ..section.clone()
            },
            section,
        ],
        findings: vec![fact("gateway_ping", "the gateway does not answer")],
        hidden: vec![fact("ipv4", "14")],
        secrets: 2,
        legend: "n1: IPv4 /24 on eth0".to_owned(),
    };
    check("page_bundle", &page);
    let text = FieldText {
        pieces: ["default via ", "ip-s1-n1.1", " dev eth0\n"]
            .map(str::to_owned)
            .to_vec(),
        bytes: 1231,
        start: 1200,
    };
    check("page_text", &text);
    let value = RevealedToken {
        token: "ip-s1-n1.1".to_owned(),
        class: "ipv4".to_owned(),
        value: "10.20.0.1".to_owned(),
    };
    check("page_value", &value);
    assert_eq!(format!("{value:?}"), "RevealedToken(ip-s1-n1.1 …)");
}
