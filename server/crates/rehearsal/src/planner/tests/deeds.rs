//! Words that tell what somebody did, and words that point at a thing: both lead to an order.

use super::*;
use crate::planner::{Area, AreaExample};

fn tools() -> Value {
    let text = json!({ "type": "string" });
    json!([
        {
            "name": "find_loans", "description": "Finds what a reader has.",
            "input_schema": {
                "type": "object", "required": ["reader"], "additionalProperties": false,
                "properties": { "reader": text },
            },
        },
        {
            "name": "take_back", "description": "Takes a book back.",
            "input_schema": {
                "type": "object", "required": ["name"], "additionalProperties": false,
                "properties": { "name": text, "reader": text, "note": text },
            },
        },
        tool("get_vms", &json!({ "node": { "type": "string" } }), &[]),
    ])
}

fn areas() -> Vec<Area> {
    let example = |question: &str, input: Value| AreaExample {
        question: question.to_owned(),
        input: Some(input),
    };
    let find = vec![
        example(
            "What has Nell Marsh borrowed?",
            json!({ "reader": "Nell Marsh" }),
        ),
        example(
            "Nell Marsh returned a book.",
            json!({ "reader": "Nell Marsh" }),
        ),
    ];
    let back = vec![
        example("Return LB-2026-00012.", json!({ "name": "LB-2026-00012" })),
        example(
            "Nell Marsh returned LB-2026-00012 with the note worn.",
            json!({ "name": "LB-2026-00012", "reader": "Nell Marsh", "note": "worn" }),
        ),
    ];
    vec![Area {
        page: None,
        pack: None,
        routine: None,
        names: Vec::new(),
        tools: vec![
            ("find_loans".to_owned(), find),
            ("take_back".to_owned(), back),
        ],
    }]
}

/// A question, the call that was made for it with its result, and the newest words, if any.
fn after(
    said: &str,
    input: &Value,
    data: &Value,
    newest: Option<&str>,
) -> (Vec<(String, Value)>, String) {
    let content = json!({ "source": "library", "data": data }).to_string();
    let mut messages = vec![
        json!({ "role": "user", "content": said }),
        json!({ "role": "assistant", "content": [
            { "type": "tool_use", "id": "toolu_1", "name": "find_loans", "input": input },
        ] }),
        json!({ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "toolu_1", "content": content },
        ] }),
    ];
    if let Some(newest) = newest {
        messages.push(json!({ "role": "assistant", "content": "One book, sir." }));
        messages.push(json!({ "role": "user", "content": newest }));
    }
    answered_by(&tools(), &areas(), &json!(messages))
}

#[test]
fn a_deed_leads_to_what_it_is_about_and_offers_the_order_for_that() {
    let said = "Joan Reed returned a book";
    let asked = json!([{ "role": "user", "content": said }]);
    let input = json!({ "reader": "Joan Reed" });
    let (calls, _) = answered_by(&tools(), &areas(), &asked);
    assert_eq!(calls, [("find_loans".to_owned(), input.clone())]);
    let data = json!({
        "summary": "Joan Reed has 1 book", "reader": "Joan Reed", "oldest": { "name": "LB-2026-00031" },
    });
    let (calls, text) = after(said, &input, &data, None);
    assert_eq!(calls, []);
    let offered = "Joan Reed returned LB-2026-00031 with the note worn";
    assert!(
        text.contains(&format!("say it in full: “{offered}”.")),
        "{text}"
    );
    // The offered words are an order of their own.
    let (calls, _) = answered_by(
        &tools(),
        &areas(),
        &json!([{ "role": "user", "content": offered }]),
    );
    let made = json!({ "name": "LB-2026-00031", "reader": "Joan Reed", "note": "worn" });
    assert_eq!(calls, [("take_back".to_owned(), made)]);
    // A question is no deed.
    let (_, text) = after("What has Joan Reed borrowed?", &input, &data, None);
    assert!(!text.contains("say it in full"), "{text}");
}

#[test]
fn words_that_point_at_a_thing_mean_what_was_read_last() {
    let data = json!({ "summary": "1 book" });
    let read = json!({ "reader": "LB-2026-00031" });
    for newest in ["Return this book.", "please return it", "Return this"] {
        let (calls, text) = after(
            "What has LB-2026-00031 borrowed?",
            &read,
            &data,
            Some(newest),
        );
        let made = json!({ "name": "LB-2026-00031" });
        assert_eq!(calls, [("take_back".to_owned(), made)], "{newest}: {text}");
    }
    // Nothing was read that has a number.
    let (calls, _) = after(
        "What has Nell Marsh borrowed?",
        &json!({ "reader": "Nell Marsh" }),
        &data,
        Some("Return this book."),
    );
    assert!(
        calls.iter().all(|(tool, _)| tool != "take_back"),
        "{calls:?}"
    );
}

#[test]
fn no_offer_has_a_number_of_a_thing_that_may_not_be_here() {
    let example = |question: &str| AreaExample {
        question: question.to_owned(),
        input: Some(json!({ "reader": "LB-2026-00012" })),
    };
    let mut areas = areas();
    areas[0].tools[0]
        .1
        .insert(0, example("Which reader has LB-2026-00012?"));
    let said = "Which reader of the library is the most sincere?";
    let (_, text) = answered_by(
        &tools(),
        &areas,
        &json!([{ "role": "user", "content": said }]),
    );
    assert!(
        text.contains("These I can answer") && !text.contains("LB-2026"),
        "{text}"
    );
}

#[test]
fn an_order_to_switch_leads_to_the_tool_that_switches() {
    let tools = json!([{
        "name": "switch_valve", "description": "Switches a valve on or off.",
        "input_schema": {
            "type": "object", "required": ["valve", "state"], "additionalProperties": false,
            "properties": {
                "valve": { "type": "string" },
                "state": { "type": "string", "enum": ["on", "off"] },
            },
        },
    }]);
    let data = json!({ "valves": [
        { "valve": "north", "state": "on" },
        { "valve": "south", "state": "off" },
    ]});
    let context = format!("[Context]\n<context source=\"water\">{data}</context>");
    for (said, valve, state) in [
        ("Switch the north valve off.", "north", "off"),
        ("Turn on the south valve", "south", "on"),
    ] {
        let messages = json!([{ "role": "user", "content": [
            { "type": "text", "text": context },
            { "type": "text", "text": said },
        ]}]);
        let (calls, text) = answered_by(&tools, &[], &messages);
        let made = json!({ "valve": valve, "state": state });
        assert_eq!(calls, [("switch_valve".to_owned(), made)], "{said}: {text}");
    }
}
