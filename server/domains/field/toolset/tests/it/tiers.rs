//! The tier of each call, what is refused, and the values that the gate asks for.

use field_testkit::office::{ARCHIVE, BRANCH, OFFICE, REMOTE, ROOM};
use protocol::{OriginSource, Tier};
use serde_json::{Value, json};

use crate::stub::Stub;

#[test]
fn each_tool_has_its_tier() {
    let stub = Stub::new();
    for (tool, input, tier, values) in [
        ("list_devices", json!({}), Tier::Green, vec![]),
        (
            "get_device",
            json!({ "device": ROOM }),
            Tier::Green,
            vec!["/device"],
        ),
        (
            "collect_diagnostics",
            json!({ "device": ROOM }),
            Tier::Yellow,
            vec!["/device"],
        ),
        (
            "run_script",
            json!({ "proposal": "pro_00000000000000000000000001", "version": 1, "device": ROOM }),
            Tier::Red,
            vec!["/proposal", "/version", "/device"],
        ),
        (
            "cancel_run",
            json!({ "run": "run_00000000000000000000000001" }),
            Tier::Yellow,
            vec!["/run"],
        ),
        (
            "reboot_device",
            json!({ "device": ROOM }),
            Tier::Black,
            vec!["/device"],
        ),
        (
            "change_network",
            json!({ "device": ROOM }),
            Tier::Black,
            vec!["/device"],
        ),
    ] {
        let assessment = stub.assess(tool, &input);
        assert_eq!(assessment.tier, tier, "{tool}");
        assert_eq!(assessment.refused, None, "{tool}");
        let mut paths: Vec<_> = assessment.values.iter().map(|it| &*it.path).collect();
        let mut expected = values;
        paths.sort_unstable();
        expected.sort_unstable();
        assert_eq!(paths, expected, "{tool}");
    }
}

/// A name or a bundle means its device; the name of two devices means neither.
#[test]
fn a_device_is_meant_by_its_name_and_its_bundles() {
    let stub = Stub::new();
    let meant = |stub: &Stub| {
        let assessment = stub.assess("collect_diagnostics", &json!({ "device": ROOM }));
        assessment.values[0].mapped_from.clone()
    };
    assert_eq!(
        meant(&stub),
        ["meeting room", field_testkit::office::BUNDLE]
    );
    stub.memory
        .edit_device(ARCHIVE, |device| device.name = "Meeting Room".to_owned());
    assert_eq!(meant(&stub), [field_testkit::office::BUNDLE]);
}

fn probe(step: Value) -> Value {
    json!({ "device": ROOM, "step": step })
}

#[test]
fn what_a_probe_may_do() {
    let stub = Stub::new();
    let ok: Option<&str> = None;
    for (step, refused, asked) in [
        (json!({ "run": "ping", "target": "ip-s1-n1.1" }), ok, None),
        (json!({ "run": "ping", "target": "10.20.0.5" }), ok, None),
        (json!({ "run": "ping", "target": "10.20.9.9" }), ok, None),
        (json!({ "run": "routes" }), ok, None),
        (
            json!({ "run": "ping", "target": "192.168.7.7" }),
            ok,
            Some(("/step/target", "192.168.7.7")),
        ),
        (
            json!({ "run": "ping", "target": "9.9.9.9" }),
            ok,
            Some(("/step/target", "9.9.9.9")),
        ),
        (
            json!({ "run": "dig", "name": "secrets.evil.example" }),
            ok,
            Some(("/step/name", "secrets.evil.example")),
        ),
        (
            json!({ "run": "ping", "target": "pub-s1-1" }),
            ok,
            Some(("/step/target", "pub-s1-1")),
        ),
        (
            json!({ "run": "capture", "interface": "eth0", "filter": "arp" }),
            Some("no packet sockets"),
            None,
        ),
        (
            json!({ "run": "sweep", "interface": "eth0", "network": "net-s1-1" }),
            Some("no packet sockets"),
            None,
        ),
        (
            json!({ "run": "throughput", "target": "10.20.0.5" }),
            Some("servers of the configuration only"),
            None,
        ),
        (
            json!({ "run": "http_timing", "url": "http://127.0.0.1/" }),
            Some("refused"),
            None,
        ),
        (
            json!({ "run": "ping", "target": "224.0.0.1" }),
            Some("multicast"),
            None,
        ),
        (
            json!({ "run": "link_info", "interface": "eth9" }),
            Some("no such interface"),
            None,
        ),
        (
            json!({ "run": "ping", "target": "ip-s1-n9.9" }),
            Some("There is no value ip-s1-n9.9"),
            None,
        ),
        (
            json!({ "run": "ping", "target": "ip-s2-n1.1" }),
            Some("ip-s2-n1.1 belongs to another site"),
            None,
        ),
        (
            json!({ "run": "ping", "target": "~ip-s1-n1.1" }),
            Some("\"~ip-s1-n1.1\" is not possible"),
            None,
        ),
        (
            json!({ "run": "ping", "target": "-f" }),
            Some("\"-f\" is not possible"),
            None,
        ),
        (
            json!({ "run": "ping", "target": "10.20.0.1; id" }),
            Some("is not possible"),
            None,
        ),
        (json!({ "run": "ping" }), Some("ping needs target"), None),
        (
            json!({ "run": "routes", "target": "10.20.0.1" }),
            Some("routes does not take target"),
            None,
        ),
    ] {
        let assessment = stub.assess("run_probe", &probe(step.clone()));
        assert_eq!(assessment.tier, Tier::Yellow);
        match (refused, &assessment.refused) {
            (None, None) => {}
            (Some(part), Some(why)) => assert!(why.contains(part), "{step}: {why}"),
            (expected, found) => panic!("{step}: {expected:?}, {found:?}"),
        }
        let values = assessment.values.iter().filter(|it| it.path != "/device");
        let values: Vec<_> = values.map(|it| (&*it.path, &*it.text)).collect();
        assert_eq!(values, asked.into_iter().collect::<Vec<_>>(), "{step}");
    }
    // A token may be in a text from outside, and its value in the person's words. Anything else has no
    // source that would do, such as a URL with a token and a path that somebody chose.
    for (row, slot, text, mapped_from, is_token) in [
        ("ping", "target", "pub-s1-1", Some("81.2.69.142"), true),
        ("ping", "target", "9.9.9.9", None, false),
        (
            "http_timing",
            "url",
            "http://pub-s1-1/?a=b",
            Some("http://81.2.69.142/?a=b"),
            false,
        ),
    ] {
        let assessment = stub.assess("run_probe", &probe(json!({ "run": row, slot: text })));
        assert_eq!(assessment.refused, None, "{text}");
        let path = format!("/step/{slot}");
        let mut values = assessment.values.iter();
        let value = values.find(|it| it.path == path).unwrap();
        assert_eq!(value.text, text);
        let mapped_from: Vec<_> = mapped_from.into_iter().map(str::to_owned).collect();
        assert_eq!(value.mapped_from, mapped_from, "{text}");
        let source = (!is_token).then_some(OriginSource::Unknown);
        assert_eq!(value.source, source, "{text}");
    }
}

#[tokio::test]
async fn a_probe_needs_a_device_that_is_there_and_a_budget() {
    let stub = Stub::with(field::FieldConfig {
        probes_per_hour: 2,
        ..field::FieldConfig::default()
    });
    let step = json!({ "run": "routes" });
    let offline = json!({ "device": ARCHIVE, "step": step });
    let error = stub.call("run_probe", offline).await.unwrap_err();
    assert!(error.message.contains("offline"), "{error}");
    for number in [1, 2, 2] {
        let call = crate::stub::call(number, "run_probe", probe(step.clone()));
        stub.run(call).await.unwrap();
    }
    let third = crate::stub::call(3, "run_probe", probe(step.clone()));
    let error = stub.run(third.clone()).await.unwrap_err();
    assert!(error.message.contains("2 probes"), "{error}");
    assert_eq!(stub.memory.orders().len(), 2, "a repeated call is one run");
    stub.env.advance(61 * 60 * 1000);
    stub.run(third).await.unwrap();
}

#[test]
fn a_device_without_work_is_refused() {
    use field::ports::DeviceStanding;
    let stub = Stub::new();
    for standing in [
        DeviceStanding::Waiting,
        DeviceStanding::Suspended,
        DeviceStanding::Retired,
    ] {
        stub.memory
            .edit_device(ROOM, |device| device.standing = standing);
        for (tool, input) in [
            ("collect_diagnostics", json!({ "device": ROOM })),
            ("run_probe", probe(json!({ "run": "routes" }))),
            (
                "run_script",
                json!({ "proposal": "pro_00000000000000000000000001", "version": 1, "device": ROOM }),
            ),
        ] {
            let refused = stub.assess(tool, &input).refused.unwrap();
            assert!(refused.contains("adopted"), "{tool}: {refused}");
        }
    }
    assert_ne!(OFFICE, BRANCH);
    let nowhere = json!({ "device": "dev_99999999999999999999999999" });
    let refused = stub.assess("collect_diagnostics", &nowhere).refused;
    assert_eq!(refused.as_deref(), Some("There is no such device."));
    assert!(
        stub.assess("collect_diagnostics", &json!({ "device": REMOTE }))
            .refused
            .is_none()
    );
}
