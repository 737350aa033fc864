//! References to charts and drawings: their form, and the facts behind them.

use protocol::Reference;
use serde_json::{Value, json};

use crate::{
    Symbol, Timeframe, check,
    context::indicators::shown_chart,
    drawing::{DrawingReader, brief},
    texts,
    tools::{ToolProblem, draw::ChartDrawings},
};

/// A parsed reference.
enum ChartReference<'a> {
    Chart(Symbol, Timeframe),
    Drawing(&'a str),
}

/// Longest identifier of a drawing.
const MAX_ID: usize = 80;
/// Changes of a drawing shown to the model, the newest ones.
const CHANGES: usize = 5;

impl<'a> ChartReference<'a> {
    fn of(reference: &'a Reference) -> Option<Self> {
        let id = reference.id.as_str();
        match reference.kind.as_str() {
            "chart" => shown_chart(id).map(|(symbol, frame, _)| Self::Chart(symbol, frame)),
            "drawing" if is_id(id) => Some(Self::Drawing(id)),
            _ => None,
        }
    }
}

fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

pub(crate) fn refers(reference: &Reference) -> bool {
    ChartReference::of(reference).is_some()
}

/// Describes a chart or a drawing to the model, as this reader sees it.
pub(crate) async fn describe(
    charts: &ChartDrawings,
    reader: DrawingReader,
    reference: &Reference,
) -> Result<Value, String> {
    let parsed = ChartReference::of(reference).ok_or(texts::NO_REFERENCE_TO_A_CHART)?;
    let why = |problem: ToolProblem| problem.to_string();
    match parsed {
        ChartReference::Chart(symbol, frame) => {
            let drawings = charts.drawings(reader, symbol).await;
            let drawings = drawings.map_err(|error| error.to_string())?;
            Ok(json!({
                "symbol": symbol,
                "digits": symbol.digits(),
                "timeframe": frame,
                "what": texts::CHART_IN_VIEW,
                "drawings": drawings.len(),
            }))
        }
        ChartReference::Drawing(id) => {
            let drawing = charts.drawing(reader, id).await.map_err(why)?;
            let bars = charts.bars(drawing.symbol).await;
            let bars = bars.map_err(|error| error.to_string())?;
            let content = &drawing.content;
            let surplus = drawing.changes.len().saturating_sub(CHANGES);
            let changes = drawing.changes.get(surplus..).unwrap_or_default();
            Ok(json!({
                "symbol": drawing.symbol,
                "drawing": brief(&drawing),
                "note": content.note,
                "tags": content.tags,
                "visible_on": content.visible_on,
                "removed": drawing.removed,
                "created_at": drawing.created_at,
                "changes": changes,
                "older_changes": drawing.dropped + surplus as u64,
                "check": check::check(&content.shape, drawing.symbol, &bars),
                "figures": check::figures_shown(&content.shape, drawing.symbol),
            }))
        }
    }
}
