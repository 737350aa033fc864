//! What a person does with a position: accept or reject the idea, cancel, fill, close.

use kit::{live, press};
use leptos::prelude::*;
use markets_wire::{Points, PricePart, Side, State};
use protocol::{ErrorBody, ErrorCode};
use serde_json::{Value, json};

use super::{
    drawing::{Drawing, price_text},
    page_state::ChartPageState,
    texts,
};

/// A step that a person can take, with its event; the price is added when it is taken.
struct PositionStep {
    name: &'static str,
    reason: &'static str,
    kind: &'static str,
}

const ACCEPT: PositionStep = PositionStep {
    name: texts::drawings::ACCEPT,
    reason: texts::drawings::reasons::ACCEPTED,
    kind: "accept",
};
const REJECT: PositionStep = PositionStep {
    name: texts::drawings::REJECT,
    reason: texts::drawings::reasons::REJECTED,
    kind: "reject",
};
const FILL: PositionStep = PositionStep {
    name: texts::drawings::FILL,
    reason: texts::drawings::reasons::FILLED,
    kind: "fill",
};
const CANCEL_ORDER: PositionStep = PositionStep {
    name: texts::drawings::CALL_OFF,
    reason: texts::drawings::reasons::CALLED_OFF,
    kind: "cancel",
};
const CLOSE: PositionStep = PositionStep {
    name: texts::drawings::CLOSE,
    reason: texts::drawings::reasons::CLOSED,
    kind: "close",
};

impl ChartPageState {
    /// Returns the price at which a position would be filled or closed now; none if it is unknown.
    fn dealt_at(self, drawing: &Drawing, closes: bool) -> Option<f64> {
        let (side, _) = drawing.position()?;
        let Some(PricePart::Known(now)) = untrack(|| self.price(drawing.symbol())) else {
            return None;
        };
        // A purchase is at the ask, a sale at the bid.
        let buys = (side == Side::Long) != closes;
        Some(if buys { now.ask } else { now.bid })
    }

    /// Says what came of a position, or what closing it now would bring; none if it was never opened, or if the
    /// price is unknown or hidden by a replay.
    pub(super) fn result(self, drawing: &Drawing) -> Option<String> {
        let told = drawing.result()?;
        let Some(risk) = told.as_f64() else {
            return told.as_str().map(str::to_owned);
        };
        let (symbol, (side, _)) = (drawing.symbol(), drawing.position()?);
        let Some(PricePart::Known(now)) = self.shown_price(symbol) else {
            return None;
        };
        // A long is sold at the bid, a short bought back at the ask.
        let price = match side {
            Side::Long => now.bid,
            Side::Short => now.ask,
        };
        let way = symbol.round(price) - drawing.opened()?;
        let pips = symbol.pips(Points(side.sign() * way.0));
        Some(texts::drawings::running(
            &price_text(symbol, price),
            pips,
            (risk > 0.0).then(|| pips / risk),
        ))
    }

    fn step(self, id: &str, step: &PositionStep) {
        let Some(drawing) = self.drawing(id) else {
            return;
        };
        let price = |closes| self.dealt_at(&drawing, closes);
        let event: Option<Value> = match step.kind {
            "fill" => price(false).map(|price| json!({ "type": "fill", "price": price })),
            "close" => price(true)
                .map(|price| json!({ "type": "close", "price": price, "cause": "manual" })),
            kind => Some(json!({ "type": kind })),
        };
        match event {
            Some(event) => self.happened(id, step.reason, event),
            None => {
                let unknown = ErrorBody::new(ErrorCode::ToolFailed, texts::NO_KNOWN_PRICE);
                self.channel.toasts.error(unknown);
            }
        }
    }
}

/// Draws the steps that are possible now; nothing for other drawings.
pub(super) fn steps(shared: ChartPageState, drawing: &Drawing) -> AnyView {
    let steps: &'static [PositionStep] = match drawing.position() {
        Some((_, State::Signal)) => &[ACCEPT, REJECT],
        Some((_, State::Pending)) => &[FILL, CANCEL_ORDER],
        Some((_, State::Open)) => &[CLOSE],
        _ => &[],
    };
    let button = |step: &'static PositionStep| {
        let id = drawing.id().to_owned();
        let go = move || {
            if untrack(|| shared.channel.bars()).is_none() {
                untrack(|| shared.step(&id, step));
            }
        };
        view! {
            <button
                type="button"
                class="button button--small"
                aria-disabled=live(move || shared.channel.bars().map(|_| "true"))
                on:click=press(go)
            >
                {step.name}
            </button>
        }
        .into_any()
    };
    steps.iter().map(button).collect::<Vec<_>>().into_any()
}
