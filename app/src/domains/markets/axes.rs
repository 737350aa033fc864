//! The axes of the chart: the scale of prices. Its menu is in the corner between them.

use kit::{browser, live, live_text, on, press};
use leptos::{ev, prelude::*};
use markets_wire::Symbol;

use super::{
    glue::{self, Chart},
    page_state::{ChartPageState, report},
    popup::place_under,
    texts,
};

const MENU: &str = "chart-axes";

/// The chart's word for a logarithmic scale, which the device keeps too.
const LOG: &str = "log";

/// Returns the device's storage key for the scale of a symbol.
fn scale_key(symbol: Symbol) -> String {
    format!("jarvis.chart.scale.{symbol}")
}

fn scale(is_log: bool) -> &'static str {
    if is_log { LOG } else { "" }
}

impl ChartPageState {
    /// Sets the scale that the device keeps for a symbol, which is on the chart now.
    pub(super) fn recall_scale(self, chart: &Chart, symbol: Symbol) -> Result<(), String> {
        let is_log = browser::recall_here(&scale_key(symbol)).is_some_and(|kept| kept == LOG);
        self.is_log.set(is_log);
        chart.set_scale(scale(is_log))
    }

    /// Changes between the two scales.
    pub(super) fn toggle_scale(self) {
        let is_log = !self.is_log.get_untracked();
        self.is_log.set(is_log);
        let symbol = self.at.read_untracked().symbol;
        browser::remember_here(&scale_key(symbol), scale(is_log));
        if let Some(chart) = glue::chart() {
            report(chart.set_scale(scale(is_log)));
        }
    }
}

pub(super) fn axes(shared: ChartPageState) -> AnyView {
    let name = move || texts::axes::corner(shared.is_log.get());
    view! {
        <button
            type="button"
            class="desk__corner"
            popovertarget=MENU
            title=texts::axes::AXES
            on:click=press(|| place_under(MENU))
        >
            <span class="visually-hidden">{texts::axes::AXES} ": "</span>
            {live_text(move || name().to_owned())}
        </button>
        <div
            class="desk__popup desk__axes"
            id=MENU
            popover="auto"
            role="group"
            aria-label=texts::axes::AXES
        >
            <label class="desk__choice" title=texts::with_key(texts::axes::LOG_SCALE, "Shift+L")>
                <input
                    type="checkbox"
                    aria-keyshortcuts="Shift+L"
                    prop:checked=live(move || shared.is_log.get())
                    on:change=on(move |_: ev::Event| shared.toggle_scale())
                />
                {texts::axes::LOG_SCALE}
            </label>
        </div>
    }
    .into_any()
}
