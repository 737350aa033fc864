//! The drawing of a series. Its code, and that of drawings in answers, is loaded on demand.

use leptos::{
    prelude::*,
    wasm_split::{SplitLoaderError, wasm_split},
};
use serde_json::Value;

use super::{
    plot::{PlotFallback, figure},
    scalar::scalar,
    series::{PlottedSeries, SHORTEST, series},
};
use crate::{
    format::field_name,
    live::{effect, live_view},
    texts,
};

/// Draws the chart above a long list, if it is a series.
pub(super) fn drawing(name: &str, list: &[Value]) -> Option<AnyView> {
    if list.len() < SHORTEST {
        return None;
    }
    let (name, list) = (name.to_owned(), list.to_vec());
    // Not before the page is alive: the first tree must match the server's.
    let due = RwSignal::new(false);
    effect(move || due.set(true));
    let mut given = Some((name, list));
    Some(live_view(move || {
        let Some((name, list)) = due.get().then(|| given.take()).flatten() else {
            return ().into_any();
        };
        view! {
            <Suspense fallback=|| ()>
                {
                    let (name, list) = (name.clone(), list.clone());
                    move || {
                        let (name, list) = (name.clone(), list.clone());
                        Suspend::new(async move {
                            let piece = DrawingPiece::Series(name, list);
                            drawn(piece).await.unwrap_or_else(|_| ().into_any())
                        })
                    }
                }
            </Suspense>
        }
        .into_any()
    }))
}

/// A piece that this part draws.
pub(super) enum DrawingPiece {
    /// The series in a list of a result, with the list's name.
    Series(String, Vec<Value>),
    /// The content of a block of an answer, and what is in its place if it is no drawing.
    Plot(String, PlotFallback),
}

/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(series, wasm_split_path = ::leptos::wasm_split, fallible)]
pub(super) fn drawn(piece: DrawingPiece) -> Result<AnyView, SplitLoaderError> {
    Ok(match piece {
        DrawingPiece::Series(name, list) => lines(&name, &list),
        DrawingPiece::Plot(text, fallback) => figure(&text, &fallback),
    })
}

fn lines(name: &str, list: &[Value]) -> AnyView {
    let lines: Vec<_> = series(name, list).iter().map(line).collect();
    if lines.is_empty() {
        ().into_any()
    } else {
        view! { <div class="series-list">{lines}</div> }.into_any()
    }
}

fn line(series: &PlottedSeries) -> AnyView {
    let name = field_name(&series.name);
    let said = |value: &Value| scalar(&series.name, value);
    let (low, high, newest) = (said(&series.low), said(&series.high), said(&series.newest));
    let gaps = series.values.iter().filter(|it| it.is_none()).count();
    let gaps = match gaps {
        0 => String::new(),
        gaps => texts::unknown_values(gaps, series.values.len()),
    };
    view! {
        <figure class="series">
            <figcaption class="series__text">
                <strong>{name}</strong>
                {texts::range_of_the_series(&low, &high, &newest, &gaps)}
            </figcaption>
            <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
                <path class="series__line" d=series.path(1_000.0, 100.0) />
            </svg>
        </figure>
    }
    .into_any()
}
