//! The indicators on the chart: a person chooses them for each symbol.

use kit::{Icon, icon, live, on, press};
use leptos::{ev, prelude::*};

use super::{
    glue::{self, report},
    page_state::ChartPageState,
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

/// Returns the words of `kept` that are known, without `gone` and with `new`, in the menu's order.
fn words(kept: &str, gone: &str, new: &str) -> String {
    let mut words = String::new();
    for (word, _) in &INDICATORS {
        if *word != gone && (*word == new || has(kept, word)) {
            words.push_str(word);
            words.push(' ');
        }
    }
    words
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|it| it == word)
}

impl ChartPageState {
    /// Shows exactly the known ones of these words.
    pub(super) fn show_indicators(self, kept: &str) {
        let names = words(kept, "", "");
        if let Some(chart) = glue::chart() {
            report(chart.set_indicators(&names));
        }
        self.indicators.set(names);
    }

    fn choose(self, word: &'static str, chosen: bool) {
        let before = self.indicators.get_untracked();
        let now = if chosen {
            words(&before, "", word)
        } else {
            words(&before, word, "")
        };
        self.show_indicators(&now);
    }
}

pub(super) fn indicators(shared: ChartPageState) -> AnyView {
    let choice = |(word, name): (&'static str, &'static str)| {
        let choose = on(move |event: ev::Event| shared.choose(word, event_target_checked(&event)));
        view! {
            <label class="desk__choice">
                <input
                    type="checkbox"
                    prop:checked=live(move || has(&shared.indicators.read(), word))
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
        assert_eq!(words("RSI EMA", "", ""), "EMA RSI ");
        assert_eq!(words("", "", ""), "");
        assert_eq!(words("SAR VOL", "", "MA"), "MA VOL ");
        assert_eq!(words("MA VOL ", "MA", ""), "VOL ");
    }
}
