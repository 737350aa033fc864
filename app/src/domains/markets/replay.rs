//! Replay of the past: the candles up to a bar, which a person moves on step by step or lets run.

use std::time::Duration;

use kit::{Icon, browser, effect, icon, live, live_text, live_view, press};
use leptos::prelude::*;

use super::{
    drawing::Drawing,
    glue::{self, report},
    page_state::{ChartPageState, State},
    part_states::{ChartReplay, ReplayState},
    texts, time,
};

/// The chart's word for the tool that picks a bar.
const BAR: &str = "bar";
/// Bars per second.
const SPEEDS: [u32; 4] = [1, 2, 5, 10];

const ICON: Icon = Icon::outline("M4 12a8 8 0 108-8c-2.5 0-4.5 1-6 2.7M6 3v4h4M10.5 9v6l4.5-3z");
const BACK: Icon = Icon::outline("M17 5l-8 7 8 7zM6 5v14");
const ON: Icon = Icon::outline("M7 5l8 7-8 7zM18 5v14");

impl ChartReplay {
    /// Returns the bar that was reached, if a replay is on.
    pub(super) fn reached(self) -> Option<i64> {
        match self.state.try_get()? {
            ReplayState::At(bar) => Some(bar),
            _ => None,
        }
    }

    pub(super) fn is_on(self) -> bool {
        self.state.get() != ReplayState::Off
    }

    /// Ends it without the chart, whose candles are replaced.
    pub(super) fn forget(self) {
        self.stop();
        self.state.set(ReplayState::Off);
    }

    fn stop(self) {
        self.run.update_value(|run| *run += 1);
        self.plays.set(false);
    }
}

/// Returns whether any of these times is after the bar that opens then.
fn is_after<'a>(times: impl IntoIterator<Item = &'a str>, bar: i64, length: i64) -> bool {
    let mut times = times.into_iter().filter_map(time::seconds);
    times.any(|at| at >= bar + length)
}

impl ChartPageState {
    /// Lets a person choose the bar to begin at, or ends the replay.
    pub(super) fn toggle_replay(self) {
        if self.replay.state.get_untracked() != ReplayState::Off {
            self.leave_replay();
        } else if self.state.get_untracked() == State::Shown {
            // Another bar is one of the same replay: what was drawn in it stays.
            let known = untrack(|| self.drawings().all());
            self.replay.known.set_value(known);
            self.choose_bar();
        }
    }

    fn choose_bar(self) {
        self.replay.stop();
        self.limit(None);
        self.take(Some(BAR));
        self.replay.state.set(ReplayState::Choosing);
    }

    fn leave_replay(self) {
        self.replay.forget();
        self.limit(None);
        if self.tool.get_untracked() == Some(BAR) {
            self.take(None);
        }
    }

    /// Shows the candles up to a bar.
    pub(super) fn replay_until(self, bar: i64) {
        self.replay.state.set(ReplayState::At(bar));
        self.limit(Some(bar));
        if self.tool.get_untracked() == Some(BAR) {
            self.take(None);
        }
    }

    fn limit(self, until: Option<i64>) {
        if let Some(chart) = glue::chart() {
            let until = until.map_or_else(|| "null".to_owned(), |until| until.to_string());
            report(chart.set_replay(&format!(r#"{{"until":{until}}}"#)));
        }
    }

    /// Begins at the bar in the middle of the view.
    fn replay_middle(self) {
        let Some((from, to)) = glue::chart().and_then(|chart| chart.range()) else {
            return;
        };
        if let Some(bar) = self.bar_near(|times| {
            let at = |edge| times.partition_point(|time| *time < edge);
            Some(at(from).midpoint(at(to)))
        }) {
            self.replay_until(bar);
        }
    }

    /// Moves on by a bar, or back; returns whether there was one.
    fn step_replay(self, on: bool) -> bool {
        let Some(reached) = self.replay.reached() else {
            return false;
        };
        let bar = self.bar_near(|times| {
            let next = times.partition_point(|time| *time <= reached);
            if on { Some(next) } else { next.checked_sub(2) }
        });
        if let Some(bar) = bar {
            self.replay_until(bar);
        }
        bar.is_some()
    }

    /// Returns the opening of the bar whose position is found among all of them.
    fn bar_near(self, find: impl FnOnce(&[i64]) -> Option<usize>) -> Option<i64> {
        let page = self.candles.read_untracked();
        let times: Vec<i64> = page.as_ref()?.candles.iter().map(|it| it.time).collect();
        times.get(find(&times)?).copied()
    }

    /// Lets it run, or stops it.
    fn play(self) {
        let ChartReplay {
            plays, speed, run, ..
        } = self.replay;
        if plays.get_untracked() {
            self.replay.stop();
            return;
        }
        plays.set(true);
        let this = run.get_value();
        leptos::task::spawn_local(async move {
            loop {
                let speed = speed.try_get_untracked().unwrap_or_default();
                let per_second = SPEEDS.get(speed).copied().unwrap_or(1);
                browser::sleep(Duration::from_millis(u64::from(1_000 / per_second))).await;
                if run.try_get_value() != Some(this) {
                    return;
                }
                if !untrack(|| self.step_replay(true)) {
                    self.replay.stop();
                    return;
                }
            }
        });
    }

    /// Returns whether a replay has not reached a drawing, its state, or the end of a position.
    pub(super) fn is_future(self, drawing: &Drawing) -> bool {
        let Some(bar) = self.replay.reached() else {
            return false;
        };
        let length = self.at.read().timeframe.seconds();
        self.replay.known.with_value(|known| {
            let known = known.iter().find(|(id, _)| id == drawing.id());
            known.is_some_and(|(_, known)| {
                let times = drawing.times().into_iter().chain(drawing.closed());
                is_after(times.chain([known.known_at()]), bar, length)
            })
        })
    }
}

/// Draws the button that begins and ends it.
pub(super) fn replay_button(shared: ChartPageState) -> AnyView {
    let is_on = move || shared.replay.is_on();
    view! {
        <button
            type="button"
            class="icon-button"
            class:desk__tool--taken=live(is_on)
            title=texts::with_key(texts::replay::REPLAY, "Shift+R")
            aria-keyshortcuts="Shift+R"
            aria-pressed=live(move || is_on().to_string())
            on:click=press(move || shared.toggle_replay())
        >
            {icon(ICON)}
            <span class="visually-hidden">{texts::replay::REPLAY}</span>
        </button>
    }
    .into_any()
}

/// Draws the controls over the chart, which say that it is a replay.
pub(super) fn replay(shared: ChartPageState) -> AnyView {
    let ChartReplay {
        state,
        plays,
        speed,
        ..
    } = shared.replay;
    // Putting the tool down gives up.
    effect(move || {
        if state.get() == ReplayState::Choosing && shared.tool.get() != Some(BAR) {
            untrack(|| shared.leave_replay());
        }
    });
    // Not drawn again with each bar: a button may have the focus.
    let mode = Memo::new(move |_| std::mem::discriminant(&state.get()));
    let small = move |text: &'static str, act: fn(ChartPageState)| {
        view! {
            <button type="button" class="button button--small" on:click=press(move || act(shared))>
                {text}
            </button>
        }
        .into_any()
    };
    let step = move |name: &'static str, sign: Icon, act: fn(ChartPageState)| {
        view! {
            <button
                type="button"
                class="icon-button"
                title=name
                on:click=press(move || {
                    shared.replay.stop();
                    act(shared);
                })
            >
                {icon(sign)}
                <span class="visually-hidden">{name}</span>
            </button>
        }
        .into_any()
    };
    let back = |shared: ChartPageState| {
        untrack(move || shared.step_replay(false));
    };
    let on = |shared: ChartPageState| {
        untrack(move || shared.step_replay(true));
    };
    let controls = move || {
        // Read, not only tracked: a memo that nobody has read yet tells of no change.
        mode.with(|_| ());
        let inner = match state.get_untracked() {
            ReplayState::Off => return ().into_any(),
            ReplayState::Choosing => view! {
                <span>{texts::replay::CLICK_BAR}</span>
                {small(texts::replay::START_IN_MIDDLE, ChartPageState::replay_middle)}
            }
            .into_any(),
            ReplayState::At(_) => {
                let reached = move || {
                    let bar = shared.replay.reached().unwrap_or_default();
                    time::shown(&time::rfc3339(bar), shared.clock())
                };
                let playing = move || {
                    if plays.get() {
                        texts::replay::PAUSE
                    } else {
                        texts::replay::PLAY
                    }
                };
                let speed_name = move || {
                    let speed = SPEEDS.get(speed.get()).copied().unwrap_or(1);
                    texts::replay::times(speed)
                };
                let faster = move || speed.update(|speed| *speed = (*speed + 1) % SPEEDS.len());
                view! {
                    <span class="desk__reached">{live_text(reached)}</span>
                    {step(texts::replay::ONE_BAR_BACK, BACK, back)}
                    <button
                        type="button"
                        class="button button--small"
                        on:click=press(move || shared.play())
                    >
                        {live_text(move || playing().to_owned())}
                    </button>
                    {step(texts::replay::ONE_BAR_ON, ON, on)}
                    <button
                        type="button"
                        class="button button--small"
                        title=texts::replay::SPEED
                        on:click=press(faster)
                    >
                        {live_text(speed_name)}
                        <span class="visually-hidden">", " {texts::replay::SPEED}</span>
                    </button>
                    {small(texts::replay::OTHER_BAR, ChartPageState::choose_bar)}
                }
                .into_any()
            }
        };
        view! {
            <div class="desk__replay" role="group" aria-label=texts::replay::REPLAY>
                <strong role="status">{texts::replay::REPLAY}</strong>
                {inner}
                {small(texts::replay::LEAVE_REPLAY, ChartPageState::leave_replay)}
            </div>
        }
        .into_any()
    };
    live_view(controls)
}

#[cfg(test)]
mod tests {
    use protocol::FromJson;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_bar_has_all_its_time_behind_it() {
        let bar = time::seconds("2017-03-10T12:00:00Z").unwrap();
        let after = |at| is_after([at], bar, 4 * 3_600);
        assert!(!after("2017-03-10T12:00:00Z"));
        assert!(!after("2017-03-10T15:00:00Z"));
        assert!(after("2017-03-10T16:00:00Z"));
        assert!(!is_after([], bar, 3_600));
    }

    #[test]
    fn a_drawing_is_known_since_the_markets_time_that_the_server_tells() {
        let mut json = json!({
            "id": "call_01", "owner": "everyone", "symbol": "EURUSD", "version": 3,
            "actor": "model", "reason": "a high", "created_at": "2017-03-10T13:00:00Z",
            "content": { "shape": { "kind": "horizontal_line", "price": 1.085 } },
        });
        let known = |json: &Value| Drawing::from_json(json.clone()).unwrap();
        assert_eq!(known(&json).known_at(), "2017-03-10T13:00:00Z");
        json["known_at"] = json!("2016-12-30T13:00:00Z");
        assert_eq!(known(&json).known_at(), "2016-12-30T13:00:00Z");
    }
}
