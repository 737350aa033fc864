//! The documents that wait for approval by the person's own key. The board, which everybody sees, has those
//! of the site's.

use erp_wire::OwnApprovals;
use kit::effect;
use leptos::{prelude::*, task::spawn_local};
use protocol::PageAnswer;

use super::{
    BOARD,
    board::ErpParts,
    document_page::{PartAsked, read},
};
use crate::api::{self, ApiError};

/// Asks whether the person has a key. The site is not asked, so that the page does not wait for it.
pub(super) fn ask_key() -> PartAsked {
    Resource::new_with_options(|| (), |()| ask("key"), true)
}

async fn ask(part: &'static str) -> Result<PageAnswer, ApiError> {
    let [kind, name] = ["own", "approvals"].map(str::to_owned);
    api::page(BOARD.to_owned(), kind, name, part.to_owned()).await
}

/// Returns the list as it is known, live from then on: it is read again with each news of the board, which has
/// them after the writes of Jarvis at once, and else at its pace.
pub(super) fn live_list(
    board: &ErpParts,
    key: Result<PageAnswer, ApiError>,
) -> ArcRwSignal<OwnApprovals> {
    let known = key.map_err(|error| error.0).and_then(read::<OwnApprovals>);
    let list = ArcRwSignal::new(known.unwrap_or_default());
    let (board, shown) = (board.clone(), list.clone());
    effect(move || {
        board.health();
        let shown = shown.clone();
        spawn_local(async move {
            // Without an answer it stays as it is, until the next news.
            let answer = ask("list").await.map_err(|error| error.0);
            let Ok(now) = answer.and_then(read::<OwnApprovals>) else {
                return;
            };
            // Drawn anew only if it differs: a link may have the focus.
            let differs = *shown.read_untracked() != now;
            if differs {
                shown.set(now);
            }
        });
    });
    list
}
