//! `/chat/:id`: one conversation.

use leptos::prelude::*;
use protocol::{ConversationId, ErrorCode};

use super::{
    NotFoundView,
    states::{Failed, Loading},
};
use crate::{
    api,
    channel::Channel,
    chat::ConversationView,
    conversation::Conversation,
    ui::{effect, live_view},
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
        <Suspense fallback=|| view! { <Loading text="Opening the conversation…" /> }>
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
                    Err(error) => {
                        let heading = "The conversation could not be opened";
                        view! {
                            <Failed heading error retry=move || page.refetch()>
                                <a href="/" class="button">
                                    "New conversation"
                                </a>
                            </Failed>
                        }
                        .into_any()
                    },
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
