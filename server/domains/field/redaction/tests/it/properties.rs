//! Properties over generated bundles.

use field_redaction::{CoverStream, ExportShapes, SecretStream, VendorParts, drop_secrets};
use proptest::prelude::*;

use crate::vault;

/// A value of each kind, spelled as it comes back.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..=255u8, 1..=254u8).prop_map(|(net, host)| format!("10.3.{net}.{host}")),
        (1..=254u8, 0..=255u8).prop_map(|(a, b)| format!("81.2.{b}.{a}")),
        (1..=0xffffu16).prop_map(|id| format!("fe80::{id:x}:1")),
        (1..=0xffffu16).prop_map(|id| format!("2a02:908:{id:x}::7")),
        any::<[u8; 4]>().prop_map(|[a, b, c, d]| format!("b8:27:{a:02x}:{b:02x}:{c:02x}:{d:02x}")),
        "[a-z]{4,8}-[a-z]{2,5}\\.example\\.com",
        "[a-z]{3,8}\\.[a-z]{3,8}@mail-[a-z]{3,6}\\.example\\.org",
        "\\+4930[1-9][0-9]{6}",
    ]
}

/// Text around values: with what looks like tokens, escapes, and words in other scripts.
fn around() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[a-z]{1,6}",
        Just("host-2".to_owned()),
        Just("~~ip-n1.1".to_owned()),
        Just("mac-1, pub-1;".to_owned()),
        Just(r"a \n b \u0041 c".to_owned()),
        Just("100 % zażółć 東京".to_owned()),
        Just("version 10.1.2.3".to_owned()),
        "[ -~]{0,12}",
    ]
}

fn line() -> impl Strategy<Value = String> {
    (around(), value(), around())
        .prop_map(|(before, value, after)| format!("{before} {value} {after}"))
}

/// Lines, the values in them, and separators that tear nothing apart.
fn bundle() -> impl Strategy<Value = (String, Vec<String>)> {
    let part = (around(), value())
        .prop_filter("a value beside a sign of its own", |(around, _)| {
            !around.ends_with(['\\', '%']) && !around.contains(['@', '+'])
        });
    prop::collection::vec(part, 1..12).prop_map(|parts| {
        let text: Vec<_> = parts
            .iter()
            .map(|(around, value)| format!("{around} | {value} |\n"))
            .collect();
        (
            text.concat(),
            parts.into_iter().map(|(_, value)| value).collect(),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_is_left((text, values) in bundle()) {
        let mut vault = vault();
        let covered = vault.cover(&text);
        for value in &values {
            prop_assert!(!covered.text.contains(value.as_str()), "{value} in {}", covered.text);
        }
        prop_assert_eq!(vault.leaks(covered.text.as_bytes()), None);
        let json = serde_json::to_vec(&covered.text).expect("JSON");
        prop_assert_eq!(vault.leaks(&json), None);
    }

    #[test]
    fn what_is_covered_comes_back((text, _) in bundle()) {
        prop_assume!(drop_secrets(&text).text == text);
        let mut vault = vault();
        let covered = vault.cover(&text);
        prop_assume!(covered.counts.unreadable == 0);
        prop_assert_eq!(vault.restore(&covered.text), Ok(text));
    }

    #[test]
    fn covering_twice_is_covering_once(lines in prop::collection::vec(line(), 1..8)) {
        let text = lines.join("\n");
        let mut vault = vault();
        let covered = vault.cover(&text).text;
        prop_assert_eq!(&vault.cover_again(&covered).text, &covered);
        let dropped = drop_secrets(&text).text;
        prop_assert_eq!(&drop_secrets(&dropped).text, &dropped);
    }

    #[test]
    fn pieces_make_no_difference(
        lines in prop::collection::vec(prop_oneof![line(), Just("-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY-----".to_owned()), Just("x".repeat(5000)), Just("token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln".to_owned())], 1..8),
        size in 1..200usize,
    ) {
        let text = lines.join("\n");
        let mut known = vault();
        known.learn_from(&text);
        let whole = known.clone().cover(&text).text;
        let mut stream = CoverStream::default();
        let mut secrets = SecretStream::default();
        let mut out = String::new();
        let mut without = String::new();
        for chunk in text.as_bytes().chunks(size) {
            out.push_str(&stream.push(&mut known, chunk).text);
            without.push_str(&secrets.push(chunk).text);
        }
        out.push_str(&stream.finish(&mut known).text);
        without.push_str(&secrets.finish().text);
        prop_assert_eq!(out, whole);
        prop_assert_eq!(without, drop_secrets(&text).text);
    }

    #[test]
    fn any_text_is_taken(text in "\\PC{0,200}") {
        let mut vault = vault();
        let covered = vault.cover(&text);
        prop_assert_eq!(vault.leaks(covered.text.as_bytes()), None);
        let _ = vault.restore(&covered.text);
    }

    #[test]
    fn the_export_keeps_shared_prefixes_and_blocks(one: u32, other: u32, key: [u8; 32]) {
        let shapes = ExportShapes::new(key);
        // Half of the pairs share a prefix.
        let other = if other % 2 == 0 { (one & 0xffff_ff00) | (other & 0xff) } else { other };
        let [a, b] = [one, other].map(std::net::Ipv4Addr::from);
        let [x, y] = [a, b].map(|it| shapes.ipv4(it));
        let is_kept = |before, after| before == after;
        if !is_kept(a, x) && !is_kept(b, y) {
            let shared = |one, other| (u32::from(one) ^ u32::from(other)).leading_zeros();
            prop_assert_eq!(shared(a, b), shared(x, y));
        }
        prop_assert_eq!([a.is_private(), a.is_loopback(), a.is_multicast()], [x.is_private(), x.is_loopback(), x.is_multicast()]);
        prop_assert_eq!(u32::from(a).leading_ones().min(4), u32::from(x).leading_ones().min(4));
    }
    #[test]
    fn the_export_keeps_shared_prefixes_of_the_second_family(one: u64, other: u64, low: u64, shared in 0..=64u32, key: [u8; 32]) {
        let shapes = ExportShapes::new(key);
        // Of the space that is given out; the second shares a prefix with the first.
        let global = |bits: u64| (bits & (u64::MAX >> 3)) | (1 << 61);
        let mask = u64::MAX.checked_shl(64 - shared).unwrap_or(0);
        let other = (one & mask) | (other & !mask);
        let [a, b] = [one, other].map(|high| (u128::from(global(high)) << 64) | u128::from(low));
        let [x, y] = [a, b].map(|bits| u128::from(shapes.ipv6(bits.into())));
        if a != x && b != y {
            prop_assert_eq!((a ^ b).leading_zeros(), (x ^ y).leading_zeros());
        }
        prop_assert_eq!(x >> 125, 1, "it stays in that space");
    }

    #[test]
    fn the_export_keeps_vendors_and_each_device_apart(one: [u8; 6], other: [u8; 6], key: [u8; 32]) {
        let shapes = ExportShapes::new(key).with_vendors(VendorParts::Shown);
        let [a, b] = [one, other].map(|mut mac| {
            mac[0] &= 0xfc;
            mac
        });
        let [x, y] = [a, b].map(|mac| shapes.mac(&mac));
        prop_assert_eq!(&x[..3], &a[..3]);
        prop_assert_eq!(a == b, x == y);
    }
}
