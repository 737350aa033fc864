//! The page of MCP servers, for admins: an admin accepts the very definition that the page has shown.

use std::time::Duration;

use agent::{clean_text, ports::Scope};
use app::plain_pages::settings::{
    McpNotice, McpServerSection, McpServerState, McpServersPage, McpToolChange, McpToolRow,
    McpToolState, Note,
};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use mcp_client::{ReviewStanding, ReviewedTool};
use mcp_connection::ConnectionState;
use protocol::{Command, CommandId, Notice, NoticeId};
use serde::Deserialize;
use store::{Error, ToolReviewer};

use super::{Visit, done, mcp_test};
use crate::{mcp_servers::McpServer, texts};

/// A decision on a tool, or on a notice.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Change {
    Accept {
        server: String,
        tool: String,
        digest: String,
    },
    Reject {
        server: String,
        tool: String,
    },
    Acknowledge {
        notice: NoticeId,
    },
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note).await
}

pub(super) async fn change(visit: Visit, change: Result<Form<Change>, FormRejection>) -> Response {
    if let Some(first) = visit.needs_fresh("/settings/mcp").await {
        return first;
    }
    let problem = match change {
        Err(_) => texts::settings::FORM_CANNOT_BE_READ.to_owned(),
        Ok(Form(Change::Acknowledge { notice })) => match acknowledge(&visit, notice).await {
            Ok(()) => return done("/settings/mcp"),
            Err(problem) => problem,
        },
        Ok(Form(change)) => match decide(&visit, change).await {
            Ok(true) => return done("/settings/mcp?done=1"),
            Ok(false) => texts::mcp_servers::DEFINITION_IS_ANOTHER.to_owned(),
            Err(error) => return visit.failed(&error),
        },
    };
    show(&visit, Note::Problem(problem)).await
}

/// Acknowledges a notice. The error is a sentence.
async fn acknowledge(visit: &Visit, notice: NoticeId) -> Result<(), String> {
    let http = &visit.http;
    let command = Command::Acknowledge { notice };
    let charged = http.allowances.command(visit.signed_in.user.id, &command);
    charged.map_err(|limited| limited.error.message)?;
    let id = CommandId::new(http.now(), http.env.random());
    // The engine checks the right, as for every command.
    let carried_out = http.engine.command(visit.person(), id, command);
    Box::pin(carried_out).await.map_err(|error| error.message)
}

/// Carries out a decision. False if there is no such definition now.
async fn decide(visit: &Visit, change: Change) -> Result<bool, Error> {
    let Visit {
        http, signed_in, ..
    } = visit;
    let by = ToolReviewer {
        user: Some(signed_in.user.id),
        name: signed_in.user.name.clone(),
    };
    let (store, now) = (&http.store, http.env.now());
    let decided = match change {
        Change::Accept {
            server,
            tool,
            digest,
        } => match http.mcp.acceptable(&server, &tool, &digest, by, now) {
            Some(accepted) => {
                store.accept_tool(&accepted).await?;
                true
            }
            None => false,
        },
        // It is no decision on a tool, and was carried out before.
        Change::Acknowledge { .. } => false,
        Change::Reject { server, tool } => store.reject_tool(&server, &tool, &by, now).await?,
    };
    http.mcp.reload(store, &http.engine).await?;
    Ok(decided)
}

pub(super) async fn show(visit: &Visit, note: Note) -> Response {
    let mut servers = Vec::new();
    for server in visit.http.mcp.servers() {
        servers.push(section(visit, server).await);
    }
    visit.page(note, McpServersPage { servers })
}

async fn section(visit: &Visit, server: &McpServer) -> McpServerSection {
    let state = server.state();
    let signed_in = server.sign_in();
    let mut about = texts::mcp_servers::connection(&state);
    if let (ConnectionState::Connected, Some(sign_in)) = (&state, &signed_in) {
        about.clone_from(sign_in);
    }
    McpServerSection {
        name: server.name().to_owned(),
        state: server_state(&state, signed_in.is_some()),
        about,
        setup: server.setup().to_vec(),
        notices: notices(visit, server.name()).await,
        log: server.log(),
        tools: server.review().into_iter().map(row).collect(),
        lacking: server.lacking(),
    }
}

/// The open notices of a server, as far as its board has them by now.
async fn notices(visit: &Visit, server: &str) -> Vec<McpNotice> {
    let board = visit.http.engine.board(&Scope::All, server, Duration::ZERO);
    // There is no board if these notices are switched off.
    let parts = board.await.unwrap_or_default().into_iter();
    let parts = parts.filter(|part| part.key.starts_with("notice/"));
    let notices = parts.filter_map(|part| serde_json::from_value::<Notice>(part.value).ok());
    let open = notices.filter(|notice| notice.ended.is_none());
    open.map(|notice| McpNotice {
        id: notice.id.to_string(),
        text: notice.text,
        acknowledged_by: notice.acknowledged.map(|known| known.by),
    })
    .collect()
}

fn server_state(state: &ConnectionState, signs_in: bool) -> McpServerState {
    match state {
        // The sign-in comes before the first answer.
        ConnectionState::Starting if signs_in => McpServerState::SigningIn,
        ConnectionState::Starting => McpServerState::Connecting,
        ConnectionState::Connected => McpServerState::Connected,
        ConnectionState::Down(_) => McpServerState::Dead,
    }
}

/// The state of a tool. One that cannot be used, or has no name of its own, is disabled, whatever else is so.
fn tool_state(tool: &ReviewedTool) -> McpToolState {
    if tool.name_holder.is_some() {
        return McpToolState::Disabled;
    }
    match (&tool.standing, tool.unusable) {
        (ReviewStanding::NotAllowed, _) | (_, Some(_)) => McpToolState::Disabled,
        (ReviewStanding::Unseen, None) => McpToolState::Waiting,
        (ReviewStanding::Accepted, None) => McpToolState::Accepted,
        (ReviewStanding::Changed(_), None) => McpToolState::Changed,
    }
}

fn row(tool: ReviewedTool) -> McpToolRow {
    let state = tool_state(&tool);
    let about = texts::mcp_servers::standing(&tool);
    let can_call = mcp_test::is_callable(&tool);
    let parts = texts::mcp_servers::parts(&tool.served).into_iter();
    let (changes, is_accepted) = match tool.standing {
        ReviewStanding::Changed(changes) => (changes, true),
        ReviewStanding::Accepted => (Vec::new(), true),
        ReviewStanding::Unseen | ReviewStanding::NotAllowed => (Vec::new(), false),
    };
    let changes = changes.into_iter().map(|change| McpToolChange {
        field: change.field.to_owned(),
        before: clean_text(&change.before),
        after: clean_text(&change.after),
    });
    let changes: Vec<_> = changes.collect();
    let is_new = !is_accepted || !changes.is_empty();
    McpToolRow {
        name: tool.name,
        tool: tool.served.name,
        state,
        about,
        can_accept: is_new
            && tool.tier.is_some()
            && tool.unusable.is_none()
            && tool.name_holder.is_none(),
        can_reject: is_accepted,
        can_call,
        tier: tool.tier.map(|of| texts::mcp_servers::tier(of).to_owned()),
        digest: tool.digest,
        description: clean_text(&tool.served.description),
        parts: parts
            .map(|(label, text)| (label.to_owned(), text))
            .collect(),
        changes,
    }
}
