//! Runs: a person's own calls, begun by a program as a page begins them.
//!
//! The call is the engine's, with the gate: what has to be confirmed waits as a card, and a program with
//! the right decides on it like on any other.

mod views;

use axum::{
    Extension, Json,
    extract::{Path, Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{CallTrace, Command, ConversationId, ErrorBody, ErrorCode, Seq};
use serde_json::Value;
use sign_in::SignedIn;

pub(super) use views::{NewRunBody, RunBegunBody};
pub(in crate::http) use views::{OwnRunBody, OwnRunState};

use super::{
    body::JsonBody,
    conversations::{asking, carry_out},
    refusal::RequestRefusal,
};
use crate::{
    http::{Http, allowances::RESULT, trace::RequestId},
    routes::{Attempt, OrderedCall},
    texts,
};

/// Begins a call. A request that is sent again begins no other.
pub(super) async fn start(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(attempt): Extension<Attempt>,
    Extension(request): Extension<RequestId>,
    JsonBody(body): JsonBody<NewRunBody>,
) -> Result<Response, RequestRefusal> {
    let call = OrderedCall {
        tool: body.tool,
        input: body.input.0,
    };
    begun(&http, &signed_in, attempt, request, call).await
}

/// Begins the call that the handler of a domain's route has ordered. Other answers stay as they are.
pub(in crate::http) async fn ordered(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(attempt): Extension<Attempt>,
    Extension(id): Extension<RequestId>,
    request: Request,
    next: Next,
) -> Result<Response, RequestRefusal> {
    let mut answer = next.run(request).await;
    match answer.extensions_mut().remove::<OrderedCall>() {
        Some(call) => begun(&http, &signed_in, attempt, id, call).await,
        None => Ok(answer),
    }
}

async fn begun(
    http: &Http,
    signed_in: &SignedIn,
    attempt: Attempt,
    request: RequestId,
    call: OrderedCall,
) -> Result<Response, RequestRefusal> {
    // It may run at once, and its size is known only when it has been stored.
    http.allowances.keep(signed_in.user.id, RESULT)?;
    let id = ConversationId::new(attempt.began, attempt.seed);
    let command = Command::Act {
        conversation: id,
        tool: call.tool,
        input: Value::Object(call.input),
    };
    carry_out(http, asking(signed_in, request), attempt, command).await?;
    let begun = RunBegunBody::of(id);
    let answer = (
        StatusCode::CREATED,
        [(header::LOCATION, begun.run.clone())],
        Json(begun),
    );
    Ok(answer.into_response())
}

/// Returns the state of a call, as this sign-in sees it.
pub(super) async fn read(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Path(id): Path<String>,
) -> Result<Json<OwnRunBody>, RequestRefusal> {
    let id: ConversationId = id.parse().map_err(|_| not_found())?;
    let (person, all) = (signed_in.person(), Seq(u64::MAX));
    let events = http.engine.events(&person, id, Seq(0), all).await;
    let run = OwnRunBody::of(id, &events.map_err(unread)?).ok_or_else(not_found)?;
    if !run.is_error() {
        return Ok(Json(run));
    }
    // An error that cannot name its request is told as well.
    let trace = http.store.call_trace(signed_in.user.id, id, run.call());
    let trace = trace.await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the request behind a call could not be read");
        CallTrace::default()
    });
    Ok(Json(run.of_request(trace.request)))
}

fn unread(error: ErrorBody) -> RequestRefusal {
    match error.code {
        ErrorCode::ConversationNotFound => not_found(),
        _ => error.into(),
    }
}

fn not_found() -> RequestRefusal {
    RequestRefusal::new(
        StatusCode::NOT_FOUND,
        "run_not_found",
        texts::api::NO_SUCH_RUN,
    )
}
