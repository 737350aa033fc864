//! The buttons for drawing by hand.

use kit::{live, live_text, press};
use leptos::prelude::*;

use super::{
    glue,
    page_state::{Desk, report},
    texts,
};

/// The chart's word for each kind, its name, and its instruction.
const TOOLS: [(&str, &str, &str); 9] = [
    (
        "horizontal_line",
        texts::drawings::LINE,
        texts::drawings::CLICK_PRICE,
    ),
    (
        "horizontal_ray",
        texts::drawings::RAY,
        texts::drawings::CLICK_BEGINNING,
    ),
    (
        "trendline",
        texts::drawings::TRENDLINE,
        texts::drawings::CLICK_BOTH_ENDS,
    ),
    (
        "rectangle",
        texts::drawings::RECTANGLE,
        texts::drawings::CLICK_TWO_CORNERS,
    ),
    (
        "circle",
        texts::drawings::CIRCLE,
        texts::drawings::CLICK_CENTRE,
    ),
    (
        "fibonacci",
        texts::drawings::FIBONACCI,
        texts::drawings::CLICK_SWING,
    ),
    (
        "long_position",
        texts::drawings::LONG,
        texts::drawings::CLICK_STOP_BELOW,
    ),
    (
        "short_position",
        texts::drawings::SHORT,
        texts::drawings::CLICK_STOP_ABOVE,
    ),
    (
        "marker",
        texts::drawings::MARKER,
        texts::drawings::CLICK_PLACE,
    ),
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
            Some((_, _, what)) => texts::drawings::or_cancel(what),
            None if desk.edits.is_busy() => texts::drawings::SAVING.to_owned(),
            None => String::new(),
        }
    };
    view! {
        <div class="desk__bar" role="group" aria-label=texts::drawings::DRAW_BY_HAND>
            {buttons.into_iter().collect::<Vec<_>>()}
            <p class="desk__hint" id="draw-hint" role="status">
                {live_text(hint)}
            </p>
        </div>
    }
    .into_any()
}
