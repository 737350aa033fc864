//! The page of MCP servers, for admins: an admin accepts the very definition that the page has shown.

use agent::clean_text;
use app::plain_pages::settings::{
    McpServerSection, McpServersPage, McpToolChange, McpToolRow, Note,
};
use axum::{Form, extract::rejection::FormRejection, response::Response};
use mcp_client::{ReviewStanding, ReviewedTool};
use serde::Deserialize;
use store::{Error, ToolReviewer};

use super::{Visit, done};
use crate::{mcp_servers::McpServer, texts};

/// A decision on a tool.
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
}

pub(super) async fn page(visit: Visit) -> Response {
    let note = visit.note();
    show(&visit, note)
}

pub(super) async fn change(visit: Visit, change: Result<Form<Change>, FormRejection>) -> Response {
    if let Some(first) = visit.needs_fresh("/settings/mcp").await {
        return first;
    }
    let problem = match change {
        Err(_) => texts::settings::FORM_CANNOT_BE_READ.to_owned(),
        Ok(Form(change)) => match decide(&visit, change).await {
            Ok(true) => return done("/settings/mcp?done=1"),
            Ok(false) => texts::mcp_servers::DEFINITION_IS_ANOTHER.to_owned(),
            Err(error) => return visit.failed(&error),
        },
    };
    show(&visit, Note::Problem(problem))
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
        Change::Reject { server, tool } => store.reject_tool(&server, &tool, &by, now).await?,
    };
    http.mcp.reload(store, &http.engine).await?;
    Ok(decided)
}

fn show(visit: &Visit, note: Note) -> Response {
    let servers = visit.http.mcp.servers().map(section).collect();
    visit.page(note, McpServersPage { servers })
}

fn section(server: &McpServer) -> McpServerSection {
    McpServerSection {
        name: server.name().to_owned(),
        state: server.state(),
        log: server.log(),
        tools: server.review().into_iter().map(row).collect(),
    }
}

fn row(tool: ReviewedTool) -> McpToolRow {
    let state = texts::mcp_servers::standing(&tool).to_owned();
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
        can_accept: is_new && tool.tier.is_some() && tool.unusable.is_none(),
        can_reject: is_accepted,
        tier: tool.tier.map(|of| texts::mcp_servers::tier(of).to_owned()),
        digest: tool.digest,
        description: clean_text(&tool.served.description),
        parts: parts
            .map(|(label, text)| (label.to_owned(), text))
            .collect(),
        changes,
    }
}
