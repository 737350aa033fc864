//! Drawings on a symbol, so that the model neither repeats them nor guesses their positions.

use serde_json::{Map, Value, json};

use super::{Found, Trouble};
use crate::{
    Side, Symbol, Time,
    drawing::{Anchor, Drawing, DrawingReader, DrawingStore, Shape, is_private},
    texts,
};

/// Limit on drawings.
const MOST: usize = 50;
/// Limit on their size in bytes: the engine takes 8 KiB per source or nothing.
const BYTES: usize = 6_000;
/// Limit on characters of a label.
const LABEL: usize = 40;

pub(super) async fn on(
    store: &dyn DrawingStore,
    reader: DrawingReader,
    symbol: Symbol,
) -> Result<Found, Trouble> {
    let mut all = reader.list(store, symbol, false).await?;
    // The newest are the likeliest to be meant.
    all.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
    let mut bytes = 0;
    let shown: Vec<Value> = all
        .iter()
        .take(MOST)
        .map(brief)
        .take_while(|one| {
            bytes += one.to_string().len() + 1;
            bytes <= BYTES
        })
        .collect();
    let more = all.len() - shown.len();
    Ok(Found {
        as_of: None,
        is_stale: false,
        data: json!({ "symbol": symbol, "drawings": shown, "more": more }),
    })
}

fn brief(drawing: &Drawing) -> Value {
    let content = &drawing.content;
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| out.insert(name.to_owned(), value);
    put("id", json!(drawing.id));
    put("kind", json!(content.shape.kind()));
    put("at", json!(places(&content.shape, drawing.symbol)));
    if !content.label.is_empty() {
        put("label", json!(shortened(&content.label, LABEL)));
    }
    put("version", json!(drawing.version));
    put("by", json!(drawing.actor));
    if let Some(person) = &drawing.person {
        put("person", json!(person));
    }
    if is_private(drawing) {
        put("seen_by", json!(texts::drawings::THIS_PERSON_ALONE));
    }
    if let Some(life) = &drawing.life {
        put("state", json!(life.state));
    }
    for (name, is) in [("locked", content.locked), ("hidden", content.hidden)] {
        if is {
            put(name, json!(true));
        }
    }
    Value::Object(out)
}

/// The times and prices of a shape, never positions on a screen.
fn places(shape: &Shape<Time>, symbol: Symbol) -> Vec<String> {
    let price = |number: f64| symbol.show(symbol.round(number));
    let at = |anchor: &Anchor<Time>| format!("{} @ {}", anchor.time, price(anchor.price));
    match shape {
        Shape::HorizontalLine { price: level } => vec![format!("@ {}", price(*level))],
        Shape::HorizontalRay {
            start,
            price: level,
        } => vec![format!("{start} @ {}", price(*level))],
        Shape::Trendline { from, to, .. }
        | Shape::Rectangle { from, to, .. }
        | Shape::Fibonacci { from, to, .. } => vec![at(from), at(to)],
        Shape::Circle { centre, edge } => vec![at(centre), at(edge)],
        Shape::Marker {
            at: place, text, ..
        } => {
            vec![format!("{} {}", at(place), shortened(text, LABEL))]
        }
        Shape::Position {
            side,
            start,
            entry,
            stop,
            target,
            ..
        } => vec![
            format!("{} {start} @ {}", way(*side), price(*entry)),
            format!("stop @ {}", price(*stop)),
            format!("target @ {}", price(*target)),
        ],
    }
}

fn way(side: Side) -> &'static str {
    match side {
        Side::Long => "long",
        Side::Short => "short",
    }
}

/// The text, cut to at most `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most).collect();
    format!("{}…", kept.trim_end())
}
