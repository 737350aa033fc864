//! The view of the dock: the button in the header, and the dock itself.

use kit::{Icon, Key, each, icon, live, live_view, press};
use leptos::prelude::*;

use super::{Dock, DockContent, DockSide, place::Docked, separator::separator};
use crate::{
    chat::NewConversation,
    keys::{KeyAct, Keys},
    page::ChatPage,
    route::Page,
    texts::dock as texts,
};

#[component]
pub(crate) fn DockButton() -> impl IntoView {
    let dock = expect_context::<Dock>();
    let keys = expect_context::<Keys>();
    let open = Memo::new(move |_| dock.is_shown());
    let name = texts::CHAT_BESIDE_THIS_PAGE;
    view! {
        <button
            type="button"
            id="dock-button"
            class="icon-button dock-button"
            class:dock-button--open=live(move || open.get())
            hidden=live(move || !dock.has_place())
            aria-expanded=live(move || open.get().to_string())
            aria-controls="dock"
            title=live(move || keys.title(name, KeyAct::Dock))
            on:click=press(move || dock.toggle())
        >
            {icon(Icon::DOCK)}
            <span class="visually-hidden">{name}</span>
        </button>
    }
    .into_any()
}

#[component]
pub(crate) fn DockPanel() -> impl IntoView {
    let dock = expect_context::<Dock>();
    let open = Memo::new(move |_| dock.is_shown());
    live_view(move || {
        if open.get() {
            view! { <Panel dock /> }.into_any()
        } else {
            ().into_any()
        }
    })
}

#[component]
fn Panel(dock: Dock) -> impl IntoView {
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
            {each(
                move || vec![page()],
                |page| Key::of(page.clone()),
                |page| match page {
                    Page::Chat(id) => view! { <ChatPage id /> }.into_any(),
                    _ => view! { <NewConversation /> }.into_any(),
                },
            )}
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
