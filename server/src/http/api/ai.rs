//! Analyses for programs, and scripts that are proposed out of them.
//!
//! Both are conversations, started by the engine's own command: an analysis is one in plan mode, about the
//! things that it names, and a script is one that carries its answer out. What is streamed, kept, hidden
//! and decided is that of every conversation.

mod views;

use agent::ports::SubjectRefusal;
use axum::{
    Extension,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{Command, ConversationId, ErrorBody, ErrorCode, EventBody, MessageId, Mode, Role};
use sign_in::SignedIn;

pub(super) use views::{AnalysisBody, NewScriptBody, ScriptBegunBody, ScriptBody};

use super::{
    body::JsonBody,
    conversations::{asking, carry_out, named},
    once::REPLAYED,
    refusal::RequestRefusal,
    stream::{EVENT_STREAM, StreamEnd, last_event, opened},
    views::{AcceptedBody, address, references},
};
use crate::{
    http::{Http, auth::current_user, trace::RequestId},
    routes::Attempt,
    texts,
};

/// Starts an analysis: a conversation without tools about some things.
pub(super) async fn analyse(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(attempt): Extension<Attempt>,
    Extension(request): Extension<RequestId>,
    JsonBody(body): JsonBody<AnalysisBody>,
) -> Result<Response, RequestRefusal> {
    if body.about.is_empty() {
        let message = texts::api::ANALYSIS_IS_ABOUT_NOTHING;
        let refused = RequestRefusal::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "body_invalid",
            texts::api::body_does_not_fit(&message),
        );
        return Err(refused.with_help(texts::api::SEE_OPENAPI));
    }
    let conversation = ConversationId::new(attempt.began, attempt.seed);
    let command = Command::Start {
        conversation,
        mode: Mode::Plan,
        text: body.question,
        from: None,
        plan: None,
        choice: body.model.map(Into::into),
        references: references(body.about),
        packs: body.packs,
    };
    if !is_repeated(&http, &signed_in, attempt).await? {
        let person = signed_in.person();
        let fits = Box::pin(http.engine.check_subject(&person, &command)).await;
        fits.map_err(no_subject)?;
    }
    carry_out(&http, asking(&signed_in, request), attempt, command).await?;
    let answer = (
        StatusCode::CREATED,
        [(header::LOCATION, address(conversation))],
        axum::Json(AcceptedBody::of(conversation)),
    );
    Ok(answer.into_response())
}

/// Starts the conversation in which the model proposes a script out of an analysis. Whatever it then
/// wants to run is decided there, as everywhere.
pub(super) async fn propose(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(attempt): Extension<Attempt>,
    Extension(request): Extension<RequestId>,
    JsonBody(body): JsonBody<NewScriptBody>,
) -> Result<Response, RequestRefusal> {
    let conversation = ConversationId::new(attempt.began, attempt.seed);
    // A request that is sent again must not be refused for what has happened since.
    let plan = if is_repeated(&http, &signed_in, attempt).await? {
        body.answer
    } else {
        Some(answer_of(&http, &signed_in, &body).await?)
    };
    let message = body.message;
    let command = Command::Start {
        conversation,
        mode: Mode::Default,
        text: message.unwrap_or_else(|| texts::api::PROPOSE_A_SCRIPT.to_owned()),
        from: Some(body.analysis),
        plan,
        choice: None,
        references: Vec::new(),
        // Those of the analysis.
        packs: None,
    };
    carry_out(&http, asking(&signed_in, request), attempt, command).await?;
    let begun = ScriptBegunBody::of(conversation);
    let answer = (
        StatusCode::CREATED,
        [(header::LOCATION, begun.script.clone())],
        axum::Json(begun),
    );
    Ok(answer.into_response())
}

/// Returns the state of a script: what was proposed, and the cards that wait.
pub(super) async fn script(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Path(id): Path<String>,
) -> Result<axum::Json<ScriptBody>, RequestRefusal> {
    let id = named(&id)?;
    let user = current_user(&signed_in);
    let page = http.backend.conversation(&user, id).await?;
    let script = ScriptBody::of(page).ok_or_else(|| {
        RequestRefusal::new(
            StatusCode::NOT_FOUND,
            "script_not_found",
            texts::api::NO_SUCH_SCRIPT,
        )
    })?;
    Ok(axum::Json(script))
}

/// Streams the conversation that a request began, to its turn's end, to whoever accepts a stream. The
/// same request again, with its key and the last event's number, goes on from there.
pub(super) async fn streamed(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    if accepts_stream(request.headers()) {
        let stream = begun_stream(&http, signed_in, request, next);
        Box::pin(stream)
            .await
            .unwrap_or_else(IntoResponse::into_response)
    } else {
        next.run(request).await
    }
}

async fn begun_stream(
    http: &Http,
    signed_in: SignedIn,
    request: Request,
    next: Next,
) -> Result<Response, RequestRefusal> {
    // Before anything begins: what cannot be followed is not paid for.
    let after = last_event(request.headers())?.unwrap_or_default();
    let place = http.allowances.socket_for(&signed_in)?;
    let begun = next.run(request).await;
    let Some(id) = begun_conversation(&begun) else {
        return Ok(begun);
    };
    let mut stream = opened(http, signed_in, id, after, place, StreamEnd::Turn).await?;
    for name in [header::LOCATION, REPLAYED] {
        if let Some(value) = begun.headers().get(&name) {
            stream.headers_mut().insert(name, value.clone());
        }
    }
    Ok(stream)
}

fn accepts_stream(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|kinds| kinds.to_str().ok());
    accepted.any(|kinds| {
        let mut kinds = kinds.split(',');
        kinds.any(|kind| kind.split(';').next().map(str::trim) == Some(EVENT_STREAM))
    })
}

/// Returns the conversation that an answer says has begun.
fn begun_conversation(answer: &Response) -> Option<ConversationId> {
    if answer.status() != StatusCode::CREATED {
        return None;
    }
    let location = answer.headers().get(header::LOCATION)?.to_str().ok()?;
    location.rsplit('/').next()?.parse().ok()
}

/// True for a request that was carried out before.
async fn is_repeated(
    http: &Http,
    signed_in: &SignedIn,
    attempt: Attempt,
) -> Result<bool, RequestRefusal> {
    let user = signed_in.user.id;
    Ok(http.engine.has_carried_out(user, attempt.command()).await?)
}

fn no_subject(refusal: SubjectRefusal) -> RequestRefusal {
    match refusal {
        SubjectRefusal::Refused(error) => error.into(),
        SubjectRefusal::Missing(thing) => RequestRefusal::new(
            StatusCode::NOT_FOUND,
            "thing_not_found",
            texts::api::no_such_thing(&thing.kind, &thing.id),
        ),
        SubjectRefusal::Apart => RequestRefusal::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "things_apart",
            texts::api::THINGS_ARE_APART,
        )
        .with_help(texts::api::ONE_ANALYSIS_EACH),
    }
}

/// Returns the answer that a script is proposed out of. Only who may act proposes anything.
async fn answer_of(
    http: &Http,
    signed_in: &SignedIn,
    body: &NewScriptBody,
) -> Result<MessageId, RequestRefusal> {
    let user = current_user(signed_in);
    if user.role < Role::Operator {
        let message = texts::http::ROLE_IS_NOT_ENOUGH;
        return Err(ErrorBody::new(ErrorCode::RoleNotEnough, message).into());
    }
    if http.engine.config().run.mode != Mode::Default {
        return Err(RequestRefusal::new(
            StatusCode::CONFLICT,
            "plan_mode",
            texts::api::SERVER_ONLY_PLANS,
        ));
    }
    let analysis = http.backend.conversation(&user, body.analysis).await?;
    if analysis.summary.mode != Mode::Plan {
        let refused = RequestRefusal::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "analysis_invalid",
            texts::api::NO_ANALYSIS,
        );
        return Err(refused.with_help(texts::api::START_AN_ANALYSIS));
    }
    if analysis.summary.running {
        let message = texts::api::ANALYSIS_IS_RUNNING;
        let error = ErrorBody::new(ErrorCode::TurnRunning, message);
        return Err(error.with_help(texts::api::FOLLOW_IT_FIRST).into());
    }
    let newest = || {
        let mut events = analysis.events.iter().rev();
        events.find_map(|event| match &event.body {
            EventBody::AssistantMessage {
                message, blocks, ..
            } => views::has_text(blocks).then_some(*message),
            _ => None,
        })
    };
    body.answer.or_else(newest).ok_or_else(|| {
        let refused = RequestRefusal::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "analysis_invalid",
            texts::api::ANALYSIS_HAS_NO_ANSWER,
        );
        refused.with_help(texts::api::START_AN_ANALYSIS)
    })
}
