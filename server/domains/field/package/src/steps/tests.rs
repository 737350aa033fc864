//! The table: each row's words, bounds and refusals, and the way back from words to steps.

use proptest::prelude::*;

use super::{
    AddressFamily, CaptureFilter, ProbeStep, QueryType, ROWS, RowClass, RowName, StepRefusal,
    StepSlot, accept, read_words, row,
};

/// Steps in JSON, and the words that they become.
const TABLE: [(&str, &str); 27] = [
    (
        r#"{"run":"ping","target":"192.0.2.1"}"#,
        "/usr/bin/ping -n -c 4 -i 1 -W 2 -- 192.0.2.1",
    ),
    (
        r#"{"run":"ping","target":"2001:db8::1","count":20,"size":1472,"family":"6"}"#,
        "/usr/bin/ping -n -c 20 -i 1 -W 2 -6 -M do -s 1472 -- 2001:db8::1",
    ),
    (
        r#"{"run":"trace","target":"a.example"}"#,
        "/usr/bin/traceroute -n -q 1 -w 2 -m 30 -- a.example",
    ),
    (
        r#"{"run":"mtr","target":"a.example","count":10}"#,
        "/usr/bin/mtr -n -r -j -c 10 -m 30 a.example",
    ),
    (
        r#"{"run":"dig","name":"example.org","type":"MX","server":"192.0.2.53"}"#,
        "/usr/bin/dig -r +time=2 +tries=1 +noall +answer +comments +stats @192.0.2.53 -t MX -q example.org",
    ),
    (
        r#"{"run":"dig","name":"mx"}"#,
        "/usr/bin/dig -r +time=2 +tries=1 +noall +answer +comments +stats -t A -q mx",
    ),
    (r#"{"run":"addresses"}"#, "/usr/sbin/ip -j addr show"),
    (
        r#"{"run":"addresses","interface":"eth0","family":"4"}"#,
        "/usr/sbin/ip -j -4 addr show dev eth0",
    ),
    (r#"{"run":"links"}"#, "/usr/sbin/ip -j link show"),
    (
        r#"{"run":"routes","family":"6"}"#,
        "/usr/sbin/ip -j -6 route show",
    ),
    (
        r#"{"run":"neighbours","interface":"eth0"}"#,
        "/usr/sbin/ip -j neigh show dev eth0",
    ),
    (r#"{"run":"rules"}"#, "/usr/sbin/ip -j rule show"),
    (r#"{"run":"sockets"}"#, "/usr/bin/ss -H -tuan"),
    (
        r#"{"run":"link_info","interface":"eth0"}"#,
        "/usr/sbin/ethtool eth0",
    ),
    (
        r#"{"run":"link_stats","interface":"eth0"}"#,
        "/usr/sbin/ip -j -s link show dev eth0",
    ),
    (
        r#"{"run":"wifi_link","interface":"wlan0"}"#,
        "/usr/sbin/iw dev wlan0 link",
    ),
    (
        r#"{"run":"wifi_stations","interface":"wlan0"}"#,
        "/usr/sbin/iw dev wlan0 station dump",
    ),
    (
        r#"{"run":"wifi_seen","interface":"wlan0"}"#,
        "/usr/sbin/iw dev wlan0 scan dump",
    ),
    (
        r#"{"run":"throughput","target":"192.0.2.9","reverse":true}"#,
        "/usr/bin/iperf3 -J -c 192.0.2.9 -p 5201 -t 5 -R",
    ),
    (
        r#"{"run":"throughput","target":"192.0.2.9","reverse":false,"port":5202,"seconds":10}"#,
        "/usr/bin/iperf3 -J -c 192.0.2.9 -p 5202 -t 10",
    ),
    (
        r#"{"run":"sweep","interface":"eth0","network":"192.0.2.0/24"}"#,
        "/usr/sbin/arp-scan -q -x -r 1 --bandwidth=64000 -I eth0 192.0.2.0/24",
    ),
    (
        r#"{"run":"capture","interface":"eth0","filter":"arp"}"#,
        "/usr/bin/timeout --signal=INT 20 /usr/bin/tcpdump -i eth0 -nn -q -p -l -s 64 -c 50 arp",
    ),
    (
        r#"{"run":"capture","interface":"eth0","filter":"all_headers","count":500,"seconds":60}"#,
        "/usr/bin/timeout --signal=INT 60 /usr/bin/tcpdump -i eth0 -nn -q -p -l -s 64 -c 500",
    ),
    (
        r#"{"run":"dns_config"}"#,
        "/usr/bin/cat -- /etc/resolv.conf",
    ),
    (r#"{"run":"power"}"#, "/usr/bin/vcgencmd get_throttled"),
    (r#"{"run":"wait","seconds":5}"#, "/usr/bin/sleep 5"),
    (r#"{"run":"neighbours"}"#, "/usr/sbin/ip -j neigh show"),
];

fn step(json: &str) -> ProbeStep {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn each_step_becomes_exactly_these_words() {
    for (json, words) in TABLE {
        let accepted = accept(&step(json)).unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(accepted.argv().join(" "), words, "{json}");
        assert_eq!(read_words(&accepted.argv()), Some(accepted), "{json}");
    }
    // Words with spaces in them.
    for json in [
        r#"{"run":"http_timing","url":"https://example.org/"}"#,
        r#"{"run":"download_rate","url":"https://example.org/10MB","seconds":5}"#,
        r#"{"run":"capture","interface":"eth0","filter":"tcp_syn"}"#,
    ] {
        let accepted = accept(&step(json)).unwrap_or_else(|error| panic!("{json}: {error}"));
        assert!(
            accepted.argv().iter().any(|word| word.contains(' ')),
            "{json}"
        );
        assert_eq!(read_words(&accepted.argv()), Some(accepted), "{json}");
    }
}

#[test]
fn the_table_has_each_row_once_and_bounds_all_of_them() {
    assert_eq!(ROWS.len(), RowName::ALL.len());
    for name in RowName::ALL {
        let row = row(*name);
        assert_eq!(row.name, *name);
        assert!(ROWS.iter().any(|it| it.name == *name));
        assert!(row.program.starts_with("/usr/"), "{name:?}");
        assert!(
            !row.about.ends_with('.') && !row.about.contains(['#', '\n']),
            "{name:?}"
        );
        assert!(row.form().starts_with(name.word()));
    }
    let raw: Vec<_> = ROWS
        .iter()
        .filter(|row| row.class == RowClass::Raw)
        .map(|row| row.name)
        .collect();
    assert_eq!(raw, [RowName::Sweep, RowName::Capture]);
}

#[test]
fn collectors_send_nothing() {
    for row in ROWS.iter().filter(|row| row.class == RowClass::Collector) {
        let step = ProbeStep::new(row.name).with(StepSlot::Interface, "eth0");
        let taken = accept(&step).or_else(|_| accept(&ProbeStep::new(row.name)));
        let taken = taken.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(taken.bytes(), 0, "{row:?}");
        assert_eq!(taken.contacts(), [], "{row:?}");
    }
}

#[test]
fn a_refusal_gives_the_form_of_its_row() {
    for (json, words) in [
        (
            r#"{"run":"ping"}"#,
            "ping needs target; its form is: ping target [count 1..20, else 4] [size 16..1472] [family 4|6]",
        ),
        (
            r#"{"run":"ping","target":"a","url":"http://a"}"#,
            "ping does not take url",
        ),
        (
            r#"{"run":"ping","target":"-f"}"#,
            "\"-f\" is not possible as target of ping",
        ),
        (
            r#"{"run":"ping","target":"a","count":21}"#,
            "\"21\" is not possible as count",
        ),
        (r#"{"run":"ping","target":"a\u202eb"}"#, r"a\u{202e}b"),
        (
            r#"{"run":"sweep","interface":"eth0","network":"10.0.0.0/8"}"#,
            "10.0.0.0/8",
        ),
        (r#"{"run":"wait","seconds":61}"#, "wait seconds 1..60"),
        (
            r#"{"run":"dig","name":"x","server":"dns.example"}"#,
            "not possible as server",
        ),
    ] {
        let refusal = accept(&step(json)).expect_err(json);
        assert!(refusal.to_string().contains(words), "{json}: {refusal}");
    }
    let refusal = accept(&ProbeStep::new(RowName::Wait)).expect_err("no seconds");
    assert!(matches!(
        refusal,
        StepRefusal::Missing {
            slot: StepSlot::Seconds,
            ..
        }
    ));
}

#[test]
fn the_object_is_closed() {
    for json in [
        r#"{"run":"ping","target":"a","args":["-f"]}"#,
        r#"{"run":"sh"}"#,
        r#"{"run":"ping","target":"a","target":"b"}"#,
        r#"{"run":"dig","name":"a","type":"AXFR"}"#,
        r#"{"run":"capture","interface":"eth0","filter":"port 22"}"#,
        r#"{"target":"a"}"#,
        r#"{"run":"ping","count":1.5}"#,
        r#"{"run":"ping","count":-1}"#,
    ] {
        assert!(serde_json::from_str::<ProbeStep>(json).is_err(), "{json}");
    }
    let schema = schemars::schema_for!(ProbeStep);
    assert_eq!(
        schema.get("additionalProperties"),
        Some(&serde_json::json!(false))
    );
}

/// Any step that a model could send, sensible or not.
pub(crate) fn any_step() -> impl Strategy<Value = ProbeStep> {
    let hostile = prop::sample::select(vec![
        "-f",
        "--",
        "a b",
        "a;id",
        "$(id)",
        "`id`",
        "'",
        "\"",
        "\\",
        "a\nb",
        "a\u{202e}b",
        "a\0b",
        "@a",
        "+x",
        "a#b",
        "~",
        "*",
        "{a,b}",
        "",
        "a'b",
        "=a",
    ]);
    let good = prop::sample::select(vec![
        "192.0.2.1",
        "2001:db8::1",
        "gateway",
        "a.example.org",
        "eth0",
        "wlan0",
        "192.0.2.0/24",
        "https://example.org/a?b=c&d",
        "_sip._tcp.example.org",
    ]);
    let text = prop_oneof![3 => good.prop_map(str::to_owned), 1 => hostile.prop_map(str::to_owned), 1 => "\\PC{0,12}"];
    let text = prop::option::weighted(0.4, text);
    let number = prop::option::weighted(0.3, prop_oneof![1..20_u32, 0..2000_u32]);
    let texts = (
        text.clone(),
        text.clone(),
        text.clone(),
        text.clone(),
        text.clone(),
        text,
    );
    let numbers = (number.clone(), number.clone(), number.clone(), number);
    let words = (
        prop::option::weighted(0.3, prop::sample::select(QueryType::ALL)),
        prop::option::weighted(0.3, prop::sample::select(AddressFamily::ALL)),
        prop::option::weighted(0.3, prop::sample::select(CaptureFilter::ALL)),
        prop::option::weighted(0.3, any::<bool>()),
    );
    (prop::sample::select(RowName::ALL), texts, numbers, words).prop_map(
        |(run, texts, numbers, words)| {
            let all = ProbeStep {
                run,
                target: texts.0,
                name: texts.1,
                query_type: words.0,
                server: texts.2,
                interface: texts.3,
                count: numbers.0,
                seconds: numbers.1,
                size: numbers.2,
                family: words.1,
                url: texts.4,
                port: numbers.3,
                network: texts.5,
                filter: words.2,
                reverse: words.3,
            };
            // Slots that the row does not take would hide every other mistake.
            let taken = row(run).form();
            let mut step = ProbeStep::new(run);
            for slot in StepSlot::ALL {
                let takes = taken
                    .split([' ', '[', ']', ','])
                    .any(|word| word == slot.word());
                if let (true, Some(value)) = (takes, all.value(*slot)) {
                    step = step.with(*slot, &value);
                }
            }
            step
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is accepted, no value opened an option, became two words or hid a character.
    #[test]
    fn values_stay_in_their_words(step in any_step()) {
        let Ok(accepted) = accept(&step) else { return Ok(()) };
        let fixed = accepted.words();
        let by_hand = fixed.iter().filter(|word| word.slot.is_none()).count();
        prop_assert!(by_hand > 0);
        for word in &fixed {
            prop_assert!(word.text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{word:?}");
            prop_assert!(!word.text.contains('\''));
        }
        for slot in StepSlot::ALL {
            let Some(value) = accepted.step().value(*slot) else { continue };
            prop_assert!(!value.starts_with('-') && !value.contains(' '), "{value:?}");
        }
        prop_assert_eq!(read_words(&accepted.argv()), Some(accepted.clone()));
        // Accepting again changes nothing: what is signed is what is read.
        let again = accept(accepted.step()).map(|it| it.step().clone());
        prop_assert_eq!(again.as_ref(), Ok(accepted.step()));
    }

    /// One word changed makes another step of the table, or none.
    #[test]
    fn changed_words_are_another_step_or_none(step in any_step(), at in any::<prop::sample::Index>(), word in "\\PC{0,8}|-[a-zA-Z]|--[a-z]{2,6}") {
        let Ok(accepted) = accept(&step) else { return Ok(()) };
        let mut words = accepted.argv();
        let at = at.index(words.len());
        words[at] = word;
        if let Some(other) = read_words(&words) {
            prop_assert_eq!(other.argv(), words);
        }
    }
}
