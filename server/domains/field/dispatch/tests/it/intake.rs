//! Diagnostics: bounded, resumed, covered, and never the wrong ones.

use field_dispatch::messages::BundleMessage;
use field_dispatch::{DiagnosticsOrder, DispatchRefusal, MAX_SECTION, MAX_SECTIONS};
use field_package::ids::Sha256Hex;
use serde_json::{Value, json};

use crate::office::{Office, SITE, START};
use crate::stranger::Stranger;

fn announce(number: u8, sections: &[(&str, &[u8])]) -> BundleMessage {
    let sections: Vec<_> = sections
        .iter()
        .map(|(name, bytes)| {
            json!({
                "name": name, "type": "text/plain", "bytes": bytes.len(),
                "sha256": Sha256Hex::digest(bytes).as_str(), "exit": 0,
            })
        })
        .collect();
    bundle(number, &json!(sections))
}

fn bundle(number: u8, sections: &Value) -> BundleMessage {
    let message = json!({
        "request": format!("{number:02x}").repeat(16), "reason": "asked",
        "taken_ms": START * 1000, "dropped": { "secrets": 2 }, "sections": sections,
    });
    serde_json::from_value(message).unwrap()
}

fn code(refused: Result<impl std::fmt::Debug, DispatchRefusal>) -> (u16, &'static str) {
    let refusal = refused.unwrap_err();
    (refusal.class.status(), refusal.code)
}

#[tokio::test]
async fn a_section_is_resumed_repeated_and_stored_covered() {
    let office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let text = b"eth0 inet 10.7.7.5/24\nanna@example.org wrote host-9\npassword=hunter2hunter2\n";
    let message = announce(1, &[("addresses", text), ("empty", b"")]);
    let begun = office
        .dispatch
        .begin_bundle(&device.session, &message)
        .await
        .unwrap();
    let id = begun.bundle;
    assert_eq!(begun.offsets["addresses"], 0);
    let put = async |offset: u64, bytes: &[u8]| {
        let session = &device.session;
        office
            .dispatch
            .put_section(session, &id, "addresses", offset, bytes)
            .await
    };
    assert_eq!(put(0, &text[..20]).await.unwrap().offset, 20);
    assert_eq!(put(0, &text[..20]).await.unwrap().offset, 20, "again");
    let wrong = put(30, &text[30..]).await.unwrap_err();
    assert_eq!((wrong.code, wrong.right), ("section_offset", Some(20)));
    // The announcement again says where to go on.
    let again = office
        .dispatch
        .begin_bundle(&device.session, &message)
        .await
        .unwrap();
    assert_eq!((again.bundle, again.offsets["addresses"]), (id.clone(), 20));
    assert_eq!(
        put(20, &text[20..]).await.unwrap().offset,
        text.len() as u64
    );
    let stored = office.tables.bundle(&id).await.unwrap().unwrap();
    assert!(stored.completed_ms.is_some());
    let covered = office
        .tables
        .section_text(&id, "addresses")
        .await
        .unwrap()
        .unwrap();
    for value in ["10.7.7.5", "anna@", "hunter2"] {
        assert!(!covered.contains(value), "{covered}");
    }
    assert!(
        covered.contains("~host-9"),
        "planted tokens are escaped: {covered}"
    );
    let section = &office.tables.sections(&id).await.unwrap()[0];
    let counts = office.tables.sections(&id).await.unwrap();
    let of = |name: &str| {
        counts
            .iter()
            .find(|it| it.name == name)
            .unwrap()
            .counts
            .clone()
    };
    assert_eq!(of("addresses")["classes"]["email"], 1);
    assert_eq!(of("addresses")["classes"]["secret"], 1);
    assert_eq!(section.counts["dropped_by_device"], 2, "with the first one");
    // It is complete, whatever comes again.
    let again = office
        .dispatch
        .begin_bundle(&device.session, &message)
        .await
        .unwrap();
    assert_eq!(again.offsets["addresses"], text.len() as u64);
}

#[tokio::test]
async fn what_is_no_text_is_counted_and_not_kept() {
    let office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    for (number, kind, bytes) in [
        (1_u8, "text/plain", b"10.7.7.5 \xff\xfe".as_slice()),
        (2, "text/plain", b"10.7.7.5 \0"),
        (3, "image/png", b"10.7.7.5"),
    ] {
        let digest = Sha256Hex::digest(bytes);
        let section = json!([{
            "name": "x", "type": kind, "bytes": bytes.len(), "sha256": digest.as_str(),
        }]);
        let begun = office
            .dispatch
            .begin_bundle(&device.session, &bundle(number, &section))
            .await;
        let id = begun.unwrap().bundle;
        office
            .dispatch
            .put_section(&device.session, &id, "x", 0, bytes)
            .await
            .unwrap();
        let text = office.tables.section_text(&id, "x").await.unwrap().unwrap();
        assert_eq!(text, "", "{kind}");
        let counts = office.tables.sections(&id).await.unwrap()[0].counts.clone();
        assert!(
            counts["left_out"]
                .as_str()
                .unwrap()
                .contains("bytes left out"),
            "{counts}"
        );
    }
}

#[tokio::test]
async fn bundles_are_bounded_before_anything_is_kept() {
    let office = Office::open().await;
    let device = Stranger::adopted(&office, 1).await;
    let (good, digest) = (b"text".as_slice(), Sha256Hex::digest(b"text"));
    let section = |name: &str, bytes: u64| json!({ "name": name, "type": "text/plain", "bytes": bytes, "sha256": digest.as_str() });
    let many: Vec<_> = (0..=MAX_SECTIONS)
        .map(|at| section(&format!("s{at}"), 1))
        .collect();
    let heavy: Vec<_> = (0..9)
        .map(|at| section(&format!("s{at}"), MAX_SECTION))
        .collect();
    for (sections, expected) in [
        (json!(many), (413, "too_many_sections")),
        (json!(heavy), (413, "too_large")),
        (json!([section("a", MAX_SECTION + 1)]), (413, "too_large")),
        (
            json!([section("a", u64::MAX), section("b", u64::MAX)]),
            (413, "too_large"),
        ),
        (
            json!([section("a", 1), section("a", 1)]),
            (400, "bad_request"),
        ),
        (json!([section("../a", 1)]), (400, "bad_request")),
        (json!([section("", 1)]), (400, "bad_request")),
        (
            json!([{ "name": "a", "bytes": 1, "sha256": "no" }]),
            (400, "bad_request"),
        ),
    ] {
        let begun = office
            .dispatch
            .begin_bundle(&device.session, &bundle(1, &sections))
            .await;
        assert_eq!(code(begun), expected, "{sections}");
    }
    let begun = office
        .dispatch
        .begin_bundle(&device.session, &announce(2, &[("a", good)]))
        .await;
    let id = begun.unwrap().bundle;
    let put = async |device: &Stranger, id: &str, name: &str, offset: u64, bytes: &[u8]| {
        office
            .dispatch
            .put_section(&device.session, id, name, offset, bytes)
            .await
    };
    assert_eq!(
        code(put(&device, &id, "a", 0, b"longer").await),
        (413, "too_large")
    );
    assert_eq!(
        code(put(&device, &id, "a", u64::MAX, b"x").await),
        (413, "too_large")
    );
    assert_eq!(
        code(put(&device, &id, "b", 0, b"x").await),
        (404, "section_unknown")
    );
    assert_eq!(
        code(put(&device, "bun_nobody", "a", 0, b"x").await),
        (404, "bundle_unknown")
    );
    let other = Stranger::adopted(&office, 2).await;
    assert_eq!(
        code(put(&other, &id, "a", 0, good).await),
        (404, "bundle_unknown")
    );
    let digest = put(&device, &id, "a", 0, b"TEXT").await;
    assert_eq!(code(digest), (400, "section_digest"));
    assert_eq!(
        put(&device, &id, "a", 0, good).await.unwrap().offset,
        4,
        "once more, and right"
    );
}

#[tokio::test]
async fn a_program_brings_diagnostics_once_for_each_request() {
    let office = Office::open().await;
    let order = DiagnosticsOrder {
        site: SITE.to_owned(),
        device: None,
        source: "token_1".to_owned(),
        request: "upload 7".to_owned(),
        taken_ms: None,
        sections: vec![
            (
                "log".to_owned(),
                "10.7.7.5 anna@example.org\npassword=hunter2hunter2\n".to_owned(),
            ),
            ("other".to_owned(), "10.7.7.5 and 10.7.7.6\n".to_owned()),
        ],
    };
    let taken = office.dispatch.take_diagnostics(&order).await.unwrap();
    let counts: Vec<_> = taken
        .counts
        .iter()
        .map(|(class, count)| (class.as_str(), *count))
        .collect();
    assert_eq!(counts, [("email", 1), ("ipv4", 3), ("secret", 1)]);
    assert_eq!(
        office.dispatch.take_diagnostics(&order).await.unwrap(),
        taken
    );
    let text = office
        .tables
        .section_text(&taken.bundle, "log")
        .await
        .unwrap()
        .unwrap();
    assert!(
        !text.contains("10.7.") && !text.contains("anna") && !text.contains("hunter2"),
        "{text}"
    );
    let other = DiagnosticsOrder {
        source: "token_2".to_owned(),
        ..order.clone()
    };
    assert_ne!(
        office
            .dispatch
            .take_diagnostics(&other)
            .await
            .unwrap()
            .bundle,
        taken.bundle
    );
    let reused = DiagnosticsOrder {
        taken_ms: Some(5),
        ..order.clone()
    };
    assert_eq!(
        code(office.dispatch.take_diagnostics(&reused).await),
        (409, "bundle_other")
    );
    for (sections, expected) in [
        (vec![], (413, "too_many_sections")),
        (vec![("A".to_owned(), String::new())], (400, "bad_request")),
        (
            vec![("a".to_owned(), "x".repeat(MAX_SECTION as usize + 1))],
            (413, "too_large"),
        ),
    ] {
        let order = DiagnosticsOrder {
            request: "more".to_owned(),
            sections,
            ..order.clone()
        };
        assert_eq!(
            code(office.dispatch.take_diagnostics(&order).await),
            expected
        );
    }
    let nowhere = DiagnosticsOrder {
        site: "nowhere".to_owned(),
        request: "x".to_owned(),
        ..order
    };
    assert_eq!(
        code(office.dispatch.take_diagnostics(&nowhere).await),
        (404, "not_found")
    );
}
