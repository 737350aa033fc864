//! Values for people: amounts with their currency, days, and what is unknown with the reason.

use erp_wire::DocumentCell;
use kit::{
    dated,
    format::{grouped, upright},
};
use leptos::prelude::*;
use protocol::Known;

use super::{address::DocumentAt, texts};

/// Formats a number with its unit: `1,190.00 EUR`.
pub(super) fn number(cell: &DocumentCell) -> String {
    let digits = grouped(&cell.text);
    match &cell.unit {
        Some(unit) if !cell.text.is_empty() => format!("{digits} {}", upright(unit.clone())),
        _ => digits,
    }
}

/// Draws a value: a number with its unit, the name of a document as a link, or text.
pub(super) fn value(cell: &DocumentCell, is_number: bool) -> AnyView {
    let path = cell.to.as_deref().and_then(DocumentAt::of_id);
    if let Some(path) = path.and_then(|at| at.path()) {
        return view! { <a class="erp-link" href=path>{upright(cell.text.clone())}</a> }.into_any();
    }
    if is_number || cell.unit.is_some() {
        return number(cell).into_any();
    }
    day(&cell.text)
}

/// Draws the name of a document as a link to its page.
pub(super) fn link(doctype: &str, name: &str, text: String) -> AnyView {
    let path = DocumentAt::of_id(&format!("{doctype}/{name}")).and_then(|at| at.path());
    match path {
        Some(path) => view! { <a class="erp-link" href=path>{upright(text)}</a> }.into_any(),
        None => upright(text).into_any(),
    }
}

/// Draws `unknown` with the reason beside it: nobody has to hover for it.
pub(super) fn unknown(reason: &str) -> AnyView {
    let text = texts::unknown(&upright(reason.to_owned()));
    view! { <p class="erp-unknown">{text}</p> }.into_any()
}

/// Draws a value as text, or `unknown` with the reason.
pub(super) fn known<T>(value: &Known<T>, text: impl FnOnce(&T) -> AnyView) -> AnyView {
    match value {
        Known::Value(value) => text(value),
        Known::Unknown { unknown } => {
            let reason = upright(unknown.clone());
            view! {
                <span class="erp-unknown" title=reason>
                    {texts::UNKNOWN}
                    <span class="erp-unknown__reason">" (" {reason.clone()} ")"</span>
                </span>
            }
            .into_any()
        }
    }
}

/// Draws a day of the site's calendar, `18 Sept 2026` in the reader's language; its title has it as
/// the site writes it. On the server, and before the page is alive, as the site writes it.
pub(super) fn day(text: &str) -> AnyView {
    dated(&upright(text.to_owned()))
}

/// Draws sentences about what is missing or old, as warnings; nothing without any.
pub(super) fn reasons(reasons: Vec<String>) -> AnyView {
    sentences("erp-reasons", reasons)
}

/// Draws sentences that warn of nothing, such as how a table is to be read; nothing without any.
pub(super) fn remarks(remarks: Vec<String>) -> AnyView {
    sentences("erp-reasons erp-reasons--plain", remarks)
}

fn sentences(class: &'static str, sentences: Vec<String>) -> AnyView {
    if sentences.is_empty() {
        return ().into_any();
    }
    let lines = sentences.into_iter().map(|text| view! { <li>{text}</li> });
    view! { <ul class=class>{lines.collect::<Vec<_>>()}</ul> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_unit() {
        let cell = DocumentCell {
            text: "1190.00".to_owned(),
            unit: Some("EUR".to_owned()),
            to: None,
        };
        assert_eq!(number(&cell), "1,190.00 EUR");
    }
}
