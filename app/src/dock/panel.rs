//! The view of the dock. What it shows of the chat is given to it, so that it knows no page.

use kit::{Icon, Key, each, icon, live, live_view, press};
use leptos::prelude::*;

use super::{Dock, DockContent, DockSide, place::Docked, separator::separator};
use crate::{route::Page, texts::dock as texts};

#[component]
pub(crate) fn DockPanel(content: fn(Page) -> AnyView) -> impl IntoView {
    let dock = expect_context::<Dock>();
    let open = Memo::new(move |_| dock.is_shown());
    live_view(move || {
        if open.get() {
            view! { <Panel dock content /> }.into_any()
        } else {
            ().into_any()
        }
    })
}

#[component]
fn Panel(dock: Dock, content: fn(Page) -> AnyView) -> impl IntoView {
    provide_context(Docked);
    let page = move || dock.page();
    let other = move || match dock.side() {
        DockSide::Left => texts::MOVE_TO_THE_RIGHT,
        DockSide::Right => texts::MOVE_TO_THE_LEFT,
    };
    view! {
        <aside class="dock" id="dock" aria-label=texts::CHAT>
            {separator(dock)}
            <div class="dock__bar">
                {button(Icon::NEW, texts::NEW_CONVERSATION, move || {
                    dock.show(DockContent::New);
                    dock.wish.set(true);
                })}
                <a class="icon-button" href=live(move || page().path()) title=texts::OPEN_AS_A_PAGE>
                    {icon(Icon::OPEN)}
                    <span class="visually-hidden">{texts::OPEN_AS_A_PAGE}</span>
                </a>
                <button
                    type="button"
                    class="icon-button dock__side"
                    title=live(other)
                    on:click=press(move || {
                        dock.settings.update(|settings| settings.side = settings.side.other());
                    })
                >
                    {icon(Icon::SWAP)}
                    <span class="visually-hidden">{live(other)}</span>
                </button>
                {button(Icon::CLOSE, texts::CLOSE_THE_CHAT, move || dock.close())}
            </div>
            // As a list of one: another conversation gets new elements.
            {each(move || vec![page()], |page| Key::of(page.clone()), content)}
        </aside>
    }
    .into_any()
}

fn button(picture: Icon, name: &'static str, act: impl FnMut() + 'static) -> AnyView {
    view! {
        <button type="button" class="icon-button" title=name on:click=press(act)>
            {icon(picture)}
            <span class="visually-hidden">{name}</span>
        </button>
    }
    .into_any()
}
