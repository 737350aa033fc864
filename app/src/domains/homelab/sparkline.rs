//! The last hour of a node, and the last week of a storage, as small lines.

use homelab_wire::{HistoryPart, TrendPart};
use kit::line_path;
use leptos::prelude::*;

use super::{
    figure::{HIGH, Level, percent, tenths},
    texts,
};

/// The drawing's own units, as in its `viewBox`.
const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 28.0;

/// The range of a small line.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    /// A share of something that can be full: always up to 100 %.
    Share,
    /// Time in which processors waited for disks: up to 25 %, or as far as it goes.
    Wait,
}

/// Draws one figure of the last hour, with the first threshold as a dotted line.
pub(super) fn trace(series: &[Option<f64>], scale: Scale, level: Level) -> AnyView {
    let (top, threshold) = match scale {
        Scale::Share => (100.0, HIGH),
        Scale::Wait => (series.iter().flatten().copied().fold(25.0, f64::max), 10.0),
    };
    let line = path(series, top);
    let limit = format!("M0 {}H{WIDTH}", tenths(height(threshold, top)));
    // From each run of readings down to the base and back.
    let runs = line.split('M').filter(|run| run.contains('L'));
    let area: String = runs
        .map(|run| {
            let from = run.split(' ').next().unwrap_or_default();
            let to = run.rsplit('L').next().and_then(|end| end.split(' ').next());
            format!(
                "M{run}L{} {HEIGHT}L{from} {HEIGHT}z",
                to.unwrap_or_default()
            )
        })
        .collect();
    let step = WIDTH / (series.len().max(2) - 1) as f64;
    let newest = series.iter().rposition(Option::is_some);
    let end = newest.and_then(|at| {
        let value = series.get(at).copied().flatten()?;
        let x = tenths(at as f64 * step);
        Some(format!("M{x} {}h0", tenths(height(value, top))))
    });
    view! {
        <svg
            class=level.class("trace")
            viewBox="0 0 120 28"
            preserveAspectRatio="none"
            aria-hidden="true"
        >
            <path class="trace__limit" d=limit />
            <path class="trace__area" d=area />
            <path class="trace__line" d=line />
            <path class="trace__end" d=end />
        </svg>
        <span class="visually-hidden">{spoken(texts::figures::inline::LAST_HOUR, series)}</span>
    }
    .into_any()
}

pub(super) fn sparkline(history: &HistoryPart) -> AnyView {
    let text = [
        (texts::figures::inline::CPU, &history.cpu),
        (texts::figures::inline::MEMORY, &history.memory),
    ]
    .into_iter()
    .map(|(name, series)| spoken(name, series))
    .collect::<Vec<_>>()
    .join(", ");
    let minutes = history.step * history.cpu.len() as u64 / 60;
    view! {
        <figure class="sparkline">
            <svg
                viewBox="0 0 120 28"
                preserveAspectRatio="none"
                aria-hidden="true"
            >
                <path class="sparkline__memory" d=path(&history.memory, 100.0) />
                <path class="sparkline__cpu" d=path(&history.cpu, 100.0) />
            </svg>
            <figcaption>
                {texts::figures::last_minutes(minutes)}
                <span class="sparkline__key sparkline__key--cpu">{texts::figures::inline::CPU}</span>
                ", "
                <span class="sparkline__key sparkline__key--memory">
                    {texts::figures::inline::MEMORY}
                </span>
                <span class="visually-hidden">{format!(" ({text})")}</span>
            </figcaption>
        </figure>
    }
    .into_any()
}

/// Draws the use of a storage over the last week.
pub(super) fn storage_sparkline(trend: &TrendPart) -> AnyView {
    let text = spoken(texts::figures::inline::USE, &trend.used);
    view! {
        <figure class="sparkline sparkline--storage">
            <svg viewBox="0 0 120 28" preserveAspectRatio="none" aria-hidden="true">
                <path class="sparkline__cpu" d=path(&trend.used, 100.0) />
            </svg>
            <figcaption class="visually-hidden">{texts::figures::in_last_week(&text)}</figcaption>
        </figure>
    }
    .into_any()
}

/// Formats `CPU 3.1 % to 41.0 %`.
fn spoken(name: &str, series: &[Option<f64>]) -> String {
    let seen = || series.iter().flatten().copied();
    match (seen().min_by(f64::total_cmp), seen().max_by(f64::total_cmp)) {
        (Some(low), Some(high)) => texts::figures::from_to(name, &percent(low), &percent(high)),
        _ => texts::figures::not_seen(name),
    }
}

/// Returns the path of readings. `top` is the value at its upper edge.
fn path(series: &[Option<f64>], top: f64) -> String {
    line_path(series, WIDTH, &|value| height(value, top))
}

/// Returns the height of a value in the drawing.
fn height(value: f64, top: f64) -> f64 {
    1.0 + (HEIGHT - 2.0) * (1.0 - (value / top).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_said_with_their_range() {
        assert_eq!(
            spoken("CPU", &[None, Some(1.0), Some(3.0)]),
            "CPU 1.0 % to 3.0 %"
        );
        assert_eq!(spoken("CPU", &[None]), "CPU not seen");
    }
}
