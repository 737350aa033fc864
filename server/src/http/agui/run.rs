//! Requests: a run that begins, one that is followed again, and a stop.

use ::agui::{
    AguiEvent, AguiRequest, ClientVersion, FollowedTurn, NewText, NewestWords, RunEncoder, custom,
    messages, placed, unanswered,
};
use axum::{
    Extension,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use protocol::{Command, CommandId, ErrorBody, ErrorCode, Mode, Seq, TurnOutcome};
use serde::Deserialize;
use serde_json::json;
use sign_in::SignedIn;
use store::NewestTurns;

use super::{
    answers,
    door::Door,
    thread::{BusyThreads, command_of, conversation_of},
};
use crate::{
    http::{
        Http, SocketPlace,
        api::{JsonBody, RequestRefusal},
        chosen_toolsets::person_within,
        trace::RequestId,
    },
    texts,
};

/// Begins a run, or follows the one that the same request began.
pub(super) async fn start(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(request): Extension<RequestId>,
    Extension(threads): Extension<BusyThreads>,
    input: Result<JsonBody<AguiRequest>, RequestRefusal>,
) -> Result<Response, RequestRefusal> {
    let JsonBody(input) = input.map_err(|refused| refused.with_help(texts::agui::SEE_DOCS))?;
    if !input.has_usable_ids() {
        let refused = RequestRefusal::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "body_invalid",
            texts::agui::IDS_UNUSABLE,
        );
        return Err(refused.with_help(texts::agui::SEE_DOCS));
    }
    let door = Door {
        http: &http,
        signed_in: &signed_in,
        request,
        conversation: conversation_of(signed_in.user.id, &input.thread_id),
        thread: input.thread_id.clone(),
        run: input.run_id.clone(),
        client: input.client(),
        input: Some(&input),
    };
    let place = http.allowances.socket_for(&signed_in)?;
    // Of two requests at once one begins a run, and the other learns that it was second.
    let Some(_entered) = threads.enter(door.conversation) else {
        return Err(busy());
    };
    let command = command_of(door.conversation, &door.run);
    match tokio::try_join!(door.end(), door.begun(command))? {
        (Some(end), Some(begun)) => door.attach(place, &end, begun, Vec::new()).await,
        (Some(end), None) => Box::pin(door.go_on(place, end, command, &input)).await,
        // A command that is sent again does not bring its conversation back.
        (None, Some(_)) => Err(not_found().into()),
        (None, None) => door.begin(place, command, &input).await,
    }
}

/// The two names in the address of a run, as its client chose them.
#[derive(Deserialize)]
pub(super) struct RunAddress {
    thread: String,
    run: String,
}

/// The query of a run that is followed again.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FollowedRunQuery {
    protocol_version: Option<String>,
}

/// A run that began before, and its conversation.
struct KnownRun<'a> {
    door: Door<'a>,
    /// The newest event before those of its command.
    begun: Seq,
    end: NewestTurns,
}

impl<'a> KnownRun<'a> {
    async fn find(
        http: &'a Http,
        signed_in: &'a SignedIn,
        request: RequestId,
        address: RunAddress,
        client: ClientVersion,
    ) -> Result<Self, RequestRefusal> {
        let door = Door {
            http,
            signed_in,
            request,
            conversation: conversation_of(signed_in.user.id, &address.thread),
            thread: address.thread,
            run: address.run,
            client,
            input: None,
        };
        let begun = door.begun(command_of(door.conversation, &door.run)).await?;
        let (Some(begun), Some(end)) = (begun, door.end().await?) else {
            return Err(no_such_run());
        };
        Ok(Self { door, begun, end })
    }
}

/// Follows a run again, from where it is.
pub(super) async fn follow(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(request): Extension<RequestId>,
    Path(address): Path<RunAddress>,
    Query(query): Query<FollowedRunQuery>,
) -> Result<Response, RequestRefusal> {
    let client = ClientVersion::of(query.protocol_version.as_deref());
    let KnownRun { door, begun, end } =
        KnownRun::find(&http, &signed_in, request, address, client).await?;
    let place = http.allowances.socket_for(&signed_in)?;
    door.attach(place, &end, begun, Vec::new()).await
}

/// Stops the turn of a run; of one that still waits for its turn, the message.
pub(super) async fn stop(
    State(http): State<Http>,
    Extension(signed_in): Extension<SignedIn>,
    Extension(request): Extension<RequestId>,
    Path(address): Path<RunAddress>,
) -> Result<Response, RequestRefusal> {
    // Nothing is streamed to it.
    let client = ClientVersion::Older;
    let KnownRun { door, begun, end } =
        KnownRun::find(&http, &signed_in, request, address, client).await?;
    let conversation = door.conversation;
    let events = door.events(Seq(0), end.head).await?;
    let command = match door.lead(&events, begun) {
        Some(FollowedTurn::Message(message)) => Command::Withdraw {
            conversation,
            message,
        },
        Some(FollowedTurn::Turn(turn)) => Command::Stop { conversation, turn },
        // Its message was withdrawn.
        Some(FollowedTurn::Nothing) => return Err(has_ended()),
        Some(FollowedTurn::Next) | None => return Err(no_such_run()),
    };
    let id = CommandId::new(http.now(), http.env.random());
    if let Err(refused) = door.carry_out(id, command).await {
        return Err(match refused.error.code {
            ErrorCode::TurnNotFound => has_ended(),
            _ => refused.into(),
        });
    }
    let answer = axum::Json(json!({ "threadId": door.thread, "runId": door.run }));
    Ok((StatusCode::ACCEPTED, answer).into_response())
}

impl Door<'_> {
    /// Begins a conversation with its first run.
    async fn begin(
        &self,
        place: SocketPlace,
        command: CommandId,
        input: &AguiRequest,
    ) -> Result<Response, RequestRefusal> {
        let NewestWords::New(new) = input.words(&[]) else {
            let error = ErrorBody::new(ErrorCode::MessageEmpty, texts::agui::NO_MESSAGE);
            return Err(error.into());
        };
        let chosen = &input.forwarded_props;
        let mode = chosen.mode.unwrap_or_default();
        // Never a default: whoever asks for less than tools must not get them by a slip of the pen.
        if mode == Mode::Unknown {
            let message = texts::api::UNKNOWN_MODE;
            let refused = RequestRefusal::new(StatusCode::BAD_REQUEST, "mode_unknown", message);
            return Err(refused);
        }
        let (toolsets, packs) = (chosen.toolsets.as_deref(), chosen.packs.as_deref());
        let person = person_within(self.http, self.signed_in, toolsets, packs)?;
        let start = Command::Start {
            conversation: self.conversation,
            mode,
            text: new.text.clone(),
            from: None,
            plan: None,
            choice: None,
            references: Vec::new(),
            packs: chosen.packs.clone(),
        };
        self.carry_out_as(person, command, start).await?;
        if input.differs(&[], true, &new) {
            return self.stream_shown(place, Seq(0), &new).await;
        }
        self.stream_new(place, None, Seq(0), &new).await
    }

    /// Begins another run in a conversation.
    async fn go_on(
        &self,
        place: SocketPlace,
        end: NewestTurns,
        command: CommandId,
        input: &AguiRequest,
    ) -> Result<Response, RequestRefusal> {
        let mut so_far = self.encoder(Some(end.summary.model.clone()), FollowedTurn::Nothing);
        so_far.recall(&end.events);
        let words = input.words(&unanswered(&end.events));
        let waits = !so_far.cards().is_empty();
        let has_new = matches!(words, NewestWords::New(_));
        // After the end of its turn an answer is about nothing, and new words begin another.
        if !input.resume.is_empty() && (end.summary.running || !has_new) {
            return self.resume(place, end, command, input, words).await;
        }
        match words {
            NewestWords::New(_) if waits => Err(refused_while(
                texts::agui::CARDS_WAIT,
                texts::agui::ANSWER_FIRST,
            )),
            _ if end.summary.running && !waits => Err(busy()),
            NewestWords::New(new) => {
                let known = messages(&end.events);
                let differs = input.differs(&known, end.from_start(), &new);
                let send = self.send(&new);
                self.carry_out(command, send).await?;
                let begun = self.begun(command).await?.unwrap_or(end.head);
                if differs {
                    return self.stream_shown(place, begun, &new).await;
                }
                let model = Some(end.summary.model);
                self.stream_new(place, model, begun, &new).await
            }
            // A message that nothing followed is answered by continuing its turn.
            NewestWords::Unanswered => match self.retry(&so_far) {
                Some(retry) => {
                    self.carry_out(command, retry).await?;
                    let begun = self.begun(command).await?.unwrap_or(end.head);
                    let now = self.end().await?.ok_or_else(not_found)?;
                    self.attach(place, &now, begun, Vec::new()).await
                }
                None => self.show(place, &end, FollowedTurn::Nothing).await,
            },
            NewestWords::None => self.show(place, &end, FollowedTurn::Nothing).await,
        }
    }

    fn send(&self, new: &NewText) -> Command {
        Command::Send {
            conversation: self.conversation,
            text: new.text.clone(),
            withdraw: false,
            references: Vec::new(),
        }
    }

    /// The command that continues the newest turn, if it ended before its answer.
    fn retry(&self, so_far: &RunEncoder) -> Option<Command> {
        let (turn, outcome) = so_far.newest()?;
        let is_unfinished = matches!(
            outcome,
            Some(TurnOutcome::Failed { .. } | TurnOutcome::Stopped | TurnOutcome::Limited { .. })
        );
        is_unfinished.then_some(Command::Retry {
            conversation: self.conversation,
            turn: *turn,
        })
    }

    /// Carries out answers to interrupts, and follows the turn.
    async fn resume(
        &self,
        place: SocketPlace,
        end: NewestTurns,
        command: CommandId,
        input: &AguiRequest,
        words: NewestWords,
    ) -> Result<Response, RequestRefusal> {
        // All of it: messages may wait since a turn before the newest.
        let events = self.events(Seq(0), end.head).await?;
        let mut so_far = self.encoder(Some(end.summary.model.clone()), FollowedTurn::Nothing);
        so_far.recall(&events);
        let Some((turn, _)) = so_far.newest() else {
            return self.show(place, &end, FollowedTurn::Nothing).await;
        };
        let lead = FollowedTurn::Turn(*turn);
        // A message that comes with the answers is the run's command; it waits for the turn to end.
        let new = match words {
            NewestWords::New(new) => Some(new),
            NewestWords::None | NewestWords::Unanswered => None,
        };
        let first = new.is_none().then_some(command);
        let cards = so_far.cards().clone();
        let answered = answers::answer(self, &cards, &input.resume, first).await;
        if let Some(new) = &new {
            self.carry_out(command, self.send(new)).await?;
        }
        let now = self.end().await?.ok_or_else(not_found)?;
        // What waits behind the turn is followed too, and a client may not have all of it.
        if answered.differs || new.is_some() || so_far.has_queue() {
            let lead = match &new {
                Some(_) => self.lead_of(&now, command).await?.unwrap_or(lead),
                None => lead,
            };
            let begun = end.head;
            return self
                .shown(place, &now, lead, begun, answered.warnings)
                .await;
        }
        // The client has all that was before its decisions.
        so_far.go_on(lead);
        so_far.settle(now.head);
        let subscription = self.subscribe(end.head).await?;
        let mut first = so_far.begin();
        first.extend(answered.warnings);
        Ok(self.respond(place, so_far, subscription, first))
    }

    /// Streams a run whose message is in the journal after `begun`.
    async fn stream_new(
        &self,
        place: SocketPlace,
        model: Option<String>,
        begun: Seq,
        new: &NewText,
    ) -> Result<Response, RequestRefusal> {
        let mut encoder = self.encoder(model, FollowedTurn::Next);
        let subscription = self.subscribe(begun).await?;
        let mut first = encoder.begin();
        first.extend(warnings(new));
        Ok(self.respond(place, encoder, subscription, first))
    }

    /// Streams such a run to a client that shows another history: it begins with the journal's.
    async fn stream_shown(
        &self,
        place: SocketPlace,
        begun: Seq,
        new: &NewText,
    ) -> Result<Response, RequestRefusal> {
        let end = self.end().await?.ok_or_else(not_found)?;
        self.attach(place, &end, begun, warnings(new)).await
    }

    /// Follows the run of a command from where it is.
    async fn attach(
        &self,
        place: SocketPlace,
        end: &NewestTurns,
        begun: Seq,
        warnings: Vec<AguiEvent>,
    ) -> Result<Response, RequestRefusal> {
        let events = self.events(begun, Seq(u64::MAX)).await?;
        let Some(lead) = FollowedTurn::of_command(&events) else {
            return Err(no_such_run());
        };
        self.shown(place, end, lead, begun, warnings).await
    }

    async fn show(
        &self,
        place: SocketPlace,
        end: &NewestTurns,
        lead: FollowedTurn,
    ) -> Result<Response, RequestRefusal> {
        self.shown(place, end, lead, end.head, Vec::new()).await
    }

    /// Shows where the conversation is, and goes on from there. `begun`: the newest event before the run.
    async fn shown(
        &self,
        place: SocketPlace,
        end: &NewestTurns,
        lead: FollowedTurn,
        begun: Seq,
        warnings: Vec<AguiEvent>,
    ) -> Result<Response, RequestRefusal> {
        // Before the journal is read: the engine checks whose it is.
        let subscription = self.subscribe(end.head).await?;
        let events = self.events(Seq(0), end.head).await?;
        let mut encoder = self.encoder(Some(end.summary.model.clone()), lead);
        encoder.recall_run(&events, begun);
        let mut first = encoder.begin();
        first.extend(warnings);
        let mark = self.request.0.to_string();
        first.extend(encoder.catch_up(placed(messages(&events), self.input, &mark)));
        Ok(self.respond(place, encoder, subscription, first))
    }
}

/// Warnings for a client of whose message something was left out.
fn warnings(new: &NewText) -> Vec<AguiEvent> {
    let ignored = || custom("parts_ignored", json!({}));
    new.has_other_parts.then(ignored).into_iter().collect()
}

fn busy() -> RequestRefusal {
    refused_while(texts::agui::THREAD_IS_BUSY, texts::agui::WAIT_OR_STOP)
}

fn refused_while(message: &'static str, help: &'static str) -> RequestRefusal {
    ErrorBody::new(ErrorCode::TurnRunning, message)
        .with_help(help)
        .into()
}

fn no_such_run() -> RequestRefusal {
    RequestRefusal::new(
        StatusCode::NOT_FOUND,
        "run_not_found",
        texts::agui::NO_SUCH_RUN,
    )
}

fn has_ended() -> RequestRefusal {
    ErrorBody::new(ErrorCode::TurnNotFound, texts::agui::RUN_HAS_ENDED).into()
}

fn not_found() -> ErrorBody {
    ErrorBody::new(
        ErrorCode::ConversationNotFound,
        texts::http::CONVERSATION_NOT_FOUND,
    )
}
