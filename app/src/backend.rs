//! The one door from the user interface to the back end, opened by `server`.

use std::sync::Arc;

use async_trait::async_trait;
use protocol::{
    BoardPage, ConversationId, ConversationPage, ConversationSummary, Effect, ErrorBody, FeedEntry,
    FeedFilter, FeedId, FeedPage, FeedPlace, Fork, HistoryPage, HistoryPlace, MessageId, ModelMenu,
    NewShare, PageAnswer, PageQuery, Prompt, Role, SearchPage, SecondCall, Seq, Share, Shelf,
    Spending, Status, Timestamp, UserId,
};

/// Who asks. Put into the context of every request by the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentUser {
    pub id: UserId,
    pub name: String,
    /// What the user may do, as it was when the request came in.
    pub role: Role,
    /// The toolsets that the request reaches, if it comes with a token for some; none for all.
    pub toolsets: Option<Arc<[String]>>,
}

/// What pages and server functions ask of the back end. `server` provides it in the Leptos context
/// as `std::sync::Arc<dyn Backend>`.
#[async_trait]
pub trait Backend: Send + Sync + 'static {
    /// What the server runs on.
    async fn status(&self, user: &CurrentUser) -> Result<Status, ErrorBody>;

    /// The user's conversations in the list, newest change first, changed before `before`; without
    /// that, all that are pinned are among them.
    async fn conversations(
        &self,
        user: &CurrentUser,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody>;

    /// The user's archived conversations, newest change first, changed before `before`.
    async fn archived(
        &self,
        user: &CurrentUser,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody>;

    /// Titles and messages of the user's conversations with all words of a text in them, best
    /// first; at most `limit` after the first `skip`.
    async fn search(
        &self,
        user: &CurrentUser,
        text: &str,
        skip: usize,
        limit: usize,
    ) -> Result<SearchPage, ErrorBody>;

    /// The user's conversations in which calls wait for a person, however old they are.
    async fn waiting(&self, user: &CurrentUser) -> Result<Vec<ConversationSummary>, ErrorBody>;

    /// Calls of others that wait for this user as the second person.
    async fn seconds(&self, user: &CurrentUser) -> Result<Vec<SecondCall>, ErrorBody>;

    /// One conversation with its newest turns.
    async fn conversation(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<ConversationPage, ErrorBody>;

    /// Some older turns of a conversation; no events if there are none at that place.
    async fn history(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        place: HistoryPlace,
    ) -> Result<HistoryPage, ErrorBody>;

    /// The models to choose from.
    async fn models(&self, user: &CurrentUser) -> Result<ModelMenu, ErrorBody>;

    /// What a conversation and the user's day have used, and what they may use.
    async fn spending(&self, user: &CurrentUser, id: ConversationId)
    -> Result<Spending, ErrorBody>;

    /// A board as it is; its first look may take a moment.
    async fn board(&self, user: &CurrentUser, board: &str) -> Result<BoardPage, ErrorBody>;

    /// Some of the feed: what a filter allows next to a place, at most `limit` entries.
    async fn feed(
        &self,
        user: &CurrentUser,
        filter: &FeedFilter,
        place: FeedPlace,
        limit: usize,
    ) -> Result<FeedPage, ErrorBody>;

    /// One entry of the feed.
    async fn feed_entry(&self, user: &CurrentUser, id: FeedId) -> Result<FeedEntry, ErrorBody>;

    /// What the page of one thing of a system asks for; `board` names the system.
    async fn page(
        &self,
        user: &CurrentUser,
        board: &str,
        query: PageQuery,
    ) -> Result<PageAnswer, ErrorBody>;

    /// Gives a conversation another title.
    async fn rename(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        title: String,
    ) -> Result<(), ErrorBody>;

    /// The messages of a conversation that have siblings in other branches.
    async fn forks(&self, user: &CurrentUser, id: ConversationId) -> Result<Vec<Fork>, ErrorBody>;

    /// The calls that acted and that a branch at a message leaves behind.
    async fn effects(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        message: MessageId,
    ) -> Result<Vec<Effect>, ErrorBody>;

    /// Lets a branch stand for all of them in the user's list.
    async fn to_front(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody>;

    /// Puts a conversation elsewhere in the user's list.
    async fn shelve(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        shelf: Shelf,
    ) -> Result<(), ErrorBody>;

    /// Notes that the user has seen a conversation up to an event.
    async fn seen(&self, user: &CurrentUser, id: ConversationId, seq: Seq)
    -> Result<(), ErrorBody>;

    /// Deletes a conversation; that can be taken back for a few seconds.
    async fn delete(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody>;

    /// Takes a deletion back.
    async fn restore(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody>;

    /// Makes a link under which others who are signed in read a conversation of the user; it ends
    /// after so many days, or not by itself.
    async fn share(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        days: Option<u32>,
    ) -> Result<NewShare, ErrorBody>;

    /// The links that lead to a conversation of the user, newest first.
    async fn shares(&self, user: &CurrentUser, id: ConversationId)
    -> Result<Vec<Share>, ErrorBody>;

    /// Ends a link to a conversation of the user.
    async fn unshare(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        share: &str,
    ) -> Result<(), ErrorBody>;

    /// The conversation that a link leads to, with its newest turns and without what is its owner's.
    async fn shared(&self, user: &CurrentUser, token: &str) -> Result<ConversationPage, ErrorBody>;

    /// Some older turns of it.
    async fn shared_history(
        &self,
        user: &CurrentUser,
        token: &str,
        place: HistoryPlace,
    ) -> Result<HistoryPage, ErrorBody>;

    /// The messages that the user keeps, by name.
    async fn prompts(&self, user: &CurrentUser) -> Result<Vec<Prompt>, ErrorBody>;

    /// Keeps a message, in the place of the one with its name if there is one.
    async fn keep_prompt(&self, user: &CurrentUser, prompt: Prompt) -> Result<(), ErrorBody>;

    /// Keeps a message no longer.
    async fn forget_prompt(&self, user: &CurrentUser, name: &str) -> Result<(), ErrorBody>;
}
