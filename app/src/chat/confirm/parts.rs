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

/// Draws the whole input, each value with its source.
pub(super) fn input(asked: &Confirmation) -> AnyView {
    let origin = |path: &str| {
        let found = asked.origins.iter().find(|origin| origin.path == path)?;
        let class = if words::is_trusted(&found.source) {
            "origin"
        } else {
            "origin origin--doubt"
        };
        Some(view! { <span class=class><span class="visually-hidden">{texts::FROM}</span> {words::origin(&found.source)}</span> }.into_any())
    };
    let input = asked.shown.as_ref().unwrap_or(&asked.input);
    section(texts::INPUT.to_owned(), leaves_view(input, &origin))
}

/// Draws the original input, if a person has changed it.
pub(super) fn original(asked: &Confirmation) -> Option<AnyView> {
    let original = asked.original.as_ref()?;
    Some(section(
        texts::ORIGINAL_INPUT.to_owned(),
        leaves_view(original, &|_| None),
    ))
}

fn leaves_view(input: &Value, origin: &dyn Fn(&str) -> Option<AnyView>) -> AnyView {
    let mut found = Vec::new();
    leaves(input, &mut String::new(), &mut String::new(), &mut found);
    if found.is_empty() {
        return view! { <p class="value-more">{texts::NONE}</p> }.into_any();
    }
    let rows: Vec<_> = found
        .into_iter()
        .map(|leaf| {
            view! {
                <div class="confirm__value">
                    <dt>{leaf.name}</dt>
                    <dd><code>{leaf.text}</code> {origin(&leaf.path)}</dd>
                </div>
            }
            .into_any()
        })
        .collect();
    view! { <dl class="confirm__input">{rows}</dl> }.into_any()
}

struct PartLeaf {
    /// JSON pointer.
    path: String,
    name: String,
    text: String,
}

/// Collects every value of an input, in order; nothing is left out.
fn leaves(value: &Value, path: &mut String, name: &mut String, found: &mut Vec<PartLeaf>) {
    let mut inner = |step: &str, shown: &str, value: &Value, found: &mut Vec<PartLeaf>| {
        let (path_end, name_end) = (path.len(), name.len());
        path.push('/');
        path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        if !name.is_empty() {
            name.push_str(" › ");
        }
        name.push_str(shown);
        leaves(value, path, name, found);
        path.truncate(path_end);
        name.truncate(name_end);
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (step, value) in fields {
                inner(step, &exposed(step), value, found);
            }
            return;
        }
        Value::Array(list) if !list.is_empty() => {
            for (place, value) in list.iter().enumerate() {
                inner(&place.to_string(), &(place + 1).to_string(), value, found);
            }
            return;
        }
        Value::Object(_) if path.is_empty() => return,
        _ => {}
    }
    let text = match value {
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => exposed(text),
        value => value.to_string(),
    };
    found.push(PartLeaf {
        path: path.clone(),
        name: name.clone(),
        text,
    });
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
            let mut found = Vec::new();
            leaves(&input, &mut String::new(), &mut String::new(), &mut found);
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
                ("/a~1b/c/0", "a/b › c › 1", "x\\u{202e}"),
                ("/a~1b/c/1", "a/b › c › 2", "null"),
            ],
        );
    }

    #[test]
    fn a_digest_is_short() {
        assert_eq!(short_digest("3fa912bc77de0001"), "3fa9 12bc 77de");
        assert_eq!(short_digest("3f"), "");
    }
}
