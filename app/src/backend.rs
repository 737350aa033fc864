//! The port through which the user interface calls the back end, implemented by `server`.

use std::sync::Arc;

use async_trait::async_trait;
use protocol::{
    BoardPage, CallId, CallTrace, ConversationId, ConversationPage, ConversationSummary, Effect,
    ErrorBody, FeedEntry, FeedFilter, FeedId, FeedPage, FeedPlace, Folder, Fork, HistoryPage,
    HistoryPlace, MessageId, ModelMenu, NewShare, PageAnswer, PageQuery, Prompt, Role, SearchPage,
    SecondCall, Seq, Share, Shelf, Spending, Status, Timestamp, UserId,
};

/// The user behind a request. The server puts it into the context of every request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentUser {
    pub id: UserId,
    pub name: String,
    /// The user's role when the request came in.
    pub role: Role,
    /// The toolsets that the request may use, if it comes with a token limited to some; none for
    /// all.
    pub toolsets: Option<Arc<[String]>>,
    /// True if the request comes with a token.
    pub is_program: bool,
    /// The id of the request: in its errors, and in the records of its changes.
    pub request: Option<Arc<str>>,
}

/// The operations that pages and server functions need from the back end. `server` provides it in
/// the Leptos context as `std::sync::Arc<dyn Backend>`.
#[async_trait]
pub trait Backend: Send + Sync + 'static {
    /// Returns the status of the server.
    async fn status(&self, user: &CurrentUser) -> Result<Status, ErrorBody>;

    /// Returns the user's listed conversations that changed before `before`, newest change first;
    /// without `before`, all pinned ones are included.
    async fn conversations(
        &self,
        user: &CurrentUser,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody>;

    /// Returns the user's archived conversations that changed before `before`, newest change first.
    async fn archived(
        &self,
        user: &CurrentUser,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody>;

    /// Returns the user's folders by name.
    async fn folders(&self, user: &CurrentUser) -> Result<Vec<Folder>, ErrorBody>;

    /// Returns the conversations of a folder that changed before `before`, newest change first,
    /// without those that are archived.
    async fn in_folder(
        &self,
        user: &CurrentUser,
        folder: &str,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody>;

    /// Returns titles and messages of the user's conversations that contain all words of a text,
    /// best first; at most `limit` after the first `skip`.
    async fn search(
        &self,
        user: &CurrentUser,
        text: &str,
        skip: usize,
        limit: usize,
    ) -> Result<SearchPage, ErrorBody>;

    /// Returns the user's conversations with calls that wait for a person, however old they are.
    async fn waiting(&self, user: &CurrentUser) -> Result<Vec<ConversationSummary>, ErrorBody>;

    /// Returns the calls of other people that wait for this user as the second person.
    async fn second_calls(&self, user: &CurrentUser) -> Result<Vec<SecondCall>, ErrorBody>;

    /// Returns one conversation with its newest turns.
    async fn conversation(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<ConversationPage, ErrorBody>;

    /// Returns whether this is the journal of a call of the user's own, which is no conversation.
    async fn has_own_call(&self, user: &CurrentUser, id: ConversationId)
    -> Result<bool, ErrorBody>;

    /// Returns some older turns of a conversation; no events if there are none at that place.
    async fn history(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        place: HistoryPlace,
    ) -> Result<HistoryPage, ErrorBody>;

    /// Returns the ids behind a call of the user; none for a call of somebody else.
    async fn trace(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        call: CallId,
    ) -> Result<CallTrace, ErrorBody>;

    /// Returns the models to choose from.
    async fn models(&self, user: &CurrentUser) -> Result<ModelMenu, ErrorBody>;

    /// Returns the usage and limits of a conversation and of the user's day.
    async fn spending(&self, user: &CurrentUser, id: ConversationId)
    -> Result<Spending, ErrorBody>;

    /// Returns the current board; the first reading may take a moment.
    async fn board(&self, user: &CurrentUser, board: &str) -> Result<BoardPage, ErrorBody>;

    /// Returns a page of the feed: at most `limit` entries that match a filter, next to a place.
    async fn feed(
        &self,
        user: &CurrentUser,
        filter: &FeedFilter,
        place: FeedPlace,
        limit: usize,
    ) -> Result<FeedPage, ErrorBody>;

    /// Returns one entry of the feed.
    async fn feed_entry(&self, user: &CurrentUser, id: FeedId) -> Result<FeedEntry, ErrorBody>;

    /// Answers a query of the page of one thing of a system; `board` names the system.
    async fn page(
        &self,
        user: &CurrentUser,
        board: &str,
        query: PageQuery,
    ) -> Result<PageAnswer, ErrorBody>;

    /// Renames a conversation.
    async fn rename(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        title: String,
    ) -> Result<(), ErrorBody>;

    /// Returns the messages of a conversation that have siblings in other branches.
    async fn forks(&self, user: &CurrentUser, id: ConversationId) -> Result<Vec<Fork>, ErrorBody>;

    /// Returns the calls that acted and that a branch at a message leaves behind.
    async fn effects(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        message: MessageId,
    ) -> Result<Vec<Effect>, ErrorBody>;

    /// Makes a branch the one that represents its family in the user's list.
    async fn to_front(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody>;

    /// Moves a conversation to another place of the user's list.
    async fn shelve(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        shelf: Shelf,
    ) -> Result<(), ErrorBody>;

    /// Puts a conversation into a folder of the user's list, or out of its folder.
    async fn put_in_folder(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        folder: Option<&str>,
    ) -> Result<(), ErrorBody>;

    /// Records that the user has seen a conversation up to an event.
    async fn seen(&self, user: &CurrentUser, id: ConversationId, seq: Seq)
    -> Result<(), ErrorBody>;

    /// Deletes a conversation; it can be restored for a few seconds.
    async fn delete(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody>;

    /// Restores a deleted conversation.
    async fn restore(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody>;

    /// Creates a link through which other people who are signed in read a conversation of the user;
    /// it expires after this many days, or never.
    async fn share(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        days: Option<u32>,
    ) -> Result<NewShare, ErrorBody>;

    /// Returns the links to a conversation of the user, newest first.
    async fn shares(&self, user: &CurrentUser, id: ConversationId)
    -> Result<Vec<Share>, ErrorBody>;

    /// Removes a link to a conversation of the user.
    async fn unshare(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        share: &str,
    ) -> Result<(), ErrorBody>;

    /// Returns the conversation behind a link, with its newest turns and without private data of
    /// its owner.
    async fn shared(&self, user: &CurrentUser, token: &str) -> Result<ConversationPage, ErrorBody>;

    /// Returns some older turns of the conversation behind a link.
    async fn shared_history(
        &self,
        user: &CurrentUser,
        token: &str,
        place: HistoryPlace,
    ) -> Result<HistoryPage, ErrorBody>;

    /// Returns the user's prompts, by name.
    async fn prompts(&self, user: &CurrentUser) -> Result<Vec<Prompt>, ErrorBody>;

    /// Saves a prompt, replacing the one with the same name if there is one.
    async fn keep_prompt(&self, user: &CurrentUser, prompt: Prompt) -> Result<(), ErrorBody>;

    /// Deletes a prompt.
    async fn forget_prompt(&self, user: &CurrentUser, name: &str) -> Result<(), ErrorBody>;
}
