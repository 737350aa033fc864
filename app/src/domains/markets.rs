//! The markets in the browser: candles, a moving price, and the drawings of people and the
//! assistant.
//!
//! A drawing is a record on the server. The page shows the records as the board has them; an edit
//! by hand becomes a call, and until that is answered the record stays as it was.

mod acts;
mod alerts;
mod axes;
mod candles;
mod comparison;
mod draw_bar;
mod drawing;
mod edit;
mod edit_calls;
mod entry;
mod folds;
mod forms;
mod glue;
mod head;
mod import;
mod indicators;
mod kept_indicators;
mod keys;
mod list_filter;
mod load;
mod menu;
mod origin;
mod page;
mod page_state;
mod panel;
mod part_states;
mod perform;
mod place;
mod popup;
mod position;
mod private_drawings;
mod replay;
mod table;
mod talks;
mod texts;
mod time;
mod trail;
mod turns;
mod undo;
mod view;
mod zone;

use kit::page_part;
use leptos::{prelude::*, wasm_split::wasm_split};
use serde_json::Value;

use self::{
    page::ChartPage,
    place::{BOARD, CHART, ChartAt, path_of_drawing, without_indicators},
};
use crate::{
    api::ApiError,
    panel::{Panel, PanelKind, PanelTab},
};

pub(super) const PANEL: Panel = Panel {
    toolset: BOARD,
    tab: PanelTab {
        path: CHART,
        name: texts::CHART,
        keys: Some(("chart", "G")),
        goes: texts::GO_TO_CHART,
    },
    page: |path| Some(ChartAt::at_path(path)?.path()),
    // Another chart is drawn in the same page.
    drawn_as: |_| CHART.to_owned(),
    view: |_| {
        page_part!(
            preload_chart,
            texts::OPENING_CHART,
            texts::CHART_CANNOT_BE_SHOWN
        )
        .draw(chart_page)
    },
    #[cfg(feature = "hydrate")]
    load: |_| {
        Box::pin(async {
            preload_chart().await.is_ok() && view::preload_chart_lists().await.is_ok()
        })
    },
    kinds: &[
        PanelKind {
            name: "chart",
            path: |id| ChartAt::of(without_indicators(id)).map(|at| at.path()),
            label: |id| texts::chart_of(&without_indicators(id).replace('/', " ")),
        },
        PanelKind {
            name: "drawing",
            path: |_| None,
            label: texts::drawing_of,
        },
    ],
    word: |_| None,
    tools: &[("get_cot_positioning", texts::COT_POSITIONING)],
    made,
    simulated: None,
    beside: &texts::QUESTIONS,
};

/// Draws the page. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(chart, wasm_split_path = ::leptos::wasm_split, preload(preload_chart), fallible)]
fn chart_page() -> Result<AnyView, ApiError> {
    Ok(view! { <ChartPage /> }.into_any())
}

/// Returns the chart of a call's drawing, in the timeframe on view, and the words of the link to
/// it. None if there is no such drawing any more.
fn made(result: &Value, here: &str) -> Option<(String, &'static str)> {
    let timeframe = ChartAt::at_path(here).unwrap_or_default().timeframe;
    Some((
        path_of_drawing(&result["drawing"], timeframe)?,
        texts::SHOW_ON_CHART,
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_abbreviation_stays_one() {
        crate::panel::install(crate::domains::PANELS);
        let name = crate::words::tool_name("get_cot_positioning");
        assert_eq!(name, "COT positioning");
    }

    #[test]
    fn what_a_call_drew_is_a_link() {
        let link = |drawing: Value, here| made(&json!({ "drawing": drawing }), here);
        let drawn = json!({ "id": "call_01", "symbol": "USDJPY", "removed": false });
        let path = |here| link(drawn.clone(), here).map(|(path, _)| path);
        let expect = "/chart/USDJPY/H4/call_01".to_owned();
        assert_eq!(path("/chart/EURUSD/H4"), Some(expect));
        let expect = "/chart/USDJPY/H1/call_01".to_owned();
        assert_eq!(path("/hud"), Some(expect));
        for none in [
            json!({ "id": "call_01", "symbol": "USDJPY", "removed": true }),
            json!({ "id": "call_01", "symbol": "DOGE" }),
            json!({ "id": "../hud", "symbol": "USDJPY" }),
            json!({ "id": "", "symbol": "USDJPY" }),
            Value::Null,
        ] {
            assert_eq!(link(none, "/hud"), None);
        }
    }
}
