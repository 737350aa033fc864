//! `/chat/:id`: one conversation.

use leptos::prelude::*;
use protocol::{ConversationId, ErrorBody, ErrorCode};

use super::NotFoundView;
use crate::{
    api,
    channel::Channel,
    chat::ConversationView,
    conversation::Conversation,
    ui::{ErrorCard, effect, live_view, press},
    wire::Wire,
};

#[component]
pub(crate) fn ChatPage(id: ConversationId) -> impl IntoView {
    match expect_context::<Channel>().opened.get(id) {
        Some(conversation) => view! { <ConversationView conversation /> }.into_any(),
        None => view! { <Load id /> }.into_any(),
    }
}

/// A conversation that has to be asked for.
#[component]
fn Load(id: ConversationId) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let page: Resource<_, Wire> =
        Resource::new_with_options(|| (), move |()| api::conversation(id), true);
    view! {
        <Suspense fallback=|| {
            view! { <Loading /> }
        }>
            {move || Suspend::new(async move {
                let loaded = match page.await {
                    Ok(page) => Conversation::from_page(&page, channel.names()),
                    Err(error) => Err(error.0),
                };
                match loaded {
                    Ok(conversation) => {
                        channel.opened.insert(conversation.clone());
                        view! { <ConversationView conversation /> }.into_any()
                    }
                    Err(error) if error.code == ErrorCode::ConversationNotFound => {
                        view! { <Unknown id /> }.into_any()
                    }
                    Err(error) => view! { <Failed error retry=move || page.refetch() /> }.into_any(),
                }
            })}
        </Suspense>
    }
    .into_any()
}

/// The server does not know the conversation, but this tab may be about to start it.
#[component]
fn Unknown(id: ConversationId) -> impl IntoView {
    let channel = expect_context::<Channel>();
    let starting = RwSignal::new(false);
    effect(move || {
        channel.pending.track();
        if channel.is_starting(id) {
            starting.set(true);
        }
    });
    live_view(move || {
        if starting.get() {
            let conversation = Conversation::new(id, channel.names());
            channel.opened.insert(conversation.clone());
            view! { <ConversationView conversation /> }.into_any()
        } else {
            missing_conversation()
        }
    })
}

#[component]
fn Loading() -> impl IntoView {
    view! {
        <div class="loading" role="status">
            <span class="reactor reactor--busy" aria-hidden="true"></span>
            "Opening the conversation…"
        </div>
    }
    .into_any()
}

#[component]
fn Failed(error: ErrorBody, retry: impl Fn() + Send + 'static) -> impl IntoView {
    view! {
        <section class="empty-page">
            <h1>"The conversation could not be opened"</h1>
            <ErrorCard error>
                <button type="button" class="button" on:click=press(retry)>
                    "Try again"
                </button>
                <a href="/" class="button">
                    "New conversation"
                </a>
            </ErrorCard>
        </section>
    }
    .into_any()
}

/// Says that there is no such conversation.
pub(crate) fn missing_conversation() -> AnyView {
    view! {
        <NotFoundView
            title="There is no such conversation"
            help="It may have been deleted, or it belongs to somebody else."
        />
    }
    .into_any()
}
