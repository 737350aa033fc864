//! A test call of an MCP server's tool, for admins. It is an own call of theirs like any other: the gate decides,
//! and what has to be confirmed waits as a card.

mod form;

use std::time::Duration;

use agent::clean_text;
use app::{
    conversation_path,
    plain_pages::settings::{McpCallPage, McpTestPage, Note},
};
use axum::{
    Form,
    extract::{Path, rejection::FormRejection},
    http::StatusCode,
    response::Response,
};
use mcp_client::ReviewedTool;
use protocol::{Command, CommandId, ConversationId, Event, EventBody};
use serde_json::Value;

use super::{Visit, done, mcp_servers};
use crate::{
    http::{
        api::{OwnRunBody, OwnRunState},
        follow_journal::{JournalFold, follow_journal},
        plain_page::with_status,
    },
    mcp_servers::McpServer,
    texts,
};

/// The longest time that the page of a call waits for its end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The form of a tool.
pub(super) async fn page(visit: Visit, Path(tool): Path<String>) -> Response {
    match callable(&visit, &tool) {
        Some(tool) => show(&visit, &tool, &[], Note::None),
        None => unknown(&visit).await,
    }
}

/// Begins a call. A form that is sent again begins no other.
pub(super) async fn run(
    visit: Visit,
    Path(tool): Path<String>,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Response {
    let Some(tool) = callable(&visit, &tool) else {
        return unknown(&visit).await;
    };
    let Ok(Form(sent)) = form else {
        let problem = texts::settings::FORM_CANNOT_BE_READ.to_owned();
        return show(&visit, &tool, &[], Note::Problem(problem));
    };
    match begin(&visit, &tool, &sent).await {
        Ok(call) => done(&path_of(call)),
        Err(problem) => show(&visit, &tool, &sent, Note::Problem(problem)),
    }
}

/// The call, as soon as it waits for a person or has ended.
pub(super) async fn call(visit: Visit, Path(call): Path<String>) -> Response {
    let shown = match call.parse() {
        Ok(id) => settled(&visit, id).await,
        Err(_) => None,
    };
    match shown {
        Some(page) => visit.page(Note::None, page),
        None => unknown(&visit).await,
    }
}

/// The tool of this name, if conversations have it.
fn callable(visit: &Visit, name: &str) -> Option<ReviewedTool> {
    let mut tools = visit.http.mcp.servers().flat_map(McpServer::review);
    tools.find(|tool| tool.name == name && is_callable(tool))
}

/// True if conversations have a tool, and so may its test call.
pub(super) fn is_callable(tool: &ReviewedTool) -> bool {
    tool.is_offered()
}

async fn unknown(visit: &Visit) -> Response {
    let problem = Note::Problem(texts::mcp_servers::CANNOT_BE_CALLED.to_owned());
    with_status(
        mcp_servers::show(visit, problem).await,
        StatusCode::NOT_FOUND,
    )
}

fn show(visit: &Visit, tool: &ReviewedTool, sent: &[(String, String)], note: Note) -> Response {
    let http = &visit.http;
    let page = McpTestPage {
        tool: tool.name.clone(),
        tier: tool
            .tier
            .map(|tier| texts::mcp_servers::tier(tier).to_owned())
            .unwrap_or_default(),
        description: clean_text(&tool.served.description),
        call: ConversationId::new(http.now(), http.env.random()).to_string(),
        command: CommandId::new(http.now(), http.env.random()).to_string(),
        fields: form::fields(&tool.served.input_schema, sent),
    };
    visit.page(note, page)
}

/// Begins the call of a form, and returns its journal. The error is a sentence.
async fn begin(
    visit: &Visit,
    tool: &ReviewedTool,
    sent: &[(String, String)],
) -> Result<ConversationId, String> {
    let http = &visit.http;
    let conversation: Option<ConversationId> =
        form::one(sent, "call").and_then(|it| it.parse().ok());
    let command: Option<CommandId> = form::one(sent, "command").and_then(|it| it.parse().ok());
    let (Some(conversation), Some(command)) = (conversation, command) else {
        return Err(texts::settings::FORM_CANNOT_BE_READ.to_owned());
    };
    let act = Command::Act {
        conversation,
        tool: tool.name.clone(),
        input: form::input(&tool.served.input_schema, sent)?,
    };
    let charged = http.allowances.command(visit.signed_in.user.id, &act);
    charged.map_err(|limited| limited.error.message)?;
    // The engine checks the right, and the gate decides, as for every call.
    let begun = http.engine.command(visit.person(), command, act);
    Box::pin(begun).await.map_err(|error| error.message)?;
    Ok(conversation)
}

/// The journal of a call.
struct OwnCallFold {
    id: ConversationId,
    events: Vec<Event>,
}

impl OwnCallFold {
    fn run(&self) -> Option<OwnRunBody> {
        OwnRunBody::of(self.id, &self.events)
    }
}

impl JournalFold for OwnCallFold {
    fn apply(&mut self, event: Event) {
        self.events.push(event);
    }

    fn is_enough(&self) -> bool {
        let run = self.run();
        run.is_none_or(|run| run.state() != OwnRunState::Running)
    }
}

/// The page of a call of this person; None if there is no such call.
async fn settled(visit: &Visit, id: ConversationId) -> Option<McpCallPage> {
    let mut fold = OwnCallFold {
        id,
        events: Vec::new(),
    };
    let followed = follow_journal(&visit.http, &visit.signed_in, id, &mut fold, PATIENCE);
    Box::pin(followed).await.ok()?;
    let run = fold.run()?;
    let input = fold.events.iter().find_map(|event| match &event.body {
        EventBody::ActionStarted { input, .. } => Some(json(input)),
        _ => None,
    });
    let waits = run.state() == OwnRunState::Waiting;
    let is_open = waits || run.state() == OwnRunState::Running;
    Some(McpCallPage {
        tool: run.tool().to_owned(),
        input: input.unwrap_or_default(),
        state: state(run.state()).to_owned(),
        card: waits.then(|| conversation_path(id)),
        look_again: is_open.then(|| path_of(id)),
        message: run.message().map(clean_text),
        data: (!run.data().is_null()).then(|| json(run.data())),
    })
}

fn path_of(call: ConversationId) -> String {
    format!("/settings/mcp/calls/{call}")
}

/// JSON for people: a text as it is, and nothing invisible.
fn json(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        // JSON without keys that are no text can be written.
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    clean_text(&text)
}

fn state(state: OwnRunState) -> &'static str {
    match state {
        OwnRunState::Running => texts::mcp_servers::call::RUNNING,
        OwnRunState::Waiting => texts::mcp_servers::call::WAITING,
        OwnRunState::Succeeded => texts::mcp_servers::call::SUCCEEDED,
        OwnRunState::Failed => texts::mcp_servers::call::FAILED,
        OwnRunState::Blocked => texts::mcp_servers::call::BLOCKED,
        OwnRunState::Denied => texts::mcp_servers::call::DENIED,
        OwnRunState::Expired => texts::mcp_servers::call::EXPIRED,
        OwnRunState::Withdrawn => texts::mcp_servers::call::WITHDRAWN,
        OwnRunState::Cancelled => texts::mcp_servers::call::CANCELLED,
        OwnRunState::OutcomeUnknown => texts::mcp_servers::call::OUTCOME_UNKNOWN,
    }
}
