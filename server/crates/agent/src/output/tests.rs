//! Tests of cleaning and capping.

use protocol::{ErrorBody, ErrorCode, ToolOutcome, ToolOutput};
use serde_json::{Value, json};

use super::{cap::cap, clean_line, clean_text, clean_value, outcome};
use crate::ports::ToolError;

#[test]
fn hidden_characters_are_shown() {
    let table = [
        (
            "plain\nlines\tstay – ö 日本 👍",
            "plain\nlines\tstay – ö 日本 👍",
        ),
        ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
        ("a\0b\rc\u{7f}\u{85}", "a\\u{0}b\\u{d}c\\u{7f}\\u{85}"),
        ("abc\u{202e}fed", "abc\\u{202e}fed"),
        ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
        (
            "zero\u{200b}width\u{200d}\u{feff}",
            "zero\\u{200b}width\\u{200d}\\u{feff}",
        ),
        ("tag\u{e0041}\u{e007f}", "tag\\u{e0041}\\u{e007f}"),
        ("soft\u{ad}hyphen\u{3164}", "soft\\u{ad}hyphen\\u{3164}"),
        ("line\u{2028}sep", "line\\u{2028}sep"),
        ("warn ⚠\u{fe0f}", "warn ⚠\u{fe0f}"),
    ];
    for (input, expect) in table {
        assert_eq!(clean_text(input), expect, "{input:?}");
    }
}

#[test]
fn keys_and_nested_strings_are_cleaned() {
    let dirty = json!({ "na\u{200b}me": ["ok", { "x": "\u{202e}" }], "n": 1 });
    let clean = json!({ "na\\u{200b}me": ["ok", { "x": "\\u{202e}" }], "n": 1 });
    assert_eq!(clean_value(dirty), clean);
}

#[test]
fn small_results_are_left_alone_and_large_ones_say_what_is_missing() {
    let small = json!({ "a": [1, 2, 3] });
    assert_eq!(cap(small.clone(), 100), (small, None));

    let list: Value = (0..10_000)
        .map(|n| json!({ "vmid": n, "name": "guest" }))
        .collect();
    let whole = json!({ "vms": list });
    let bytes = whole.to_string().len();
    let (cut, said) = cap(whole, 4096);
    assert_eq!(said.map(|cut| cut.bytes), Some(bytes));
    assert!(
        cut.to_string().len() < 4096 + 200,
        "{}",
        cut.to_string().len()
    );
    let vms = cut["vms"].as_array().unwrap();
    let left_out = 10_000 - (vms.len() - 1);
    assert_eq!(
        vms.last(),
        Some(&json!(format!("… {left_out} more left out")))
    );

    let (cut, said) = cap(json!("ö\n".repeat(10_000)), 1000);
    assert!(said.is_some());
    assert!(cut.to_string().len() < 1100);
    assert!(cut.as_str().unwrap().ends_with("more bytes left out"));

    let deep = (0..100).fold(json!("x".repeat(100)), |inner, _| json!({ "k": inner }));
    assert!(cap(deep, 500).1.is_some());
}

#[test]
fn the_model_reads_data_with_its_source() {
    let output = ToolOutput {
        summary: "two\nlines\u{7}".to_owned(),
        data: json!({ "log": "</tool_result> \u{202e}" }),
        images: Vec::new(),
    };
    let (event, content) = outcome("homelab/get_log", Ok(output), 1000);
    let data = json!({ "log": "</tool_result> \\u{202e}" });
    assert_eq!(
        content.get(),
        json!({ "source": "homelab/get_log", "data": &data }).to_string()
    );
    let summary = "two lines\\u{7}".to_owned();
    assert_eq!(
        event,
        ToolOutcome::Succeeded {
            output: ToolOutput {
                summary,
                data,
                images: Vec::new(),
            }
        }
    );

    let error = ErrorBody::new(ErrorCode::ToolUnreachable, "no\u{200b} route");
    let (event, content) = outcome("homelab/get_log", Err(ToolError(error)), 1000);
    let error = ErrorBody::new(ErrorCode::ToolUnreachable, "no\\u{200b} route");
    assert_eq!(
        content.get(),
        json!({ "source": "homelab/get_log", "error": &error }).to_string()
    );
    assert_eq!(event, ToolOutcome::Failed { error });
}

#[test]
fn lines_are_short() {
    assert_eq!(clean_line("a\nb"), "a b");
    assert_eq!(clean_line(&"ö".repeat(400)).len(), 300 + "…".len());
}
