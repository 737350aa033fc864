//! A name that nothing has is looked for, and what is called nearly so is offered.

use super::*;
use crate::planner::{Area, AreaExample};

const ASKED: &str = "What does the author Nell Mersh owe?";

fn tools() -> Value {
    let text = json!({ "type": "string" });
    json!([
        {
            "name": "author_summary", "description": "Shows an author at a glance.",
            "input_schema": {
                "type": "object", "required": ["kind", "name"], "additionalProperties": false,
                "properties": { "kind": text, "name": text, "year": { "type": "number" } },
            },
        },
        {
            "name": "print_author", "description": "Prints the books of an author anew.",
            "input_schema": {
                "type": "object", "required": ["kind", "name"], "additionalProperties": false,
                "properties": { "kind": text, "name": text },
            },
        },
        {
            "name": "find_name", "description": "Finds the exact name of what a person calls otherwise.",
            "input_schema": {
                "type": "object", "required": ["kind", "part"], "additionalProperties": false,
                "properties": {
                    "kind": { "type": "string", "description": "Such as \"Author\"." },
                    "part": { "type": "string", "description": "The name, or a part of it." },
                },
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
    let author = vec![
        example(
            "What does the author Nell Marsh owe?",
            json!({ "kind": "Author", "name": "Nell Marsh" }),
        ),
        example(
            "What does the author Nell Marsh owe for the year 2026?",
            json!({ "kind": "Author", "name": "Nell Marsh", "year": 2026 }),
        ),
        example(
            "Pay the author Nell Marsh.",
            json!({ "kind": "Author", "name": "Nell Marsh" }),
        ),
    ];
    let pay = vec![example(
        "Pay the author Nell Marsh 20 for the record Blue Lines.",
        json!({ "name": "Nell Marsh", "amount": 20, "record": "Blue Lines" }),
    )];
    let print = vec![example(
        "Book a print of the author Nell Marsh.",
        json!({ "kind": "Author", "name": "Nell Marsh" }),
    )];
    let find = vec![example(
        "What is the exact name of the author Marsh?",
        json!({ "kind": "Author", "part": "Marsh" }),
    )];
    let play = vec![example(
        "Play the record Blue Lines.",
        json!({ "record": "Blue Lines" }),
    )];
    vec![
        Area {
            page: None,
            pack: None,
            routine: None,
            names: Vec::new(),
            tools: vec![
                ("author_summary".to_owned(), author),
                ("print_author".to_owned(), print),
                ("find_name".to_owned(), find),
            ],
        },
        Area {
            page: None,
            pack: Some("Music".to_owned()),
            routine: None,
            names: Vec::new(),
            tools: vec![
                ("play_record".to_owned(), play),
                ("pay_author".to_owned(), pay),
            ],
        },
    ]
}

/// The next step after calls and their results; a result with a `message` is an error.
fn after(said: &str, made: &[(&str, Value, Value)]) -> (Vec<(String, Value)>, String) {
    let mut messages = vec![json!({ "role": "user", "content": said })];
    for (at, (name, input, data)) in made.iter().enumerate() {
        let id = format!("toolu_{at}");
        let is_error = data["message"].is_string();
        let field = if is_error { "error" } else { "data" };
        let content = json!({ "source": "library", field: data }).to_string();
        messages.push(json!({ "role": "assistant", "content": [
            { "type": "tool_use", "id": id, "name": name, "input": input },
        ] }));
        messages.push(json!({ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error },
        ] }));
    }
    answered(&json!(messages))
}

fn answered(messages: &Value) -> (Vec<(String, Value)>, String) {
    answered_by(&tools(), &areas(), messages)
}

/// The failed call for [`ASKED`].
fn failed(help: &str) -> (&'static str, Value, Value) {
    let input = json!({ "kind": "Author", "name": "Nell Mersh" });
    let message = "There is none. The library says: “Author Nell Mersh not found”";
    let error = json!({ "code": "tool_failed", "message": message, "help": help });
    ("author_summary", input, error)
}

fn search(part: &str, names: &[&str]) -> (&'static str, Value, Value) {
    let matches: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    let input = json!({ "kind": "Author", "part": part });
    ("find_name", input, json!({ "matches": matches }))
}

const HELP: &str = "Use the exact name; find_name finds it.";

#[test]
fn a_misspelt_name_is_looked_for_and_the_question_offered_with_the_right_one() {
    let (calls, _) = after(ASKED, &[failed(HELP)]);
    let searches = [search("Nell", &[]), search("Mers", &[])];
    let expect = searches.map(|(tool, input, _)| (tool.to_owned(), input));
    assert_eq!(calls, expect);

    let hits = search("Nell", &["Quick & Sons", "Nell Marsh"]);
    let (calls, text) = after(ASKED, &[failed(HELP), hits, search("Mers", &[])]);
    assert_eq!(calls, []);
    assert!(text.starts_with("Do you mean Nell Marsh, sir?"), "{text}");
    let offered = "\n- What does the author Nell Marsh owe?";
    assert!(text.contains(offered), "{text}");
    assert!(!text.contains("Quick"), "{text}");

    // "Yes" asks it.
    let (calls, _) = answered(&json!([
        { "role": "user", "content": ASKED },
        { "role": "assistant", "content": text },
        { "role": "user", "content": "yes" },
    ]));
    let input = json!({ "kind": "Author", "name": "Nell Marsh" });
    assert_eq!(calls, [("author_summary".to_owned(), input)]);
}

#[test]
fn where_nothing_is_called_nearly_so_the_failure_is_told() {
    let none = [
        failed(HELP),
        search("Nell", &["Odd Job"]),
        search("Mers", &[]),
    ];
    for made in [&none[..], &[failed("Ask the librarian.")][..]] {
        let (calls, text) = after(ASKED, made);
        assert_eq!(calls, [], "{text}");
        assert!(text.starts_with("I could not do that."), "{text}");
        assert!(text.contains("Nell Mersh not found"), "{text}");
        // What a tool finds is advice for the model.
        assert!(!text.contains("find"), "{text}");
    }
}

#[test]
fn what_is_refused_is_offered_in_the_words_of_a_longer_example() {
    let input = json!({ "kind": "Author", "name": "Ada Rook" });
    let error = json!({ "code": "tool_failed", "message": "Of which year?" });
    let (calls, text) = after(
        "What does the author Ada Rook owe?",
        &[("author_summary", input, error)],
    );
    assert_eq!(calls, []);
    let fuller = "“What does the author Ada Rook owe for the year 2026?”";
    assert!(text.contains(fuller), "{text}");
}

#[test]
fn a_question_for_tools_that_can_be_chosen_says_which() {
    let (calls, text) = after("Play the record Red Lines.", &[]);
    assert_eq!(calls, []);
    assert!(
        text.starts_with("That needs the tools of Music, sir"),
        "{text}"
    );
}

#[test]
fn an_order_that_is_only_read_about_says_how_it_is_given() {
    let said = "Pay the author Nell Marsh.";
    let input = json!({ "kind": "Author", "name": "Nell Marsh" });
    let read = ("author_summary", input, json!({ "summary": "20 are open" }));
    let (calls, text) = after(said, &[read]);
    assert_eq!(calls, []);
    let order = "in a new conversation with Music: “Pay the author Nell Marsh 20 for the record Blue Lines”.";
    assert!(text.starts_with("20 are open"), "{text}");
    assert!(text.ends_with(order), "{text}");
}

#[test]
fn an_order_that_was_carried_out_is_not_offered_again() {
    let said = "Book a print of the author Nell Marsh.";
    let input = json!({ "kind": "Author", "name": "Nell Marsh" });
    let printed = json!({ "summary": "The books of Nell Marsh are in print" });
    let (calls, text) = after(said, &[("print_author", input, printed)]);
    assert_eq!(calls, []);
    assert!(
        text.starts_with("The books of Nell Marsh are in print"),
        "{text}"
    );
    assert!(!text.contains("To do it"), "{text}");
}
