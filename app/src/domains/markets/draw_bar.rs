//! The tools for drawing by hand, each with the digit that takes it up, and the one that measures.

use kit::{Icon, live, live_text, press};
use leptos::prelude::*;

use super::{
    glue::{self, report},
    page_state::ChartPageState,
    texts,
};

/// A tool of the bar. Its key is its place in [`TOOLS`], from 1.
struct Tool {
    /// The chart's word for the kind of drawing.
    kind: &'static str,
    name: &'static str,
    hint: &'static str,
    icon: Icon,
}

const TOOLS: [Tool; 9] = [
    Tool {
        kind: "horizontal_line",
        name: texts::drawings::LINE,
        hint: texts::drawings::CLICK_PRICE,
        icon: Icon::outline("M2.5 12h19M12 10v4"),
    },
    Tool {
        kind: "horizontal_ray",
        name: texts::drawings::RAY,
        hint: texts::drawings::CLICK_BEGINNING,
        icon: Icon::outline("M8 12h13.5M5.5 9.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z"),
    },
    Tool {
        kind: "trendline",
        name: texts::drawings::TRENDLINE,
        hint: texts::drawings::CLICK_BOTH_ENDS,
        icon: Icon::outline(
            "M7 17L17 7M5 17a2 2 0 100 4 2 2 0 000-4zM19 3a2 2 0 100 4 2 2 0 000-4z",
        ),
    },
    Tool {
        kind: "rectangle",
        name: texts::drawings::RECTANGLE,
        hint: texts::drawings::CLICK_TWO_CORNERS,
        icon: Icon::outline("M4 6h16v12H4z"),
    },
    Tool {
        kind: "circle",
        name: texts::drawings::CIRCLE,
        hint: texts::drawings::CLICK_CENTRE,
        icon: Icon::outline("M12 4a8 8 0 100 16 8 8 0 000-16zM12 11.5v1"),
    },
    Tool {
        kind: "fibonacci",
        name: texts::drawings::FIBONACCI,
        hint: texts::drawings::CLICK_SWING,
        icon: Icon::outline("M3 5h18M3 10h18M3 14h18M3 19h18M6 19L18 5"),
    },
    Tool {
        kind: "long_position",
        name: texts::drawings::LONG,
        hint: texts::drawings::CLICK_STOP_BELOW,
        icon: Icon::outline("M4 20h16M4 14h16M12 10V3M8.5 6.5L12 3l3.5 3.5"),
    },
    Tool {
        kind: "short_position",
        name: texts::drawings::SHORT,
        hint: texts::drawings::CLICK_STOP_ABOVE,
        icon: Icon::outline("M4 4h16M4 10h16M12 14v7M8.5 17.5L12 21l3.5-3.5"),
    },
    Tool {
        kind: "marker",
        name: texts::drawings::MARKER,
        hint: texts::drawings::CLICK_PLACE,
        icon: Icon::outline("M6 21V4M6 4h12l-3 4 3 4H6"),
    },
];

/// Draws nothing that is kept, so everybody may use it.
const MEASURE: Tool = Tool {
    kind: "measure",
    name: texts::drawings::MEASURE,
    hint: texts::drawings::DRAG_TO_MEASURE,
    icon: Icon::outline("M3 16L16 3l5 5L8 21zM7 12l2 2M10 9l3 3M13 6l2 2"),
};

const MEASURE_KEY: &str = "Shift+M";

impl ChartPageState {
    /// Takes up a drawing tool, or puts it down.
    pub(super) fn take(self, tool: Option<&'static str>) {
        let Some(chart) = glue::chart() else {
            return;
        };
        report(chart.start_drawing(tool.unwrap_or_default()));
        self.tool.set(tool);
    }

    /// Takes up the tool of a digit, or puts it down; returns whether there is one.
    pub(super) fn take_by_key(self, key: &str) -> bool {
        let at = key.parse::<usize>().ok().and_then(|key| key.checked_sub(1));
        let Some(tool) = at.and_then(|at| TOOLS.get(at)) else {
            return false;
        };
        self.toggle(tool.kind);
        true
    }

    pub(super) fn toggle_measure(self) {
        self.toggle(MEASURE.kind);
    }

    fn toggle(self, kind: &'static str) {
        if kind == MEASURE.kind || untrack(|| self.channel.bars()).is_none() {
            let is_taken = self.tool.get_untracked() == Some(kind);
            self.take((!is_taken).then_some(kind));
        }
    }
}

pub(super) fn draw_bar(shared: ChartPageState) -> AnyView {
    let button = |key: String, tool: &Tool| {
        let Tool {
            kind, name, icon, ..
        } = *tool;
        let is_taken = move || shared.tool.get() == Some(kind);
        let bars = move || kind != MEASURE.kind && shared.channel.bars().is_some();
        view! {
            <button
                type="button"
                class="icon-button desk__tool"
                class:desk__tool--taken=live(is_taken)
                title=texts::with_key(name, &key)
                aria-keyshortcuts=key
                aria-pressed=live(move || is_taken().to_string())
                aria-disabled=live(move || bars().then_some("true"))
                aria-describedby=HINT
                on:click=press(move || shared.toggle(kind))
            >
                {kit::icon(icon)}
                <span class="visually-hidden">{name}</span>
            </button>
        }
        .into_any()
    };
    view! {
        <div class="desk__bar" role="group" aria-label=texts::drawings::DRAW_BY_HAND>
            {button(MEASURE_KEY.to_owned(), &MEASURE)}
            {TOOLS
                .iter()
                .enumerate()
                .map(|(at, tool)| button((at + 1).to_string(), tool))
                .collect::<Vec<_>>()} {for_me(shared)}
        </div>
    }
    .into_any()
}

const FOR_ME: Icon = Icon::outline("M12 11a4 4 0 100-8 4 4 0 000 8zM4.5 21a7.5 7.5 0 0115 0");

/// Draws the choice of who sees what is drawn next.
fn for_me(shared: ChartPageState) -> AnyView {
    view! {
        <button
            type="button"
            class="icon-button desk__tool"
            class:desk__tool--taken=live(move || shared.for_me.get())
            title=texts::drawings::FOR_ME
            aria-pressed=live(move || shared.for_me.get().to_string())
            on:click=press(move || shared.for_me.update(|is| *is = !*is))
        >
            {kit::icon(FOR_ME)}
            <span class="visually-hidden">{texts::drawings::FOR_ME}</span>
        </button>
    }
    .into_any()
}

const HINT: &str = "draw-hint";

/// Draws what to do next with the tool. It lies over the chart, which never moves for it.
pub(super) fn hint(shared: ChartPageState) -> AnyView {
    let hint = Memo::new(move |_| {
        let taken = shared.tool.get();
        if taken == Some(MEASURE.kind) {
            return texts::drawings::or_cancel(MEASURE.hint);
        }
        if let Some(why) = shared.channel.bars() {
            return why.to_owned();
        }
        match TOOLS.iter().find(|tool| Some(tool.kind) == taken) {
            Some(tool) => texts::drawings::or_cancel(tool.hint),
            None if shared.edits.is_busy() => texts::drawings::SAVING.to_owned(),
            None => String::new(),
        }
    });
    view! {
        <p
            class="desk__hint"
            class:desk__hint--shown=live(move || !hint.read().is_empty())
            id=HINT
            role="status"
        >
            {live_text(move || hint.get())}
        </p>
    }
    .into_any()
}
