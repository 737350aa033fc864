//! Several questions in one message, and what only looks like several.

use super::{
    worked::{after, asked, calls},
    *,
};

const SHELF: &str = "How many comics does the shelf Green Corner hold";
const BOOK: &str = "what is in picture book PB-2026-00002";
const LENT: &str = "which picture books are lent";
const TEXT: &str = "show the text of picture book PB-2026-00007";

fn shelf() -> (String, Value) {
    let input = json!({ "kind": "Comic", "shelf": "Green Corner" });
    ("find_entries".to_owned(), input)
}

fn book() -> (String, Value) {
    let input = json!({ "kind": "Picture Book", "name": "PB-2026-00002", "view": "cover" });
    ("open_entry".to_owned(), input)
}

fn tools_of(said: &str) -> Vec<String> {
    calls(said).into_iter().map(|(tool, _)| tool).collect()
}

/// The text after these calls, each with a summary of its own.
fn told(said: &str, made: &[((String, Value), &str)]) -> String {
    let made = made.iter().map(|((tool, input), summary)| {
        let rows = json!([{ "name": "PB-1" }, { "name": "PB-2" }]);
        (&**tool, input, json!({ "summary": summary, "rows": rows }))
    });
    let (calls, text) = after(said, &made.collect::<Vec<_>>());
    assert_eq!(calls, [], "{said}");
    text
}

#[test]
fn both_halves_are_asked_and_answered_in_their_order() {
    for between in [", and ", " and ", "; ", "? ", "? And ", ", and please "] {
        let said = format!("{SHELF}{between}{BOOK}?");
        assert_eq!(calls(&said), [shelf(), book()], "{said}");
        let said = format!("{BOOK}{between}{SHELF}?");
        assert_eq!(calls(&said), [book(), shelf()], "{said}");
    }
    let said = format!("{SHELF}, and {BOOK}?");
    let text = told(
        &said,
        &[(shelf(), "9 comics"), (book(), "a tale of 12 pages")],
    );
    let firsts = "9 comics, sir. [1](/#call-1)\n\nA tale of 12 pages. [2](/#call-2)\n\n";
    assert!(text.starts_with(firsts), "{text}");
    assert_eq!(text.matches("| PB-2 |").count(), 2, "{text}");
    // Read in another order, said in the order of the questions.
    let said = format!("{BOOK}, and {SHELF}?");
    let text = told(
        &said,
        &[(shelf(), "9 comics"), (book(), "a tale of 12 pages")],
    );
    let firsts = "A tale of 12 pages, sir. [2](/#call-2)\n\n9 comics. [1](/#call-1)\n\n";
    assert!(text.starts_with(firsts), "{text}");
}

#[test]
fn what_was_read_for_one_half_is_not_read_again_for_the_other() {
    let said = format!("{SHELF}, and {BOOK}?");
    let (tool, input) = shelf();
    let (calls, text) = after(&said, &[(&tool, &input, json!({ "summary": "9 comics" }))]);
    assert_eq!(calls, [book()], "{text}");
}

#[test]
fn a_half_that_fails_is_said_and_the_other_is_answered() {
    let body = |content: &str, is_error: bool, id: usize| {
        json!({ "type": "tool_result", "tool_use_id": format!("toolu_{id}"), "content": content,
                "is_error": is_error })
    };
    let used = |(tool, input): (String, Value), id: usize| json!({ "type": "tool_use", "id": format!("toolu_{id}"), "name": tool, "input": input });
    let (calls, text) = asked(&json!([
        { "role": "user", "content": format!("{SHELF}, and {BOOK}?") },
        { "role": "assistant", "content": [used(shelf(), 1), used(book(), 2)] },
        { "role": "user", "content": [
            body("{\"source\":\"l\",\"error\":{\"message\":\"The shelf is locked.\"}}", true, 1),
            body("{\"source\":\"l\",\"data\":{\"summary\":\"a tale\"}}", false, 2),
        ] },
    ]));
    assert_eq!(calls, []);
    assert!(
        text.contains("The shelf is locked") && text.contains("A tale"),
        "{text}"
    );
}

#[test]
fn three_questions_are_answered_and_more_are_named() {
    let three = format!("{SHELF}; {BOOK}, and {LENT}?");
    assert_eq!(
        tools_of(&three),
        ["find_entries", "open_entry", "find_entries"]
    );
    let four = format!("{SHELF}? {BOOK}? {LENT}? {TEXT}.");
    assert_eq!(
        tools_of(&four),
        ["find_entries", "open_entry", "find_entries"]
    );
    let lent = calls(LENT).remove(0);
    let made = [
        (shelf(), "9 comics"),
        (book(), "a tale"),
        (lent, "none is lent"),
    ];
    let text = told(&four, &made);
    let left = "I answer 3 questions at a time and have left out “show the text of picture book PB-2026-00007”.";
    assert!(text.contains(left), "{text}");
    assert!(!told(&three, &made).contains("left out"));
}

#[test]
fn one_half_may_be_in_words_of_its_own() {
    let said = format!("Which VMs are stopped, and {BOOK}?");
    assert_eq!(tools_of(&said), ["get_vms", "open_entry"]);
    let said = format!("{BOOK}, and which VMs are stopped?");
    assert_eq!(tools_of(&said), ["open_entry", "get_vms"]);
    // "It" is in another half.
    let said = format!("{BOOK}, and is it running?");
    assert!(!tools_of(&said).contains(&"open_entry".to_owned()));
}

#[test]
fn a_name_or_a_pair_with_and_is_not_taken_apart() {
    let held = |shelf: &str| {
        let input = json!({ "kind": "Map", "shelf": shelf });
        vec![("find_entries".to_owned(), input)]
    };
    for shelf in [
        "Research and Development",
        "Smith and Sons",
        "Black and White",
    ] {
        let said = format!("How many maps does the shelf {shelf} hold?");
        assert_eq!(calls(&said), held(shelf), "{said}");
        let said = format!("{BOOK}, and how many maps does the shelf {shelf} hold?");
        assert_eq!(calls(&said)[1..], held(shelf), "{said}");
    }
    for said in [
        "What do you think of research and development?",
        "Should I buy and hold?",
        "What is Smith and Sons?",
        "Which picture books and maps are lent?",
        "How are nodes and guests?",
    ] {
        let named = tools_of(said);
        let strays = named.iter().any(|tool| tool != "get_vms");
        assert!(!strays, "{said}: {named:?}");
    }
}

#[test]
fn nothing_that_acts_comes_of_a_half() {
    let lend = "lend the picture book PB-2026-00012 for 14 days";
    for said in [
        format!("{BOOK}, and {lend}"),
        format!("{BOOK}? {lend}."),
        format!("{lend}, and {BOOK}?"),
        format!("{SHELF}, {BOOK} and then {lend}"),
        format!("{BOOK}, and lend it for 14 days"),
        format!("{LENT}, and delete them all?"),
        format!("{BOOK}; what {lend}?"),
    ] {
        assert_eq!(calls(&said), [], "{said}");
    }
    let (_, text) = asked(&json!([{ "role": "user", "content": format!("{BOOK}, and {lend}") }]));
    let says = "I take questions and orders one at a time, sir, and have done nothing";
    assert!(text.starts_with(says), "{text}");
}
