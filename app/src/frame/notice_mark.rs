//! The mark on every page: the number of unacknowledged notices, as a link to them.

use kit::{Icon, browser, format::upright, icon, live, live_text, live_view, press};
use leptos::prelude::*;
use protocol::NoticeCount;

use crate::{channel::Channel, route::Page, texts::frame as texts};

/// Id of the list of notices on the page that has it.
pub(crate) const NOTICES: &str = "notices";

#[component]
pub(super) fn NoticeMark() -> impl IntoView {
    let Channel {
        noticed, raised, ..
    } = expect_context::<Channel>();
    let name = move || {
        let NoticeCount { open, grave } = noticed.get();
        texts::notices(open, grave)
    };
    // A notice that was just raised is announced: at once if it is grave, else at the next pause.
    let said = move |grave| {
        live_text(move || match raised.get() {
            Some(notice) if notice.grave == grave => upright(notice.text),
            _ => String::new(),
        })
    };
    view! {
        <a
            href=format!("{}#{NOTICES}", Page::overview().path())
            // Also on their own page, wherever that is scrolled to.
            on:click=press(|| browser::show(NOTICES.to_owned()))
            class="tray-button notice-mark"
            class:notice-mark--grave=live(move || noticed.read().grave > 0)
            hidden=live(move || noticed.read().open == 0)
            title=live(name)
        >
            {icon(Icon::WARNING)}
            <span class="tray-button__count" aria-hidden="true">
                {live_text(move || noticed.read().open.to_string())}
            </span>
            <span class="visually-hidden">{live_text(name)}</span>
        </a>
        <span class="visually-hidden" aria-live="polite">{said(false)}</span>
        <span class="visually-hidden" role="alert">{said(true)}</span>
    }
    .into_any()
}

/// Draws a link to the notices that a system's own page does not have: the mark counts those of all systems.
/// `own`: the number of unacknowledged ones on the page; `href`: the address of the others.
pub(crate) fn notices_elsewhere(own: Memo<u32>, href: String) -> AnyView {
    let noticed = expect_context::<Channel>().noticed;
    let others = Memo::new(move |_| noticed.read().open.saturating_sub(own.get()));
    live_view(move || match others.get() {
        0 => ().into_any(),
        count => {
            let href = href.clone();
            view! {
                <p class="notices-elsewhere">
                    <a href=href>{texts::notices_elsewhere(count)}</a>
                </p>
            }
            .into_any()
        }
    })
}
