//! One chart: lines that break where nothing was measured, axes with units, and a readout by
//! pointer or keyboard.
//!
//! The drawing is stretched to fit; its labels are text beside it. The cursor is a slider over the
//! drawing, so keys, touch and screen readers work as usual.

use homelab_wire::{Chart, ChartLine, ChartsPage};
use kit::{
    browser,
    format::{size, upright},
    line_path, live, live_text, on,
};
use leptos::{ev, prelude::*};
use protocol::Timestamp;
use wasm_bindgen::JsCast;

use crate::{
    channel::Channel,
    domains::homelab::{
        figure::{hundredths, percent, tenths, utc},
        pieces::nothing,
        texts,
    },
};

/// The drawing's own units, as in its `viewBox`.
const WIDTH: f64 = 1_000.0;
const HEIGHT: f64 = 100.0;
/// Longer steps than this are labelled by date, in seconds.
const DAYS: u64 = 600;

/// The data of a chart that the readout needs.
struct ChartData {
    name: String,
    unit: String,
    start: Timestamp,
    step: u64,
    lines: Vec<ChartLine>,
}

impl ChartData {
    fn points(&self) -> usize {
        let lengths = self.lines.iter().map(|line| line.values.len());
        lengths.max().unwrap_or(0)
    }

    fn at(&self, point: usize) -> Timestamp {
        let after = i64::try_from(self.step * 1_000 * point as u64).unwrap_or(i64::MAX);
        Timestamp(self.start.0.saturating_add(after))
    }

    /// Formats `used 12.3 %, I/O wait 0.1 %`.
    fn values(&self, point: usize) -> String {
        let values = self.lines.iter().map(|line| {
            let value = line.values.get(point).copied().flatten();
            let value = value.map_or(texts::things::NOT_MEASURED.to_owned(), |it| {
                written(&self.unit, it)
            });
            format!("{} {value}", line.name)
        });
        values.collect::<Vec<_>>().join(", ")
    }

    /// Returns the newest point with a measurement.
    fn newest(&self) -> Option<usize> {
        (0..self.points()).rev().find(|point| {
            let mut lines = self.lines.iter();
            lines.any(|line| line.values.get(*point).copied().flatten().is_some())
        })
    }

    /// Describes the lines for readers who cannot see them.
    fn spoken(&self) -> String {
        let lines = self.lines.iter().map(|line| {
            let seen = || line.values.iter().flatten().copied();
            let count = seen().count();
            let (Some(low), Some(high)) =
                (seen().min_by(f64::total_cmp), seen().max_by(f64::total_cmp))
            else {
                return texts::things::line_not_measured(&line.name);
            };
            let mean = seen().sum::<f64>() / count as f64;
            let measured = [low, high, mean].map(|value| written(&self.unit, value));
            let gaps = match line.values.len() - count {
                0 => String::new(),
                gaps => texts::things::points_not_measured(gaps, line.values.len()),
            };
            texts::things::line_measured(&line.name, measured, &gaps)
        });
        lines.collect::<Vec<_>>().join(" ")
    }
}

pub(super) fn chart(page: &ChartsPage, chart: &Chart) -> AnyView {
    let data = ChartData {
        name: chart.name.clone(),
        unit: chart.unit.clone(),
        start: page.start,
        // Without a step there is at most one point, and that is at the start.
        step: page.step.unwrap_or(0),
        lines: chart.lines.clone(),
    };
    let id = format!("chart-{}", data.name.to_ascii_lowercase().replace(' ', "-"));
    let keys = data.lines.iter().enumerate().map(|(at, line)| {
        let class = format!("chart__key chart__key--{at}");
        view! { <span class=class>{upright(line.name.clone())}</span> }
    });
    let keys: Vec<_> = keys.collect();
    if data.newest().is_none() {
        return view! {
            <article class="chart" aria-labelledby=id>
                <h3 id=id.clone()>{data.name}</h3>
                {nothing(texts::things::NO_DATA)}
            </article>
        }
        .into_any();
    }
    let highest = data
        .lines
        .iter()
        .flat_map(|line| line.values.iter().flatten().copied());
    let top = chart
        .limit
        .filter(|limit| *limit > 0.0)
        .unwrap_or_else(|| round_up(highest.fold(0.0, f64::max), &data.unit));
    let paths = data.lines.iter().enumerate().map(|(at, line)| {
        let class = format!("chart__line chart__line--{at}");
        view! { <path class=class d=line_path(&line.values, WIDTH, &|value| height(value, top)) /> }
    });
    let paths: Vec<_> = paths.collect();
    let scale = [top, top / 2.0, 0.0].map(|value| {
        let text = written(&data.unit, value);
        view! { <span>{text}</span> }
    });
    let spoken = data.spoken();
    let name = data.name.clone();
    view! {
        <article class="chart" aria-labelledby=id>
            <header class="chart__head">
                <h3 id=id.clone()>{name}</h3>
                {keys}
            </header>
            {plot(data, paths.into_any(), Vec::from(scale).into_any())}
            <p class="visually-hidden">{spoken}</p>
        </article>
    }
    .into_any()
}

/// Draws the chart with its axes, its cursor and the readout.
fn plot(data: ChartData, paths: AnyView, scale: AnyView) -> AnyView {
    let clock = expect_context::<Channel>().clock;
    let points = data.points();
    let last = points.saturating_sub(1);
    let newest = data.newest().unwrap_or(last);
    let cursor = RwSignal::new(None::<usize>);
    let by_date = data.step >= DAYS;
    let ticks = [0, 1, 2, 3].map(|quarter| data.at(last * quarter / 3));
    let label = texts::things::time_in(&data.name);
    let data = StoredValue::new(data);
    // The reader's time zone is unknown on the server.
    let here = Memo::new(move |_| clock.second().is_some());
    let moment = move |at: Timestamp, axis: bool| match (here.get(), axis) {
        (false, _) => utc(at, by_date),
        (true, false) => browser::local_time(at, by_date),
        (true, true) if by_date => browser::local_day(at),
        (true, true) => browser::local_time(at, false),
    };
    let readout = move || {
        let point = cursor.get().unwrap_or(newest);
        let (at, values) = data
            .try_with_value(|data| (data.at(point), data.values(point)))
            .unwrap_or((Timestamp(0), String::new()));
        format!("{}: {values}", moment(at, false))
    };
    let line = live(move || {
        let at = cursor.get()? as f64 / last.max(1) as f64 * WIDTH;
        Some(format!("M{} 0V100", tenths(at)))
    });
    let moved = on(move |event: ev::PointerEvent| {
        let Some(over) = event.target() else { return };
        let Ok(over) = over.dyn_into::<web_sys::Element>() else {
            return;
        };
        let share = f64::from(event.offset_x()) / f64::from(over.client_width().max(1));
        cursor.set(Some((share.clamp(0.0, 1.0) * last as f64).round() as usize));
    });
    let left = on(move |_: ev::PointerEvent| cursor.set(None));
    let turned = on(move |event: ev::Event| {
        if let Ok(point) = event_target_value(&event).parse() {
            cursor.set(Some(point));
        }
    });
    let ticks = ticks.map(|at| {
        let text = live_text(move || moment(at, true));
        view! { <span>{text}</span> }
    });
    view! {
        <div class="chart__plot">
            <div class="chart__scale" aria-hidden="true">
                {scale}
            </div>
            <div class="chart__drawing">
                <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
                    <path class="chart__grid" d="M0 0H1000M0 50H1000M0 100H1000" />
                    {paths}
                    <path class="chart__cursor" d=line />
                </svg>
                <input
                    type="range"
                    class="chart__slider"
                    min="0"
                    max=last.to_string()
                    prop:value=live(move || cursor.get().unwrap_or(newest).to_string())
                    aria-label=label
                    aria-valuetext=live(readout)
                    on:input=turned
                    on:pointermove=moved
                    on:pointerleave=left
                />
            </div>
            <div class="chart__times" aria-hidden="true">
                {Vec::from(ticks)}
            </div>
        </div>
        <p class="chart__readout" aria-hidden="true">
            {live_text(readout)}
        </p>
    }
    .into_any()
}

/// Formats a value with its unit.
fn written(unit: &str, value: f64) -> String {
    match unit {
        "percent" => percent(value),
        "bytes" => size(value.max(0.0).round() as u64),
        "bytes_per_second" => format!("{}/s", size(value.max(0.0).round() as u64)),
        "celsius" => format!("{} °C", tenths(value)),
        _ => hundredths(value),
    }
}

/// Returns the end of an axis: a round number that is at least the highest value.
fn round_up(highest: f64, unit: &str) -> f64 {
    if highest <= 0.0 {
        return 1.0;
    }
    if unit.starts_with("bytes") {
        let mut top = 1_024.0;
        while top < highest {
            top *= 2.0;
        }
        return top;
    }
    let mut step = 0.01;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if highest <= step * factor {
                return step * factor;
            }
        }
        step *= 10.0;
    }
}

/// Returns the height of a value in the drawing.
fn height(value: f64, top: f64) -> f64 {
    HEIGHT * (1.0 - (value / top).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (highest, unit, top) in [
            (0.0, "percent", 1.0),
            (0.4, "percent", 0.5),
            (12.3, "percent", 20.0),
            (50.0, "percent", 50.0),
            (51.0, "percent", 100.0),
            (3.0, "", 5.0),
            (100.0, "bytes", 1_024.0),
            (5_000.0, "bytes_per_second", 8_192.0),
        ] {
            let found = round_up(highest, unit);
            assert!((found - top).abs() < 1e-9, "{highest} {unit}: {found}");
        }
    }

    #[test]
    fn what_is_read_and_said() {
        let data = ChartData {
            name: "CPU".to_owned(),
            unit: "percent".to_owned(),
            start: Timestamp(1_000),
            step: 60,
            lines: vec![
                ChartLine {
                    name: "busy".to_owned(),
                    values: vec![Some(10.0), Some(20.0), None],
                },
                ChartLine {
                    name: "waits".to_owned(),
                    values: vec![None, None, None],
                },
            ],
        };
        assert_eq!(data.values(1), "busy 20.0 %, waits not measured");
        assert_eq!(data.at(2), Timestamp(121_000));
        assert_eq!(data.newest(), Some(1));
        assert_eq!(
            data.spoken(),
            "busy: lowest 10.0 %, highest 20.0 %, mean 15.0 %, 1 of 3 points not measured. waits: not measured."
        );
    }
}
