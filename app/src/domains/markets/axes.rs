//! The axes of the chart: the time zone, and the scale of prices. Their menu is in the corner
//! between them.

use kit::{browser, effect, live, live_text, on, press};
use leptos::{ev, prelude::*};
use markets_wire::Symbol;

use super::{
    glue::{self, Chart, report},
    page_state::{ChartPageState, State},
    popup::place_under,
    texts,
    time::ChartClock,
    zone::ChartZone,
};

const MENU: &str = "chart-axes";

/// The device's storage key for the time zone.
const ZONE: &str = "jarvis.chart.zone";

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
    /// Returns the clock that times are shown by.
    pub(super) fn clock(self) -> ChartClock {
        self.zone.get().clock(self.at.read().symbol)
    }

    /// Sets the axes that the device keeps for a symbol, which is on the chart now.
    pub(super) fn recall_axes(self, chart: &Chart, symbol: Symbol) -> Result<(), String> {
        let is_log = browser::recall_here(&scale_key(symbol)).is_some_and(|kept| kept == LOG);
        self.is_log.set(is_log);
        chart.set_zone(self.zone.get_untracked().clock(symbol).0)?;
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

    fn choose_zone(self, zone: ChartZone) {
        self.zone.set(zone);
        browser::remember_here(ZONE, zone.word());
        if let Some(chart) = glue::chart() {
            report(chart.set_zone(untrack(|| self.clock()).0));
        }
    }

    /// Names the zone as it is at the newest candle.
    fn corner(self) -> String {
        let page = self.candles.read();
        let newest = page.as_ref().and_then(|page| page.candles.last());
        let zone = self.clock().name_at(newest.map_or(0, |candle| candle.time));
        texts::axes::corner(&zone, self.is_log.get())
    }
}

pub(super) fn axes(shared: ChartPageState) -> AnyView {
    effect(move || {
        let kept = browser::recall_here(ZONE).unwrap_or_default();
        let zone = ChartZone::ALL.into_iter().find(|it| it.word() == kept);
        shared.zone.set(zone.unwrap_or_default());
    });
    let zone = |zone: ChartZone| {
        let symbol = move || shared.at.read().symbol;
        let hides = move || zone == ChartZone::Sessions && symbol().zone().is_none();
        view! {
            <label class="desk__choice" hidden=live(hides)>
                <input
                    type="radio"
                    name=MENU
                    prop:checked=live(move || shared.zone.get() == zone)
                    on:change=on(move |_: ev::Event| shared.choose_zone(zone))
                />
                {live_text(move || zone.name(symbol()))}
            </label>
        }
        .into_any()
    };
    view! {
        <button
            type="button"
            class="desk__corner"
            popovertarget=MENU
            title=texts::axes::AXES
            hidden=live(move || shared.state.get() == State::Empty)
            on:click=press(|| place_under(MENU))
        >
            <span class="visually-hidden">{texts::axes::AXES} ": "</span>
            {live_text(move || shared.corner())}
        </button>
        <div
            class="desk__popup desk__axes"
            id=MENU
            popover="auto"
            role="group"
            aria-label=texts::axes::AXES
        >
            <div role="radiogroup" aria-label=texts::axes::TIME_ZONE>
                {ChartZone::ALL.map(zone).into_iter().collect::<Vec<_>>()}
            </div>
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
