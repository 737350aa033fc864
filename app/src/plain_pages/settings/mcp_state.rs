//! The state of an MCP server, and of a tool of one, as an icon with a word.

use kit::{Icon, icon};
use leptos::prelude::*;

use crate::plain_pages::texts::settings::mcp_servers as texts;

/// The state of a server's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpServerState {
    Connecting,
    /// It asks for a sign-in, which is under way.
    SigningIn,
    Connected,
    Dead,
}

/// The state of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpToolState {
    /// Conversations have it.
    Accepted,
    /// An admin has to accept it.
    Waiting,
    /// It differs from the accepted definition, and does not run.
    Changed,
    /// The configuration does not list it, its schema cannot be used, or another tool has its name.
    Disabled,
}

impl McpServerState {
    pub(super) fn view(self) -> AnyView {
        match self {
            Self::Connecting => mark("plain-state", Icon::CLOCK, texts::CONNECTING),
            Self::SigningIn => mark(
                "plain-state plain-state--asks",
                Icon::KEY,
                texts::SIGNING_IN,
            ),
            Self::Connected => mark(
                "plain-state plain-state--good",
                Icon::CHECK,
                texts::CONNECTED,
            ),
            Self::Dead => mark("plain-state plain-state--bad", Icon::WARNING, texts::DEAD),
        }
    }
}

impl McpToolState {
    pub(super) fn view(self) -> AnyView {
        match self {
            Self::Accepted => mark(
                "plain-state plain-state--good",
                Icon::CHECK,
                texts::ACCEPTED,
            ),
            Self::Waiting => mark("plain-state plain-state--asks", Icon::HAND, texts::WAITING),
            Self::Changed => mark("plain-state plain-state--bad", Icon::SWAP, texts::CHANGED),
            Self::Disabled => mark("plain-state", Icon::BLOCKED, texts::DISABLED),
        }
    }
}

fn mark(class: &'static str, picture: Icon, word: &'static str) -> AnyView {
    view! { <span class=class>{icon(picture)} <span>{word}</span></span> }.into_any()
}
