//! Server functions: what pages ask once and are answered once.

use std::fmt;

use leptos::{
    prelude::*,
    server_fn::{
        codec::Json,
        error::{FromServerFnError, ServerFnErrorErr},
    },
    wasm_split::SplitLoaderError,
};
use protocol::{
    BoardPage, CodeBlock, CodeSpan, ConversationId, ConversationPage, ConversationSummary, Effect,
    ErrorBody, ErrorCode, FeedEntry, FeedId, FeedPage, FeedPlace, Fork, FromJson, HistoryPage,
    HistoryPlace, MessageId, ModelMenu, NewShare, PageAnswer, Prompt, SearchPage, SecondCall, Seq,
    Share, Shelf, Spending, Status, Timestamp,
};
use serde::Serialize;
use serde_json::Value;

use crate::wire::{Answer, Wire};

/// How many lines of the list of conversations come at once.
pub(crate) const LIST_PAGE: usize = 50;

/// How many hits of a search come at once.
#[cfg(feature = "ssr")]
const SEARCH_PAGE: usize = 50;

/// How many entries of the feed come at once.
#[cfg(feature = "ssr")]
const FEED_PAGE: usize = 60;

/// An [`ErrorBody`] as the answer of a server function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ApiError(pub ErrorBody);

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl FromJson for ApiError {
    fn from_json(json: Value) -> Option<Self> {
        ErrorBody::from_json(json).map(Self)
    }
}

impl From<ErrorBody> for ApiError {
    fn from(error: ErrorBody) -> Self {
        Self(error)
    }
}

/// A part of the page's code.
impl From<SplitLoaderError> for ApiError {
    fn from(_: SplitLoaderError) -> Self {
        Self(
            ErrorBody::new(ErrorCode::Internal, "This page could not be loaded.")
                .with_help("Check the connection and try again, or reload."),
        )
    }
}

impl FromServerFnError for ApiError {
    type Encoder = Wire;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        Self(match error {
            ServerFnErrorErr::Request(_) => {
                ErrorBody::new(ErrorCode::Internal, "The server could not be reached.")
                    .with_help("Check the connection and try again.")
            }
            // On the server only a request's body is read, in the browser only an answer's.
            #[cfg(feature = "ssr")]
            ServerFnErrorErr::Deserialization(_) => unreadable(),
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => unreadable(),
            _ => ErrorBody::new(
                ErrorCode::Internal,
                "The server and this page did not understand each other.",
            )
            .with_help("Reload the page and try again."),
        })
    }
}

fn unreadable() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        "The server could not read the request.",
    )
    .with_help("Reload the page: it may be older than the server.")
}

/// What the frame of every page shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameData {
    pub status: Status,
    /// The newest conversations, and those that are pinned.
    pub conversations: Vec<ConversationSummary>,
    /// Those in which calls wait for a person, also older ones.
    pub waiting: Vec<ConversationSummary>,
    /// Cards of others that wait for this user.
    pub seconds: Vec<SecondCall>,
    /// The time at which this was so: ages in the first HTML are counted from it.
    pub now: Timestamp,
}

protocol::struct_from_json!(FrameData {
    status,
    conversations,
    waiting,
    seconds,
    now
});

/// The frame of a page.
#[server(endpoint = "frame", input = Json, output = Answer)]
pub async fn frame() -> Result<FrameData, ApiError> {
    let (backend, user) = back_end()?;
    frame_data(&*backend, &user).await
}

/// What the frame of a page shows to a user now.
///
/// # Errors
/// What the back end cannot tell, in words for the page.
#[cfg(feature = "ssr")]
pub async fn frame_data(
    backend: &dyn crate::Backend,
    user: &crate::CurrentUser,
) -> Result<FrameData, ApiError> {
    Ok(FrameData {
        status: backend.status(user).await?,
        conversations: backend.conversations(user, None, LIST_PAGE).await?,
        waiting: backend.waiting(user).await?,
        seconds: backend.seconds(user).await?,
        now: now(),
    })
}

/// What the server runs on.
#[server(name = StatusCall, endpoint = "status", input = Json, output = Answer)]
pub async fn status() -> Result<Status, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.status(&user).await?)
}

/// Conversations in the list that changed before `before`, newest change first.
#[server(endpoint = "conversations", input = Json, output = Answer)]
pub async fn conversations(
    before: Option<Timestamp>,
) -> Result<Vec<ConversationSummary>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.conversations(&user, before, LIST_PAGE).await?)
}

/// Archived conversations that changed before `before`, newest change first.
#[server(endpoint = "archived", input = Json, output = Answer)]
pub async fn archived(before: Option<Timestamp>) -> Result<Vec<ConversationSummary>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.archived(&user, before, LIST_PAGE).await?)
}

/// Where all words of a text stand in the user's conversations, best first, after the first `skip`.
#[server(endpoint = "search", input = Json, output = Answer)]
pub async fn search(text: String, skip: u32) -> Result<SearchPage, ApiError> {
    let (backend, user) = back_end()?;
    let skip = usize::try_from(skip).unwrap_or(usize::MAX);
    Ok(backend.search(&user, &text, skip, SEARCH_PAGE).await?)
}

/// A conversation with its newest turns.
#[server(endpoint = "conversation", input = Json, output = Answer)]
pub async fn conversation(id: ConversationId) -> Result<ConversationPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.conversation(&user, id).await?)
}

/// Some older turns of a conversation.
#[server(endpoint = "history", input = Json, output = Answer)]
pub async fn history(id: ConversationId, place: HistoryPlace) -> Result<HistoryPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.history(&user, id, place).await?)
}

/// The models to choose from.
#[server(endpoint = "models", input = Json, output = Answer)]
pub async fn models() -> Result<ModelMenu, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.models(&user).await?)
}

/// What a conversation and the day have used, and what they may use.
#[server(name = SpendingCall, endpoint = "spending", input = Json, output = Answer)]
pub async fn spending(id: ConversationId) -> Result<Spending, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.spending(&user, id).await?)
}

/// A board with all that is on it.
#[server(endpoint = "board", input = Json, output = Answer)]
pub async fn board(name: String) -> Result<BoardPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.board(&user, &name).await?)
}

/// Some of the feed. `filter` is the query of the page's address.
#[server(endpoint = "feed", input = Json, output = Answer)]
pub async fn feed(filter: String, place: FeedPlace) -> Result<FeedPage, ApiError> {
    let (backend, user) = back_end()?;
    let filter = protocol::FeedFilter::from_query(&filter);
    Ok(backend.feed(&user, &filter, place, FEED_PAGE).await?)
}

/// One entry of the feed.
#[server(name = FeedEntryCall, endpoint = "feed_entry", input = Json, output = Answer)]
pub async fn feed_entry(id: FeedId) -> Result<FeedEntry, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.feed_entry(&user, id).await?)
}

/// What the page of one thing of a system asks for.
#[server(endpoint = "page", input = Json, output = Answer)]
pub async fn page(
    board: String,
    kind: String,
    name: String,
    part: String,
) -> Result<PageAnswer, ApiError> {
    let (backend, user) = back_end()?;
    let query = protocol::PageQuery { kind, name, part };
    Ok(backend.page(&user, &board, query).await?)
}

/// Gives a conversation another title.
#[server(endpoint = "rename", input = Json, output = Answer)]
pub async fn rename(id: ConversationId, title: String) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.rename(&user, id, title).await?)
}

/// The messages of a conversation that have siblings in other branches.
#[server(endpoint = "forks", input = Json, output = Answer)]
pub async fn forks(id: ConversationId) -> Result<Vec<Fork>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.forks(&user, id).await?)
}

/// The calls that acted and that a branch at a message leaves behind.
#[server(endpoint = "effects", input = Json, output = Answer)]
pub async fn effects(id: ConversationId, message: MessageId) -> Result<Vec<Effect>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.effects(&user, id, message).await?)
}

/// Lets a branch stand for all of them in the list: it is looked at.
#[server(endpoint = "to_front", input = Json, output = Answer)]
pub async fn to_front(id: ConversationId) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.to_front(&user, id).await?)
}

/// Puts a conversation elsewhere in the list.
#[server(endpoint = "shelve", input = Json, output = Answer)]
pub async fn shelve(id: ConversationId, shelf: Shelf) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shelve(&user, id, shelf).await?)
}

/// Notes that the user has seen a conversation up to an event.
#[server(endpoint = "seen", input = Json, output = Answer)]
pub async fn seen(id: ConversationId, seq: Seq) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.seen(&user, id, seq).await?)
}

/// Deletes a conversation. For a few seconds it can be restored.
#[server(endpoint = "delete", input = Json, output = Answer)]
pub async fn delete(id: ConversationId) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.delete(&user, id).await?)
}

/// Takes the deletion of a conversation back.
#[server(endpoint = "restore", input = Json, output = Answer)]
pub async fn restore(id: ConversationId) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.restore(&user, id).await?)
}

/// Makes a link under which others read a conversation; it ends after so many days, or not by itself.
#[server(name = ShareCall, endpoint = "share", input = Json, output = Answer)]
pub async fn share(id: ConversationId, days: Option<u32>) -> Result<NewShare, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.share(&user, id, days).await?)
}

/// The links that lead to a conversation.
#[server(endpoint = "shares", input = Json, output = Answer)]
pub async fn shares(id: ConversationId) -> Result<Vec<Share>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shares(&user, id).await?)
}

/// Ends a link to a conversation.
#[server(endpoint = "unshare", input = Json, output = Answer)]
pub async fn unshare(id: ConversationId, share: String) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.unshare(&user, id, &share).await?)
}

/// What a link leads to, with its newest turns.
#[server(endpoint = "shared", input = Json, output = Answer)]
pub async fn shared(token: String) -> Result<ConversationPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shared(&user, &token).await?)
}

/// Some older turns of what a link leads to.
#[server(endpoint = "shared_history", input = Json, output = Answer)]
pub async fn shared_history(token: String, place: HistoryPlace) -> Result<HistoryPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shared_history(&user, &token, place).await?)
}

/// What the pieces of finished blocks of code are, for each block; nothing for a language that is
/// not known. It is read anew each time: that costs less than to look for it.
#[server(endpoint = "code", input = Json, output = Answer)]
pub async fn code(blocks: Vec<CodeBlock>) -> Result<Vec<Vec<CodeSpan>>, ApiError> {
    let _signed_in = back_end()?;
    let bytes: usize = blocks.iter().map(|block| block.text.len()).sum();
    if blocks.len() > protocol::MAX_CODE_BLOCKS || bytes > protocol::MAX_CODE_BYTES {
        return Err(unreadable().into());
    }
    let spans = |block: &CodeBlock| markdown::code_spans(&block.lang, &block.text);
    Ok(blocks
        .iter()
        .map(|it| spans(it).unwrap_or_default())
        .collect())
}

/// The messages that the user keeps, by name.
#[server(endpoint = "prompts", input = Json, output = Answer)]
pub async fn prompts() -> Result<Vec<Prompt>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.prompts(&user).await?)
}

/// Keeps a message under a name. Gives all that are kept.
#[server(endpoint = "keep_prompt", input = Json, output = Answer)]
pub async fn keep_prompt(name: String, text: String) -> Result<Vec<Prompt>, ApiError> {
    let (backend, user) = back_end()?;
    backend.keep_prompt(&user, Prompt { name, text }).await?;
    Ok(backend.prompts(&user).await?)
}

/// Keeps a message no longer. Gives all that are kept.
#[server(endpoint = "forget_prompt", input = Json, output = Answer)]
pub async fn forget_prompt(name: String) -> Result<Vec<Prompt>, ApiError> {
    let (backend, user) = back_end()?;
    backend.forget_prompt(&user, &name).await?;
    Ok(backend.prompts(&user).await?)
}

#[cfg(feature = "ssr")]
fn back_end() -> Result<(std::sync::Arc<dyn crate::Backend>, crate::CurrentUser), ApiError> {
    let user = use_context::<crate::CurrentUser>().ok_or_else(|| {
        ErrorBody::new(ErrorCode::NotSignedIn, "You are not signed in.").with_help("Sign in again.")
    })?;
    let backend = use_context().ok_or_else(|| {
        ErrorBody::new(ErrorCode::Internal, "The server is not set up completely.")
    })?;
    Ok((backend, user))
}

#[cfg(feature = "ssr")]
fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }))
}
