//! The back end as pages and server functions see it.

use std::time::Duration;

use agent::{Engine, ports::Person};
use app::{Backend, CurrentUser};
use async_trait::async_trait;
use protocol::{
    BoardPage, ConversationId, ConversationPage, ConversationSummary, ErrorBody, ErrorCode,
    FeedEntry, FeedFilter, FeedId, FeedPage, FeedPlace, ModelStatus, Status, SystemStatus,
    Timestamp,
};
use store::Store;

use crate::feed::Feed;

/// Answers from the database; changes go through the engine.
pub(crate) struct ServerBackend {
    pub(crate) store: Store,
    pub(crate) engine: Engine,
    pub(crate) feed: Feed,
    pub(crate) model: ModelStatus,
    pub(crate) systems: Vec<SystemStatus>,
}

/// How long a page waits for the first look at a system.
const FIRST_LOOK: Duration = Duration::from_secs(2);
/// Conversations in one answer.
const MAX_PAGE: usize = 200;

#[async_trait]
impl Backend for ServerBackend {
    async fn status(&self, user: &CurrentUser) -> Result<Status, ErrorBody> {
        Ok(Status {
            version: crate::VERSION.to_owned(),
            user: user.name.clone(),
            role: user.role,
            model: self.model.clone(),
            systems: self.systems.clone(),
            kill_switch: self.store.newest_kill_switch().await.map_err(error)?,
            notices: self.engine.notice_count(),
        })
    }

    async fn conversations(
        &self,
        user: &CurrentUser,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>, ErrorBody> {
        self.store
            .conversations(user.id, before, limit.min(MAX_PAGE))
            .await
            .map_err(error)
    }

    async fn waiting(&self, user: &CurrentUser) -> Result<Vec<ConversationSummary>, ErrorBody> {
        let waiting = self.store.waiting_conversations(user.id);
        waiting.await.map_err(error)
    }

    async fn conversation(
        &self,
        user: &CurrentUser,
        id: ConversationId,
    ) -> Result<ConversationPage, ErrorBody> {
        self.store
            .conversation_page(user.id, id)
            .await
            .map_err(error)
    }

    async fn board(&self, _user: &CurrentUser, board: &str) -> Result<BoardPage, ErrorBody> {
        let parts = self.engine.board(board, FIRST_LOOK).await?;
        let system = self.systems.iter().find(|system| system.toolset == board);
        Ok(BoardPage {
            board: board.to_owned(),
            system: system.cloned().ok_or_else(|| {
                ErrorBody::new(ErrorCode::BoardNotFound, "There is no such system here.")
            })?,
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
        let page = self.feed.page((user.id, user.role), filter, place, limit);
        page.await.map_err(error)
    }

    async fn feed_entry(&self, user: &CurrentUser, id: FeedId) -> Result<FeedEntry, ErrorBody> {
        match self.feed.entry((user.id, user.role), id).await {
            Err(store::Error::NotFound) => Err(ErrorBody::new(
                ErrorCode::EventNotFound,
                "There is no such event.",
            )
            .with_help("It may be older than the feed is kept.")),
            entry => entry.map_err(error),
        }
    }

    async fn rename(
        &self,
        user: &CurrentUser,
        id: ConversationId,
        title: String,
    ) -> Result<(), ErrorBody> {
        Box::pin(self.engine.rename(user.id, id, &title)).await
    }

    async fn delete(&self, user: &CurrentUser, id: ConversationId) -> Result<(), ErrorBody> {
        let person = Person {
            id: user.id,
            name: user.name.clone(),
            role: user.role,
        };
        Box::pin(self.engine.delete(person, id)).await
    }
}

fn error(error: store::Error) -> ErrorBody {
    match error {
        store::Error::NotFound => ErrorBody::new(
            ErrorCode::ConversationNotFound,
            "There is no such conversation.",
        ),
        error => {
            tracing::error!(%error, "the database could not be read");
            ErrorBody::new(ErrorCode::StorageFailed, "The database could not be read.")
                .with_help("Try again; the server's log has the details.")
        }
    }
}
