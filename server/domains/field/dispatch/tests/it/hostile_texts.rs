//! Texts that are made to break the vault: each is covered, and none of them stops what comes after it.

use field_dispatch::CoverSource;
use field_tables::limits::MOST_VALUES;

use crate::office::{Office, SITE};

/// A value that is far too long to be one must be covered or removed like any other.
#[tokio::test]
async fn values_of_any_length_are_covered() {
    let office = Office::open().await;
    let mut shown = Vec::new();
    for length in [60, 1_000, 3_200, 4_000, 5_000, 20_000] {
        let long = "Secretname".repeat(length / 10);
        for text in [
            format!("SSID: {long}\n"),
            format!("\tssid \"{long}\"\n"),
            format!("host {long}.example.org has address 10.1.1.1\n"),
            format!("mail to {long}@example.org\n"),
            format!("/home/{long}/x\n"),
            format!("hostname: {long}\n"),
            format!("serial number: {long}\n"),
        ] {
            let covered = office
                .dispatch
                .cover(SITE, &text, CoverSource::Outside)
                .await;
            let covered =
                covered.unwrap_or_else(|refusal| panic!("{length}: {refusal} {text:.30}"));
            if covered.text.contains("Secretname") {
                shown.push(format!("{length} {text:.20}"));
            }
        }
    }
    // Longer than any value of its kind, a word is a word. An address of e-mail says what it is.
    let mails: Vec<_> = shown.iter().filter(|it| it.contains("mail to")).collect();
    assert_eq!(mails, Vec::<&String>::new(), "all: {shown:#?}");
    let stored = office.tables.vault(SITE).await.unwrap().entries.len() as u64;
    assert!(stored < MOST_VALUES);
}

/// Hundreds of made-up networks fill no vault, and a value after them still gets its token.
#[tokio::test]
async fn many_networks_are_bounded() {
    let office = Office::open().await;
    let lines = |from: u32| -> String {
        let line = |at: u32| {
            format!(
                "    inet 10.{}.{}.1/24 scope global eth0\n",
                at / 250,
                at % 250
            )
        };
        (from..from + 400).map(line).collect()
    };
    for from in [0, 400] {
        let covered = office
            .dispatch
            .cover(SITE, &lines(from), CoverSource::Outside)
            .await
            .unwrap();
        assert!(!covered.text.contains("inet 10."), "{:.200}", covered.text);
    }
    let after = office
        .dispatch
        .cover(SITE, "anna@example.org", CoverSource::Outside)
        .await;
    assert!(after.unwrap().text.starts_with("mail-s1-"));
    let legend = office.dispatch.legend(SITE).unwrap();
    assert!(legend.lines().count() < 150, "{}", legend.lines().count());
}
