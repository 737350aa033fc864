//! The second symbol on the chart: a person chooses it, and the device keeps it for each symbol.

use kit::{browser, effect, live, on};
use leptos::{ev, prelude::*};
use markets_wire::{CandlesPage, PricePart, Symbol};
use protocol::{ErrorBody, ErrorCode};

use super::{
    candles,
    glue::{self, report},
    load::{PAGES, reach},
    page_state::{ChartPageState, State},
    part_states::Comparison,
    place::Market,
    texts,
};

impl Comparison {
    /// Returns whether candles are missing from a time on.
    fn lacks(self, from: i64) -> bool {
        let is_later = |page: &CandlesPage| page.candles.first().is_some_and(|it| it.time > from);
        self.page
            .with_value(|page| page.as_ref().is_none_or(|page| page.more && is_later(page)))
    }
}

/// Returns the device's storage key for the second symbol beside another one.
fn key(symbol: Symbol) -> String {
    format!("jarvis.chart.compared.{symbol}")
}

/// Returns candles as the chart takes those of a second symbol. Somebody has written its label.
fn json(symbol: Symbol, page: &CandlesPage) -> String {
    let page = candles::page_json(page);
    let rest = page.strip_prefix('{').unwrap_or_default();
    let label = serde_json::Value::from(symbol.label());
    format!(r#"{{"label":{label},{rest}"#)
}

impl ChartPageState {
    /// Takes the second symbol that the device keeps; the chart has none, for its market is new.
    pub(super) fn recall_comparison(self, symbol: Symbol) {
        let kept = browser::recall_here(&key(symbol)).unwrap_or_default();
        self.compare(Symbol::named(&kept).filter(|it| *it != symbol));
    }

    fn choose_comparison(self, other: Option<Symbol>) {
        let symbol = self.at.read_untracked().symbol;
        browser::remember_here(&key(symbol), other.map_or("", Symbol::name));
        if let Some(chart) = glue::chart() {
            report(chart.set_comparison(""));
        }
        self.compare(other);
    }

    pub(super) fn compare(self, other: Option<Symbol>) {
        let Comparison {
            chosen,
            page,
            choice,
            loads,
        } = self.comparison;
        choice.update_value(|choice| *choice += 1);
        page.set_value(None);
        loads.set_value(false);
        chosen.set(other);
        self.extend_comparison();
    }

    /// Loads candles of the second symbol for all bars of the chart.
    pub(super) fn extend_comparison(self) {
        let Comparison { chosen, loads, .. } = self.comparison;
        let Some(symbol) = chosen.get_untracked() else {
            return;
        };
        if loads.get_value() {
            return;
        }
        loads.set_value(true);
        let choice = self.comparison.choice.get_value();
        let beside = self.at.read_untracked().symbol;
        leptos::task::spawn_local(async move {
            let loaded = self.load_comparison(symbol, choice).await;
            if self.comparison.choice.try_get_value() != Some(choice) {
                return;
            }
            loads.set_value(false);
            if let Err(error) = loaded {
                chosen.set(None);
                // What has no candles is not tried again; what was not to be had now is.
                if error.code == ErrorCode::ToolFailed {
                    browser::remember_here(&key(beside), "");
                }
                self.channel.toasts.error(error);
            }
        });
    }

    async fn load_comparison(self, symbol: Symbol, choice: u32) -> Result<(), ErrorBody> {
        let Comparison { page, .. } = self.comparison;
        for _ in 0..PAGES {
            // Older candles of the chart may have come meanwhile.
            let missing = self.first_time().filter(|at| self.comparison.lacks(*at));
            let Some(from) = missing else {
                return Ok(());
            };
            let timeframe = self.at.read_untracked().timeframe;
            let known = page.get_value();
            let loaded = reach(Market { symbol, timeframe }, known, from).await?;
            if self.comparison.choice.try_get_value() != Some(choice) {
                return Ok(());
            }
            if loaded.candles.is_empty() {
                let none = texts::comparison::no_candles(symbol.label());
                return Err(ErrorBody::new(ErrorCode::ToolFailed, none));
            }
            if let Some(chart) = glue::chart() {
                report(chart.set_comparison(&json(symbol, &loaded)));
            }
            page.set_value(Some(loaded));
        }
        Ok(())
    }

    /// Returns the time of the first candle in the chart.
    pub(super) fn first_time(self) -> Option<i64> {
        let page = self.candles.try_read_untracked()?;
        Some(page.as_ref()?.candles.first()?.time)
    }

    /// Updates the newest candle of the second symbol to its price.
    pub(super) fn tick_comparison(self) {
        let Some(symbol) = self.comparison.chosen.get() else {
            return;
        };
        let price = self.price(symbol);
        if *self.state.read() != State::Shown {
            return;
        }
        let Some(PricePart::Known(price)) = price else {
            return;
        };
        let timeframe = self.at.read_untracked().timeframe;
        let mut changed = Vec::new();
        self.comparison.page.update_value(|page| {
            if let Some(page) = page {
                changed = candles::take_in(&mut page.candles, &price, timeframe);
            }
        });
        if let Some(chart) = glue::chart() {
            for candle in &changed {
                report(chart.push_comparison(&candles::row(candle)));
            }
        }
    }
}

/// Draws the choice of a second symbol.
pub(super) fn comparison(shared: ChartPageState) -> AnyView {
    effect(move || shared.tick_comparison());
    let chosen = shared.comparison.chosen;
    let choice = move |other: Option<Symbol>| {
        let name = other.map_or(texts::comparison::NOTHING, Symbol::label);
        view! {
            <label
                class="desk__choice"
                hidden=live(move || other == Some(shared.at.read().symbol))
            >
                <input
                    type="radio"
                    name="chart-compared"
                    prop:checked=live(move || chosen.get() == other)
                    on:change=on(move |_: ev::Event| shared.choose_comparison(other))
                />
                {name}
            </label>
        }
        .into_any()
    };
    let all = std::iter::once(None).chain(shared.symbols().into_iter().map(Some));
    view! {
        <div class="desk__compare" role="radiogroup" aria-label=texts::comparison::COMPARE_WITH>
            <p aria-hidden="true">{texts::comparison::COMPARE_WITH}</p>
            {all.map(choice).collect::<Vec<_>>()}
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use markets_wire::{Instrument, Timeframe};

    use super::*;

    #[test]
    fn the_chart_gets_the_name_with_the_candles() {
        let page = CandlesPage {
            symbol: Symbol::GbpUsd,
            timeframe: Timeframe::H1,
            digits: 5,
            pip: 0.0001,
            source: String::new(),
            synthetic: false,
            simulated_from: None,
            candles: Vec::new(),
            more: false,
        };
        let expect = r#"{"label":"GBP/USD","candles":[],"more":false}"#;
        assert_eq!(json(Symbol::GbpUsd, &page), expect);
        Symbol::learn(Instrument {
            name: "QUOTED".to_owned(),
            label: r#"The "A" share"#.to_owned(),
            ..Symbol::EurUsd.instrument().clone()
        });
        let quoted = json(Symbol::named("QUOTED").unwrap(), &page);
        assert!(
            quoted.starts_with(r#"{"label":"The \"A\" share","candles""#),
            "{quoted}"
        );
    }
}
