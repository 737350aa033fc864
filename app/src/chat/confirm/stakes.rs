//! The risks of a call, first on its card: each reason a tile with its consequence.

use kit::{Icon, dated, format::exposed, icon};
use leptos::prelude::*;
use protocol::{Confirmation, RiskReason, RiskWeight};

use crate::texts::confirm as texts;

/// Draws the reasons of the tool, what cannot be undone, and the reasons of the gate.
pub(super) fn stakes(asked: &Confirmation) -> Option<AnyView> {
    let reasons = asked.risk.iter().flat_map(|risk| &risk.reasons);
    let mut tiles: Vec<_> = reasons.map(tile).collect();
    if let Some(text) = &asked.irreversible {
        tiles.push(draw(
            "stake stake--grave",
            Icon::UNDO,
            texts::CANT_BE_UNDONE,
            Some(text),
        ));
    }
    let of_gate = asked.risks.iter();
    tiles.extend(of_gate.map(|risk| {
        draw(
            "stake stake--warning stake--wide",
            Icon::WARNING,
            risk,
            None,
        )
    }));
    if tiles.is_empty() {
        return None;
    }
    Some(view! { <ul class="stakes" aria-label=texts::AT_STAKE>{tiles}</ul> }.into_any())
}

fn tile(reason: &RiskReason) -> AnyView {
    let (class, sign) = match reason.weight {
        RiskWeight::Good => ("stake stake--good", Icon::CHECK),
        RiskWeight::Note => ("stake", Icon::INFO),
        RiskWeight::Warning | RiskWeight::Unknown => ("stake stake--warning", Icon::WARNING),
        RiskWeight::Grave => ("stake stake--grave", Icon::WARNING),
    };
    let line = reason.span.map(|span| texts::risk_in_line(span.line));
    let sentence = format!("{}{}", line.unwrap_or_default(), reason.sentence);
    draw(class, sign, &sentence, reason.detail.as_ref())
}

fn draw(class: &'static str, sign: Icon, sentence: &str, detail: Option<&String>) -> AnyView {
    let detail = detail.map(|detail| {
        let detail = dated(&exposed(detail));
        view! { <span class="stake__detail">{detail}</span> }.into_any()
    });
    view! {
        <li class=class>
            {icon(sign)}
            <span class="stake__text"><strong>{exposed(sentence)}</strong> {detail}</span>
        </li>
    }
    .into_any()
}
