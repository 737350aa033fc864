//! Requests of the assistant's tools to the chart: show a drawing, or scroll.

use std::time::Duration;

use kit::{browser, effect};
use leptos::prelude::*;
use markets_wire::Scroll;
use protocol::{FromJson, Performed};
use serde_json::Value;

use super::{
    drawing::Drawing,
    glue,
    page_state::ChartPageState,
    place::{BOARD, ChartAt, Market, is_offered},
    texts,
};
use crate::channel::WantedStage;

/// Offers the chart to the tools, as long as the page is open.
pub(super) fn offer_stage(shared: ChartPageState) {
    let channel = shared.channel;
    effect(move || {
        channel.enter_stage(BOARD, move |wanted| {
            leptos::task::spawn_local(async move {
                let result = match carry_out(shared, &wanted).await {
                    Ok(note) => Performed::Done { note },
                    Err(message) => Performed::Failed { message },
                };
                channel.performed(&wanted, result);
            });
        });
    });
    effect(move || channel.beside_stage(shared.dock.conversation()));
    on_cleanup(move || channel.leave_stage());
}

async fn carry_out(shared: ChartPageState, wanted: &WantedStage) -> Result<Option<String>, String> {
    if let Some(scroll) = wanted.data.get("scroll") {
        let scroll = Scroll::from_json(scroll.clone());
        let scroll = scroll.ok_or(texts::stage::NO_SUCH_CHART)?;
        return scroll_to(shared, scroll).await.map(Some);
    }
    match wanted.data.get("drawing") {
        Some(record) => show(shared, record.clone()).await,
        None => Err(texts::stage::page_cannot_do(&wanted.tool)),
    }
}

/// Shows a drawing from its record.
async fn show(shared: ChartPageState, record: Value) -> Result<Option<String>, String> {
    let drawing = Drawing::from_json(record).ok_or(texts::stage::DRAWING_CANNOT_BE_READ)?;
    shared.until_shown().await?;
    let at = shared
        .at
        .try_get_untracked()
        .ok_or(texts::stage::USER_LEFT)?;
    if drawing.symbol() != at.symbol {
        return Err(texts::stage::open_chart_is_of(at.symbol.name()));
    }
    let chart = glue::chart().ok_or(texts::stage::USER_LEFT)?;
    if drawing.is_removed() {
        chart.remove_drawing(drawing.id())?;
        return Ok(None);
    }
    let filtered = if drawing.is_models() {
        shared.hides_models.get_untracked()
    } else {
        shared.hides_peoples.get_untracked()
    };
    if filtered {
        return Ok(Some(texts::stage::USER_HIDES_THIS_KIND.to_owned()));
    }
    // The board brings the same record, which may be newer by then.
    let newer = untrack(|| shared.drawing(drawing.id()));
    let newest = match newer.filter(|newer| newer.version() > drawing.version()) {
        Some(newer) => newer,
        None => drawing,
    };
    if untrack(|| shared.is_future(&newest)) {
        return Ok(Some(texts::replay::DRAWING_IS_OF_THE_FUTURE.to_owned()));
    }
    let barred = untrack(|| shared.channel.bars()).is_some();
    chart.put_drawing(&newest.chart_json(barred))?;
    let timeframe = at.timeframe;
    if newest.is_hidden() {
        return Ok(Some(texts::stage::USER_HAS_HIDDEN_IT.to_owned()));
    }
    let is_seen = newest.is_visible_on(timeframe);
    Ok((!is_seen).then(|| texts::stage::not_visible_on(timeframe.name())))
}

/// Scrolls, on another chart if need be. Returns the range in view.
async fn scroll_to(shared: ChartPageState, scroll: Scroll) -> Result<String, String> {
    let now = shared
        .at
        .try_get_untracked()
        .ok_or(texts::stage::USER_LEFT)?;
    let symbol = scroll.symbol;
    let timeframe = scroll.timeframe.unwrap_or(now.timeframe);
    if !is_offered(symbol, timeframe) {
        return Err(texts::stage::no_chart_of(timeframe.name()));
    }
    if now.market() != (Market { symbol, timeframe }) {
        let there = ChartAt {
            symbol,
            timeframe,
            drawing: None,
        };
        shared.route.go(there.page());
        // The page must take up the change before it can be awaited.
        browser::sleep(Duration::from_millis(20)).await;
    }
    shared.scroll_to(scroll.time.as_deref()).await
}
