//! The calls that wait for the person's decision, as one line.

use kit::{Icon, format::exposed, icon, live_view};
use leptos::prelude::*;

use crate::{
    channel::Channel,
    frame::{TRAY, TimeLeft, waiting_entries},
};

pub(super) fn decisions() -> AnyView {
    let channel = expect_context::<Channel>();
    let count = Memo::new(move |_| channel.list.waiting_calls());
    live_view(move || match count.get() {
        0 => ().into_any(),
        count => row(channel, count),
    })
}

fn row(channel: Channel, count: usize) -> AnyView {
    let first = waiting_entries(channel).into_iter().next();
    let what = match &first {
        Some(entry) => exposed(&entry.call.sentence),
        None => "A request from another person".to_owned(),
    };
    let facts = match (&first, count) {
        (Some(entry), 1) => format!("Waiting for your decision. {}", entry.title()),
        (None, 1) => "Waiting for your approval as the second person".to_owned(),
        (_, count) => format!("{count} requests are waiting for your decision"),
    };
    let left = first
        .as_ref()
        .map(|entry| view! { <TimeLeft channel expires=entry.call.expires /> });
    let review_all = match count {
        1 => "Review".to_owned(),
        count => format!("Review all {count}"),
    };
    let review = match first.filter(|_| count == 1) {
        Some(entry) => {
            let go = entry.opener(channel);
            view! { <a class="button button--small" href=entry.address() on:click=go>"Review"</a> }
                .into_any()
        }
        None => view! {
            <button type="button" class="button button--small" popovertarget=TRAY>
                {review_all}
            </button>
        }
        .into_any(),
    };
    view! {
        <section class="decision" aria-label="Waiting for your decision">
            {icon(Icon::HAND)}
            <div class="decision__text">
                <p class="decision__what" title=what>{what.clone()}</p>
                <p class="decision__facts" title=facts>{facts.clone()}</p>
            </div>
            {left}
            {review}
        </section>
    }
    .into_any()
}
