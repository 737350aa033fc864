//! Bundles: bounded, complete or not, kept for a while.

use field_tables::limits::{MOST_SECTION, MOST_SECTIONS};
use field_tables::{BundleFilter, FieldTablesError, NewBundle, NewSection, SectionOutcome};
use serde_json::json;

use crate::home::{Home, SITE, T};

fn bundle(id: &str, device: Option<&str>) -> NewBundle {
    NewBundle {
        id: id.to_owned(),
        site: SITE.to_owned(),
        device: device.map(str::to_owned),
        source: "token_1".to_owned(),
        taken_ms: Some(T - 50),
    }
}

fn section(name: &str, text: &str) -> NewSection {
    NewSection {
        name: name.to_owned(),
        digest: format!("digest of {text:.20}"),
        covered: text.to_owned(),
        counts: json!({ "ipv4": 14 }),
    }
}

#[tokio::test]
async fn sections_come_once_and_until_the_bundle_is_complete() {
    let home = Home::open().await;
    let tables = &home.tables;
    let begun = tables.begin_bundle(&bundle("bun", None), T).await.unwrap();
    let again = tables.begin_bundle(&bundle("bun", None), T + 9).await;
    assert_eq!(again.unwrap(), begun);
    home.adopted("dev").await;
    let other = tables.begin_bundle(&bundle("bun", Some("dev")), T).await;
    assert_eq!(other.unwrap(), None);
    let missing = tables.begin_bundle(&bundle("x", Some("nobody")), T).await;
    assert!(matches!(missing, Err(FieldTablesError::NotFound)));

    let kept = |name: &str, text: &str| {
        let section = section(name, text);
        async move { tables.keep_section("bun", &section).await.unwrap() }
    };
    assert_eq!(kept("routes", "via ip-n1.1").await, SectionOutcome::Kept);
    assert_eq!(kept("addresses", "ä").await, SectionOutcome::Kept);
    assert_eq!(
        kept("routes", "via ip-n1.1").await,
        SectionOutcome::Repeated
    );
    assert_eq!(
        kept("routes", "via ip-n1.2").await,
        SectionOutcome::Different
    );
    tables.complete_bundle("bun", T + 1).await.unwrap().unwrap();
    let complete = tables.complete_bundle("bun", T + 2).await.unwrap();
    assert_eq!(complete.unwrap().completed_ms, Some(T + 1));
    assert_eq!(kept("late", "x").await, SectionOutcome::Complete);
    assert_eq!(
        kept("routes", "via ip-n1.1").await,
        SectionOutcome::Repeated
    );
    let sections = tables.sections("bun").await.unwrap();
    let sections: Vec<_> = sections.iter().map(|it| (&*it.name, it.size)).collect();
    assert_eq!(sections, [("routes", 11), ("addresses", 2)]);
    let text = tables.section_text("bun", "addresses").await.unwrap();
    assert_eq!(text.as_deref(), Some("ä"));
}

#[tokio::test]
async fn a_bundle_is_bounded() {
    let home = Home::open().await;
    let tables = &home.tables;
    tables.begin_bundle(&bundle("many", None), T).await.unwrap();
    tables
        .begin_bundle(&bundle("large", None), T)
        .await
        .unwrap();
    for number in 0..=MOST_SECTIONS {
        let name = format!("section {number}");
        let kept = tables.keep_section("many", &section(&name, "")).await;
        let expected = if number < MOST_SECTIONS {
            SectionOutcome::Kept
        } else {
            SectionOutcome::Full
        };
        assert_eq!(kept.unwrap(), expected);
    }
    let text = "x".repeat(MOST_SECTION);
    for number in 0..9 {
        let name = format!("section {number}");
        let kept = tables.keep_section("large", &section(&name, &text)).await;
        let expected = if number < 8 {
            SectionOutcome::Kept
        } else {
            SectionOutcome::Full
        };
        assert_eq!(kept.unwrap(), expected);
    }
    let larger = section("x", &format!("{text}x"));
    let refused = tables.keep_section("many", &larger).await;
    assert!(matches!(refused, Err(FieldTablesError::TooLarge { .. })));
}

#[tokio::test]
async fn the_newest_bundle_of_a_device_stays() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let tables = &home.tables;
    for (number, id) in ["old", "open", "new"].into_iter().enumerate() {
        let at = T + number as i64;
        let bundle = bundle(id, Some("dev"));
        tables.begin_bundle(&bundle, at).await.unwrap();
        let routes = section("routes", "via");
        tables.keep_section(id, &routes).await.unwrap();
        if id != "open" {
            tables.complete_bundle(id, at).await.unwrap();
        }
    }
    tables
        .begin_bundle(&bundle("intake", None), T)
        .await
        .unwrap();
    assert_eq!(tables.prune_bundles(T + 1_000).await.unwrap(), 3);
    let left = tables.bundles(&BundleFilter::default(), 9).await.unwrap();
    let left: Vec<_> = left.iter().map(|it| &*it.id).collect();
    assert_eq!(left, ["new"]);
}

#[tokio::test]
async fn the_oldest_bundles_of_a_device_make_room() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let tables = &home.tables;
    tables
        .begin_bundle(&bundle("intake", None), T)
        .await
        .unwrap();
    for number in 0..=field_tables::limits::MOST_BUNDLES {
        let bundle = bundle(&format!("bun-{number}"), Some("dev"));
        tables.begin_bundle(&bundle, T).await.unwrap();
    }
    assert_eq!(tables.bundle("bun-0").await.unwrap(), None);
    assert!(tables.bundle("bun-1").await.unwrap().is_some());
    assert!(tables.bundle("intake").await.unwrap().is_some());
    let filter = BundleFilter {
        device: Some("dev".to_owned()),
        ..BundleFilter::default()
    };
    let page = tables.bundles(&filter, 2).await.unwrap();
    let page: Vec<_> = page.iter().map(|it| &*it.id).collect();
    assert_eq!(page, ["bun-200", "bun-199"]);
}
