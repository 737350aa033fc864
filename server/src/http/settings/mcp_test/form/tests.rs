//! Forms from schemas, and inputs from forms.

use app::plain_pages::settings::McpFieldKind;
use serde_json::{Value, json};

use super::{fields, input};

fn sent(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    let fields = fields.iter();
    fields
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "Where.\u{202e}" },
            "note": { "type": "string" },
            "most": { "type": "integer" },
            "deep": { "type": "boolean" },
            "order": { "enum": ["up", "down", 3] },
            "tags": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["path"],
    })
}

#[test]
fn each_property_has_a_field_of_its_kind() {
    let before = sent(&[("in.most", "3")]);
    let fields = fields(&schema(), &before);
    let shown = fields.iter().map(|field| {
        let kind = match &field.kind {
            McpFieldKind::Text => "text".to_owned(),
            McpFieldKind::Number => "number".to_owned(),
            McpFieldKind::Json => "json".to_owned(),
            McpFieldKind::Choice(choices) => format!("{choices:?}"),
        };
        (field.name.as_str(), kind, field.is_required)
    });
    let mut shown: Vec<_> = shown.collect();
    shown.sort();
    let choices = |choices: &[(&str, &str)]| format!("{choices:?}");
    assert_eq!(
        shown,
        [
            (
                "in.deep",
                choices(&[("true", "true"), ("false", "false")]),
                false
            ),
            ("in.most", "number".to_owned(), false),
            ("in.note", "text".to_owned(), false),
            (
                "in.order",
                choices(&[("\"up\"", "up"), ("\"down\"", "down"), ("3", "3")]),
                false
            ),
            ("in.path", "text".to_owned(), true),
            ("in.tags", "json".to_owned(), false),
        ]
    );
    let field = |name: &str| fields.iter().find(|field| field.name == name).unwrap();
    assert_eq!(field("in.most").value, "3");
    assert_eq!(field("in.path").about, "Where.\\u{202e}");
}

#[test]
fn a_form_becomes_the_input_and_what_is_empty_is_left_out() {
    let all = [
        ("in.path", "a\r\nb"),
        ("in.note", ""),
        ("in.most", " 7 "),
        ("in.deep", "false"),
        ("in.order", "\"down\""),
        ("in.tags", "[\"x\"]"),
        // It is no field of the tool.
        ("in.force", "true"),
        ("confirmed", "true"),
    ];
    let expect = json!({
        "path": "a\nb",
        "most": 7,
        "deep": false,
        "order": "down",
        "tags": ["x"],
    });
    assert_eq!(input(&schema(), &sent(&all)), Ok(expect));
    let empty = ["path", "note", "most", "deep", "order", "tags"].map(|name| format!("in.{name}"));
    let empty: Vec<_> = empty.iter().map(|name| (name.as_str(), "")).collect();
    assert_eq!(input(&schema(), &sent(&empty)), Ok(json!({ "path": "" })));
    for (name, text) in [
        ("in.most", "many"),
        ("in.tags", "[x]"),
        ("in.order", "down"),
    ] {
        let problem = input(&schema(), &sent(&[(name, text)])).unwrap_err();
        assert!(problem.contains(&name[3..]), "{problem}");
    }
}

#[test]
fn a_schema_that_names_its_fields_elsewhere_takes_the_whole_input() {
    let schema = json!({ "type": "object", "anyOf": [{ "properties": { "a": {} } }] });
    assert_eq!(fields(&schema, &[]).len(), 1);
    let whole = |text: &str| input(&schema, &sent(&[("whole", text)]));
    assert_eq!(whole("{\"a\": 1}"), Ok(json!({ "a": 1 })));
    for wrong in ["", "[1]", "a"] {
        assert!(whole(wrong).is_err(), "{wrong}");
    }
    // Without any field there is nothing to write.
    let none = json!({ "type": "object", "properties": {} });
    assert!(fields(&none, &[]).is_empty());
    assert_eq!(input(&none, &[]), Ok(json!({})));
}
