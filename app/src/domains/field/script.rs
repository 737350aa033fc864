//! A script with the numbers of its lines, its colours, and its changes.

use kit::{code_lines, format::exposed};
use leptos::prelude::*;
use protocol::{DiffLine, LineChange, RiskReason, RiskWeight};

use super::texts::pages as say;

/// The element of a line of the script as it is now.
pub(super) fn line_id(number: u32) -> String {
    format!("field-line-{number}")
}

/// Draws the lines. Those that a reason is about are marked; removed ones have no number.
pub(super) fn script(lines: &[DiffLine], reasons: &[RiskReason]) -> AnyView {
    let stays = |line: &&DiffLine| line.change != LineChange::Removed;
    let text = lines.iter().filter(stays).map(|line| exposed(&line.text));
    let mut coloured = code_lines("bash", text.collect()).into_iter();
    let mut number = 0_u32;
    let rows = lines.iter().map(|line| {
        if !stays(&line) {
            return view! {
                <span class="line line--removed">
                    <span class="line__number"></span>
                    <span class="line__sign" aria-hidden="true">
                        "−"
                    </span>
                    <span class="visually-hidden">{say::REMOVED}</span>
                    <span class="line__text">{exposed(&line.text)}</span>
                </span>
            }
            .into_any();
        }
        number += 1;
        let (class, sign, said) = match line.change {
            LineChange::Added => ("line line--added", "+", say::ADDED),
            _ => ("line", " ", ""),
        };
        let about = reasons
            .iter()
            .filter(|it| it.span.is_some_and(|span| span.line == number));
        let text = match about.map(|it| it.weight).max() {
            Some(RiskWeight::Grave) => "line__text line__text--grave",
            Some(_) => "line__text line__text--warning",
            None => "line__text",
        };
        view! {
            <span class=class id=line_id(number) tabindex="-1">
                <span class="line__number" aria-hidden="true">
                    {number.to_string()}
                </span>
                <span class="line__sign" aria-hidden="true">
                    {sign}
                </span>
                <span class="visually-hidden">{said}</span>
                <span class=text>{coloured.next()}</span>
            </span>
        }
        .into_any()
    });
    let rows: Vec<_> = rows.collect();
    view! {
        <pre class="lines" tabindex="0">
            <code>{rows}</code>
        </pre>
    }
    .into_any()
}
