//! The overview: notices, approvals, money, deliveries, shortages, drafts, and the state of it all.

use kit::live;
use leptos::prelude::*;
use protocol::{BoardPage, PageAnswer};

use super::{
    PATH,
    board::ErpParts,
    lists::{approvals, drafts, list, shortages},
    own_approvals::live_list,
    status::{head, health, is_stale},
    texts,
};
use crate::{api::ApiError, channel::Channel, frame::NOTICES, panel_pieces::open_notices};

/// Draws the page of a board from its data; live from then on. `key`: the person's own, if there is one.
pub(super) fn overview(page: BoardPage, key: Result<PageAnswer, ApiError>) -> AnyView {
    let channel = expect_context::<Channel>();
    let board = ErpParts::live(page);
    let own = live_list(&board, key);
    let stale = {
        let board = board.clone();
        live(move || is_stale(&board, channel))
    };
    view! {
        <div class="erp" class:erp--past=stale data-scroller="" tabindex="-1">
            {head(&board)}
            {notices(&board)}
            <div class="erp__columns">
                // Two columns of their own: a short pane leaves no hole beside a long one.
                <div class="erp__column">
                    {approvals(&board, own)}
                    {list(&board.receivables, "receivables", texts::RECEIVABLES, texts::NO_RECEIVABLES)}
                    {list(&board.payables, "payables", texts::PAYABLES, texts::NO_PAYABLES)}
                    {list(&board.deliveries, "deliveries", texts::DELIVERIES, texts::NO_DELIVERIES)}
                </div>
                <div class="erp__column">
                    {shortages(&board)} {drafts(&board)} {health(&board)}
                </div>
            </div>
        </div>
    }
    .into_any()
}

fn notices(board: &ErpParts) -> AnyView {
    view! {
        <section class="erp-pane" id=NOTICES tabindex="-1" aria-labelledby="erp-notices">
            <header class="erp-pane__head">
                <h2 id="erp-notices">{texts::NOTICES}</h2>
            </header>
            {open_notices(board.notices.clone(), PATH, texts::NO_NOTICES)}
        </section>
    }
    .into_any()
}
