//! The indicators on the chart: a person chooses them, and the device keeps them for each symbol.

use kit::{Icon, browser, effect, icon, live, on, press};
use leptos::{ev, prelude::*};
use markets_wire::Symbol;
use serde_json::json;

use super::{
    glue,
    page_state::{Desk, State, report},
    popup::place_under,
    texts,
};

/// The chart's word for each indicator, and its name.
const INDICATORS: [(&str, &str); 7] = [
    ("MA", texts::indicators::MA),
    ("EMA", texts::indicators::EMA),
    ("BOLL", texts::indicators::BOLL),
    ("VOL", texts::indicators::VOLUME),
    ("RSI", texts::indicators::RSI),
    ("MACD", texts::indicators::MACD),
    ("ATR", texts::indicators::ATR),
];

const MENU: &str = "chart-indicators";

/// Returns the device's storage key for the indicators of a symbol.
fn key(symbol: Symbol) -> String {
    format!("jarvis.chart.indicators.{symbol}")
}

/// Reads the words that were kept. What is not known is left out.
fn known(kept: &str) -> Vec<&'static str> {
    INDICATORS
        .iter()
        .map(|(word, _)| *word)
        .filter(|word| kept.split(' ').any(|kept| kept == *word))
        .collect()
}

impl Desk {
    /// Recalls the indicators of the symbol on view, and shows the chosen ones.
    pub(super) fn follow_indicators(self) {
        let symbol = Memo::new(move |_| self.at.read().symbol);
        effect(move || {
            let kept = browser::recall_here(&key(symbol.get()));
            self.indicators.set(known(&kept.unwrap_or_default()));
        });
        effect(move || {
            let names = json!(*self.indicators.read()).to_string();
            if *self.state.read() == State::Shown
                && let Some(chart) = glue::chart()
            {
                report(chart.set_indicators(&names));
            }
        });
    }

    fn choose(self, word: &'static str, chosen: bool) {
        self.indicators.update(|names| {
            names.retain(|name| *name != word);
            if chosen {
                names.push(word);
            }
        });
        let kept = self.indicators.read_untracked().join(" ");
        browser::remember_here(&key(self.at.read_untracked().symbol), &kept);
    }
}

pub(super) fn indicators(desk: Desk) -> AnyView {
    let choice = |(word, name): (&'static str, &'static str)| {
        let choose = on(move |event: ev::Event| desk.choose(word, event_target_checked(&event)));
        view! {
            <label class="desk__choice">
                <input
                    type="checkbox"
                    prop:checked=live(move || desk.indicators.read().contains(&word))
                    on:change=choose
                />
                {name}
            </label>
        }
        .into_any()
    };
    view! {
        <button
            type="button"
            class="icon-button"
            popovertarget=MENU
            title=texts::indicators::INDICATORS
            on:click=press(|| place_under(MENU))
        >
            {icon(
                Icon::outline("M13 4c-3-1-4 1-4.5 4L7 20M5 10h7M14 12l6 7M20 12l-6 7"),
            )}
            <span class="visually-hidden">{texts::indicators::INDICATORS}</span>
        </button>
        <div
            class="desk__popup"
            id=MENU
            popover="auto"
            role="group"
            aria-label=texts::indicators::INDICATORS
        >
            {INDICATORS.map(choice).into_iter().collect::<Vec<_>>()}
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_words_are_read_again() {
        assert_eq!(known("RSI EMA"), ["EMA", "RSI"]);
        assert!(known("").is_empty());
        assert_eq!(known("SAR VOL"), ["VOL"]);
    }
}
