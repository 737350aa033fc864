//! The page of MCP servers, for admins: their tools, and the decision on each definition.

use leptos::prelude::*;

use super::{McpServerState, McpToolState, SettingsPage, Tab, mcp_test};
use crate::plain_pages::texts;

pub struct McpServersPage {
    pub servers: Vec<McpServerSection>,
}

/// A server with its tools.
pub struct McpServerSection {
    pub name: String,
    pub state: McpServerState,
    /// More about its connection, in a sentence; empty if the state says it all.
    pub about: String,
    /// Label and text of each part of the way to it: a command with its sandbox, or an address.
    pub setup: Vec<(&'static str, String)>,
    pub notices: Vec<McpNotice>,
    /// The newest lines of its standard error.
    pub log: Vec<String>,
    pub tools: Vec<McpToolRow>,
    /// The names here of tools that the configuration names and the server does not list.
    pub lacking: Vec<String>,
}

/// An open notice about a server.
pub struct McpNotice {
    pub id: String,
    pub text: String,
    /// The person who acknowledged it.
    pub acknowledged_by: Option<String>,
}

/// A tool under review. Its texts are a stranger's, cleaned.
pub struct McpToolRow {
    /// The name here.
    pub name: String,
    /// The server's own name.
    pub tool: String,
    pub state: McpToolState,
    /// The state in words.
    pub about: String,
    /// None if the configuration does not list it.
    pub tier: Option<String>,
    pub digest: String,
    pub description: String,
    /// Label and text of each other part of the definition.
    pub parts: Vec<(String, String)>,
    /// The differences from the accepted definition.
    pub changes: Vec<McpToolChange>,
    pub can_accept: bool,
    pub can_reject: bool,
    /// True if a test call of it can begin.
    pub can_call: bool,
}

/// A part of a definition that differs from the accepted one.
pub struct McpToolChange {
    pub field: String,
    pub before: String,
    pub after: String,
}

impl SettingsPage for McpServersPage {
    const TAB: Tab = Tab::McpServers;
    const SAVED: &'static str = texts::settings::mcp_servers::SAVED;

    fn view(self) -> AnyView {
        if self.servers.is_empty() {
            return view! { <p>{texts::settings::mcp_servers::NO_SERVERS}</p> }.into_any();
        }
        let servers: Vec<_> = self.servers.into_iter().map(section).collect();
        view! {
            <p class="plain-lead">{texts::settings::mcp_servers::LEAD}</p>
            {servers}
        }
        .into_any()
    }
}

fn section(server: McpServerSection) -> AnyView {
    let name = server.name.clone();
    let rows: Vec<_> = server
        .tools
        .into_iter()
        .map(|tool| row(&server.name, tool))
        .collect();
    let lacking = server.lacking.into_iter().map(|name| {
        view! {
            <li>
                <div>
                    <code>{name}</code>
                    " "
                    <small>{texts::settings::mcp_servers::NOT_LISTED}</small>
                </div>
            </li>
        }
    });
    let lacking: Vec<_> = lacking.collect();
    let log = (!server.log.is_empty()).then(|| {
        view! {
            <details>
                <summary>{texts::settings::mcp_servers::STANDARD_ERROR}</summary>
                <pre class="plain-definition">{server.log.join("\n")}</pre>
            </details>
        }
    });
    let notices: Vec<_> = server.notices.into_iter().map(notice).collect();
    let setup = server.setup.into_iter().map(|(label, text)| {
        view! {
            <p>{label}</p>
            <pre class="plain-definition">{text}</pre>
        }
    });
    let setup: Vec<_> = setup.collect();
    view! {
        <section>
            <h2>{name}</h2>
            <p class="plain-row">{server.state.view()} <span>{server.about}</span></p>
            {setup}
            {notices}
            <ul class="plain-list">{rows} {lacking}</ul>
            {log}
        </section>
    }
    .into_any()
}

fn notice(notice: McpNotice) -> AnyView {
    let label = texts::settings::mcp_servers::ACKNOWLEDGE;
    let answer = match notice.acknowledged_by {
        Some(name) => {
            let by = texts::settings::mcp_servers::acknowledged_by(&name);
            view! { <small>{by}</small> }.into_any()
        }
        None => {
            let aria = texts::settings::mcp_servers::acknowledge(&notice.text);
            view! {
                <form method="post" action="/settings/mcp">
                    <input type="hidden" name="do" value="acknowledge" />
                    <input type="hidden" name="notice" value=notice.id />
                    <button type="submit" class="button button--small" aria-label=aria>
                        {label}
                    </button>
                </form>
            }
            .into_any()
        }
    };
    view! {
        <div class="plain-row">
            <p>{notice.text}</p>
            {answer}
        </div>
    }
    .into_any()
}

fn row(server: &str, tool: McpToolRow) -> AnyView {
    let about = match &tool.tier {
        Some(tier) => texts::settings::mcp_servers::tier_and_state(tier, &tool.about),
        None => tool.about.clone(),
    };
    let changes: Vec<_> = tool.changes.into_iter().map(change).collect();
    let parts = tool.parts.into_iter().map(|(label, text)| {
        view! {
            <p>{label}</p>
            <pre class="plain-definition">{text}</pre>
        }
    });
    let parts: Vec<_> = parts.collect();
    let decide = |action: &'static str, label: &'static str, class: &'static str, aria: String| {
        view! {
            <form method="post" action="/settings/mcp">
                <input type="hidden" name="do" value=action />
                <input type="hidden" name="server" value=server.to_owned() />
                <input type="hidden" name="tool" value=tool.tool.clone() />
                <input type="hidden" name="digest" value=tool.digest.clone() />
                <button type="submit" class=class aria-label=aria>
                    {label}
                </button>
            </form>
        }
    };
    let accept = tool.can_accept.then(|| {
        let aria = texts::settings::mcp_servers::accept(&tool.name);
        let label = texts::settings::mcp_servers::ACCEPT;
        decide("accept", label, "button button--small", aria)
    });
    let reject = tool.can_reject.then(|| {
        let aria = texts::settings::mcp_servers::reject(&tool.name);
        let label = texts::settings::mcp_servers::REJECT;
        decide("reject", label, "button button--small button--danger", aria)
    });
    let call = tool.can_call.then(|| {
        let aria = texts::settings::mcp_test::of(&tool.name);
        let path = mcp_test::path_of(&tool.name);
        view! {
            <a class="button button--small" href=path aria-label=aria>
                {texts::settings::mcp_test::TITLE}
            </a>
        }
    });
    view! {
        <li>
            <div>
                <code>{tool.name.clone()}</code> {tool.state.view()} <small>{about}</small>
                {changes}
                <details>
                    <summary>{texts::settings::mcp_servers::DEFINITION}</summary>
                    <pre class="plain-definition">{tool.description}</pre>
                    {parts}
                    <small>{texts::settings::mcp_servers::digest(&tool.digest)}</small>
                </details>
            </div>
            <div class="plain-row">{call} {accept} {reject}</div>
        </li>
    }
    .into_any()
}

fn change(change: McpToolChange) -> AnyView {
    view! {
        <div>
            <small>{texts::settings::mcp_servers::changed(&change.field)}</small>
            <pre class="plain-definition">{texts::settings::mcp_servers::before(&change.before)}</pre>
            <pre class="plain-definition">{texts::settings::mcp_servers::after(&change.after)}</pre>
        </div>
    }
    .into_any()
}
