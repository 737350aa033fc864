//! The end of a conversation, for programs that go on from there.

use agent::Engine;
use app::CurrentUser;
use protocol::{ConversationId, ErrorBody};
use store::{NewestTurns, Store};

use super::{error, request_scope::reaches};

/// Returns the newest turns of a conversation, as this user sees them.
pub(crate) async fn newest_turns(
    store: &Store,
    engine: &Engine,
    user: &CurrentUser,
    id: ConversationId,
    turns: usize,
) -> Result<NewestTurns, ErrorBody> {
    let newest = store.newest_turns(user.id, id, turns).await;
    let sight = engine.sight(user.role, id);
    let newest = newest.map_err(error)?.by(sight.await?);
    reaches(store, user, newest.summary.clone()).await?;
    Ok(newest)
}
