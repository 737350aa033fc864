//! The ids of the requests behind a call, to look for in a log or to send to somebody who can.

use kit::{CopyButton, effect, live_view};
use leptos::prelude::*;
use protocol::{CallId, CallTrace, ConversationId};

use crate::{api, texts::calls as texts};

/// Draws the ids, which are requested once the page is alive.
pub(super) fn trace(conversation: ConversationId, call: CallId) -> AnyView {
    let found = RwSignal::new(None);
    effect(move || {
        leptos::task::spawn_local(async move {
            let answer = api::trace(conversation, call).await;
            found.try_set(Some(answer.map_err(|error| error.0.message)));
        });
    });
    let shown = move || match found.get() {
        None => ().into_any(),
        Some(Ok(trace)) => ids(trace),
        Some(Err(message)) => view! { <span>{message}</span> }.into_any(),
    };
    view! { <p class="call-ids">{live_view(shown)}</p> }.into_any()
}

fn ids(trace: CallTrace) -> AnyView {
    let rows = [
        (texts::REQUEST_ID, texts::COPY_REQUEST_ID, trace.request),
        (texts::DECISION_ID, texts::COPY_DECISION_ID, trace.decision),
        (
            texts::MODEL_REQUEST_ID,
            texts::COPY_MODEL_REQUEST_ID,
            trace.model_request,
        ),
    ];
    let rows: Vec<_> = rows
        .into_iter()
        .filter_map(|(label, copy, id)| Some(one(label, copy, id?)))
        .collect();
    if rows.is_empty() {
        return view! { <span>{texts::NO_REQUEST_ID}</span> }.into_any();
    }
    rows.into_any()
}

fn one(label: &'static str, copy: &'static str, id: String) -> AnyView {
    let copied = id.clone();
    view! {
        <span class="call-ids__one">
            {label} " " <code>{id}</code>
            <CopyButton label=copy text=move || Some(copied.clone()) />
        </span>
    }
    .into_any()
}
