//! The back end of pages and server functions.

mod newest_turns;
mod own_call;
mod request_scope;
mod share;

use std::{sync::Arc, time::Duration};

use agent::{
    Engine,
    ports::{Controls, Env, Spending as _},
};
use app::{Backend, CurrentUser};
use async_trait::async_trait;
use protocol::{
    BoardPage, CallId, CallTrace, ConversationId, ConversationPage, ConversationSummary, Effect,
    ErrorBody, ErrorCode, FeedEntry, FeedFilter, FeedId, FeedPage, FeedPlace, Folder, Fork,
    HistoryPage, HistoryPlace, MAX_PROMPTS, MessageId, ModelMenu, ModelStatus, NewShare, Pack,
    PageAnswer, PageQuery, Prompt, Questions, SearchPage, SecondCall, Seq, Share, Shelf, Spending,
    Status, SystemStatus, Timestamp,
};
use store::{ListPlace, Store};

pub(crate) use self::newest_turns::newest_turns;
use self::request_scope::{out_of_reach, person, reaches, reaches_all, scope, within};
pub(crate) use self::share::Openings;
use crate::{domains::StartedPack, feed::Feed, model_catalog::Offer, texts};

/// Answers from the database; changes go through the engine.
pub(crate) struct ServerBackend {
    pub(crate) store: Store,
    pub(crate) engine: Engine,
    pub(crate) feed: Feed,
    /// The configured model.
    pub(crate) model: ModelStatus,
    pub(crate) offer: Offer,
    pub(crate) systems: Vec<SystemStatus>,
    /// Questions that the toolsets can answer.
    pub(crate) questions: Vec<Questions>,
    /// The packs to choose from when a conversation starts.
    pub(crate) packs: Vec<StartedPack>,
    pub(crate) env: Arc<dyn Env>,
    pub(crate) openings: Openings,
}

/// The longest wait of a page for the first reading of a system.
const FIRST_LOOK: Duration = Duration::from_secs(2);
const LISTED: ListPlace<'_> = ListPlace::Shelf(Shelf::Listed);
const PINNED: ListPlace<'_> = ListPlace::Shelf(Shelf::Pinned);
const ARCHIVED: ListPlace<'_> = ListPlace::Shelf(Shelf::Archived);
/// The most conversations in one answer.
const MAX_PAGE: usize = 200;

#[async_trait]
impl Backend for ServerBackend {
    async fn status(&self, user: &CurrentUser) -> Result<Status, ErrorBody> {
        let packs = self.packs.iter().filter_map(StartedPack::offered);
        let mut packs: Vec<Pack> = packs.collect();
        if let Some(chosen) = self.store.packs(user.id).await.map_err(unread)? {
            for pack in &mut packs {
                pack.usual = chosen.contains(&pack.toolset);
            }
        }
        Ok(Status {
            version: crate::VERSION.to_owned(),
            user: user.name.clone(),
            role: user.role,
            model: self.offer.of_new(self.engine.config().model, &self.model),
            systems: self.systems.clone(),
            questions: self.questions.clone(),
            packs,
            kill_switch: self.store.kill_switch().await.map_err(unread)?,
            notices: self.engine.notice_count(),
        })
    }

    async fn conversations(
        &self,
        user: &CurrentUser,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody> {
        let mut lines = self.listed(user, LISTED, before, limit).await?;
        if before.is_none() {
            lines.extend(self.listed(user, PINNED, None, MAX_PAGE).await?);
            lines.sort_by_key(|line| std::cmp::Reverse((line.updated, line.id)));
        }
        Ok(lines)
    }

    async fn archived(
        &self,
        user: &CurrentUser,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody> {
        self.listed(user, ARCHIVED, before, limit).await
    }

    async fn folders(&self, user: &CurrentUser) -> Result<Vec<Folder>, ErrorBody> {
        self.store.folders(user.id).await.map_err(error)
    }

    async fn in_folder(
        &self,
        user: &CurrentUser,
        folder: &str,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody> {
        let place = ListPlace::Folder(folder);
        self.listed(user, place, before, limit).await
    }

    async fn search(
        &self,
        user: &CurrentUser,
        text: &str,
        skip: usize,
        limit: usize,
    ) -> Result<SearchPage, ErrorBody> {
        let toolsets = user.toolsets.as_deref();
        let limit = limit.min(MAX_PAGE);
        let found = self.store.search(user.id, toolsets, text, skip, limit);
        found.await.map_err(error)
    }

    async fn waiting(&self, user: &CurrentUser) -> Result<Vec<ConversationSummary>, ErrorBody> {
        let waiting = self.store.waiting_conversations(user.id).await;
        self.within(user, waiting.map_err(error)?).await
    }

    async fn second_calls(&self, user: &CurrentUser) -> Result<Vec<SecondCall>, ErrorBody> {
        // No program is a second person: see `Engine::second_calls`.
        if user.is_program {
            return Ok(Vec::new());
        }
        self.engine.second_calls(person(user)).await
    }

    async fn conversation(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<ConversationPage, ErrorBody> {
        let page = self.store.conversation_page(user.id, id).await;
        let sight = self.engine.sight(user.role, id);
        let page = page.map_err(error)?.by(sight.await?);
        self.reaches(user, page.summary.clone()).await?;
        let window = self.offer.entry(&page.summary.model);
        let window = window.and_then(|entry| entry.context_window);
        Ok(ConversationPage { window, ..page })
    }

    async fn has_own_call(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<bool, ErrorBody> {
        self.finds_own_call(user, id).await
    }

    async fn trace(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        call: CallId,
    ) -> Result<CallTrace, ErrorBody> {
        reaches_all(user)?;
        let trace = self.store.call_trace(user.id, id, call).await;
        trace.map_err(error)
    }

    async fn models(&self, _user: &CurrentUser) -> Result<ModelMenu, ErrorBody> {
        Ok(self.offer.menu(&self.engine.config().model).await)
    }

    async fn spending(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<Spending, ErrorBody> {
        let line = self.store.conversation_head(user.id, id).await;
        let (line, _) = line.map_err(error)?;
        let model = line.model.clone();
        self.reaches(user, line).await?;
        let today = agent::day_of(self.env.now());
        let conversation = self.store.conversation_spent(user.id, id).await;
        let versions = self.store.family_spent(user.id, id).await;
        let day = self.store.spent_on(user.id, today).await;
        let config = self.engine.config();
        let budgets = config.budgets;
        let entry = self.offer.entry(&model);
        Ok(Spending {
            conversation: conversation.map_err(error)?,
            versions: Some(versions.map_err(error)?),
            conversation_limit: budgets.conversation,
            day: day.map_err(unread)?.spent,
            day_limit: budgets.day,
            since: agent::day_start(today),
            window: entry.and_then(|entry| entry.context_window),
            history_limit: Some(config.history_limit),
            may_be_estimated: self.offer.estimates_usage(),
        })
    }

    async fn history(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        place: HistoryPlace,
    ) -> Result<HistoryPage, ErrorBody> {
        let line = self.store.conversation_head(user.id, id).await;
        let (line, _) = line.map_err(error)?;
        self.reaches(user, line).await?;
        let sight = self.engine.sight(user.role, id).await?;
        let page = self.store.history(user.id, id, place).await;
        page.map(|page| page.by(sight)).map_err(error)
    }

    async fn board(&self, user: &CurrentUser, board: &str) -> Result<BoardPage, ErrorBody> {
        let parts = self.engine.board(&scope(user), board, FIRST_LOOK).await?;
        let system = self.systems.iter().find(|system| system.toolset == board);
        Ok(BoardPage {
            board: board.to_owned(),
            system: system.cloned().ok_or_else(no_system)?,
            parts,
        })
    }

    async fn feed(
        &self,
        user: &CurrentUser,
        filter: &FeedFilter,
        place: FeedPlace,
        limit: usize,
    ) -> Result<FeedPage, ErrorBody> {
        reaches_all(user)?;
        let page = self.feed.page(user.id, user.role, filter, place, limit);
        page.await.map_err(error)
    }

    async fn feed_entry(&self, user: &CurrentUser, id: FeedId) -> Result<FeedEntry, ErrorBody> {
        reaches_all(user)?;
        match self.feed.entry(user.id, user.role, id).await {
            Err(store::Error::NotFound) => Err(ErrorBody::new(
                ErrorCode::EventNotFound,
                texts::http::NO_SUCH_EVENT,
            )
            .with_help(texts::http::OLDER_THAN_FEED)),
            entry => entry.map_err(error),
        }
    }

    async fn page(
        &self,
        user: &CurrentUser,
        board: &str,
        query: PageQuery,
    ) -> Result<PageAnswer, ErrorBody> {
        if !scope(user).has(board) {
            return Err(out_of_reach());
        }
        let system = self.systems.iter().find(|system| system.toolset == board);
        let system = system.cloned().ok_or_else(no_system)?;
        let value = self.engine.page(user.id, user.role, board, &query).await?;
        Ok(PageAnswer { system, value })
    }

    async fn rename(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        title: String,
    ) -> Result<(), ErrorBody> {
        Box::pin(self.engine.rename(person(user), id, &title)).await
    }

    async fn forks(&self, user: &CurrentUser, id: ConversationId) -> Result<Vec<Fork>, ErrorBody> {
        // Refuses everybody that the conversation itself refuses.
        let line = self.store.conversation_head(user.id, id).await;
        let (line, _) = line.map_err(error)?;
        self.reaches(user, line).await?;
        self.store.forks(user.id, id).await.map_err(error)
    }

    async fn effects(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        message: MessageId,
    ) -> Result<Vec<Effect>, ErrorBody> {
        Box::pin(self.engine.left_behind(person(user), id, message)).await
    }

    async fn to_front(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody> {
        Box::pin(self.engine.to_front(person(user), id)).await
    }

    async fn shelve(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        shelf: Shelf,
    ) -> Result<(), ErrorBody> {
        Box::pin(self.engine.shelve(person(user), id, shelf)).await
    }

    async fn put_in_folder(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        folder: Option<&str>,
    ) -> Result<(), ErrorBody> {
        Box::pin(self.engine.put_in_folder(person(user), id, folder)).await
    }

    async fn seen(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        seq: Seq,
    ) -> Result<(), ErrorBody> {
        Box::pin(self.engine.see(person(user), id, seq)).await
    }

    async fn delete(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody> {
        Box::pin(self.engine.delete(person(user), id)).await
    }

    async fn restore(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody> {
        Box::pin(self.engine.restore(person(user), id)).await
    }

    async fn share(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        days: Option<u32>,
    ) -> Result<NewShare, ErrorBody> {
        self.make_share(user, id, days).await
    }

    async fn shares(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<Vec<Share>, ErrorBody> {
        self.list_shares(user, id).await
    }

    async fn unshare(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        share: &str,
    ) -> Result<(), ErrorBody> {
        self.end_share(user, id, share).await
    }

    async fn shared(&self, user: &CurrentUser, token: &str) -> Result<ConversationPage, ErrorBody> {
        self.open_share(user, token).await
    }

    async fn shared_history(
        &self,
        user: &CurrentUser,
        token: &str,
        place: HistoryPlace,
    ) -> Result<HistoryPage, ErrorBody> {
        self.read_share(user, token, place).await
    }

    async fn prompts(&self, user: &CurrentUser) -> Result<Vec<Prompt>, ErrorBody> {
        self.store.prompts(user.id).await.map_err(error)
    }

    async fn keep_prompt(&self, user: &CurrentUser, prompt: Prompt) -> Result<(), ErrorBody> {
        if let Some(problem) = prompt.problem() {
            return Err(ErrorBody::new(ErrorCode::PromptRefused, problem));
        }
        let now = self.env.now();
        match self.store.keep_prompt(user.id, &prompt, now).await {
            Err(store::Error::TooMany) => {
                let message = texts::too_many_prompts(MAX_PROMPTS);
                let refused = ErrorBody::new(ErrorCode::PromptRefused, message);
                Err(refused.with_help(texts::http::DELETE_A_PROMPT_FIRST))
            }
            kept => kept.map_err(error),
        }
    }

    async fn forget_prompt(&self, user: &CurrentUser, name: &str) -> Result<(), ErrorBody> {
        match self.store.forget_prompt(user.id, name).await {
            Err(store::Error::NotFound) => {
                let message = texts::PROMPT_NOT_FOUND;
                Err(ErrorBody::new(ErrorCode::PromptRefused, message))
            }
            forgotten => forgotten.map_err(error),
        }
    }
}

impl ServerBackend {
    /// Returns one page of a place in the list, limited to the scope of the user's sign-in.
    async fn listed(
        &self,
        user: &CurrentUser,
        place: ListPlace<'_>,
        mut before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody> {
        loop {
            let limit = limit.min(MAX_PAGE);
            let page = self.store.listed(user.id, place, before, limit).await;
            let page = page.map_err(error)?;
            // An empty page means the end of the list: a page entirely out of scope is not the end.
            let end = page.last().map(|oldest| oldest.updated);
            let within = self.within(user, page).await?;
            if !within.is_empty() || end.is_none() {
                return Ok(within);
            }
            before = end;
        }
    }

    /// Refuses a conversation that is out of the scope of the user's sign-in.
    pub(crate) async fn reaches(
        &self,
        user: &CurrentUser,
        line: ConversationSummary,
    ) -> Result<(), ErrorBody> {
        reaches(&self.store, user, line).await
    }

    /// Returns the conversations within the scope of the user's sign-in.
    async fn within(
        &self,
        user: &CurrentUser,
        conversations: Vec<ConversationSummary>,
    ) -> Result<Vec<ConversationSummary>, ErrorBody> {
        within(&self.store, user, conversations).await
    }
}

fn no_system() -> ErrorBody {
    ErrorBody::new(ErrorCode::BoardNotFound, texts::http::NO_SUCH_SYSTEM)
}

pub(crate) fn error(error: store::Error) -> ErrorBody {
    match error {
        store::Error::NotFound => ErrorBody::new(
            ErrorCode::ConversationNotFound,
            texts::http::CONVERSATION_NOT_FOUND,
        ),
        error => unread(error),
    }
}

fn unread(error: impl std::fmt::Display) -> ErrorBody {
    tracing::error!(%error, "the database could not be read");
    ErrorBody::new(
        ErrorCode::StorageFailed,
        texts::http::DATABASE_COULD_NOT_BE_READ,
    )
    .with_help(texts::http::SEE_LOG)
}
