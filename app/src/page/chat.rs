//! `/chat/:id`: one conversation; `/shared/:token`: one of another person, read-only.

use kit::{Failed, Loading, effect, live_view, wire::Wire};
use leptos::prelude::*;
use protocol::{ConversationId, ConversationPage, ErrorBody, ErrorCode, SharedBy};

use crate::{
    api::{self, ApiError},
    channel::Channel,
    chat::{ApartPage, ConversationView, apart_view},
    conversation::Conversation,
    not_found::NotFoundView,
    texts::page as texts,
};

#[component]
pub(crate) fn ChatPage(id: ConversationId) -> impl IntoView {
    match expect_context::<Channel>().opened.get(id) {
        Some(conversation) => view! { <ConversationView conversation /> }.into_any(),
        None => load(AskedConversation::Own(id)),
    }
}

/// Draws the conversation behind a link.
pub(crate) fn shared_page(token: String) -> AnyView {
    load(AskedConversation::Shared(token))
}

/// The conversation to request.
#[derive(Clone)]
enum AskedConversation {
    Own(ConversationId),
    /// By the token of a link.
    Shared(String),
}

impl AskedConversation {
    async fn ask(self) -> Result<ConversationPage, ApiError> {
        match self {
            Self::Own(id) => api::conversation(id).await,
            Self::Shared(token) => api::shared(token).await,
        }
    }

    async fn show(
        self,
        page: Resource<Result<ConversationPage, ApiError>, Wire>,
        channel: Channel,
    ) -> Result<AnyView, ErrorBody> {
        // A statement of its own, so that the page is not locked while code is loaded.
        let loaded = self.read(&*page.by_ref().await, channel)?;
        loaded.show().await
    }

    /// Reads the page in place: it can be too long to copy.
    fn read(
        self,
        answer: &Result<ConversationPage, ApiError>,
        channel: Channel,
    ) -> Result<LoadedConversation, ErrorBody> {
        let answer = answer.as_ref().map_err(|error| error.0.clone());
        Ok(match (self, answer) {
            (Self::Own(id), Err(error)) if error.code == ErrorCode::ConversationNotFound => {
                LoadedConversation::Unknown(id)
            }
            (Self::Own(id), Err(error)) if error.code == ErrorCode::NotAConversation => {
                LoadedConversation::OwnCall(id)
            }
            (Self::Own(_), Err(error)) => return Err(error),
            (Self::Own(_), Ok(page)) => {
                let conversation = Conversation::from_page(page, channel.names())?;
                channel.opened.insert(conversation.clone());
                LoadedConversation::Own(conversation)
            }
            (Self::Shared(token), answer) => LoadedConversation::Shared(answer.and_then(|page| {
                let shown = Conversation::from_shared(page, channel.names(), token)?;
                Ok((shown, page.shared.clone()))
            })),
        })
    }
}

/// The conversation of an answer, without the rest of its page.
enum LoadedConversation {
    Own(Conversation),
    /// A call of the person's own, which is no conversation.
    OwnCall(ConversationId),
    Unknown(ConversationId),
    Shared(Result<(Conversation, Option<SharedBy>), ErrorBody>),
}

impl LoadedConversation {
    async fn show(self) -> Result<AnyView, ErrorBody> {
        Ok(match self {
            Self::Own(conversation) => view! { <ConversationView conversation /> }.into_any(),
            Self::Unknown(id) => view! { <Unknown id /> }.into_any(),
            Self::OwnCall(id) => {
                let view = apart_view(ApartPage::OwnCall(id)).await;
                view.map_err(|error| error.0)?
            }
            Self::Shared(answer) => {
                let page = ApartPage::Shared(answer.map_err(ApiError));
                let view = apart_view(page).await;
                view.map_err(|error| error.0)?
            }
        })
    }
}

fn load(asked: AskedConversation) -> AnyView {
    let channel = expect_context::<Channel>();
    let page = {
        let asked = asked.clone();
        Resource::new_with_options(|| (), move |()| asked.clone().ask(), true)
    };
    view! {
        <Suspense fallback=|| view! { <Loading text=texts::OPENING_THE_CONVERSATION /> }>
            {move || {
                let asked = asked.clone();
                Suspend::new(async move {
                    asked.show(page, channel).await.unwrap_or_else(|error| {
                        let heading = texts::THE_CONVERSATION_COULD_NOT_BE_OPENED;
                        view! {
                            <Failed heading error retry=move || page.refetch()>
                                <a href="/" class="button">
                                    {texts::NEW_CONVERSATION}
                                </a>
                            </Failed>
                        }
                        .into_any()
                    })
                })
            }}
        </Suspense>
    }
    .into_any()
}

/// Handles a conversation that the server does not know, but that this tab may be about to start.
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

/// Shows that there is no such conversation.
pub(crate) fn missing_conversation() -> AnyView {
    view! {
        <NotFoundView
            title=texts::CONVERSATION_NOT_FOUND
            help=texts::IT_MAY_HAVE_BEEN_DELETED
        />
    }
    .into_any()
}
