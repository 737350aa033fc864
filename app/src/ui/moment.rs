//! A time of day in the reader's locale: known only in the browser.

use leptos::prelude::*;
use protocol::Timestamp;

use super::{live, live_text};
use crate::{browser, channel::Channel};

/// Shows a time; its title has the date.
#[component]
pub(crate) fn Moment(#[prop(into)] at: Signal<Option<Timestamp>>) -> impl IntoView {
    let channel = expect_context::<Channel>();
    // The reader's time zone and language are unknown on the server.
    let here = Memo::new(move |_| channel.clock.second().is_some());
    let text = move |with_date| {
        at.get()
            .filter(|_| here.get())
            .map(|at| browser::local_time(at, with_date))
    };
    view! {
        <time class="moment" title=live(move || text(true))>
            {live_text(move || text(false).unwrap_or_default())}
        </time>
    }
    .into_any()
}
