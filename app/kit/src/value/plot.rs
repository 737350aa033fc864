//! A drawing in an answer. Its code is loaded on demand, together with that of series.

use std::sync::Arc;

use leptos::prelude::*;
use markdown::{Plot, PlotAxis, PlotKind, PlotSeries};
use protocol::Timestamp;

use super::drawing::{DrawingPiece, drawn};
use crate::{
    browser,
    format::upright,
    line_path,
    live::{effect, live, live_text, live_view, press},
    texts,
};

/// The units of the drawing, as in its `viewBox`.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;
/// The most labels below bars; of more, some are left out.
const MOST_LABELS: usize = 8;
/// The longest time, in seconds, whose places are times of day.
const DAY_SPAN: u64 = 36 * 3600;

/// The view in place of a block that is no drawing.
pub(super) type PlotFallback = Arc<dyn Fn() -> AnyView + Send + Sync>;

/// Draws the block with this content once it is final; until then there is room for it.
pub(crate) fn plot_view(
    text: String,
    settled: Arc<dyn Fn() -> bool + Send + Sync>,
    fallback: PlotFallback,
) -> AnyView {
    let room = room(&text);
    // Not before the page is alive: the first tree must match the server's.
    let due = RwSignal::new(false);
    effect(move || {
        if settled() && !due.get_untracked() {
            due.set(true);
        }
    });
    let waits = move || {
        view! {
            <figure class=room aria-busy="true">
                <figcaption class="graph__head">{texts::LOADING_GRAPH}</figcaption>
            </figure>
        }
        .into_any()
    };
    live_view(move || {
        if !due.get() {
            return waits();
        }
        let (text, fallback) = (text.clone(), Arc::clone(&fallback));
        view! {
            <Suspense fallback=waits>
                {
                    let (text, fallback) = (text.clone(), Arc::clone(&fallback));
                    move || {
                        let (text, fallback) = (text.clone(), Arc::clone(&fallback));
                        Suspend::new(async move {
                            let piece = DrawingPiece::Plot(text, Arc::clone(&fallback));
                            drawn(piece).await.unwrap_or_else(|_| fallback())
                        })
                    }
                }
            </Suspense>
        }
        .into_any()
    })
}

/// Returns the class of a figure of this height, from its text alone: reading it whole is for the
/// part that draws.
fn room(text: &str) -> &'static str {
    let small = ["\"spark\"", "\"gauge\""];
    if small.iter().any(|kind| text.contains(kind)) {
        "graph graph--small"
    } else {
        "graph"
    }
}

/// Draws it, or the fallback if the text is no drawing.
pub(super) fn figure(text: &str, fallback: &PlotFallback) -> AnyView {
    let Some(plot) = Plot::parse(text) else {
        return fallback();
    };
    let plot = Arc::new(plot);
    let said = plot.in_words(&|at| moment(&plot, at));
    let (inner, small) = match plot.kind {
        PlotKind::Line => (lines(&plot), false),
        PlotKind::Bars => (bars(&plot), false),
        PlotKind::Spark => (curves(&plot), true),
        PlotKind::Gauge => (gauges(&plot), true),
    };
    let class = if small { "graph graph--small" } else { "graph" };
    let open = RwSignal::new(false);
    let rows = Arc::clone(&plot);
    view! {
        <figure class=class>
            <figcaption class="graph__head">
                <strong class="graph__title">{upright(plot.title.clone())}</strong>
                <span class="graph__meta">{meta(&plot)}</span>
                <button
                    type="button"
                    class="graph__toggle"
                    aria-expanded=live(move || if open.get() { "true" } else { "false" })
                    on:click=press(move || open.update(|open| *open = !*open))
                >
                    {live_text(move || if open.get() { texts::HIDE_TABLE } else { texts::TABLE }.to_owned())}
                </button>
            </figcaption>
            <div class="graph__frame" role="img" aria-label=upright(said)>
                {inner}
            </div>
            {legend(&plot)}
            {live_view(move || if open.get() { table(&rows) } else { ().into_any() })}
        </figure>
    }
    .into_any()
}

/// Returns the newest value and the highest with its place, of a single series.
fn meta(plot: &Plot) -> String {
    let [series] = plot.series.as_slice() else {
        return String::new();
    };
    let Some(ends) = series.ends().filter(|_| series.values.len() > 1) else {
        return String::new();
    };
    let highest = amount(plot, ends.high.1);
    let place = place(plot, ends.high.0);
    if let PlotAxis::Labels(_) = plot.axis {
        return texts::highest_value(&highest, &place);
    }
    texts::last_and_highest_value(&amount(plot, ends.last.1), &highest, &place)
}

/// Formats a value; the unit is the model's own text.
fn amount(plot: &Plot, value: f64) -> String {
    upright(plot.value(value))
}

fn place(plot: &Plot, at: usize) -> String {
    upright(plot.place(at, &|at| moment(plot, at)))
}

/// Formats a moment in the reader's time zone, with the date if the drawing covers days.
fn moment(plot: &Plot, at: i64) -> String {
    browser::local_time(Timestamp(at.saturating_mul(1000)), is_long(plot))
}

/// Formats a place below the drawing.
fn tick(plot: &Plot, at: usize) -> String {
    upright(plot.place(at, &|at| {
        let at = Timestamp(at.saturating_mul(1000));
        if is_long(plot) {
            browser::local_day(at)
        } else {
            browser::local_time(at, false)
        }
    }))
}

fn is_long(plot: &Plot) -> bool {
    let length = plot.series.first().map_or(0, |series| series.values.len());
    matches!(plot.axis, PlotAxis::Time { step, .. } if step.saturating_mul(length as u64) > DAY_SPAN)
}

/// Returns the class of a line or a key by its series.
fn colour(n: usize) -> String {
    format!("graph__ink graph__ink--{n}")
}

fn lines(plot: &Plot) -> AnyView {
    let count = plot.series.first().map_or(0, |series| series.values.len());
    let ticks = match count {
        0..=5 => (0..count).collect::<Vec<_>>(),
        _ => (0..5).map(|n| n * (count - 1) / 4).collect(),
    };
    let ticks = ticks
        .into_iter()
        .map(|at| view! { <span>{tick(plot, at)}</span> })
        .collect_view();
    let ticks = match plot.axis {
        PlotAxis::Order => ().into_any(),
        _ => view! { <div class="graph__places" aria-hidden="true">{ticks}</div> }.into_any(),
    };
    view! { {curves(plot)} {scale(plot)} {ticks} }.into_any()
}

fn curves(plot: &Plot) -> AnyView {
    let (low, high) = plot.scale();
    let range = if high > low { high - low } else { 1.0 };
    let alone = plot.series.len() == 1;
    let curve = |(n, series): (usize, &PlotSeries)| {
        let line = line_path(&series.values, WIDTH, &|value| {
            HEIGHT * (high - value) / range
        });
        let whole =
            alone && low >= 0.0 && series.values.len() > 1 && !series.values.contains(&None);
        let area = whole.then(|| {
            view! { <path class="graph__area" d=format!("{line}V{HEIGHT}H0Z") /> }
        });
        let dots = series.ends().filter(|_| alone).map(|ends| {
            let last = (series.values.len().max(2) - 1) as f64;
            let dot = |(at, value): (usize, f64)| {
                let y = HEIGHT * (high - value) / (high - low);
                format!("M{:.1} {y:.1}h0", at as f64 * WIDTH / last)
            };
            view! {
                <path class="graph__dot graph__dot--high" d=dot(ends.high) />
                <path class="graph__dot" d=dot(ends.last) />
            }
        });
        view! {
            {area}
            <path class=colour(n) d=line />
            {dots}
        }
        .into_any()
    };
    let curves: Vec<_> = plot.series.iter().enumerate().map(curve).collect();
    let threads = match plot.kind {
        PlotKind::Spark => None,
        _ => Some(view! { <path class="graph__thread" d="M0 0H1000M0 100H1000M0 200H1000" /> }),
    };
    view! {
        <svg class="graph__area-box" viewBox="0 0 1000 200" preserveAspectRatio="none" aria-hidden="true">
            {threads}
            {curves}
        </svg>
    }
    .into_any()
}

fn scale(plot: &Plot) -> AnyView {
    let (low, high) = plot.scale();
    let at = |value: f64| view! { <span>{amount(plot, value)}</span> };
    view! {
        <div class="graph__scale" aria-hidden="true">
            {at(high)} {at(low + (high - low) / 2.0)} {at(low)}
        </div>
    }
    .into_any()
}

fn bars(plot: &Plot) -> AnyView {
    let (low, high) = plot.scale();
    let count = plot
        .series
        .first()
        .map_or(0, |series| series.values.len())
        .max(1);
    let slot = WIDTH / count as f64;
    let width = slot * 0.7 / plot.series.len() as f64;
    let y = |value: f64| HEIGHT * (high - value) / (high - low);
    let of_series = |(n, series): (usize, &PlotSeries)| {
        let mut d = String::new();
        for (at, value) in series.values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let left = at as f64 * slot + slot * 0.15 + n as f64 * width;
            let (from, to) = (y(0.0), y(value));
            d.push_str(&format!(
                "M{left:.1} {from:.1}V{to:.1}h{width:.1}V{from:.1}Z"
            ));
        }
        view! { <path class=format!("graph__bar {}", colour(n)) d=d /> }.into_any()
    };
    let drawn: Vec<_> = plot.series.iter().enumerate().map(of_series).collect();
    let every = count.div_ceil(MOST_LABELS);
    let ticks = (0..count)
        .map(|at| view! { <span>{(at % every == 0).then(|| tick(plot, at))}</span> })
        .collect_view();
    let class = if every == 1 {
        "graph__places graph__places--even"
    } else {
        "graph__places graph__places--even graph__places--some"
    };
    view! {
        <svg class="graph__area-box" viewBox="0 0 1000 200" preserveAspectRatio="none" aria-hidden="true">
            <path class="graph__thread" d="M0 0H1000M0 100H1000M0 200H1000" />
            {drawn}
        </svg>
        {scale(plot)}
        <div class=class aria-hidden="true">{ticks}</div>
    }
    .into_any()
}

fn gauges(plot: &Plot) -> AnyView {
    let max = plot.max.unwrap_or(100.0);
    let gauge = |series: &PlotSeries| {
        let value = series.ends().map(|ends| ends.last.1);
        let share = value.map_or(0.0, |value| (value / max).clamp(0.0, 1.0));
        // As everywhere: amber past the first threshold, red past the second.
        let class = match share {
            0.9.. => "graph__level graph__level--red",
            0.8.. => "graph__level graph__level--amber",
            _ => "graph__level",
        };
        let text = value.map_or(texts::UNKNOWN.to_owned(), |value| amount(plot, value));
        view! {
            <div class="graph__gauge">
                <span>{upright(series.name.clone())}</span>
                <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                    <path class="graph__thread" d="M0 5H1000" />
                    <path class=class d=format!("M0 5H{:.0}", share * WIDTH) />
                </svg>
                <strong>{text}</strong>
            </div>
        }
        .into_any()
    };
    plot.series.iter().map(gauge).collect_view().into_any()
}

/// Names the lines, each with its newest value; a single one is named by the title.
fn legend(plot: &Plot) -> Option<AnyView> {
    if plot.series.len() == 1 || plot.kind == PlotKind::Gauge {
        return None;
    }
    let entry = |(n, series): (usize, &PlotSeries)| {
        let last = series
            .ends()
            .map_or(texts::UNKNOWN.to_owned(), |ends| amount(plot, ends.last.1));
        let name = upright(series.name.clone());
        let text = match plot.axis {
            PlotAxis::Labels(_) => name,
            _ => format!("{name} {last}"),
        };
        view! {
            <li>
                <svg class="graph__key" viewBox="0 0 14 4" aria-hidden="true">
                    <path class=colour(n) d="M1 2H13" />
                </svg>
                {text}
            </li>
        }
        .into_any()
    };
    let entries: Vec<_> = plot.series.iter().enumerate().map(entry).collect();
    Some(view! { <ul class="graph__legend">{entries}</ul> }.into_any())
}

fn table(plot: &Plot) -> AnyView {
    let head = match plot.axis {
        PlotAxis::Time { .. } => texts::TIME,
        PlotAxis::Labels(_) => texts::NAME,
        PlotAxis::Order => texts::NUMBER,
    };
    let names = plot
        .series
        .iter()
        .map(|series| view! { <th scope="col" class="right">{upright(series.name.clone())}</th> })
        .collect_view();
    let count = plot.series.first().map_or(0, |series| series.values.len());
    let rows = (0..count)
        .map(|at| {
            let cells = plot
                .series
                .iter()
                .map(|series| {
                    let value = series.values.get(at).copied().flatten();
                    let text = value.map_or(texts::UNKNOWN.to_owned(), |value| amount(plot, value));
                    view! { <td class="right">{text}</td> }
                })
                .collect_view();
            view! { <tr><th scope="row">{place(plot, at)}</th>{cells}</tr> }.into_any()
        })
        .collect_view();
    view! {
        <div class="table-scroll graph__table" tabindex="0" role="group" aria-label=texts::VALUES_OF_THE_GRAPH>
            <table>
                <thead>
                    <tr><th scope="col">{head}</th>{names}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}
