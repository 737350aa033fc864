use proptest::prelude::*;
use serde_json::json;

use super::*;

const CPU: &str = r#"{"kind":"line","title":"CPU of pve","unit":"%","from":"2026-11-26T08:53:00Z",
    "step":60,"series":[{"name":"CPU","values":[40,null,86.04,42]}],"max":100}"#;

fn clock(at: i64) -> String {
    let text = units::civil::rfc3339(at);
    text[11..16].to_owned()
}

/// Returns the example with one field changed; null removes it.
fn with(field: &str, value: Value) -> String {
    let mut map: Map<String, Value> = serde_json::from_str(CPU).unwrap();
    map.insert(field.to_owned(), value);
    map.retain(|_, value| !value.is_null());
    Value::Object(map).to_string()
}

fn values(count: usize) -> Value {
    json!([{ "name": "x", "values": vec![1; count] }])
}

#[test]
fn a_drawing_is_read_and_said() {
    let plot = Plot::parse(CPU).unwrap();
    assert_eq!(
        plot,
        Plot {
            kind: PlotKind::Line,
            title: "CPU of pve".to_owned(),
            unit: "%".to_owned(),
            axis: PlotAxis::Time {
                from: 1_795_683_180,
                step: 60
            },
            series: vec![PlotSeries {
                name: "CPU".to_owned(),
                values: vec![Some(40.0), None, Some(86.04), Some(42.0)],
            }],
            max: Some(100.0),
        }
    );
    assert_eq!(plot.scale(), (0.0, 100.0));
    assert_eq!(
        plot.in_words(&clock),
        "CPU of pve: last 42 %, lowest 40 %, highest 86 % at 08:55"
    );
    let bars = json!({
        "kind": "bars", "title": "Use", "unit": "bytes", "labels": ["nas", "local"],
        "series": [
            { "name": "used", "values": [2048, null] },
            { "name": "free", "values": [null, null] },
        ],
    });
    let bars = Plot::parse(&bars.to_string()).unwrap();
    assert_eq!(
        bars.in_words(&clock),
        "Use: used last 2.0 KiB, lowest 2.0 KiB, highest 2.0 KiB at nas; free unknown"
    );
    let gauge = with("kind", json!("gauge"));
    assert_eq!(Plot::parse(&gauge), None, "a gauge has one value");
    let gauge = json!({
        "kind": "gauge", "title": "local-zfs", "unit": "%",
        "series": [{ "name": "used", "values": [93] }], "max": 100,
    });
    let gauge = Plot::parse(&gauge.to_string()).unwrap();
    assert_eq!(gauge.in_words(&clock), "local-zfs: 93 % of 100 %");
    let flat = Plot::parse(&with("series", values(3))).unwrap();
    assert_eq!(flat.value(-0.001), "0 %");
    assert!(Plot::parse(&with("max", Value::Null)).is_some());
}

#[test]
fn a_scale_has_two_ends() {
    let scale = |kind: &str, values: Value| {
        let text =
            json!({ "kind": kind, "title": "x", "series": [{ "name": "x", "values": values }] });
        Plot::parse(&text.to_string()).unwrap().scale()
    };
    assert_eq!(scale("line", json!([0, 0])), (0.0, 1.0));
    assert_eq!(scale("line", json!([-4, 8])), (-4.0, 8.0));
    // A bar begins at zero, on whichever side.
    assert_eq!(scale("bars", json!([-8, -4])), (-8.0, 0.0));
    assert_eq!(scale("spark", json!([4, 8])), (4.0, 8.0));
    assert_eq!(scale("spark", json!([4, 4])), (4.0, 5.0));
    // A value above the named end is not cut off.
    let above = with("max", json!(10));
    assert_eq!(Plot::parse(&above).unwrap().scale(), (0.0, 86.04));
}

#[test]
fn anything_else_is_no_drawing() {
    let long = "x".repeat(MOST_TITLE + 1);
    let nine: Vec<_> = (0..9)
        .map(|n| json!({ "name": n.to_string(), "values": [1, 1, 1, 1] }))
        .collect();
    for text in [
        String::new(),
        "[]".to_owned(),
        "{".to_owned(),
        CPU[..CPU.len() - 1].to_owned(),
        format!("{CPU} x"),
        CPU.replace("86.04", "NaN"),
        CPU.replace("86.04", "1e999"),
        CPU.replace("86.04", "1e16"),
        CPU.replace("86.04", "\"86\""),
        with("onload", json!("alert(1)")),
        with("kind", json!("pie")),
        with("kind", Value::Null),
        with("title", json!("")),
        with("title", json!("two\nlines")),
        with("title", json!(long)),
        with("title", json!(7)),
        with("unit", json!("a unit that is too long")),
        with("max", json!(0)),
        with("max", json!("100")),
        with("from", Value::Null),
        with("step", Value::Null),
        with("step", json!(0)),
        with("step", json!(-60)),
        with("step", json!(u64::MAX)),
        with("from", json!("yesterday")),
        with("labels", json!(["a", "b", "c", "d"])),
        with("series", json!([])),
        with("series", json!({})),
        with("series", json!(nine)),
        with("series", values(0)),
        with("series", values(MOST_VALUES + 1)),
        with("series", json!([{ "name": "x", "values": [null] }])),
        with(
            "series",
            json!([{ "name": "x", "values": [1], "colour": "red" }]),
        ),
        with("series", json!([{ "name": "", "values": [1] }])),
        with("series", json!([{ "values": [1] }])),
        with(
            "series",
            json!([{ "name": "a", "values": [1] }, { "name": "b", "values": [1, 2] }]),
        ),
        format!("{CPU}{}", " ".repeat(MOST_BYTES)),
        "[".repeat(60_000),
        json!({ "kind": "gauge", "title": "x", "series": [{ "name": "x", "values": [1] }] })
            .to_string(),
        json!({ "kind": "bars", "title": "x", "labels": ["a"], "series": values(2) }).to_string(),
    ] {
        assert_eq!(Plot::parse(&text), None, "{}", &text[..text.len().min(200)]);
    }
    assert!(Plot::parse(&with("series", values(MOST_VALUES))).is_some());
}

#[test]
fn drawings_in_a_text_become_a_line() {
    let said = "Graph: CPU of pve: last 42 %, lowest 40 %, highest 86 % at 08:55\n";
    let compact = CPU.replace('\n', " ");
    for (text, expect) in [
        ("No plot here.".to_owned(), "No plot here.".to_owned()),
        (
            format!("Busy.\n\n```plot\n{compact}\n```\n\nThat is all."),
            format!("Busy.\n\n{said}\nThat is all."),
        ),
        (format!("~~~~ plot\n{CPU}\n~~~~~"), said.to_owned()),
    ] {
        assert_eq!(say_plots(&text, &clock), expect);
    }
    // Not whole, of another kind, or within other code: as it was written.
    for text in [
        format!("```plot\n{CPU}\n"),
        "```plot\n{}\n```\n".to_owned(),
        format!("````md\n```plot\n{compact}\n```\n````\n"),
        format!("```json\n{compact}\n```\nplot"),
    ] {
        assert_eq!(say_plots(&text, &clock), text);
    }
}

proptest! {
    #[test]
    fn nothing_panics(text in "\\PC{0,200}", number in any::<f64>(), at in any::<i64>()) {
        Plot::parse(&text);
        say_plots(&format!("```plot\n{text}\n```\n"), &clock);
        let mut plot = Plot::parse(CPU).unwrap();
        plot.value(number);
        plot.axis = PlotAxis::Time { from: at, step: LONGEST_STEP };
        plot.place(usize::MAX, &|_| String::new());
    }
}
