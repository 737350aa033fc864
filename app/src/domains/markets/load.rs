//! The loading of the chart: its script, then the candles of the market, then older ones on demand.

use std::time::Duration;

use kit::{browser, effect, theme};
use leptos::{html, leptos_dom::helpers::window_event_listener_untyped, prelude::*};
use markets_wire::{CandlesPage, Points, SessionHours, Timeframe};
use protocol::{ErrorBody, ErrorCode, FromJson};
use serde_json::{Value, json};

use super::{
    candles,
    glue::{self, Chart, report},
    page_state::{ChartPageState, State},
    place::{BOARD, ChartAt, Market},
    texts, time,
};
use crate::{api, panel_pieces::is_away};

/// Number of candles in the first request, and in each for older ones.
const FIRST: u32 = 500;
const OLDER: u32 = 1_000;
/// Candles beyond those that are missing: a view has about as many.
const BEYOND: i64 = 200;
/// The most pages of older candles that are requested at once.
pub(super) const PAGES: usize = 20;
/// The most bars that come onto an open chart one by one.
const ONE_BY_ONE: usize = 100;
/// Time after which a scrolled chart reports the range in view.
const SETTLED: Duration = Duration::from_millis(80);

impl ChartPageState {
    /// Loads the chart, which then follows the address and the board. `frame` is the element for
    /// it.
    pub(super) fn start(self, frame: NodeRef<html::Div>) {
        let market = Memo::new(move |_| self.market());
        effect(move || {
            let tries = self.again.get();
            let market = market.get();
            let Some(element) = frame.get() else {
                return;
            };
            self.state.set(State::Loading);
            let question = self.question.try_update_value(|question| {
                *question += 1;
                *question
            });
            leptos::task::spawn_local(async move {
                let loaded = self.load(&element, market, tries, question).await;
                if self.question.try_get_value() == question {
                    self.settle(match loaded {
                        Ok(state) => state,
                        Err(error) => State::Failed(error),
                    });
                }
            });
        });
        effect(move || self.draw());
        effect(move || self.tick());
        on_cleanup(|| glue::keep(None));
        effect(|| {
            glue::watch_system();
            let chosen = window_event_listener_untyped(theme::CHANGED, |_| glue::look_again());
            on_cleanup(move || chosen.remove());
        });
    }

    async fn load(
        self,
        element: &web_sys::HtmlElement,
        market: Market,
        tries: u32,
        question: Option<u32>,
    ) -> Result<State, ErrorBody> {
        let candles = ask(market, format!("candles/{FIRST}"));
        let script = self.mount(element, market, tries, question);
        let (candles, script) = futures::future::join(candles, script).await;
        script?;
        let page = candles?;
        if self.question.try_get_value() != question {
            return Ok(State::Loading);
        }
        let Some(chart) = glue::chart() else {
            return Ok(State::Loading);
        };
        let state = if page.candles.is_empty() {
            State::Empty
        } else {
            State::Shown
        };
        self.replay.forget();
        let shown = chart
            .set_market(&market_json(market))
            .and_then(|()| chart.set_candles(&candles::page_json(&page)))
            .and_then(|()| chart.set_indicators(&self.indicators.get_untracked()))
            .and_then(|()| self.recall_axes(&chart, market.symbol));
        shown.map_err(|error| broken(&error))?;
        self.forget_drawn();
        self.candles.set(Some(page));
        self.recall_comparison(market.symbol);
        self.caught_up();
        Ok(state)
    }

    /// Loads the candles on the chart again, with those that came meanwhile.
    pub(super) async fn catch_up(self) {
        let is_shown = self.until_shown().await.is_ok();
        let Some(first) = self.first_time().filter(|_| is_shown) else {
            self.again.try_update(|again| *again += 1);
            return;
        };
        let number = self.catches.try_update_value(|(latest, _)| {
            *latest += 1;
            *latest
        });
        let (Some(number), question) = (number, self.question.try_get_value()) else {
            return;
        };
        let market = untrack(|| self.market());
        let loaded = reach(market, None, first).await;
        if self.question.try_get_value() != question {
            return;
        }
        // A later one, of an import, may have been faster: what this one has is older.
        if self.catches.get_value().1 > number {
            return;
        }
        match loaded {
            Ok(page) => {
                self.catches.update_value(|(_, shown)| *shown = number);
                self.renew(page);
            }
            // The next connection catches up: the chart and its view stay.
            Err(_) if untrack(|| is_away(self.channel)) => {}
            Err(error) => self.settle(State::Failed(error)),
        }
    }

    /// Shows candles that were loaded again. The view stays where it is.
    fn renew(self, mut page: CandlesPage) {
        let (Some(chart), Some(known)) = (glue::chart(), self.candles.get_untracked()) else {
            return;
        };
        let Some((last, closed)) = known.candles.split_last() else {
            return;
        };
        if known.more {
            // The chart asks for those before its first bar when it needs them.
            let first = closed.first().unwrap_or(last).time;
            let before = page.candles.partition_point(|it| it.time < first);
            page.candles.drain(..before);
            page.more |= before > 0;
        }
        let fresh = page.candles.strip_prefix(closed).unwrap_or_default();
        let goes_on = fresh.first().is_some_and(|it| it.time == last.time);
        let shown = if goes_on && fresh.len() <= ONE_BY_ONE {
            // The library leaves its view alone only if bars come like this.
            let mut fresh = fresh.iter();
            fresh.try_for_each(|it| chart.push_candle(&candles::row(it)))
        } else {
            replace(&chart, &page, last.time)
        };
        report(shown);
        self.candles.set(Some(page));
        self.compare(self.comparison.chosen.get_untracked());
        self.caught_up();
    }

    /// Ends the time in which prices are not known, unless the connection is lost again.
    fn caught_up(self) {
        self.behind.set(untrack(|| is_away(self.channel)));
    }

    /// Puts the chart onto the page, if it is not there.
    async fn mount(
        self,
        element: &web_sys::HtmlElement,
        market: Market,
        tries: u32,
        question: Option<u32>,
    ) -> Result<(), ErrorBody> {
        if glue::chart().is_some() {
            return Ok(());
        }
        let Some(mut url) = browser::meta("meta[name=jarvis-chart]") else {
            return Err(broken(texts::stage::SCRIPT_IS_UNKNOWN));
        };
        if tries > 0 {
            // A browser caches that a module could not be loaded.
            url.push_str(&format!("?again={tries}"));
        }
        let hear = move |text: String| {
            if self.is_there()
                && let Ok(event) = serde_json::from_str::<Value>(&text)
            {
                self.hear(&event);
            }
        };
        let load = glue::load(&url).await;
        // Another load may have been faster, or the page may be gone.
        if self.question.try_get_value() != question || glue::chart().is_some() {
            return Ok(());
        }
        let chart =
            load.and_then(|module| Chart::mount(module, element, &market_json(market), hear));
        glue::keep(Some(chart.map_err(|error| broken(&error))?));
        Ok(())
    }

    /// Handles an event of the chart.
    fn hear(self, event: &Value) {
        let text = |name: &str| event.get(name).and_then(Value::as_str);
        let shape = event.get("shape").unwrap_or(&Value::Null);
        match text("type").unwrap_or_default() {
            "drawn" => {
                self.tool.set(None);
                self.drawn(shape, self.at.get_untracked().symbol);
            }
            "bar" => {
                if let Some(bar) = event.get("time").and_then(Value::as_i64) {
                    self.replay_until(bar);
                }
            }
            "cancelled" | "measured" => self.tool.set(None),
            "dragged" => {
                if let Some(id) = text("id") {
                    self.change(
                        id,
                        texts::drawings::reasons::DRAGGED,
                        json!({ "shape": shape }),
                    );
                }
            }
            "selected" => self.select(text("id")),
            "menu" => {
                if let Some(id) = text("id") {
                    let number = |name: &str| event.get(name).and_then(Value::as_f64);
                    let (x, y) = (number("x"), number("y"));
                    super::menu::open(self, id, x.unwrap_or_default(), y.unwrap_or_default());
                }
            }
            "need_older" => {
                if let Some(before) = event.get("before").and_then(Value::as_i64) {
                    leptos::task::spawn_local(self.older(before));
                }
            }
            // The range in view is queried when it is needed.
            _ => {}
        }
    }

    /// Selects a drawing, or none.
    pub(super) fn select(self, id: Option<&str>) {
        if self
            .selected
            .with_untracked(|selected| selected.as_deref() != id)
        {
            self.form.set(None);
            self.selected.set(id.map(str::to_owned));
        }
    }

    /// Loads older candles for the chart.
    async fn older(self, before: i64) {
        let question = self.question.try_get_value();
        let Some(at) = self.at.try_get_untracked() else {
            return;
        };
        let answer = ask(at.market(), format!("candles/{OLDER}/{before}")).await;
        if self.question.try_get_value() != question {
            return;
        }
        let Some(chart) = glue::chart() else {
            return;
        };
        match answer {
            Ok(page) => {
                report(chart.prepend_candles(&candles::page_json(&page)));
                self.put_before(page);
            }
            Err(error) => {
                // The chart asks again at the next movement.
                report(chart.prepend_candles(r#"{"candles":[],"more":true}"#));
                self.channel.toasts.error(error);
            }
        }
    }

    fn put_before(self, older: CandlesPage) {
        self.candles.maybe_update(|page| {
            if let Some(page) = page {
                put_before(page, older);
            }
            false
        });
        self.extend_comparison();
    }

    /// Returns the time of the first candle in the chart, if there are older ones.
    fn first_of_more(self) -> Option<i64> {
        let page = self.candles.read_untracked();
        let page = page.as_ref().filter(|page| page.more)?;
        Some(page.candles.first()?.time)
    }

    /// Scrolls to a time, or to now, with the candles that this needs. Returns the range in view.
    ///
    /// # Errors
    /// It cannot be shown; the text says why.
    pub(super) async fn scroll_to(self, to: Option<&str>) -> Result<String, String> {
        self.until_shown().await?;
        let question = self.question.try_get_value();
        let at = self.at.try_get_untracked().ok_or(texts::stage::USER_LEFT)?;
        let seconds = to.map(|to| time::seconds(to).ok_or(texts::stage::NOT_A_UTC_TIME));
        let seconds = seconds.transpose()?;
        let lacks = |wanted: &i64| self.first_of_more().is_some_and(|first| *wanted < first);
        let missing = seconds.filter(lacks);
        if let Some(wanted) = missing {
            let known = self.candles.get_untracked();
            let page = reach(at.market(), known, wanted).await;
            if self.question.try_get_value() != question {
                return Err(texts::stage::ANOTHER_CHART_WAS_OPENED.to_owned());
            }
            self.put_before(page.map_err(|error| error.message)?);
        }
        let chart = glue::chart().ok_or(texts::stage::USER_LEFT)?;
        if missing.is_some() {
            // The chart takes older candles only where it asked for them, so it gets all of them
            // again.
            if let Some(page) = &*self.candles.read_untracked() {
                chart.set_candles(&candles::page_json(page))?;
            }
        }
        chart.scroll_to(&json!({ "time": to }).to_string())?;
        // It is drawn with the next frame; a hidden tab has none.
        browser::sleep(SETTLED).await;
        match chart.range() {
            Some((from, to)) => {
                let (from, to) = (time::rfc3339(from), time::rfc3339(to));
                let shows = texts::stage::shows(&at.name(), &from, &to);
                let reached = untrack(|| self.replay.reached()).map(time::rfc3339);
                Ok(match reached {
                    Some(until) => texts::replay::in_replay(&shows, &until),
                    None => shows,
                })
            }
            None => Err(texts::stage::NO_CANDLES_TO_SHOW.to_owned()),
        }
    }

    /// Selects the drawing that the address names.
    pub(super) fn follow_address(self) {
        effect(move || {
            let ChartAt { drawing, .. } = self.at.get();
            let Some(id) = drawing else {
                return;
            };
            self.select(Some(&id));
            let times = untrack(|| self.drawing(&id))
                .and_then(|it| it.times().first().map(|&time| time.to_owned()));
            if let Some(time) = times {
                leptos::task::spawn_local(async move {
                    if let Err(error) = self.scroll_to(Some(&time)).await {
                        leptos::logging::warn!("{error}");
                    }
                });
            }
        });
    }
}

/// Returns a market as the chart takes it. None of its words has to be escaped.
fn market_json(Market { symbol, timeframe }: Market) -> String {
    let (digits, pip) = (symbol.digits(), symbol.number(Points(symbol.pip())));
    let session = hours_json(symbol.instrument().session.as_ref());
    format!(
        r#"{{"symbol":"{symbol}","digits":{digits},"pip":{pip},"timeframe":"{timeframe}","session":{session}}}"#
    )
}

/// Returns the hours of a symbol's trade as the chart takes them.
fn hours_json(hours: Option<&SessionHours>) -> String {
    let Some(hours) = hours else {
        return "null".to_owned();
    };
    let days: Vec<String> = hours.days.iter().map(ToString::to_string).collect();
    let SessionHours {
        zone,
        opens,
        closes,
        ..
    } = hours;
    let days = days.join(",");
    format!(r#"{{"zone":"{zone}","opens":{opens},"closes":{closes},"days":[{days}]}}"#)
}

/// Replaces the candles in the chart, and shows the same time as before unless it was the newest.
fn replace(chart: &Chart, page: &CandlesPage, newest: i64) -> Result<(), String> {
    let view = chart.range().filter(|(_, to)| *to < newest);
    chart.set_candles(&candles::page_json(page))?;
    let Some((from, to)) = view else {
        return Ok(());
    };
    let place = |time: i64| page.candles.partition_point(|it| it.time < time);
    let middle = page.candles.get(place(from).midpoint(place(to)));
    let time = middle.map(|it| time::rfc3339(it.time));
    chart.scroll_to(&json!({ "time": time }).to_string())
}

/// Loads candles until they reach back to a time; if none are known, the newest ones first.
pub(super) async fn reach(
    market: Market,
    known: Option<CandlesPage>,
    from: i64,
) -> Result<CandlesPage, ErrorBody> {
    let mut page = match known {
        Some(page) => page,
        None => ask(market, format!("candles/{FIRST}")).await?,
    };
    for _ in 0..PAGES {
        let first = page.candles.first().map_or(from, |it| it.time);
        if !page.more || first <= from {
            break;
        }
        let count = enough_for(first - from, market.timeframe);
        let older = ask(market, format!("candles/{count}/{first}")).await?;
        put_before(&mut page, older);
    }
    Ok(page)
}

/// Returns the number of candles to request for a time without any, in seconds: as many as fit into it and some
/// more, for a market that is closed for a part of it has fewer.
fn enough_for(seconds: i64, timeframe: Timeframe) -> i64 {
    i64::from(OLDER).min(seconds / timeframe.seconds() + BEYOND)
}

/// Puts older candles before those of a page.
fn put_before(page: &mut CandlesPage, older: CandlesPage) {
    let first = page.candles.first().map_or(i64::MAX, |it| it.time);
    page.more = older.more && !older.candles.is_empty();
    let older = older.candles.into_iter().filter(|it| it.time < first);
    page.candles.splice(0..0, older);
}

async fn ask(market: Market, part: String) -> Result<CandlesPage, ErrorBody> {
    let answer = api::page(BOARD.to_owned(), "chart".to_owned(), market.name(), part).await;
    let answer = answer.map_err(|error| error.0)?;
    CandlesPage::from_json(answer.value).ok_or_else(api::incompatible)
}

fn broken(error: &str) -> ErrorBody {
    ErrorBody::new(ErrorCode::Internal, texts::stage::script_failed(error))
        .with_help(texts::stage::CHECK_CONNECTION)
}

#[cfg(test)]
mod tests {
    use markets_wire::Symbol;

    use super::*;

    #[test]
    fn no_more_is_requested_than_a_time_can_have() {
        assert_eq!(enough_for(3 * 3_600, Timeframe::H1), 203);
        assert_eq!(enough_for(3 * 3_600, Timeframe::M1), 380);
        assert_eq!(enough_for(365 * 86_400, Timeframe::H1), 1_000);
    }

    #[test]
    fn the_chart_gets_the_hours_of_the_symbol() {
        let market = Market {
            symbol: Symbol::UsdJpy,
            timeframe: Timeframe::H4,
        };
        let session =
            r#"{"zone":"America/New_York","opens":1020,"closes":1020,"days":[0,1,2,3,4]}"#;
        let expect = format!(
            r#"{{"symbol":"USDJPY","digits":3,"pip":0.01,"timeframe":"H4","session":{session}}}"#
        );
        assert_eq!(market_json(market), expect);
        assert_eq!(hours_json(None), "null");
    }
}
