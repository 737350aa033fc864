//! A conversation of another person, read through a link.

use kit::{
    Icon, Moment, browser,
    format::{exposed, upright},
    icon, press,
};
use leptos::{prelude::*, wasm_split::wasm_split};
use leptos_meta::Title;
use protocol::{ErrorCode, SharedBy};

use super::{
    paging::Paging,
    view::{EndButton, OpenConversation, Transcript},
};
use crate::{
    api::ApiError, conversation::Conversation, not_found::NotFoundView, texts::share as texts,
};

/// Draws the conversation behind a link. Its code is a part of the module that is loaded with the
/// page.
///
/// # Errors
/// The server's error, or the code cannot be loaded; another try may work.
#[wasm_split(shared, wasm_split_path = ::leptos::wasm_split, preload(preload_shared), fallible)]
pub(crate) fn shared_view(
    answer: Result<(Conversation, Option<SharedBy>), ApiError>,
) -> Result<AnyView, ApiError> {
    let (conversation, shared) = match answer {
        Err(error) if error.0.code == ErrorCode::ShareNotFound => {
            return Ok(view! {
                <NotFoundView
                    title=texts::THIS_LINK_NO_LONGER_WORKS
                    help=texts::WHY_LINK_IS_DEAD
                />
            }
            .into_any());
        }
        answer => answer?,
    };
    Ok(match shared {
        Some(shared) => reading(conversation, shared),
        None => ().into_any(),
    })
}

fn reading(conversation: Conversation, shared: SharedBy) -> AnyView {
    provide_context(OpenConversation {
        conversation: conversation.clone(),
        edit: RwSignal::new(None),
        about: RwSignal::new(Vec::new()),
        seen: RwSignal::new(Vec::new()),
        branching: RwSignal::new(None),
    });
    let paging = Paging::new(&conversation);
    let title = conversation.title().get_untracked();
    let name = exposed(&shared.name);
    let foot = texts::only_the_owner_can_continue(&name);
    view! {
        <Title text=title.clone() />
        <section class="chat">
            <header class="chat__head chat__head--shared">
                <h1 class="chat__title">{upright(title)}</h1>
                <p class="chat__shared">
                    {texts::SHARED_BY} <strong>{name}</strong> {texts::AS_OF}
                    <Moment at=Signal::stored(Some(shared.at)) />
                </p>
                <button
                    type="button"
                    class="button button--small button--quiet"
                    on:click=press(browser::reload)
                >
                    {icon(Icon::RETRY)}
                    {texts::RELOAD}
                </button>
            </header>
            <Transcript conversation paging />
            <div class="chat__foot">
                <EndButton paging />
                <p class="chat__closed">{foot}</p>
            </div>
        </section>
    }
    .into_any()
}
