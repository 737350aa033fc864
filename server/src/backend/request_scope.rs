//! The sign-in of a request as the engine knows it, with the toolsets that it covers.

use agent::ports::{Correlation, Person, Scope, Via};
use app::CurrentUser;
use protocol::{ConversationSummary, ErrorBody, ErrorCode};
use store::Store;

use super::error;
use crate::texts;

/// Refuses a request about all toolsets to a sign-in limited to some.
pub(super) fn reaches_all(user: &CurrentUser) -> Result<(), ErrorBody> {
    match user.toolsets {
        None => Ok(()),
        Some(_) => Err(ErrorBody::new(
            ErrorCode::RoleNotEnough,
            texts::http::NEEDS_ALL_TOOLSETS,
        )),
    }
}

/// Refuses a conversation that is out of the scope of the user's sign-in.
pub(super) async fn reaches(
    store: &Store,
    user: &CurrentUser,
    line: ConversationSummary,
) -> Result<(), ErrorBody> {
    if !within(store, user, vec![line]).await?.is_empty() {
        Ok(())
    } else {
        Err(out_of_reach())
    }
}

/// Returns the conversations within the scope of the user's sign-in.
pub(super) async fn within(
    store: &Store,
    user: &CurrentUser,
    conversations: Vec<ConversationSummary>,
) -> Result<Vec<ConversationSummary>, ErrorBody> {
    match &user.toolsets {
        None => Ok(conversations),
        Some(toolsets) => {
            let within = store.within(conversations, toolsets).await;
            within.map_err(error)
        }
    }
}

/// The refusal of what is out of the scope of a sign-in.
pub(super) fn out_of_reach() -> ErrorBody {
    let message = texts::http::TOKEN_LACKS_TOOLSETS;
    ErrorBody::new(ErrorCode::RoleNotEnough, message)
}

/// Returns the toolsets that a request may use.
pub(super) fn scope(user: &CurrentUser) -> Scope {
    user.toolsets.clone().map_or(Scope::All, Scope::Only)
}

/// Returns the user as the engine knows them.
pub(super) fn person(user: &CurrentUser) -> Person {
    Person {
        id: user.id,
        name: user.name.clone(),
        role: user.role,
        scope: scope(user),
        // Server functions never decide on calls: they only read, and change the user's own data.
        via: Via::Inside,
        correlation: user.request.as_deref().and_then(Correlation::parse),
    }
}
