//! A time of day in the reader's locale: known only in the browser.

use leptos::prelude::*;
use protocol::Timestamp;

use crate::{
    browser,
    clock::PageClock,
    live::{live, live_text},
};

/// Shows a time; its title has the date and the zone.
#[component]
pub fn Moment(#[prop(into)] at: Signal<Option<Timestamp>>) -> impl IntoView {
    let clock = expect_context::<PageClock>();
    // The reader's time zone and language are unknown on the server.
    let here = Memo::new(move |_| clock.second().is_some());
    let known = move || at.get().filter(|_| here.get());
    let text = move || known().map(|at| browser::local_time(at, false));
    view! {
        <time class="moment" title=live(move || known().map(browser::exact_time))>
            {live_text(move || text().unwrap_or_default())}
        </time>
    }
    .into_any()
}
