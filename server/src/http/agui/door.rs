//! What a request for a run may reach, and the commands that it sends.

use ::agui::{
    AguiEvent, AguiRequest, ClientVersion, FollowedTurn, NamedRun, RunEncoder, unanswered,
};
use agent::{
    Subscription,
    ports::{Person, Via},
};
use axum::response::Response;
use protocol::{Command, CommandId, ConversationId, ErrorBody, ErrorCode, Event, Role, Seq};
use sign_in::SignedIn;
use store::NewestTurns;

use super::stream::respond;
use crate::{
    backend,
    http::{
        Http, SocketPlace, api::RequestRefusal, auth::current_user, limited::Limited,
        trace::RequestId,
    },
    page_address::conversation_address,
};

/// The most turns without an answer that a client may still end with.
const UNANSWERED: usize = 16;

/// A request of somebody for a run of a thread.
pub(super) struct Door<'a> {
    pub(super) http: &'a Http,
    pub(super) signed_in: &'a SignedIn,
    pub(super) request: RequestId,
    pub(super) conversation: ConversationId,
    pub(super) thread: String,
    pub(super) run: String,
    pub(super) client: ClientVersion,
    /// The request with what its client shows; none of one that follows a run again.
    pub(super) input: Option<&'a AguiRequest>,
}

/// The refusal of a command, with the time after which it may succeed.
pub(super) struct RefusedCommand {
    pub(super) error: ErrorBody,
    limited: Option<Limited>,
}

impl From<RefusedCommand> for RequestRefusal {
    fn from(refused: RefusedCommand) -> Self {
        match refused.limited {
            Some(limited) => limited.into(),
            None => refused.error.into(),
        }
    }
}

impl Door<'_> {
    /// The end of the conversation, if it exists for this token: its newest turn, and those before it that
    /// had no answer.
    pub(super) async fn end(&self) -> Result<Option<NewestTurns>, RequestRefusal> {
        match self.newest(1).await? {
            Some(end) if unanswered(&end.events).is_empty() || end.from_start() => Ok(Some(end)),
            Some(_) => self.newest(UNANSWERED).await,
            None => Ok(None),
        }
    }

    async fn newest(&self, turns: usize) -> Result<Option<NewestTurns>, RequestRefusal> {
        let user = current_user(self.signed_in);
        let (store, engine) = (&self.http.store, &self.http.engine);
        match backend::newest_turns(store, engine, &user, self.conversation, turns).await {
            Ok(end) => Ok(Some(end)),
            Err(error) if error.code == ErrorCode::ConversationNotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The newest event before those of a command, if it was carried out.
    pub(super) async fn begun(&self, command: CommandId) -> Result<Option<Seq>, RequestRefusal> {
        let user = self.signed_in.user.id;
        let head = self.http.store.command_head(user, command).await;
        Ok(head.map_err(backend::error)?)
    }

    /// The events after one and up to another, as this token sees them.
    pub(super) async fn events(&self, after: Seq, head: Seq) -> Result<Vec<Event>, RequestRefusal> {
        let (engine, person) = (&self.http.engine, self.signed_in.person());
        let events = engine.events(&person, self.conversation, after, head).await;
        Ok(events?)
    }

    /// The turn or message of a command, as it is at the end of these events.
    pub(super) fn lead(&self, events: &[Event], begun: Seq) -> Option<FollowedTurn> {
        let lead = FollowedTurn::of_command(events.iter().filter(|event| event.seq > begun))?;
        let mut encoder = self.encoder(None, lead);
        encoder.recall_run(events, begun);
        Some(encoder.lead())
    }

    pub(super) fn encoder(&self, model: Option<String>, lead: FollowedTurn) -> RunEncoder {
        let via = &self.signed_in.via;
        let decides = matches!(via, Via::Token { decides: true, .. });
        let run = NamedRun {
            thread: self.thread.clone(),
            run: self.run.clone(),
            client: self.client,
            conversation: self.conversation,
            model,
            page: conversation_address(&self.http.url, self.conversation),
            decides: decides && self.signed_in.user.role >= Role::Operator,
            request: self.request.0.to_string(),
        };
        RunEncoder::new(run, lead)
    }

    /// Carries out a command as a socket does: the engine has the checks.
    pub(super) async fn carry_out(
        &self,
        id: CommandId,
        command: Command,
    ) -> Result<(), RefusedCommand> {
        self.carry_out_as(self.signed_in.person(), id, command)
            .await
    }

    pub(super) async fn carry_out_as(
        &self,
        mut person: Person,
        id: CommandId,
        command: Command,
    ) -> Result<(), RefusedCommand> {
        let allowances = &self.http.allowances;
        if let Err(limited) = allowances.command(self.signed_in.user.id, &command) {
            return Err(RefusedCommand {
                error: limited.error.clone(),
                limited: Some(limited),
            });
        }
        person.correlation = Some(self.request.0.clone());
        let done = Box::pin(self.http.engine.command(person, id, command)).await;
        done.map_err(|error| RefusedCommand {
            error,
            limited: None,
        })
    }

    pub(super) async fn lead_of(
        &self,
        end: &NewestTurns,
        command: CommandId,
    ) -> Result<Option<FollowedTurn>, RequestRefusal> {
        let Some(begun) = self.begun(command).await? else {
            return Ok(None);
        };
        let events = self.events(begun, end.head).await?;
        Ok(FollowedTurn::of_command(&events))
    }

    pub(super) async fn subscribe(&self, after: Seq) -> Result<Subscription, RequestRefusal> {
        let person = self.signed_in.person();
        let engine = &self.http.engine;
        let subscription = Box::pin(engine.subscribe(person, self.conversation, after)).await;
        Ok(subscription?)
    }

    pub(super) fn respond(
        &self,
        place: SocketPlace,
        encoder: RunEncoder,
        subscription: Subscription,
        first: Vec<AguiEvent>,
    ) -> Response {
        respond(
            self.http,
            self.signed_in.clone(),
            place,
            encoder,
            subscription,
            first,
        )
    }
}
