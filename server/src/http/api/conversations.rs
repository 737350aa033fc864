//! Conversations for programs. Everything goes through the engine's commands and the back end of pages,
//! with their checks.

use agent::ports::Person;
use axum::{
    Extension,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{
    Command, ConversationId, ErrorBody, ErrorCode, EventBody, Mode, Shelf, Timestamp, TurnId,
};
use serde::Deserialize;
use sign_in::SignedIn;

use super::{
    body::{ApiQuery, JsonBody},
    refusal::RequestRefusal,
    views::{
        AcceptedBody, EndBody, EventView, ListBody, MessageBody, StartBody, StopBody, address,
        references,
    },
};
use crate::{
    cursor::{cursor, place},
    http::{Http, auth::current_user, chosen_toolsets::person_within, trace::RequestId},
    routes::Attempt,
    texts,
};

/// Entries of a page, unless the program asks for another number.
const PAGE: usize = 50;
/// The most entries of a page.
pub(super) const MAX_PAGE: usize = 100;
/// The name of the list in its cursors.
const LIST: &str = "conversations";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConversationsQuery {
    cursor: Option<String>,
    limit: Option<usize>,
}

/// Returns a page of the person's conversations. The first one has those that are pinned, too.
pub(super) async fn list(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    ApiQuery(query): ApiQuery<ConversationsQuery>,
) -> Result<axum::Json<ListBody>, RequestRefusal> {
    let user = current_user(&signed_in);
    let limit = page_size(query.limit)?;
    let before = match &query.cursor {
        None => None,
        Some(cursor) => Some(place(LIST, user.id, cursor).ok_or_else(no_cursor)?),
    };
    let before = before.map(Timestamp);
    let lines = http.backend.conversations(&user, before, limit).await?;
    // Pinned ones are on the first page, wherever their date is.
    let dated = lines.iter().filter(|line| line.shelf != Shelf::Pinned);
    let oldest: Option<Timestamp> = dated.map(|line| line.updated).min();
    Ok(axum::Json(ListBody {
        conversations: lines.into_iter().map(Into::into).collect(),
        next: oldest.map(|oldest| cursor(LIST, user.id, oldest.0)),
    }))
}

/// The number of entries of a page that a program asks for.
pub(super) fn page_size(limit: Option<usize>) -> Result<usize, RequestRefusal> {
    let limit = limit.unwrap_or(PAGE);
    if (1..=MAX_PAGE).contains(&limit) {
        return Ok(limit);
    }
    let message = texts::api::page_size(MAX_PAGE);
    Err(RequestRefusal::new(
        StatusCode::BAD_REQUEST,
        "malformed",
        message,
    ))
}

pub(super) fn no_cursor() -> RequestRefusal {
    RequestRefusal::new(
        StatusCode::BAD_REQUEST,
        "cursor_invalid",
        texts::api::CURSOR_INVALID,
    )
    .with_help(texts::api::START_OVER)
}

/// Starts a conversation.
pub(super) async fn start(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(attempt): Extension<Attempt>,
    Extension(request): Extension<RequestId>,
    JsonBody(body): JsonBody<StartBody>,
) -> Result<Response, RequestRefusal> {
    // Never a default: whoever asks for less than tools must not get them by a slip of the pen.
    if body.mode == Mode::Unknown {
        let message = texts::api::UNKNOWN_MODE;
        let refused = RequestRefusal::new(StatusCode::BAD_REQUEST, "mode_unknown", message);
        return Err(refused);
    }
    let (toolsets, packs) = (body.toolsets.as_deref(), body.packs.as_deref());
    let person = person_within(&http, &signed_in, toolsets, packs)?;
    let conversation = ConversationId::new(attempt.began, attempt.seed);
    let command = Command::Start {
        conversation,
        mode: body.mode,
        text: body.message,
        from: body.from,
        plan: body.plan,
        choice: body.model.map(Into::into),
        references: references(body.references),
        packs: body.packs,
    };
    let person = Person {
        correlation: Some(request.0),
        ..person
    };
    carry_out(&http, person, attempt, command).await?;
    let answer = (
        StatusCode::CREATED,
        [(header::LOCATION, address(conversation))],
        axum::Json(AcceptedBody::of(conversation)),
    );
    Ok(answer.into_response())
}

/// Returns the end of a conversation.
pub(super) async fn read(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Path(id): Path<String>,
) -> Result<axum::Json<EndBody>, RequestRefusal> {
    let id = named(&id)?;
    let user = current_user(&signed_in);
    let page = http.backend.conversation(&user, id).await?;
    Ok(axum::Json(EndBody {
        conversation: page.summary.into(),
        events: page.events.into_iter().map(EventView).collect(),
        head: page.head,
    }))
}

/// Sends a message.
pub(super) async fn send(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(attempt): Extension<Attempt>,
    Extension(request): Extension<RequestId>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<MessageBody>,
) -> Result<Response, RequestRefusal> {
    let conversation = named(&id)?;
    let command = Command::Send {
        conversation,
        text: body.message,
        withdraw: body.withdraw,
        references: references(body.references),
    };
    let person = asking(&signed_in, request);
    accepted(&http, person, attempt, conversation, command).await
}

/// Stops the turn that runs, or the one that is named. It costs nothing, and makes nothing that could be
/// made twice.
pub(super) async fn stop(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(request): Extension<RequestId>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<StopBody>,
) -> Result<Response, RequestRefusal> {
    let conversation = named(&id)?;
    let turn = match body.turn {
        Some(turn) => turn,
        None => running(&http, &signed_in, conversation).await?,
    };
    let command = Command::Stop { conversation, turn };
    let attempt = Attempt {
        began: http.now(),
        seed: http.env.random(),
    };
    let person = asking(&signed_in, request);
    accepted(&http, person, attempt, conversation, command).await
}

/// Returns the turn that runs in a conversation.
async fn running(
    http: &Http,
    signed_in: &SignedIn,
    conversation: ConversationId,
) -> Result<TurnId, RequestRefusal> {
    let user = current_user(signed_in);
    let page = http.backend.conversation(&user, conversation).await?;
    let turns = page.events.iter().rev().find_map(|event| match event.body {
        EventBody::TurnStarted { turn, .. } | EventBody::ActionStarted { turn, .. } => Some(turn),
        _ => None,
    });
    match turns {
        Some(turn) if page.summary.running => Ok(turn),
        _ => Err(ErrorBody::new(ErrorCode::TurnNotFound, texts::api::NOTHING_RUNS).into()),
    }
}

async fn accepted(
    http: &Http,
    person: Person,
    attempt: Attempt,
    conversation: ConversationId,
    command: Command,
) -> Result<Response, RequestRefusal> {
    carry_out(http, person, attempt, command).await?;
    let answer = axum::Json(AcceptedBody::of(conversation));
    Ok((StatusCode::ACCEPTED, answer).into_response())
}

/// The person who asks by a request.
pub(super) fn asking(signed_in: &SignedIn, request: RequestId) -> Person {
    Person {
        correlation: Some(request.0),
        ..signed_in.person()
    }
}

/// Carries out a command as a socket does: the engine has the checks. Sent again under the same attempt
/// it is the same command.
pub(super) async fn carry_out(
    http: &Http,
    person: Person,
    attempt: Attempt,
    command: Command,
) -> Result<(), RequestRefusal> {
    let id = attempt.command();
    Box::pin(http.engine.command(person, id, command)).await?;
    Ok(())
}

/// Reads the identifier of a conversation. What is none names no conversation.
pub(super) fn named(id: &str) -> Result<ConversationId, RequestRefusal> {
    id.parse().map_err(|_| {
        let message = texts::http::CONVERSATION_NOT_FOUND;
        ErrorBody::new(ErrorCode::ConversationNotFound, message).into()
    })
}
