//! Server functions: requests of a page that have a single answer.

use std::fmt;

use kit::{
    missing_code,
    wire::{Answer, Wire},
};
use leptos::{
    prelude::*,
    server_fn::{
        codec::Json,
        error::{FromServerFnError, ServerFnErrorErr},
    },
    wasm_split::SplitLoaderError,
};
use protocol::{
    BoardPage, CallId, CallTrace, CodeBlock, CodeSpan, ConversationId, ConversationPage,
    ConversationSummary, Effect, ErrorBody, ErrorCode, FeedEntry, FeedId, FeedPage, FeedPlace,
    Folder, Fork, FromJson, HistoryPage, HistoryPlace, MessageId, ModelMenu, NewShare, PageAnswer,
    Prompt, SearchPage, SecondCall, Seq, Share, Shelf, Spending, Status, Timestamp,
};
use serde::Serialize;

use crate::texts::api as texts;

/// Entries per page of the list of conversations.
pub(crate) const LIST_PAGE: usize = 50;

/// Hits per page of a search.
#[cfg(feature = "ssr")]
const SEARCH_PAGE: usize = 50;

/// Entries per page of the feed.
#[cfg(feature = "ssr")]
const FEED_PAGE: usize = 60;

/// An [`ErrorBody`] as the answer of a server function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, FromJson)]
#[serde(transparent)]
pub struct ApiError(pub ErrorBody);

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl From<ErrorBody> for ApiError {
    fn from(error: ErrorBody) -> Self {
        #[cfg(feature = "ssr")]
        let error = of_request(error);
        Self(error)
    }
}

/// Adds the id of the request that is being answered.
#[cfg(feature = "ssr")]
fn of_request(error: ErrorBody) -> ErrorBody {
    let user = use_context::<crate::CurrentUser>();
    match user.and_then(|user| user.request) {
        Some(id) => error.of_request(&*id),
        None => error,
    }
}

/// Code that failed to load, a part of the page's module.
impl From<SplitLoaderError> for ApiError {
    fn from(error: SplitLoaderError) -> Self {
        Self(missing_code(error))
    }
}

impl FromServerFnError for ApiError {
    type Encoder = Wire;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        Self(match error {
            ServerFnErrorErr::Request(_) => no_answer(),
            // The server deserialises only requests, the browser only answers.
            #[cfg(feature = "ssr")]
            ServerFnErrorErr::Deserialization(_) => unreadable(),
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => unreadable(),
            _ => incompatible(),
        })
    }
}

/// Returns the error for a request that never reached the server.
pub(crate) fn no_answer() -> ErrorBody {
    ErrorBody::new(ErrorCode::Internal, texts::CANT_REACH_THE_SERVER)
        .with_help(texts::CHECK_YOUR_CONNECTION_AND_TRY_AGAIN)
}

/// Returns the error for an answer that this page cannot read.
pub(crate) fn incompatible() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Internal,
        texts::THIS_PAGE_AND_THE_SERVER_ARE_INCOMPATIBLE,
    )
    .with_help(texts::RELOAD_THE_PAGE_AND_TRY_AGAIN)
}

fn unreadable() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::Malformed,
        texts::THE_SERVER_COULD_NOT_READ_THE_REQUEST,
    )
    .with_help(texts::PAGE_MAY_BE_OUTDATED)
}

/// The data in the frame of every page.
#[derive(Debug, Clone, PartialEq, Serialize, FromJson)]
pub struct FrameData {
    pub status: Status,
    /// The newest conversations, and the pinned ones.
    pub conversations: Vec<ConversationSummary>,
    /// Conversations with calls that wait for a person, older ones included.
    pub waiting: Vec<ConversationSummary>,
    /// Cards of other people that wait for this user.
    pub seconds: Vec<SecondCall>,
    /// Time of this data: ages in the first HTML are relative to it.
    pub now: Timestamp,
}

/// Returns the frame of a page.
#[server(endpoint = "frame", input = Json, output = Answer)]
pub async fn frame() -> Result<FrameData, ApiError> {
    let (backend, user) = back_end()?;
    frame_data(&*backend, &user).await
}

/// Returns the frame's data for a user.
///
/// # Errors
/// An error of the back end, in words for the page.
#[cfg(feature = "ssr")]
pub async fn frame_data(
    backend: &dyn crate::Backend,
    user: &crate::CurrentUser,
) -> Result<FrameData, ApiError> {
    Ok(FrameData {
        status: backend.status(user).await?,
        conversations: backend.conversations(user, None, LIST_PAGE).await?,
        waiting: backend.waiting(user).await?,
        seconds: backend.second_calls(user).await?,
        now: now(),
    })
}

/// Returns the status of the server.
#[server(name = StatusCall, endpoint = "status", input = Json, output = Answer)]
pub async fn status() -> Result<Status, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.status(&user).await?)
}

/// Returns listed conversations that changed before `before`, newest change first.
#[server(endpoint = "conversations", input = Json, output = Answer)]
pub async fn conversations(
    before: Option<Timestamp>,
) -> Result<Vec<ConversationSummary>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.conversations(&user, before, LIST_PAGE).await?)
}

/// Returns archived conversations that changed before `before`, newest change first.
#[server(endpoint = "archived", input = Json, output = Answer)]
pub async fn archived(before: Option<Timestamp>) -> Result<Vec<ConversationSummary>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.archived(&user, before, LIST_PAGE).await?)
}

/// Returns the user's folders by name.
#[server(endpoint = "folders", input = Json, output = Answer)]
pub async fn folders() -> Result<Vec<Folder>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.folders(&user).await?)
}

/// Returns conversations of a folder that changed before `before`, newest change first.
#[server(endpoint = "in_folder", input = Json, output = Answer)]
pub async fn in_folder(
    folder: String,
    before: Option<Timestamp>,
) -> Result<Vec<ConversationSummary>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.in_folder(&user, &folder, before, LIST_PAGE).await?)
}

/// Searches the user's conversations for all words of a text, best hits first, after the first
/// `skip`.
#[server(endpoint = "search", input = Json, output = Answer)]
pub async fn search(text: String, skip: u32) -> Result<SearchPage, ApiError> {
    let (backend, user) = back_end()?;
    let skip = usize::try_from(skip).unwrap_or(usize::MAX);
    Ok(backend.search(&user, &text, skip, SEARCH_PAGE).await?)
}

/// Returns a conversation with its newest turns. A call of the user's own has no page of turns, and an error of
/// its own says so.
#[server(endpoint = "conversation", input = Json, output = Answer)]
pub async fn conversation(id: ConversationId) -> Result<ConversationPage, ApiError> {
    let (backend, user) = back_end()?;
    let page = backend.conversation(&user, id).await;
    let is_unknown = matches!(&page, Err(error) if error.code == ErrorCode::ConversationNotFound);
    if is_unknown && backend.has_own_call(&user, id).await? {
        let code = ErrorCode::NotAConversation;
        return Err(ErrorBody::new(code, texts::NOT_A_CONVERSATION).into());
    }
    Ok(page?)
}

/// Returns some older turns of a conversation.
#[server(endpoint = "history", input = Json, output = Answer)]
pub async fn history(id: ConversationId, place: HistoryPlace) -> Result<HistoryPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.history(&user, id, place).await?)
}

/// Returns the ids behind a call of the user.
#[server(endpoint = "trace", input = Json, output = Answer)]
pub async fn trace(id: ConversationId, call: CallId) -> Result<CallTrace, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.trace(&user, id, call).await?)
}

/// Returns the models to choose from.
#[server(endpoint = "models", input = Json, output = Answer)]
pub async fn models() -> Result<ModelMenu, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.models(&user).await?)
}

/// Returns the usage and limits of a conversation and of the day.
#[server(name = SpendingCall, endpoint = "spending", input = Json, output = Answer)]
pub async fn spending(id: ConversationId) -> Result<Spending, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.spending(&user, id).await?)
}

/// Returns a board with all its parts.
#[server(endpoint = "board", input = Json, output = Answer)]
pub async fn board(name: String) -> Result<BoardPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.board(&user, &name).await?)
}

/// Returns a page of the feed. `filter` is the query of the page's address.
#[server(endpoint = "feed", input = Json, output = Answer)]
pub async fn feed(filter: String, place: FeedPlace) -> Result<FeedPage, ApiError> {
    let (backend, user) = back_end()?;
    let filter = protocol::FeedFilter::from_query(&filter);
    Ok(backend.feed(&user, &filter, place, FEED_PAGE).await?)
}

/// Returns one entry of the feed.
#[server(name = FeedEntryCall, endpoint = "feed_entry", input = Json, output = Answer)]
pub async fn feed_entry(id: FeedId) -> Result<FeedEntry, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.feed_entry(&user, id).await?)
}

/// Answers a query of the page of one thing of a system.
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

/// Renames a conversation.
#[server(endpoint = "rename", input = Json, output = Answer)]
pub async fn rename(id: ConversationId, title: String) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.rename(&user, id, title).await?)
}

/// Returns the messages of a conversation that have siblings in other branches.
#[server(endpoint = "forks", input = Json, output = Answer)]
pub async fn forks(id: ConversationId) -> Result<Vec<Fork>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.forks(&user, id).await?)
}

/// Returns the calls that acted and that a branch at a message leaves behind.
#[server(endpoint = "effects", input = Json, output = Answer)]
pub async fn effects(id: ConversationId, message: MessageId) -> Result<Vec<Effect>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.effects(&user, id, message).await?)
}

/// Makes a branch the one that represents its family in the list, as it is being viewed.
#[server(endpoint = "to_front", input = Json, output = Answer)]
pub async fn to_front(id: ConversationId) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.to_front(&user, id).await?)
}

/// Moves a conversation to another place of the list.
#[server(endpoint = "shelve", input = Json, output = Answer)]
pub async fn shelve(id: ConversationId, shelf: Shelf) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shelve(&user, id, shelf).await?)
}

/// Puts a conversation into a folder of the list, or out of its folder.
#[server(endpoint = "put_in_folder", input = Json, output = Answer)]
pub async fn put_in_folder(id: ConversationId, folder: Option<String>) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.put_in_folder(&user, id, folder.as_deref()).await?)
}

/// Records that the user has seen a conversation up to an event.
#[server(endpoint = "seen", input = Json, output = Answer)]
pub async fn seen(id: ConversationId, seq: Seq) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.seen(&user, id, seq).await?)
}

/// Deletes a conversation. It can be restored for a few seconds.
#[server(endpoint = "delete", input = Json, output = Answer)]
pub async fn delete(id: ConversationId) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.delete(&user, id).await?)
}

/// Restores a deleted conversation.
#[server(endpoint = "restore", input = Json, output = Answer)]
pub async fn restore(id: ConversationId) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.restore(&user, id).await?)
}

/// Creates a link through which others read a conversation; it expires after this many days, or
/// never.
#[server(name = ShareCall, endpoint = "share", input = Json, output = Answer)]
pub async fn share(id: ConversationId, days: Option<u32>) -> Result<NewShare, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.share(&user, id, days).await?)
}

/// Returns the links to a conversation.
#[server(endpoint = "shares", input = Json, output = Answer)]
pub async fn shares(id: ConversationId) -> Result<Vec<Share>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shares(&user, id).await?)
}

/// Removes a link to a conversation.
#[server(endpoint = "unshare", input = Json, output = Answer)]
pub async fn unshare(id: ConversationId, share: String) -> Result<(), ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.unshare(&user, id, &share).await?)
}

/// Returns the conversation behind a link, with its newest turns.
#[server(endpoint = "shared", input = Json, output = Answer)]
pub async fn shared(token: String) -> Result<ConversationPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shared(&user, &token).await?)
}

/// Returns some older turns of the conversation behind a link.
#[server(endpoint = "shared_history", input = Json, output = Answer)]
pub async fn shared_history(token: String, place: HistoryPlace) -> Result<HistoryPage, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.shared_history(&user, &token, place).await?)
}

/// Returns the pieces of each finished block of code; empty for an unknown language. Computed anew
/// each time: that is cheaper than a cache.
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

/// Returns the user's prompts, by name.
#[server(endpoint = "prompts", input = Json, output = Answer)]
pub async fn prompts() -> Result<Vec<Prompt>, ApiError> {
    let (backend, user) = back_end()?;
    Ok(backend.prompts(&user).await?)
}

/// Saves a prompt under a name. Returns all prompts.
#[server(endpoint = "keep_prompt", input = Json, output = Answer)]
pub async fn keep_prompt(name: String, text: String) -> Result<Vec<Prompt>, ApiError> {
    let (backend, user) = back_end()?;
    backend.keep_prompt(&user, Prompt { name, text }).await?;
    Ok(backend.prompts(&user).await?)
}

/// Deletes a prompt. Returns all that remain.
#[server(endpoint = "forget_prompt", input = Json, output = Answer)]
pub async fn forget_prompt(name: String) -> Result<Vec<Prompt>, ApiError> {
    let (backend, user) = back_end()?;
    backend.forget_prompt(&user, &name).await?;
    Ok(backend.prompts(&user).await?)
}

#[cfg(feature = "ssr")]
fn back_end() -> Result<(std::sync::Arc<dyn crate::Backend>, crate::CurrentUser), ApiError> {
    let user = use_context::<crate::CurrentUser>().ok_or_else(|| {
        ErrorBody::new(ErrorCode::NotSignedIn, texts::YOU_ARE_NOT_SIGNED_IN)
            .with_help(texts::SIGN_IN_AGAIN)
    })?;
    let backend = use_context()
        .ok_or_else(|| ErrorBody::new(ErrorCode::Internal, texts::THE_SERVER_ISNT_FULLY_SET_UP))?;
    Ok((backend, user))
}

#[cfg(feature = "ssr")]
fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }))
}
