//! The toolsets that a program chooses for a conversation: those of its token, or some of them.

use agent::ports::{Person, Scope};
use axum::http::StatusCode;
use protocol::{ErrorBody, ErrorCode};
use sign_in::SignedIn;

use super::{Http, api::RequestRefusal};
use crate::texts;

/// Returns the person of a request with the scope of a conversation that begins: the chosen toolsets that
/// the token covers, with the chosen packs. Without a choice it is that of the token.
pub(super) fn person_within(
    http: &Http,
    signed_in: &SignedIn,
    toolsets: Option<&[String]>,
    packs: Option<&[String]>,
) -> Result<Person, RequestRefusal> {
    let mut person = signed_in.person();
    let Some(toolsets) = toolsets else {
        return Ok(person);
    };
    if toolsets.is_empty() {
        let message = texts::api::NO_TOOLSETS_CHOSEN;
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return Err(RequestRefusal::new(status, "toolsets_empty", message));
    }
    let known = http.engine.toolsets();
    if let Some(unknown) = toolsets.iter().find(|name| !known.contains(name)) {
        let message = texts::api::no_such_toolset(unknown);
        let status = StatusCode::NOT_FOUND;
        return Err(RequestRefusal::new(status, "toolset_not_found", message));
    }
    let names: Vec<String> = toolsets
        .iter()
        .chain(packs.unwrap_or_default())
        .filter(|name| person.scope.has(name))
        .cloned()
        .collect();
    if names.is_empty() {
        let message = texts::http::TOKEN_LACKS_TOOLSETS;
        return Err(ErrorBody::new(ErrorCode::RoleNotEnough, message).into());
    }
    person.scope = Scope::Only(names.into());
    Ok(person)
}
