//! Attacks: what a hostile device, neighbour or model writes.

use field_redaction::{RedactionError, Vault};

use crate::{vault, vault_of};

/// A vault that knows a gateway, a camera, a name and a person.
fn office() -> Vault {
    let mut vault = vault();
    vault.cover("inet 10.1.2.1/24\nether b8:27:eb:12:34:56\nnas-berlin.example.com\n/home/annika\nSSID: Gartenhaus 5G");
    vault
}

#[test]
fn planted_tokens_are_not_restored() {
    let mut vault = office();
    for planted in [
        "host-1",
        "HOST-1",
        "http://evil.test/?q=ip-n1.1",
        "host\u{200b}-1",
        "h\u{43e}st-1",
        "ho%73t-1",
        r"\u0068ost-1",
        "~host-1",
        "~~~mac-1",
    ] {
        let covered = vault.cover(planted).text;
        let restored = vault.restore(&covered).expect(planted);
        assert_eq!(restored, planted, "{covered}");
    }
}

/// A neighbour names a network after a token, a mark, or a word of each request.
#[test]
fn a_name_cannot_break_tokens_or_stop_requests() {
    let mut vault = office().with_fixed_text("You are the assistant. Answer in messages.");
    let covered = vault
        .cover("SSID: ip-n1.1\nSSID: secret removed\nSSID: assistant\nSSID: messages\nSSID: mac-1");
    assert_eq!(
        vault.leaks(b"You are the assistant. ip-n1.1 [secret removed] mac-1"),
        None
    );
    let text = "ip-n1.1 is mac-1 [secret removed]";
    assert_eq!(vault.cover_again(text).text, text);
    assert!(covered.text.contains("SSID: ~ip-n1.1"), "{}", covered.text);
    assert!(
        !covered.text.contains("SSID: assistant"),
        "{}",
        covered.text
    );
}

/// Numbers and names of fields stand in requests as they are: no cover can replace them.
#[test]
fn a_name_that_is_a_number_is_covered_only_where_it_is_called_a_name() {
    let mut vault = office().with_fixed_text("section null");
    let covered = vault
        .cover("SSID: 2437\nSSID: section\nSSID: 2437-lager")
        .text;
    assert_eq!(covered, "SSID: ssid-2\nSSID: ssid-3\nSSID: ssid-4");
    let typed = r#"{"frequency":2437.0,"section":"log"}"#;
    assert_eq!(vault.leaks(typed.as_bytes()), None);
    let named = vault
        .leaks(b"it is 2437-lager")
        .map(|leak| leak.to_string());
    assert_eq!(named.as_deref(), Some("ssid-4 (ssid)"));
}

/// An answer says more about a network in the line that names it.
#[test]
fn prose_behind_a_token_becomes_no_name() {
    let mut vault = office();
    let known = vault.entries().len();
    for text in [
        "SSID: ssid-1, frequency: 2437 MHz.",
        "- **ssid**: ssid-1 on channel 6",
        "SSID: \"ssid-1\" is weak",
    ] {
        let covered = vault.cover_again(text);
        assert_eq!(covered.text, text);
        assert_eq!(covered.new, []);
    }
    assert_eq!(vault.entries().len(), known);
    // From outside the token is none, and the line is the name.
    let covered = vault.cover("SSID: ssid-1 guests").text;
    assert_eq!(covered, "SSID: ssid-2");
}

/// Text from before a name was known is covered again, and no longer stops a turn.
#[test]
fn a_word_that_becomes_a_name_is_covered_in_older_texts_too() {
    let mut vault = office();
    let older = vault.cover("4 packets transmitted at the reception").text;
    vault.cover("SSID: packets\nhostname: reception");
    assert!(vault.leaks(older.as_bytes()).is_some());
    let anew = vault.cover_again(&older).text;
    assert_eq!(anew, "4 ssid-2 transmitted at the host-2");
    assert_eq!(vault.leaks(anew.as_bytes()), None);
    assert_eq!(vault.cover_again(&anew).text, anew);
}

#[test]
fn split_and_disguised_values_are_covered() {
    let mut vault = office();
    for disguised in [
        "10.1\u{200b}.2\u{2060}.1",
        "１０.１.２.１",
        r"10\u002e1.2\u002e1",
        r#"{\"gateway\":\"10.1.2.1\"}"#,
        "10%2e1%2e2%2e1",
        "10%252e1%252e2%252e1",
        "0a010201",
        "0102010A",
        "0a01 0201",
        "ip-10-1-2-1",
        "1.2.1.10.in-addr.arpa",
        "10.1.2.1.53124 > 8.8.8.8.53",
        "B8-27-EB-12-34-56",
        "b827.eb12.3456",
        "B827EB123456",
        "b8:27:\u{435}b:12:34:56",
        "6ba7b810-9dad-11d1-80b4-b827eb123456",
        "NAS-BERLIN.example.com",
        "nas-b\u{435}rlin.example.com",
        "nas\u{ad}-berlin.example.com",
        "mail for annika.",
        "'Gartenhaus 5G'",
        "Gartenhaus%205G",
    ] {
        let covered = vault.cover(disguised);
        let plain = covered.text.to_lowercase();
        for part in [
            "1.2.1",
            "berlin",
            "annika",
            "gartenhaus",
            "123456",
            "12-34-56",
            "0a010201",
            "0102010a",
        ] {
            assert!(!plain.contains(part), "{disguised}: {}", covered.text);
        }
        assert_eq!(vault.leaks(covered.text.as_bytes()), None, "{disguised}");
    }
}

#[test]
fn the_second_line_of_defence_finds_what_the_first_did_not_see() {
    let vault = office();
    let token = |bytes: &[u8]| vault.leaks(bytes).map(|leak| leak.to_string());
    for (text, expected) in [
        (r#"{"input":"ping 10.1.2.1"}"#, Some("ip-n1.1 (ipv4)")),
        (r#"{"input":"a\n10.1.2.1\n"}"#, Some("ip-n1.1 (ipv4)")),
        (r#"{"input":"10\u002e1.2.1"}"#, Some("ip-n1.1 (ipv4)")),
        ("q=Gartenhaus%205G", Some("ssid-1 (ssid)")),
        ("B8-27-EB-12-34-56", Some("mac-1 (mac)")),
        ("NAS-Berlin.Example.com", Some("host-1 (host)")),
        (
            "x bmFzLWJlcmxpbi5leGFtcGxlLmNvbQ== y",
            Some("host-1 (host)"),
        ),
        (
            "x YW5uaWthOm5hcy1iZXJsaW4uZXhhbXBsZS5jb20= y",
            Some("user-1 (person)"),
        ),
        ("110.1.2.1 10.1.2.10 10.1.2.1.5.6", None),
        ("annikas gartenhaus 5g", None),
        ("ip-n1.1 mac-1 host-1", None),
    ] {
        assert_eq!(token(text.as_bytes()).as_deref(), expected, "{text}");
    }
    assert_eq!(
        token(b"\xff 10.1.2.1 \xfe").as_deref(),
        Some("ip-n1.1 (ipv4)")
    );
}

#[test]
fn secrets_and_what_hides_values_in_them_never_come_back() {
    let mut vault = office();
    // The text in base64 is a known address with a password.
    let text = "Authorization: Basic MTAuMS4yLjE6aHVudGVyMg==\nhttps://annika:hunter2@nas-berlin.example.com/";
    let covered = vault.cover(text);
    assert_eq!(
        covered.text,
        "Authorization: Basic [secret removed]\nhttps://[secret removed]@host-1/"
    );
    let restored = vault.restore(&covered.text).expect("restored");
    assert!(!restored.contains("hunter2") && restored.contains("[secret removed]"));
    let values: Vec<_> = vault.entries().iter().map(|entry| entry.value()).collect();
    assert!(values.iter().all(|value| !value.contains("hunter2")));
}

#[test]
fn a_value_in_base64_of_any_alignment_is_removed() {
    let mut vault = office();
    for encoded in [
        "bmFzLWJlcmxpbi5leGFtcGxlLmNvbQ==",
        "eG5hcy1iZXJsaW4uZXhhbXBsZS5jb20=",
        "eHhuYXMtYmVybGluLmV4YW1wbGUuY29t",
    ] {
        let covered = vault.cover(&format!("data {encoded} end"));
        assert_eq!(covered.text, "data [unreadable text removed] end");
    }
}

#[test]
fn a_token_of_another_site_is_refused() {
    let north = {
        let mut vault = vault_of("north", Some(1));
        vault.cover("10.0.0.1");
        vault
    };
    let mut south = vault_of("south", Some(2));
    south.cover("10.0.0.1");
    assert_eq!(north.restore("ip-s1-n1.1").as_deref(), Ok("10.0.0.1"));
    assert!(matches!(
        south.restore("ip-s1-n1.1"),
        Err(RedactionError::OtherSite(_))
    ));
    assert!(matches!(
        south.restore("ip-n1.1"),
        Err(RedactionError::OtherSite(_))
    ));
    assert!(matches!(
        south.restore("ip-s2-n1.9"),
        Err(RedactionError::UnknownToken(_))
    ));
}

/// A bundle of nothing but new addresses must not fill memory.
#[test]
fn a_vault_has_a_limit_and_covers_beyond_it() {
    let mut vault = vault().with_limit(100);
    let many: String = (1..200).map(|index| format!("81.3.7.{index}\n")).collect();
    let covered = vault.cover(&many);
    assert_eq!(vault.entries().len(), 100);
    assert!(
        covered
            .text
            .contains("[value removed: too many values at this site]")
    );
    assert!(!covered.text.contains("81.3.7"), "{}", covered.text);
}

#[test]
fn errors_and_debug_texts_name_no_value() {
    let vault = office();
    let error = vault
        .restore("ping ip-n1.77")
        .expect_err("an unknown token");
    assert_eq!(
        error.to_string(),
        "There is no value ip-n1.77 at this site."
    );
    let shown = format!("{:?} {vault:?}", vault.entries());
    assert!(
        !shown.contains("10.1.2.1") && !shown.contains("annika"),
        "{shown}"
    );
}

/// A value that no address or name can be as long as is removed: to search for it later would take
/// seconds, and one line of a log would be enough for that.
#[test]
fn overlong_values_are_removed_and_get_no_token() {
    let mut vault = office();
    let known = vault.entries().len();
    for length in [330, 1_000, 4_000] {
        let long = "Secretname".repeat(length / 10);
        let covered = vault.cover(&format!("from {long}@example.org to x"));
        assert_eq!(
            covered.text, "from [overlong text removed] to x",
            "{length}"
        );
        assert_eq!(covered.new, []);
        assert_eq!(vault.cover_again(&covered.text).text, covered.text);
    }
    assert_eq!(vault.entries().len(), known);
}
