//! Confirmations for programs: the cards of a person, and decisions on them.
//!
//! The engine checks every decision. A program's word is enough only for a card that takes one press; for
//! all others there is the page that the card names.

mod views;

use agent::ports::Via;
use axum::{
    Extension, Json,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use protocol::{
    Assurance, CallId, Command, Confirmation, ContentBlock, ConversationId, Decision, ErrorBody,
    ErrorCode, Event, EventBody, Role, Seq,
};
use sign_in::SignedIn;

pub(super) use views::{ConfirmationBody, ConfirmationList, DecisionTaken, NewDecision};
use views::{ConfirmationLine, ConfirmationState, DecisionWord, ShownCard};

use super::{body::JsonBody, conversations::asking, refusal::RequestRefusal};
use crate::{
    backend,
    http::{Http, auth::current_user, trace::RequestId},
    page_address::card_address,
    routes::Attempt,
    texts,
};

/// Returns the cards of the person that wait, the first to expire first.
pub(super) async fn list(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
) -> Result<Json<ConfirmationList>, RequestRefusal> {
    let user = current_user(&signed_in);
    let mut confirmations = Vec::new();
    for line in http.backend.waiting(&user).await? {
        let cards = line.waiting.into_iter();
        confirmations.extend(cards.map(|card| ConfirmationLine {
            id: card.call,
            conversation: line.id,
            sentence: card.sentence,
            expires: card.expires,
            page: card_address(&http.url, line.id, card.call),
        }));
    }
    confirmations.sort_by_key(|line| line.expires);
    Ok(Json(ConfirmationList { confirmations }))
}

/// Returns a card, as this sign-in sees it.
pub(super) async fn read(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Path(id): Path<String>,
) -> Result<Json<ConfirmationBody>, RequestRefusal> {
    let found = FoundCard::find(&http, &signed_in, &id).await?;
    let is_decider = match &signed_in.via {
        // What a program relayed is decided by a person, whatever the right of a token.
        Via::Token { decides, .. } => *decides && !found.is_relayed,
        Via::Session { .. } | Via::Inside => true,
    };
    let role = signed_in.user.role.min(signed_in.limit);
    Ok(Json(ConfirmationBody {
        id: found.call,
        conversation: found.conversation,
        decidable: is_decider && role >= Role::Operator && found.waits() && found.takes_press(),
        page: found.page(&http),
        tool: found.tool,
        state: found.state,
        card: ShownCard(found.card),
    }))
}

/// Decides on a card.
pub(super) async fn decide(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(attempt): Extension<Attempt>,
    Extension(request): Extension<RequestId>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<NewDecision>,
) -> Result<Response, RequestRefusal> {
    let found = FoundCard::find(&http, &signed_in, &id).await?;
    let page = found.page(&http);
    // Also for a session: no request shows that a button was held, or who held it.
    if found.waits() && !found.takes_press() {
        let refused = RequestRefusal::new(
            StatusCode::FORBIDDEN,
            "token_cannot_decide",
            texts::api::MORE_THAN_A_PRESS,
        );
        return Err(refused.with_help(texts::api::decide_on_page(&page)));
    }
    let command = Command::Decide {
        conversation: found.conversation,
        call: found.call,
        digest: body.digest,
        decision: decision(body.decision, body.comment)?,
    };
    let person = asking(&signed_in, request);
    let done = Box::pin(http.engine.command(person, attempt.command(), command)).await;
    done.map_err(|error| refused(error, &page))?;
    let taken = DecisionTaken {
        id: found.call,
        conversation: found.conversation,
        confirmation: format!("/api/v1/confirmations/{}", found.call),
    };
    Ok((StatusCode::ACCEPTED, Json(taken)).into_response())
}

/// The decision of a body. A program types no word and gives no grant.
fn decision(word: DecisionWord, comment: Option<String>) -> Result<Decision, RequestRefusal> {
    match (word, comment) {
        (DecisionWord::Deny, comment) => Ok(Decision::Deny { comment }),
        (DecisionWord::Approve, None) => Ok(Decision::Approve {
            grant: None,
            word: None,
        }),
        (DecisionWord::Approve, Some(_)) => {
            let message = texts::api::body_does_not_fit(&texts::api::COMMENT_OF_APPROVAL);
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Err(RequestRefusal::new(status, "body_invalid", message))
        }
    }
}

/// The engine's refusal of a decision, with the page where a person can decide.
fn refused(error: ErrorBody, page: &str) -> RequestRefusal {
    let is_for_page = error.code == ErrorCode::TokenCannotDecide;
    let refused = RequestRefusal::from(error);
    if is_for_page {
        refused.with_help(texts::api::decide_on_page(page))
    } else {
        refused
    }
}

fn not_found() -> RequestRefusal {
    RequestRefusal::new(
        StatusCode::NOT_FOUND,
        "confirmation_not_found",
        texts::api::NO_SUCH_CONFIRMATION,
    )
}

/// A card as it is in its journal, seen by one sign-in.
struct FoundCard {
    call: CallId,
    conversation: ConversationId,
    tool: String,
    /// True if a program relayed the call.
    is_relayed: bool,
    card: Box<Confirmation>,
    state: ConfirmationState,
}

impl FoundCard {
    async fn find(http: &Http, signed_in: &SignedIn, id: &str) -> Result<Self, RequestRefusal> {
        let call: CallId = id.parse().map_err(|_| not_found())?;
        let owner = signed_in.user.id;
        let conversation = match http.store.card_conversation(owner, call).await {
            Err(store::Error::NotFound) => return Err(not_found()),
            conversation => conversation.map_err(backend::error)?,
        };
        let (person, all) = (signed_in.person(), Seq(u64::MAX));
        let events = http
            .engine
            .events(&person, conversation, Seq(0), all)
            .await?;
        Self::of(call, conversation, &events).ok_or_else(not_found)
    }

    /// The card of a call after these events; none if nobody was asked.
    fn of(call: CallId, conversation: ConversationId, events: &[Event]) -> Option<Self> {
        let (mut tool, mut is_relayed, mut card) = (String::new(), false, None);
        let mut state = ConfirmationState::Waiting;
        for event in events {
            match &event.body {
                EventBody::ActionStarted {
                    call: its,
                    tool: name,
                    relayed,
                    ..
                } if *its == call => {
                    tool.clone_from(name);
                    is_relayed = *relayed;
                }
                EventBody::AssistantMessage { blocks, .. } => {
                    if let Some(name) = named(blocks, call) {
                        name.clone_into(&mut tool);
                    }
                }
                EventBody::ConfirmationRequested {
                    call: its,
                    confirmation,
                    ..
                } if *its == call => {
                    card = Some(confirmation.clone());
                    state = ConfirmationState::Waiting;
                }
                EventBody::ConfirmationDecided {
                    call: its, verdict, ..
                } if *its == call => state = verdict.into(),
                EventBody::ToolBlocked { call: its, .. }
                | EventBody::ToolFinished { call: its, .. }
                    if *its == call =>
                {
                    state = state.closed();
                }
                // A turn leaves no card behind that waits, and none waits in a copy.
                EventBody::Branched { .. } | EventBody::TurnFinished { .. } => {
                    state = state.closed();
                }
                _ => {}
            }
        }
        Some(Self {
            call,
            conversation,
            tool,
            is_relayed,
            card: card?,
            state,
        })
    }

    /// The address of the page where people decide.
    fn page(&self, http: &Http) -> String {
        card_address(&http.url, self.conversation, self.call)
    }

    fn waits(&self) -> bool {
        self.state == ConfirmationState::Waiting
    }

    fn takes_press(&self) -> bool {
        self.card.assurance == Assurance::Press && self.card.second.is_none()
    }
}

/// The name of the tool of a call, if it is among these.
fn named(blocks: &[ContentBlock], call: CallId) -> Option<&str> {
    blocks.iter().find_map(|block| match block {
        ContentBlock::ToolUse {
            call: its, name, ..
        } if *its == call => Some(name.as_str()),
        _ => None,
    })
}
