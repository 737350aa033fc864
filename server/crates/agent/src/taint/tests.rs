//! The limits of text from outside, whatever it looks like. The table of who said what is in
//! `tests/it/word`.

use proptest::prelude::*;
use serde_json::json as value;

use super::*;

fn tool(name: &str) -> OriginSource {
    OriginSource::Tool {
        name: name.to_owned(),
    }
}

/// The source of a value when this is all that was heard, for a call that only looks.
fn source(heard: &ConversationTexts, text: &str) -> OriginSource {
    source_for(heard, text, Impact::None)
}

fn source_for(heard: &ConversationTexts, text: &str, impact: Impact) -> OriginSource {
    let values = InputValue::all(&value!({ "x": text }));
    heard.origins(&values, &[], impact).remove(0).source
}

fn outside(data: &Value) -> ConversationTexts {
    let mut heard = ConversationTexts::default();
    heard.outside(tool("look"), json(data).into());
    heard
}

#[test]
fn a_tool_says_more_than_the_summary_and_the_newest_more_than_the_older() {
    let mut heard = ConversationTexts::default();
    heard.outside(OriginSource::Context, json(&"pve agent nas").into());
    heard.outside(tool("one"), json(&"agent nas").into());
    heard.outside(tool("two"), json(&"nas").into());
    heard.outside(OriginSource::Context, json(&"pve agent nas").into());
    for (text, expect) in [
        ("pve", OriginSource::Context),
        ("agent", tool("one")),
        ("nas", tool("two")),
        // A word of its own is a better sign than a part of another.
        ("age", tool("one")),
        ("xyz", OriginSource::Model),
        ("", OriginSource::Model),
    ] {
        assert_eq!(source(&heard, text), expect, "{text}");
    }
}

#[test]
fn what_no_text_has_may_stand_in_an_image() {
    let mut heard = ConversationTexts::default();
    heard.person("Look at nas", std::iter::empty());
    assert!(!heard.has_outside());
    heard.image(OriginSource::File);
    assert!(heard.has_outside());
    heard.outside(tool("look"), json(&"agent").into());
    for (text, expect) in [
        ("nas", OriginSource::User),
        ("agent", tool("look")),
        ("pve", OriginSource::File),
        ("", OriginSource::Model),
    ] {
        assert_eq!(source(&heard, text), expect, "{text}");
    }
    heard.image(tool("camera"));
    assert_eq!(source(&heard, "pve"), tool("camera"));
}

#[test]
fn what_the_system_maps_from_a_persons_word_goes_with_it() {
    let mut heard = ConversationTexts::default();
    heard.outside(OriginSource::Context, json(&"pve 101 nextcloud").into());
    let mapped = |heard: &ConversationTexts, names: &[&str], set: &[&str]| {
        let value = InputValue {
            path: "/vmid".to_owned(),
            text: "101".to_owned(),
            case: Case::Ignored,
            source: None,
            mapped_from: names.iter().map(|&name| name.to_owned()).collect(),
        };
        let set: Vec<_> = set.iter().map(|&set| set.to_owned()).collect();
        heard
            .origins(&[value], &set, Impact::System)
            .remove(0)
            .source
    };
    let from = |name: &str| OriginSource::Mapped {
        from: name.to_owned(),
    };
    assert_eq!(mapped(&heard, &["nextcloud"], &[]), OriginSource::Context);
    assert_eq!(
        mapped(&heard, &["nextcloud"], &["Nextcloud"]),
        from("nextcloud")
    );
    heard.person("Restart Nextcloud", std::iter::empty());
    assert_eq!(mapped(&heard, &["nextcloud"], &[]), from("nextcloud"));
    assert_eq!(
        mapped(&heard, &["pihole", "nextcloud"], &[]),
        from("nextcloud")
    );
    assert_eq!(mapped(&heard, &["pihole"], &[]), OriginSource::Context);
    heard.person("No, leave nextcloud alone", std::iter::empty());
    assert_eq!(mapped(&heard, &["nextcloud"], &[]), OriginSource::Excluded);
    heard.person("Then restart 101", std::iter::empty());
    assert_eq!(mapped(&heard, &["nextcloud"], &[]), OriginSource::User);
}

#[test]
fn case_vouches_only_where_the_system_ignores_it() {
    let mut heard = ConversationTexts::default();
    heard.person("Check /dev/sda and Smbd", ["/srv/A"].into_iter());
    for (text, case, expect) in [
        ("smbd", Case::Ignored, OriginSource::User),
        ("SMBD.service", Case::Ignored, OriginSource::User),
        ("/dev/sda", Case::Counts, OriginSource::User),
        ("/dev/SDA", Case::Counts, OriginSource::Model),
        ("/srv/A", Case::Counts, OriginSource::User),
        ("/srv/a", Case::Counts, OriginSource::Model),
    ] {
        let value = InputValue {
            path: "/x".to_owned(),
            text: text.to_owned(),
            case,
            source: None,
            mapped_from: Vec::new(),
        };
        let found = heard.origins(&[value], &[], Impact::None).remove(0).source;
        assert_eq!(found, expect, "{text}");
    }
}

#[test]
fn a_denied_call_is_known_in_every_spelling() {
    let key = |input: Value| denied_key("restart", &input);
    let denied = key(value!({ "node": "nas", "service": "smbd", "n": 101 }));
    for (input, expect) in [
        (
            value!({ "service": "SMBD.service", "node": " NAS ", "n": "0101" }),
            true,
        ),
        (
            value!({ "node": "nas", "service": "ѕmbd", "n": 101.0 }),
            true,
        ),
        (
            value!({ "node": "nas", "service": "nmbd", "n": 101 }),
            false,
        ),
        (
            value!({ "node": "nas", "service": "smbd", "n": 102 }),
            false,
        ),
        (value!({ "node": "nas", "service": "smbd" }), false),
    ] {
        assert_eq!(key(input.clone()) == denied, expect, "{input}");
    }
    assert_ne!(
        denied_key("stop", &value!({})),
        denied_key("start", &value!({}))
    );
}

#[test]
fn to_ask_about_a_thing_is_enough_to_look_at_it_alone() {
    let mut heard = outside(&value!("smbd nginx"));
    heard.person("Is smbd up? nginx hangs.", std::iter::empty());
    for (text, impact, expect) in [
        ("smbd", Impact::None, OriginSource::User),
        ("smbd", Impact::System, tool("look")),
        ("nginx", Impact::System, OriginSource::User),
    ] {
        assert_eq!(source_for(&heard, text, impact), expect, "{text}");
    }
    heard.person("Then restart it", std::iter::empty());
    assert_eq!(
        source_for(&heard, "smbd", Impact::System),
        OriginSource::User
    );
}

#[test]
fn who_forbids_everything_is_asked_even_where_nothing_came_from_outside() {
    let mut heard = ConversationTexts::default();
    heard.person(
        "How are things? Do not restart anything.",
        std::iter::empty(),
    );
    let source = source_for(&heard, "smbd", Impact::System);
    assert_eq!(source, OriginSource::Excluded);
    heard.person("Now restart smbd", std::iter::empty());
    assert_eq!(
        source_for(&heard, "smbd", Impact::System),
        OriginSource::User
    );
}

/// Text as it may stand around a value.
fn around() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,20}",
        "\\PC{0,12}",
        Just("x\\".to_owned()),
        Just("\\u00".to_owned()),
        Just("&am".to_owned()),
        Just("%2".to_owned()),
        Just("{\"a\":\"".to_owned()),
    ]
}

/// A value as it may be acted on.
fn wanted() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-z0-9-]{0,14}[a-z0-9]",
        "[A-Za-z0-9][A-Za-z0-9_.-]{0,14}[A-Za-z0-9]",
        "[a-zA-Z0-9]",
        "[äöüÄÖÜßéñçåø][a-zäöüßéñ]{1,8}",
        "[a-z]{2,8}\\.service",
        "[1-9][0-9]{0,8}",
        "[a-z/%&\\\\._@ -]{1,3}[a-z0-9]{2,8}",
    ]
}

/// JSON around a text, so deep.
fn nested(text: String, ways: &[u8]) -> Value {
    ways.iter()
        .fold(Value::String(text), |inner, way| match way % 4 {
            0 => value!({ "a": inner }),
            1 => value!(["x", inner]),
            2 => Value::String(inner.to_string()),
            _ => {
                let key = inner
                    .as_str()
                    .map_or_else(|| inner.to_string(), ToOwned::to_owned);
                value!({ key: 1 })
            }
        })
}

/// Another way to write a value, which a reader or a system may take for the same.
fn disguised(text: &str, way: u8) -> Value {
    let letters = |from: char, to: char| text.replace(from, &to.to_string());
    let encoded = |prefix: &str, radix: fn(u32) -> String, suffix: &str| {
        let code = |c: char| format!("{prefix}{}{suffix}", radix(c as u32));
        text.chars().map(code).collect::<String>()
    };
    let half = text
        .char_indices()
        .nth(text.chars().count() / 2)
        .map_or(1, |(at, _)| at);
    let (one, other) = text.split_at(half);
    let number = text.parse::<u64>().ok();
    Value::String(match way % 20 {
        0 => text.to_uppercase(),
        1 => format!("  {text}\t"),
        2 => format!("{text}.service"),
        3 => return value!({ "one": one, "other": other }),
        4 => return value!([one, "and then", other]),
        5 => letters('s', 'ѕ').replace('e', "е").replace('a', "а"),
        6 => text
            .chars()
            .map(|c| match c {
                '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap_or(c),
                c => c,
            })
            .collect(),
        7 => text.chars().flat_map(|c| [c, '\u{200b}']).collect(),
        8 => text.chars().flat_map(|c| [c, '\u{301}']).collect(),
        9 => encoded("\\u", |c| format!("{c:04x}"), ""),
        10 => encoded("&#", |c| c.to_string(), ";"),
        11 => encoded("%", |c| format!("{c:02X}"), ""),
        12 => number.map_or(text.to_owned(), |n| format!("000{n}")),
        13 => number.map_or(text.to_owned(), |n| format!("+{n}.0")),
        14 => return number.map_or(value!(text), |n| value!({ "vmid": n })),
        15 => text.chars().flat_map(|c| [c, '-']).collect(),
        16 => text.replace('-', "_"),
        17 => {
            crate::output::clean_text(&text.chars().flat_map(|c| [c, '\u{ad}']).collect::<String>())
        }
        18 => text.trim_start_matches("/dev/").to_owned(),
        _ => return Value::String(text.to_owned()),
    })
}

proptest! {
    /// A value after any separator, at any depth, is heard.
    #[test]
    fn whatever_stands_before_it_a_value_is_heard(
        before in around(),
        separator in proptest::sample::select(&["\n", "\r", "\t", "\"", "\\", "<", ">", "&", "/", "'", ",", ";", ":"][..]),
        wanted in wanted(),
        end in proptest::sample::select(&["", "\n", "\r", "\t", "\"", "\\", "<", ">", "&", "/", "'", ",", ";", ":", " then "][..]),
        after in around(),
        ways in proptest::collection::vec(any::<u8>(), 0..5),
    ) {
        let after = if end.is_empty() { "" } else { &after };
        let text = format!("{before}{separator}{wanted}{end}{after}");
        let heard = outside(&nested(text, &ways));
        prop_assert_eq!(source(&heard, &wanted), tool("look"));
    }

    /// No disguise of a text from outside makes a value less suspicious than the plain text would:
    /// neither for a call that acts nor for one that only looks.
    #[test]
    fn no_disguise_lowers_a_verdict(
        wanted in prop_oneof!["[a-z]{3,10}", "[a-z]{2,6}-[0-9]{1,3}", "[1-9][0-9]{2,5}", "/dev/[a-z]{3,5}"],
        way in any::<u8>(),
        ways in proptest::collection::vec(0u8..3, 0..3),
        said in proptest::sample::select(&["Look around", "Restart it", "What is up?"][..]),
    ) {
        let open = |data: &Value, impact| {
            let mut heard = outside(data);
            heard.person(said, std::iter::empty());
            let values = InputValue::all(&value!({ "x": wanted }));
            let origins = heard.origins(&values, &[], impact);
            !vouched(&origins[0], impact, heard.has_outside())
        };
        let data = match disguised(&wanted, way) {
            Value::String(text) => nested(text, &ways),
            data => data,
        };
        for impact in [Impact::System, Impact::None] {
            prop_assert!(open(&Value::String(wanted.clone()), impact));
            prop_assert!(open(&data, impact), "{:?}: {}", impact, data);
        }
    }

    /// Text from outside never takes away from what the person said, and never adds to it.
    #[test]
    fn outside_text_says_nothing_in_the_persons_name(
        noise in proptest::collection::vec("\\PC{0,30}", 0..4),
        said in proptest::sample::select(&["Restart smbd", "Never restart smbd", "Restart it"][..]),
    ) {
        let mut alone = ConversationTexts::default();
        alone.person(said, std::iter::empty());
        let mut with = alone.clone();
        for text in &noise {
            with.outside(tool("look"), json(text).into());
        }
        let of_person = |heard: &ConversationTexts| {
            let source = source(heard, "smbd");
            (source == OriginSource::User, source == OriginSource::Excluded)
        };
        prop_assert_eq!(of_person(&alone), of_person(&with));
    }
}
