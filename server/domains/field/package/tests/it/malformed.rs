//! Packages that were signed by the right key, and are written in another way than the one way.

use serde_json::{Value, json};

use crate::fixture::{Fixture, JOB, Tally, control, retold, signed};

/// Every member, doubled with its own and with another value, and with its neighbours' order changed.
#[test]
fn members_that_are_doubled_added_missing_or_moved() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let text = String::from_utf8(manifest.bytes()).unwrap();
    control(&fixture, &retold(&text, &payload));
    let mut tally = Tally::default();
    let codes = ["manifest_form", "manifest_field"];
    let json: Value = serde_json::from_str(&text).unwrap();
    let mut places = vec![String::new()];
    while let Some(at) = places.pop() {
        let members = json.pointer(&at).unwrap().as_object().unwrap();
        for (name, value) in members {
            let member = format!("{}:{value}", json!(name));
            assert!(text.contains(&member), "{member}");
            for other in [
                format!("{member},{member}"),
                format!("{member},{}:0", json!(name)),
                format!("{}:null,{member}", json!(name)),
                format!("{member},\"{name}2\":{value}"),
                format!("{}:{value}", json!(name.to_uppercase())),
                format!("{} :{value}", json!(name)),
                format!("{}:[{value}]", json!(name)),
                format!("\"\\u{:04x}{}\":{value}", name.as_bytes()[0], &name[1..]),
            ] {
                let bad = text.replacen(&member, &other, 1);
                tally.refused(&fixture, &retold(&bad, &payload), &codes, &bad);
            }
            let without = text.replacen(&format!("{member},"), "", 1);
            if without != text {
                tally.refused(&fixture, &retold(&without, &payload), &codes, &without);
                let (before, rest) = text.split_once(&format!("{member},")).unwrap();
                // To the end of the whole object.
                let moved = format!("{before}{},{member}}}", rest.strip_suffix('}').unwrap());
                tally.refused(&fixture, &retold(&moved, &payload), &codes, &moved);
            }
            if value.is_object() && !value.as_object().unwrap().is_empty() {
                places.push(format!("{at}/{name}"));
            }
        }
    }
    let array: Vec<_> = json.as_object().unwrap().values().cloned().collect();
    let positional = Value::from(array).to_string();
    tally.refused(
        &fixture,
        &retold(&positional, &payload),
        &codes,
        "an array of members",
    );
    assert!(tally.0 > 350, "{}", tally.0);
}

#[test]
fn numbers_that_are_none() {
    let fixture = Fixture::new();
    let (manifest, payload) = fixture.good();
    let text = String::from_utf8(manifest.bytes()).unwrap();
    control(&fixture, &retold(&text, &payload));
    let mut tally = Tally::default();
    let codes = ["manifest_form", "manifest_field"];
    for name in [
        "v",
        "seq",
        "issued",
        "not_before",
        "expires",
        "timeout_s",
        "claim_until",
        "cpu_pct",
        "memory",
        "tasks",
        "workspace",
        "output",
        "file",
        "procs",
        "version",
        "at",
        "bytes",
    ] {
        let start = text.find(&format!("\"{name}\":")).unwrap() + name.len() + 3;
        let end = start + text[start..].find([',', '}']).unwrap();
        for value in [
            "NaN",
            "Infinity",
            "-Infinity",
            "1e999",
            "-1",
            "-0",
            "1.0",
            "1e0",
            "1E2",
            "0x10",
            "01",
            "\"1\"",
            "null",
            "true",
            "[]",
            "18446744073709551616",
            "99999999999999999999999999",
            "18446744073709551615",
            "+1",
            " 1",
        ] {
            let bad = format!("{}{value}{}", &text[..start], &text[end..]);
            tally.refused(
                &fixture,
                &retold(&bad, &payload),
                &codes,
                &format!("{name}: {value}"),
            );
        }
    }
    assert_eq!(tally.0, 340);
}

#[test]
fn base64_in_other_spellings() {
    let fixture = Fixture::new();
    let (mut manifest, payload) = fixture.good();
    let mut tally = Tally::default();
    let codes = ["package_base64", "signature", "package_form"];
    for seq in 51..61 {
        manifest.seq = seq;
        let good = signed(&manifest, &payload, &[JOB]);
        control(&fixture, &good);
        let package: Value = serde_json::from_slice(&good).unwrap();
        for pointer in [
            "/payload",
            "/manifest/payload",
            "/manifest/signatures/0/sig",
        ] {
            let text = package.pointer(pointer).unwrap().as_str().unwrap();
            let bare = text.trim_end_matches('=');
            let mut others = vec![
                format!("{text}="),
                format!("{text}\n"),
                format!(" {text}"),
                format!("{}\n{}", &text[..4], &text[4..]),
                text.replace('+', "-").replace('/', "_"),
                format!("{bare}===="),
                String::new(),
            ];
            if bare != text {
                others.push(bare.to_owned());
                // Another letter that decodes to the same bytes.
                let last = bare.bytes().last().unwrap();
                let next = char::from(
                    if last.is_ascii_alphabetic() && last != b'z' && last != b'Z' {
                        last + 1
                    } else {
                        b'B'
                    },
                );
                others.push(format!(
                    "{}{next}{}",
                    &bare[..bare.len() - 1],
                    &text[bare.len()..]
                ));
            }
            for other in others.iter().filter(|other| *other != text) {
                let mut odd = package.clone();
                *odd.pointer_mut(pointer).unwrap() = Value::from(other.as_str());
                assert!(
                    fixture.admit(odd.to_string().as_bytes()).is_err(),
                    "{pointer}: {other}"
                );
                tally.0 += 1;
            }
            // JSON's own spellings of the same text.
            let escaped = format!("\\u{:04x}{}", text.as_bytes()[0], &text[1..]);
            let odd = String::from_utf8(good.clone())
                .unwrap()
                .replacen(text, &escaped, 1);
            tally.refused(&fixture, odd.as_bytes(), &codes, "escaped");
        }
    }
    assert!(tally.0 > 200, "{}", tally.0);
}
