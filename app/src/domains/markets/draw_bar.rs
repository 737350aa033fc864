//! The buttons for drawing by hand.

use kit::{live, live_text, press};
use leptos::prelude::*;

use super::{
    glue,
    page_state::{Desk, report},
};

/// The chart's word for each kind, its name, and its instruction.
const TOOLS: [(&str, &str, &str); 9] = [
    ("horizontal_line", "Line", "Click the price."),
    ("horizontal_ray", "Ray", "Click where it begins."),
    ("trendline", "Trendline", "Click both ends."),
    ("rectangle", "Rectangle", "Click two corners."),
    ("circle", "Circle", "Click the centre, then the edge."),
    (
        "fibonacci",
        "Fibonacci",
        "Click where the swing begins, then where it ends.",
    ),
    (
        "long_position",
        "Long",
        "Click the entry, then the stop below it.",
    ),
    (
        "short_position",
        "Short",
        "Click the entry, then the stop above it.",
    ),
    ("marker", "Marker", "Click the place."),
];

impl Desk {
    /// Takes up a drawing tool, or puts it down.
    pub(super) fn take(self, tool: Option<&'static str>) {
        let Some(chart) = glue::chart() else {
            return;
        };
        report(chart.start_drawing(tool.unwrap_or_default()));
        self.tool.set(tool);
    }
}

pub(super) fn draw_bar(desk: Desk) -> AnyView {
    let buttons = TOOLS.map(|(tool, name, _)| {
        let is_taken = move || desk.tool.get() == Some(tool);
        let take = move || {
            if untrack(|| desk.channel.bars()).is_none() {
                let taken = untrack(is_taken);
                desk.take((!taken).then_some(tool));
            }
        };
        view! {
            <button
                type="button"
                class="button button--small"
                class:button--primary=live(is_taken)
                aria-pressed=live(move || is_taken().to_string())
                aria-disabled=live(move || desk.channel.bars().map(|_| "true"))
                aria-describedby="draw-hint"
                on:click=press(take)
            >
                {name}
            </button>
        }
        .into_any()
    });
    let hint = move || {
        if let Some(why) = desk.channel.bars() {
            return why.to_owned();
        }
        let taken = desk.tool.get();
        match TOOLS.iter().find(|(tool, ..)| Some(*tool) == taken) {
            Some((_, _, what)) => format!("{what} Esc cancels."),
            None if desk.edits.is_busy() => "Saving…".to_owned(),
            None => String::new(),
        }
    };
    view! {
        <div class="desk__bar" role="group" aria-label="Draw by hand">
            {buttons.into_iter().collect::<Vec<_>>()}
            <p class="desk__hint" id="draw-hint" role="status">
                {live_text(hint)}
            </p>
        </div>
    }
    .into_any()
}
