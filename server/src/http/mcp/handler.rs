//! Requests of models elsewhere: the tools that they have, and calls of them. A call is an own call of the
//! engine's, which has the gate, the audit and the memory of it.

use std::time::Duration;

use ::mcp::{CallReport, CallStanding, FollowedCall, OUTCOME_TOOL, called_outcome};
use agent::{RelayedTool, ports::Via};
use protocol::{Command, ConversationId, ErrorBody, OwnCall};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
        Implementation, InputRequiredResult, InputResponses, JsonObject, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use serde_json::Value;
use sign_in::SignedIn;

use super::{
    answers,
    call_name::CallName,
    errors,
    follow::{FollowUntil, followed, no_such_call},
};
use crate::{
    VERSION,
    doors::OpenToolDoor,
    http::{Http, RequestId, log_refusal},
    page_address::conversation_address,
    texts,
};

/// Time for which a request waits for its call: clients give up after a minute, and so does the server.
const PATIENCE: Duration = Duration::from_secs(45);
/// The member of `_meta` with an idempotency key, for clients that cannot set a header.
const KEY: &str = "jarvis/idempotencyKey";

/// One request, with the sign-in that it came by.
#[derive(Clone)]
pub(super) struct McpHandler {
    pub(super) http: Http,
    pub(super) signed_in: SignedIn,
    pub(super) request: RequestId,
    /// The door of a domain; none for everything that a conversation would have.
    pub(super) door: Option<OpenToolDoor>,
    /// The idempotency key of its header.
    pub(super) key: Option<String>,
}

/// A call that is to begin, or has begun.
struct AskedCall {
    own: OwnCall,
    name: CallName,
    /// The answers to what an earlier request asked the client; none for the first one.
    given: Option<InputResponses>,
}

impl ServerHandler for McpHandler {
    fn get_info(&self) -> ServerConfig {
        let info = match &self.door {
            Some(open) => {
                let name = format!("jarvis-{}", open.door.name);
                Implementation::new(name, open.door.version).with_title(open.door.title)
            }
            None => Implementation::new("jarvis", VERSION).with_title("Jarvis"),
        };
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(info)
            .with_instructions(texts::mcp::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let offered = self.offered();
        let mut tools: Vec<_> = offered.iter().map(answers::tool).collect();
        tools.push(answers::outcome_tool());
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name == OUTCOME_TOOL {
            let input = request.arguments.unwrap_or_default();
            return Ok(Box::pin(self.outcome(&input)).await?.into());
        }
        let (key, opens) = (self.key(&context), answers::opens_addresses(&context));
        let asked = Box::pin(self.asked(request, key)).await?;
        if let Err(refused) = Box::pin(self.begin(&asked)).await {
            return Ok(self.refusal(&refused).into());
        }
        Box::pin(self.answer(&asked, opens)).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let is_current = answers::is_current(&context);
        Err(errors::of_unread(&request.method, is_current))
    }
}

impl McpHandler {
    /// The tools of the token here, but for one that would take the place of ours.
    fn offered(&self) -> Vec<RelayedTool> {
        let (scope, role) = (self.signed_in.scope(), self.signed_in.user.role);
        let only = self.door.as_ref().map(|open| open.toolsets.as_slice());
        let mut tools = self.http.engine.relayed_tools(&scope, role, only);
        tools.retain(|tool| tool.name != OUTCOME_TOOL);
        tools
    }

    /// The name of the token in records, which calls are bound to.
    fn principal(&self) -> String {
        match &self.signed_in.via {
            Via::Token { id, .. } => id.to_string(),
            Via::Session { .. } | Via::Inside => self.signed_in.user.id.to_string(),
        }
    }

    /// The idempotency key of a request, if it has one; whatever is no text is an empty one, which is
    /// refused.
    fn key(&self, context: &RequestContext<RoleServer>) -> Option<String> {
        let member = context.meta.0.0.get(KEY);
        let member = member.map(|key| key.as_str().unwrap_or_default().to_owned());
        self.key.clone().or(member)
    }

    /// Reads a request for a call.
    async fn asked(
        &self,
        request: CallToolRequestParams,
        key: Option<String>,
    ) -> Result<AskedCall, ErrorData> {
        let mut offered = self.offered().into_iter();
        let Some(tool) = offered.find(|tool| tool.name == request.name) else {
            let message = texts::mcp::no_such_tool(&errors::shown(&request.name));
            return Err(ErrorData::invalid_params(message, None));
        };
        let principal = self.principal();
        let (name, given) = match (&request.request_state, key) {
            (Some(state), _) => {
                let name = self.begun(&principal, state).await?;
                (name, Some(request.input_responses.unwrap_or_default()))
            }
            (None, Some(key)) => {
                let name = CallName::of_key(&principal, &key)
                    .ok_or_else(|| ErrorData::invalid_params(texts::mcp::KEY_INVALID, None))?;
                (name, None)
            }
            (None, None) => {
                let random = self.http.env.random();
                (CallName::new(&principal, self.http.now(), random), None)
            }
        };
        let own = OwnCall {
            tool: tool.name,
            input: Value::Object(request.arguments.unwrap_or_default()),
        };
        Ok(AskedCall { own, name, given })
    }

    /// The call that a state leads to, if this token has begun it.
    async fn begun(&self, principal: &str, state: &str) -> Result<CallName, ErrorData> {
        let refused = || ErrorData::invalid_params(texts::mcp::STATE_IS_NOT_OURS, None);
        let name = CallName::of_state(principal, state).ok_or_else(refused)?;
        let user = self.signed_in.user.id;
        let known = self.http.engine.has_carried_out(user, name.command).await;
        match known {
            Ok(true) => Ok(name),
            Ok(false) => Err(refused()),
            Err(error) => Err(ErrorData::internal_error(error.message, None)),
        }
    }

    /// Begins a call; one that has begun goes on.
    async fn begin(&self, asked: &AskedCall) -> Result<(), ErrorBody> {
        let allowances = &self.http.allowances;
        if asked.given.is_some() {
            let charged = allowances.outcome(self.signed_in.user.id);
            return charged.map_err(ErrorBody::from);
        }
        let OwnCall { tool, input } = asked.own.clone();
        let act = Command::Act {
            conversation: asked.name.call,
            tool,
            input,
        };
        allowances.command(self.signed_in.user.id, &act)?;
        let mut person = self.signed_in.person();
        person.correlation = Some(self.request.0.clone());
        let (name, own) = (&asked.name, asked.own.clone());
        let begun = self.http.engine.relay(person, name.command, name.call, own);
        begun.await
    }

    /// Follows a call, and answers. `opens`: the client can show a person an address.
    async fn answer(&self, asked: &AskedCall, opens: bool) -> Result<CallToolResponse, ErrorData> {
        let (until, patience) = match &asked.given {
            None => (FollowUntil::Card, PATIENCE),
            // Who has opened the card is about to decide. What they decide is in the journal alone.
            Some(given) if answers::is_accepted(given) => (FollowUntil::End, PATIENCE),
            Some(_) => (FollowUntil::End, Duration::ZERO),
        };
        let call = asked.name.call;
        let followed = followed(&self.http, &self.signed_in, call, until, patience).await;
        let followed = match followed {
            Ok(followed) => followed,
            Err(refused) => return Ok(self.refusal(&refused).into()),
        };
        if *followed.own() != asked.own {
            return Err(ErrorData::invalid_params(texts::mcp::CALL_IS_ANOTHER, None));
        }
        let waits = matches!(followed.standing(), CallStanding::Waiting(_));
        if waits && opens && asked.given.is_none() {
            let questions = answers::open_the_card(&self.page(call), call);
            let state = Some(asked.name.state());
            return Ok(InputRequiredResult::new(Some(questions), state).into());
        }
        Ok(self.report(call, &followed).await.into())
    }

    /// Answers the tool that reads the outcome of a call.
    async fn outcome(&self, input: &JsonObject) -> Result<CallToolResult, ErrorData> {
        let Some((call, seconds)) = called_outcome(input) else {
            return Err(ErrorData::invalid_params(
                texts::mcp::OUTCOME_INPUT_INVALID,
                None,
            ));
        };
        let charged = self.http.allowances.outcome(self.signed_in.user.id);
        if let Err(limited) = charged {
            return Ok(self.refusal(&limited.error));
        }
        let patience = Duration::from_secs(seconds);
        let until = FollowUntil::End;
        let followed = followed(&self.http, &self.signed_in, call, until, patience).await;
        let followed = match followed {
            Ok(followed) => followed,
            Err(refused) => return Ok(self.refusal(&refused)),
        };
        let mut offered = self.offered().into_iter();
        if offered.any(|tool| tool.name == followed.own().tool) {
            Ok(self.report(call, &followed).await)
        } else {
            Ok(self.refusal(&no_such_call()))
        }
    }

    /// The answer of a refusal, with the id by which the log has the request.
    fn refusal(&self, error: &ErrorBody) -> CallToolResult {
        let id = self.request.0.as_str();
        log_refusal("call", id, error.code);
        let error = error.clone().of_request(id);
        answers::refusal(&error)
    }

    /// The page on which people see a call, and decide it.
    fn page(&self, call: ConversationId) -> String {
        conversation_address(&self.http.url, call)
    }

    async fn report(&self, call: ConversationId, followed: &FollowedCall) -> CallToolResult {
        let report = CallReport::new(call, &self.page(call), followed.standing());
        // Before that there is nothing of a system in it, and an address must stay one.
        if !matches!(followed.standing(), CallStanding::Ended(_)) {
            return answers::result(report);
        }
        let (engine, user) = (&self.http.engine, self.signed_in.user.id);
        let covered = engine.covered(user, call, followed.own(), report.to_value());
        match Box::pin(covered).await {
            Ok(value) => match report.covered(value) {
                Some(report) => {
                    let request = self.request_behind(&report, call, followed).await;
                    answers::result(report.of_request(request))
                }
                None => self.refusal(&no_such_call()),
            },
            Err(refused) => self.refusal(&refused),
        }
    }

    /// The request that began a call, as the journal has it. It is read for errors alone, and an error that
    /// cannot name it is told as well.
    async fn request_behind(
        &self,
        report: &CallReport,
        call: ConversationId,
        followed: &FollowedCall,
    ) -> Option<String> {
        if !report.is_error {
            return None;
        }
        let (store, user) = (&self.http.store, self.signed_in.user.id);
        match store.call_trace(user, call, followed.id()).await {
            Ok(trace) => trace.request,
            Err(error) => {
                tracing::warn!(%error, "the request behind a call could not be read");
                None
            }
        }
    }
}
