//! The parts of a card, before and after the decision.

use kit::{Icon, Moment, format::exposed, icon};
use leptos::prelude::*;
use protocol::{Assurance, Confirmation, Verdict};
use serde_json::Value;
use transcript::{AskedRow, Decided};

use super::{
    sections::{fields, section, sections},
    stakes::stakes,
};
use crate::{texts::confirm as texts, words};

/// Draws the note on who has to approve it, if that is not the requester.
pub(super) fn second(asked: &Confirmation, own: bool) -> Option<AnyView> {
    let second = asked.second.as_ref()?;
    let who = if own {
        texts::ANOTHER_OPERATOR_MUST_APPROVE_THIS.to_owned()
    } else {
        texts::made_this_request_and_cant_approve(&exposed(&second.asker))
    };
    let why = exposed(&second.why);
    Some(
        view! {
            <p class="confirm__second">
                {icon(Icon::HAND)} <span><strong>{who}</strong> " " {why}</span>
            </p>
        }
        .into_any(),
    )
}

/// Draws the state of the target.
pub(super) fn facts(name: &str, asked: &Confirmation) -> Option<AnyView> {
    (!asked.facts.is_empty()).then(|| section(name.to_owned(), fields(&asked.facts)))
}

/// Draws the whole input, each value with its source; those that a person changed are marked.
pub(super) fn input(asked: &Confirmation) -> AnyView {
    let origin = |leaf: &PartLeaf| {
        let is_of = |path: &str| path == leaf.path || (!path.is_empty() && path == leaf.named);
        let found = asked.origins.iter().filter(|origin| is_of(&origin.path));
        // Of the sources of a value and of its name, the doubtful one counts.
        let found = found.min_by_key(|origin| words::is_trusted(&origin.source))?;
        let class = if words::is_trusted(&found.source) {
            "origin"
        } else {
            "origin origin--doubt"
        };
        Some(view! { <span class=class><span class="visually-hidden">{texts::FROM}</span> {words::origin(&found.source)}</span> }.into_any())
    };
    let original = asked.original.as_ref();
    let changed = original.map_or_else(Vec::new, |it| lacking(&asked.input, it));
    let input = asked.shown.as_ref().unwrap_or(&asked.input);
    section(
        texts::INPUT.to_owned(),
        leaves_view(leaves(input), &changed, &origin),
    )
}

/// Draws the original values, if a person has changed some.
pub(super) fn original(asked: &Confirmation) -> Option<AnyView> {
    let found = lacking(asked.original.as_ref()?, &asked.input);
    if found.is_empty() {
        return None;
    }
    let content = leaves_view(found, &[], &|_| None);
    Some(section(texts::ORIGINAL_VALUES.to_owned(), content))
}

/// The values of an input that another one lacks.
fn lacking(input: &Value, other: &Value) -> Vec<PartLeaf> {
    let known = leaves(other);
    let is_known = |leaf: &PartLeaf| {
        let mut known = known.iter();
        known.any(|it| it.path == leaf.path && it.text == leaf.text)
    };
    let mut found = leaves(input);
    found.retain(|leaf| !is_known(leaf));
    found
}

fn leaves_view(
    found: Vec<PartLeaf>,
    changed: &[PartLeaf],
    origin: &dyn Fn(&PartLeaf) -> Option<AnyView>,
) -> AnyView {
    if found.is_empty() {
        return view! { <p class="value-more">{texts::NONE}</p> }.into_any();
    }
    let rows: Vec<_> = found
        .into_iter()
        .map(|leaf| {
            let origin = origin(&leaf);
            let class = if changed.iter().any(|it| it.path == leaf.path) {
                "confirm__value confirm__value--changed"
            } else {
                "confirm__value"
            };
            view! {
                <div class=class>
                    <dt>{leaf.name}</dt>
                    <dd><code>{leaf.text}</code> {origin}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    view! { <dl class="confirm__input">{rows}</dl> }.into_any()
}

/// A value of an input.
#[derive(Default)]
pub(super) struct PartLeaf {
    /// JSON pointer.
    pub(super) path: String,
    /// The pointer to the value's name, if that is beside it; else empty.
    named: String,
    /// The place for a person: `items, row 1: rate`.
    pub(super) name: String,
    text: String,
}

/// Returns every value of an input, in order; nothing is left out.
pub(super) fn leaves(input: &Value) -> Vec<PartLeaf> {
    let mut found = Vec::new();
    if input.as_object().is_none_or(|fields| !fields.is_empty()) {
        collect(input, PartLeaf::default(), "", &mut found);
    }
    found
}

/// Collects the values in one; `at` is its place, and `around` the name of what it is in. A value beside
/// its name, as in `{"field": "rate", "value": 20}`, goes by that name, and rows by that of their table.
fn collect(value: &Value, mut at: PartLeaf, around: &str, found: &mut Vec<PartLeaf>) {
    let inner = |step: &str, name: String| PartLeaf {
        path: format!("{}/{}", at.path, step.replace('~', "~0").replace('/', "~1")),
        name,
        ..PartLeaf::default()
    };
    at.text = match value {
        Value::Object(fields) if !fields.is_empty() => {
            let is_table = fields.get("table").is_some_and(Value::is_string);
            for (step, value) in fields {
                let name = if is_table && step == "rows" {
                    at.name.clone()
                } else {
                    texts::inside(&at.name, &exposed(step))
                };
                collect(value, inner(step, name), &at.name, found);
            }
            return;
        }
        Value::Array(list) if !list.is_empty() => {
            for (place, item) in list.iter().enumerate() {
                let place_of = |name: String| inner(&place.to_string(), name);
                let text = |key: &str| item.get(key)?.as_str().filter(|it| !it.is_empty());
                if let Some((field, value)) = text("field").zip(paired(item)) {
                    let mut at = place_of(texts::inside(around, &exposed(field)));
                    at.named = format!("{}/field", at.path);
                    at.path.push_str("/value");
                    collect(value, at, around, found);
                    continue;
                }
                let number = || (place + 1).to_string();
                let row = || text("row").map_or_else(number, exposed);
                let name = match text("table") {
                    Some(table) if item.get("rows").is_some() => {
                        texts::inside(around, &exposed(table))
                    }
                    Some(table) => texts::row(&exposed(table), &row()),
                    None => texts::row(&at.name, &row()),
                };
                collect(item, place_of(name), around, found);
            }
            return;
        }
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => exposed(text),
        value => value.to_string(),
    };
    found.push(at);
}

/// Returns the value of an object that has one beside one other member.
fn paired(item: &Value) -> Option<&Value> {
    let fields = item.as_object().filter(|fields| fields.len() == 2)?;
    let value = fields.get("value")?;
    (!value.is_object() && !value.is_array()).then_some(value)
}

/// Draws the model's words just before the call.
pub(super) fn reason(asked: &Confirmation) -> Option<AnyView> {
    let text = asked.reason.as_ref()?;
    // Keeps the lines of a text for people.
    let lines: Vec<_> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| view! { <p>{exposed(line)}</p> }.into_any())
        .collect();
    Some(section(
        texts::REASON_IN_JARVISS_OWN_WORDS.to_owned(),
        view! { <blockquote class="confirm__reason">{lines}</blockquote> }.into_any(),
    ))
}

/// Formats `3fa9 12bc 77de`.
pub(super) fn short_digest(digest: &str) -> String {
    let groups: Vec<_> = [0..4, 4..8, 8..12]
        .into_iter()
        .filter_map(|range| digest.get(range))
        .collect();
    groups.join(" ")
}

/// Draws the decision in one line: who, how, and when.
pub(in super::super) fn verdict(asked: &AskedRow) -> Option<AnyView> {
    let decided = asked.decided.as_ref()?;
    let Decided { verdict, by, at } = decided;
    let by = by.as_deref().map(exposed);
    let who = |word: &str| match &by {
        Some(by) => texts::decided_by(word, by),
        None => word.to_owned(),
    };
    let (class, text) = match verdict {
        Verdict::Approved => {
            let how = match asked.confirmation.assurance {
                Assurance::Press => texts::BY_PRESSING,
                Assurance::Hold => texts::BY_HOLDING,
                Assurance::Type { .. } => texts::BY_TYPING_THE_WORD,
                Assurance::Unknown => "",
            };
            (
                "verdict verdict--approved",
                format!("{}{how}", who(texts::APPROVED)),
            )
        }
        Verdict::Denied { comment: None } => ("verdict verdict--denied", who(texts::DENIED)),
        Verdict::Denied {
            comment: Some(comment),
        } => (
            "verdict verdict--denied",
            texts::with_comment(&who(texts::DENIED), &exposed(comment)),
        ),
        Verdict::Expired => ("verdict", texts::EXPIRED_WITHOUT_A_DECISION.to_owned()),
        Verdict::Withdrawn | Verdict::Unknown => ("verdict", who(texts::WITHDRAWN)),
    };
    let at = *at;
    Some(
        view! {
            <span class=class>
                <span>{text}</span>
                <Moment at=Signal::stored(Some(at)) />
            </span>
        }
        .into_any(),
    )
}

/// Draws a card that was decided: the same words, without buttons.
pub(in super::super) fn asked_before(asked: &Confirmation) -> AnyView {
    let [before, after] = texts::APPLIED_ONLY_TO_THIS_REQUEST;
    view! {
        <section class="tool-card__section asked">
            <h3>{texts::REQUEST}</h3>
            <p class="asked__sentence">{exposed(&asked.sentence)}</p>
            {stakes(asked)} {sections(asked)} {facts(texts::TARGET_STATE_THEN, asked)} {input(asked)} {original(asked)}
            {reason(asked)}
            <p class="confirm__fine">
                {before} <code title=asked.digest.clone()>{short_digest(&asked.digest)}</code> {after}
            </p>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_value_of_an_input_is_shown() {
        let check = |input: Value, expect: &[(&str, &str, &str)]| {
            let found = leaves(&input);
            let found: Vec<_> = found
                .iter()
                .map(|leaf| (&*leaf.path, &*leaf.name, &*leaf.text))
                .collect();
            assert_eq!(found, expect, "{input}");
        };
        check(json!({}), &[]);
        check(
            json!({"node": "pve", "vmid": 101, "force": true, "tags": [], "note": ""}),
            &[
                ("/node", "node", "pve"),
                ("/vmid", "vmid", "101"),
                ("/force", "force", "true"),
                ("/tags", "tags", "[]"),
                ("/note", "note", "\"\""),
            ],
        );
        check(
            json!({"a/b": {"c": ["x\u{202e}", null]}}),
            &[
                ("/a~1b/c/0", "a/b: c, row 1", "x\\u{202e}"),
                ("/a~1b/c/1", "a/b: c, row 2", "null"),
            ],
        );
        check(
            json!({
                "fields": [{"field": "due_date\u{202e}", "value": "2026-11-21"}],
                "tables": [{"table": "items", "rows": [{"fields": [
                    {"field": "rate", "value": 2},
                    {"field": "rate", "value": [2]},
                    {"field": "rate", "value": 2, "unit": "EUR"},
                ]}]}],
            }),
            &[
                ("/fields/0/value", "due_date\\u{202e}", "2026-11-21"),
                ("/tables/0/table", "items: table", "items"),
                ("/tables/0/rows/0/fields/0/value", "items, row 1: rate", "2"),
                (
                    "/tables/0/rows/0/fields/1/field",
                    "items, row 1: fields, row 2: field",
                    "rate",
                ),
                (
                    "/tables/0/rows/0/fields/1/value/0",
                    "items, row 1: fields, row 2: value, row 1",
                    "2",
                ),
                (
                    "/tables/0/rows/0/fields/2/field",
                    "items, row 1: fields, row 3: field",
                    "rate",
                ),
                (
                    "/tables/0/rows/0/fields/2/value",
                    "items, row 1: fields, row 3: value",
                    "2",
                ),
                (
                    "/tables/0/rows/0/fields/2/unit",
                    "items, row 1: fields, row 3: unit",
                    "EUR",
                ),
            ],
        );
        // A row of a document is known by its name.
        check(
            json!({"rows": [
                {"table": "items", "row": "a1", "fields": [{"field": "qty", "value": 3}]},
                {"source_row": "b2", "qty": 5},
            ]}),
            &[
                ("/rows/0/table", "items, row a1: table", "items"),
                ("/rows/0/row", "items, row a1: row", "a1"),
                ("/rows/0/fields/0/value", "items, row a1: qty", "3"),
                ("/rows/1/source_row", "row 2: source_row", "b2"),
                ("/rows/1/qty", "row 2: qty", "5"),
            ],
        );
    }

    #[test]
    fn only_values_that_differ_are_changed() {
        let [before, after] = [
            json!({"qty": 4, "rate": 20, "hard": true}),
            json!({"qty": 4, "rate": 21}),
        ];
        let differing = |one: &Value, other: &Value| {
            let found = lacking(one, other);
            let paths = found.iter().map(|leaf| leaf.path.clone());
            paths.collect::<Vec<_>>()
        };
        assert_eq!(differing(&after, &before), ["/rate"]);
        assert_eq!(differing(&before, &after), ["/rate", "/hard"]);
    }

    #[test]
    fn a_digest_is_short() {
        assert_eq!(short_digest("3fa912bc77de0001"), "3fa9 12bc 77de");
        assert_eq!(short_digest("3f"), "");
    }
}
