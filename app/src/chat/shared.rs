//! Pages in place of a conversation of one's own: one of another person, read through a link, and a call of one's
//! own that no page of a system shows.

use kit::{
    Icon, Moment, browser,
    format::{exposed, upright},
    icon, press,
};
use leptos::{prelude::*, wasm_split::wasm_split};
use leptos_meta::Title;
use protocol::{ConversationId, ErrorCode, SharedBy};

use super::{
    open_conversation::OpenConversation,
    own_call::own_call,
    paging::Paging,
    view::{EndButton, Transcript},
};
use crate::{
    api::ApiError,
    conversation::Conversation,
    not_found::NotFoundView,
    texts::{frame as calls, share as texts},
};

/// A page in place of a conversation of one's own.
pub(crate) enum ApartPage {
    /// The conversation behind a link.
    Shared(Result<(Conversation, Option<SharedBy>), ApiError>),
    OwnCall(ConversationId),
}

/// Draws the page. Its code is a part of the module that is loaded with the page.
///
/// # Errors
/// The server's error, or the code cannot be loaded; another try may work.
#[wasm_split(shared, wasm_split_path = ::leptos::wasm_split, preload(preload_shared), fallible)]
pub(crate) fn apart_view(page: ApartPage) -> Result<AnyView, ApiError> {
    let answer = match page {
        ApartPage::Shared(answer) => answer,
        ApartPage::OwnCall(id) => return Ok(own_call_page(id)),
    };
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

/// Draws the card of a call and its outcome.
fn own_call_page(id: ConversationId) -> AnyView {
    view! {
        <Title text=calls::CALL_OUTSIDE_A_CONVERSATION />
        <section class="chat">
            <header class="chat__head chat__head--shared">
                <h1 class="chat__title">{calls::CALL_OUTSIDE_A_CONVERSATION}</h1>
            </header>
            <div class="own-call-page" data-scroller="" tabindex="-1">
                {own_call(id, true)}
            </div>
        </section>
    }
    .into_any()
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
