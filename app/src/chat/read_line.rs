//! Calls that only read, as one line that opens to their cards.

use kit::{Icon, Key, browser, each, format, icon, live, live_text, live_view, on};
use leptos::{ev, prelude::*};
use transcript::{ReadProgress, RowKey, ToolRow, ToolState};

use super::tool_card::{Elapsed, beside, card};
use crate::{
    conversation::{RowViewContent, ToolCell},
    texts::calls as texts,
    words,
};

/// Draws the line. `key`: of the first call.
#[component]
pub(super) fn ReadLine(cell: ToolCell, key: RowKey) -> impl IntoView {
    let calls = {
        let cell = cell.clone();
        move || {
            let mut calls = vec![(key, cell.row.clone())];
            for row in cell.others.read().iter() {
                if let RowViewContent::Tool(cell) = &row.content {
                    calls.push((row.key, cell.row.clone()));
                }
            }
            calls
        }
    };
    let line = {
        let calls = calls.clone();
        Memo::new(move |_| {
            let calls = calls();
            let rows: Vec<_> = calls.iter().map(|(_, row)| row.read()).collect();
            line(&rows.iter().map(|row| &**row).collect::<Vec<_>>())
        })
    };
    let first = cell.row.clone();
    let others = cell.others;
    let alone = move || others.read().is_empty();
    let elapsed = {
        let alone = alone.clone();
        live_view(move || {
            if alone() {
                view! { <Elapsed tool=first.clone() /> }.into_any()
            } else {
                ().into_any()
            }
        })
    };
    let toggled = move |event: ev::Event| {
        let fold = event_target::<web_sys::HtmlDetailsElement>(&event);
        // The only card of a line needs no second press.
        if fold.open() && untrack(&alone) {
            browser::open_inner(&fold);
        }
    };
    let pictures = calls.clone();
    view! {
        <div class="row reads">
            <details class=live(move || line.with(|line| line.class())) on:toggle=on(toggled)>
                <summary class="reads__summary">
                    <span class="chevron">{icon(Icon::CHEVRON)}</span>
                    <span class="spinner" aria-hidden="true"></span>
                    <span class="reads__text">
                        {live_text(move || line.with(|line| line.text.clone()))}
                    </span>
                    {elapsed}
                </summary>
                {each(
                    calls,
                    |(key, _)| Key::of((*key, 0)),
                    |(_, tool)| {
                        let of = tool.clone();
                        let id = live(move || of.read().call.map(|call| call.to_string()));
                        view! { <div class="call" id=id>{card(tool)}</div> }.into_any()
                    },
                )}
            </details>
            // Pictures and places are in view whether or not the line is open.
            {each(
                pictures,
                |(key, _)| Key::of((*key, 0)),
                |(_, tool)| beside(tool),
            )}
        </div>
    }
    .into_any()
}

/// The text of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    text: String,
    runs: bool,
}

impl Line {
    fn class(&self) -> &'static str {
        if self.runs {
            "reads__fold reads__fold--running"
        } else {
            "reads__fold"
        }
    }
}

fn line(tools: &[&ToolRow]) -> Line {
    let progress = ReadProgress::of(tools.iter().copied());
    let ReadProgress {
        preparing,
        running,
        done,
        took_ms,
    } = progress;
    let text = match tools {
        [tool] => single(tool),
        _ if running + done == 0 => texts::preparing_calls(preparing),
        _ => {
            let looked = if running > 0 {
                texts::looking_at(running + done)
            } else {
                texts::looked_at(done)
            };
            match (took_ms, preparing) {
                (Some(ms), _) => format!("{looked} · {}", format::duration(ms)),
                (None, 0) => format!("{looked}…"),
                (None, more) => texts::and_more_to_come(&looked, more),
            }
        }
    };
    Line {
        text,
        runs: running + preparing > 0,
    }
}

/// Returns the line of a call that is alone; its time follows in an element of its own.
fn single(tool: &ToolRow) -> String {
    let mut text = words::tool_name(&tool.name);
    let mut add = |part: String| {
        text.push_str(" · ");
        text.push_str(&part);
    };
    if let Some(target) = tool.target.clone() {
        add(format::upright(target));
    }
    match &tool.state {
        ToolState::Running => add(tool
            .progress
            .clone()
            .map_or_else(|| texts::RUNNING.to_owned(), format::upright)),
        ToolState::Succeeded(_) => {}
        _ => add(texts::PREPARING.to_owned()),
    }
    text
}
