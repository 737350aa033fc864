//! The markets in the browser: candles, a price that moves, and what people and the assistant draw on
//! them.
//!
//! A drawing is a record on the server. The page shows the records as they come with the board; what a
//! hand does to one becomes a call, and until that is answered the record is as it was.

mod candles;
mod desk;
mod draw_bar;
mod drawing;
mod edit;
mod entry;
mod forms;
mod glue;
mod head;
mod load;
mod menu;
mod page;
mod panel;
mod perform;
mod place;
mod price;
mod table;
mod time;
mod turns;
mod view;

use leptos::prelude::*;
use serde_json::Value;

use self::{
    page::ChartPage,
    place::{ChartAt, path_of_drawing},
    view::chart_view,
};
use crate::{
    panel::{Kind, Panel, Tab},
    route::Page,
};

/// The board that is shown, and the stage: those of the toolset of this name.
const BOARD: &str = "markets";

pub(super) const PANEL: Panel = Panel {
    toolset: BOARD,
    tab: Tab {
        path: "/chart",
        name: "Chart",
        keys: Some(("chart", "G")),
        goes: "Go to the chart",
    },
    page: |path| Some(at(path)?.path()),
    // Another chart comes into the same page.
    drawn_as: |_| ChartAt::default().path(),
    view: |_| view! { <ChartPage /> }.into_any(),
    #[cfg(feature = "hydrate")]
    load: |_| Box::pin(async { view::preload_chart().await.is_ok() }),
    kinds: &[
        Kind {
            name: "chart",
            path: |id| ChartAt::of(id).map(|at| at.path()),
            label: |id| format!("Chart {}", id.replace('/', " ")),
        },
        Kind {
            name: "drawing",
            path: |_| None,
            label: |id| format!("Drawing {id}"),
        },
    ],
    word: |_| None,
    tools: &[],
    made,
    simulated: None,
    questions: &[],
    beside: &[
        "Mark the main support and resistance and the last swing's fibonacci.",
        "What moves the price in the next 24 hours?",
        "How are the large traders positioned?",
        "How have my trades gone?",
    ],
};

/// The chart of an address.
fn at(path: &str) -> Option<ChartAt> {
    let rest = path.strip_prefix("/chart")?;
    match rest.is_empty() || rest.starts_with('/') {
        true => ChartAt::of(rest),
        false => None,
    }
}

/// The page of a chart.
fn to(at: &ChartAt) -> Page {
    Page::Panel(at.path())
}

/// The chart of a page.
fn shown(page: &Page) -> Option<ChartAt> {
    match page {
        Page::Panel(path) => at(path),
        _ => None,
    }
}

/// The chart with what a call has drawn, of the timeframe that is shown.
fn made(result: &Value, here: &str) -> Option<(String, &'static str)> {
    let timeframe = at(here).unwrap_or_default().timeframe;
    Some((path_of_drawing(result, timeframe)?, "Show it on the chart"))
}
