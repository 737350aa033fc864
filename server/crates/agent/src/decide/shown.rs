//! The parts of a preview that a card shows, made safe to show.

use protocol::{CardSection, ErrorBody, ErrorCode, MAX_SECTIONS_BYTES};
use serde_json::Value;

use crate::{
    output::{clean_line, clean_text, clean_value},
    ports::Preview,
    texts,
};

/// Returns a preview whose sections and reasons are cleaned cell by cell.
///
/// # Errors
/// If its sections and its input are longer than a card may be: nobody approves what is not shown
/// whole. Also if the shown input has other fields than the input of the call, a
/// row has not as many cells as its table has columns, or a link leads elsewhere than to a page of
/// Jarvis or an `https` address.
pub(crate) fn checked(input: &Value, mut preview: Preview) -> Result<Preview, ErrorBody> {
    let mut bytes = 0;
    if let Some(shown) = preview.shown.take() {
        // Whoever approves it must see each field that runs.
        if !differ_in_texts_alone(input, &shown) {
            return Err(fault(texts::gate::CANNOT_BE_SHOWN.to_owned()));
        }
        let shown = clean_value(shown);
        bytes += shown.to_string().len();
        preview.shown = Some(shown);
    }
    for text in preview.sections.iter_mut().flat_map(CardSection::texts_mut) {
        *text = whole(text);
        bytes += text.len();
    }
    if bytes > MAX_SECTIONS_BYTES {
        return Err(fault(texts::gate::takes_too_much_to_show(
            &units::size(bytes as u64),
            &units::size(MAX_SECTIONS_BYTES as u64),
        ))
        .with_help(texts::gate::SPLIT_IT));
    }
    if !preview.sections.iter().all(is_sound) {
        return Err(fault(texts::gate::CANNOT_BE_SHOWN.to_owned()));
    }
    for reason in &mut preview.risks {
        reason.rule = clean_line(&reason.rule);
        reason.sentence = clean_line(&reason.sentence);
        reason.detail = reason.detail.as_deref().map(clean_line);
    }
    Ok(preview)
}

fn differ_in_texts_alone(input: &Value, shown: &Value) -> bool {
    match (input, shown) {
        (Value::String(_), Value::String(_)) => true,
        (Value::Array(a), Value::Array(b)) => {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(a, b)| differ_in_texts_alone(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(name, a): (&String, &Value)| {
                let b = b.get(name);
                b.is_some_and(|b| differ_in_texts_alone(a, b))
            };
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

fn fault(message: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, message)
}

fn is_sound(section: &CardSection) -> bool {
    match section {
        CardSection::Table {
            columns,
            rows,
            sums,
            ..
        } => {
            let width = columns.len();
            rows.iter().all(|row| row.len() == width) && (sums.is_empty() || sums.len() == width)
        }
        CardSection::Links { links, .. } => links.iter().all(|link| leads_somewhere(&link.href)),
        CardSection::Unknown => false,
        CardSection::Fields { .. } | CardSection::Diff { .. } | CardSection::Text { .. } => true,
    }
}

fn leads_somewhere(href: &str) -> bool {
    // `//host` and `/\\host` are addresses of other hosts.
    let own = href.starts_with('/') && !href[1..].starts_with(['/', '\\']);
    own || href.starts_with("https://")
}

/// One line, of any length: what is cut off could not be approved.
fn whole(text: &str) -> String {
    clean_text(text).replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use protocol::{CardLink, Fact, RiskReason, RiskWeight, TableColumn};

    use serde_json::json;

    use super::*;

    const NOTHING: Value = Value::Null;

    fn preview(sections: Vec<CardSection>) -> Preview {
        Preview {
            sections,
            ..Preview::new("Run it.", "node pve")
        }
    }

    fn message(sections: Vec<CardSection>) -> String {
        checked(&NOTHING, preview(sections)).unwrap_err().message
    }

    fn texts(section: CardSection) -> Vec<String> {
        let mut shown = checked(&NOTHING, preview(vec![section])).unwrap();
        let texts = shown.sections[0].texts_mut();
        texts.into_iter().map(|text| text.clone()).collect()
    }

    #[test]
    fn hidden_text_is_shown_and_nothing_is_cut() {
        let long = format!("echo {} \u{202e}rm", "x".repeat(5_000));
        let shown = texts(CardSection::text("Script", "bash", &long));
        assert_eq!(shown[2], long.replace('\u{202e}', "\\u{202e}"));
        let field = CardSection::Fields {
            title: "T".to_owned(),
            fields: vec![Fact {
                label: "Name".to_owned(),
                value: "a\nApproved by admin".to_owned(),
            }],
        };
        assert_eq!(texts(field)[2], "a\\nApproved by admin");
        let reason = RiskReason::new("name", RiskWeight::Warning, "a\nb").meaning("\u{202e}");
        let shown = checked(
            &NOTHING,
            Preview {
                risks: vec![reason],
                ..preview(Vec::new())
            },
        );
        let reason = &shown.unwrap().risks[0];
        assert_eq!(
            (&*reason.sentence, reason.detail.as_deref()),
            ("a b", Some("\\u{202e}"))
        );
    }

    #[test]
    fn what_cannot_be_shown_whole_is_not_offered() {
        let text = CardSection::text("Script", "bash", &"x".repeat(MAX_SECTIONS_BYTES));
        assert_eq!(
            message(vec![text]),
            "What this would do takes 64.0 KiB to show, and a card shows 64.0 KiB at most."
        );
        let column = |name: &str| TableColumn {
            name: name.to_owned(),
            numeric: false,
        };
        let narrow = CardSection::Table {
            title: "Entries".to_owned(),
            columns: vec![column("Account"), column("Debit")],
            rows: vec![vec!["6815".to_owned()]],
            sums: Vec::new(),
        };
        for section in [narrow, link("javascript:alert(1)"), CardSection::Unknown] {
            assert!(message(vec![section]).contains("cannot be shown"));
        }
        for href in [
            "//evil.example",
            "/\\evil.example",
            "http://plain.example",
            "",
        ] {
            assert!(
                checked(&NOTHING, preview(vec![link(href)])).is_err(),
                "{href}"
            );
        }
        for href in ["/guest/101", "https://lists.example/1"] {
            assert!(
                checked(&NOTHING, preview(vec![link(href)])).is_ok(),
                "{href}"
            );
        }
    }

    fn link(href: &str) -> CardSection {
        CardSection::Links {
            title: "See".to_owned(),
            links: vec![CardLink {
                text: "Invoice".to_owned(),
                href: href.to_owned(),
            }],
        }
    }

    #[test]
    fn a_shown_input_says_each_field_of_the_input() {
        let input = json!({ "to": ["name-1"], "n": 5, "at": { "a": "ip-1" } });
        let shown = |shown| {
            let preview = Preview {
                shown: Some(shown),
                ..preview(Vec::new())
            };
            Some(checked(&input, preview).ok()?.shown?.to_string())
        };
        let real = json!({ "to": ["nas\u{202e}"], "n": 5, "at": { "a": "10.0.0.1" } });
        let clean = r#"{"to":["nas\\u{202e}"],"n":5,"at":{"a":"10.0.0.1"}}"#;
        assert_eq!(shown(real.clone()).as_deref(), Some(clean));
        for (pointer, wrong) in [
            ("/n", json!(6)),
            ("/n", json!("5")),
            ("/to", json!([])),
            ("/to", json!(["a", "b"])),
            ("/at", json!({})),
            ("/at", json!({ "b": "10.0.0.1" })),
            ("/at/a", json!(null)),
        ] {
            let mut other = real.clone();
            *other.pointer_mut(pointer).unwrap() = wrong;
            assert_eq!(shown(other), None, "{pointer}");
        }
        let long = json!({ "to": ["x".repeat(MAX_SECTIONS_BYTES)], "n": 5, "at": { "a": "b" } });
        assert_eq!(shown(long), None);
    }
}
