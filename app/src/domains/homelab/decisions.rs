//! The calls that wait for the person's decision, as one line.

use kit::{Icon, format::exposed, icon, live_view};
use leptos::prelude::*;

use super::texts;
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
        None => texts::hud::FROM_ANOTHER.to_owned(),
    };
    let facts = match (&first, count) {
        (Some(entry), 1) => texts::hud::waiting(&entry.title()),
        (None, 1) => texts::hud::WAITING_AS_SECOND.to_owned(),
        (_, count) => texts::hud::several_waiting(count),
    };
    let left = first
        .as_ref()
        .map(|entry| view! { <TimeLeft channel expires=entry.call.expires /> });
    let review_all = match count {
        1 => texts::hud::REVIEW.to_owned(),
        count => texts::hud::review_all(count),
    };
    let review = match first.filter(|_| count == 1) {
        Some(entry) => {
            let go = entry.opener(channel);
            view! {
                <a class="button button--small" href=entry.address() on:click=go>
                    {texts::hud::REVIEW}
                </a>
            }
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
        <section class="decision" aria-label=texts::hud::WAITING>
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
