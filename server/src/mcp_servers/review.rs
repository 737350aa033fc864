//! `jarvis mcp check`, `accept` and `reject`: the definitions of a server's tools, and an admin's decision on
//! each. The server may be running, and takes a decision over within seconds.

use std::process::ExitCode;

use agent::ports::Env;
use anyhow::{Context, bail};
use mcp_client::{ReviewStanding, tool_name};
use mcp_connection::ChildRoom;
use store::{AcceptedTool, Store, ToolReviewer};

use super::McpServer;
use crate::{config::Config, env::SystemEnv, subcommand::print, texts::mcp_servers as texts};

/// The least part of a digest that names a definition, in characters.
const SHORTEST_DIGEST: usize = 12;

/// Lists a server's tools with definition, tier and changes. Exit codes: 0 all that are configured are offered, 1
/// something waits for a decision.
pub(crate) async fn check(config: &Config, name: &str) -> anyhow::Result<ExitCode> {
    let (store, server) = opened(config, name).await?;
    store.close().await?;
    connect(&server).await?;
    if let Some(state) = server.sign_in() {
        print(&state)?;
    }
    let mut waits = false;
    for tool in server.toolset.review() {
        let is_settled = tool.is_offered() || tool.standing == ReviewStanding::NotAllowed;
        waits |= !is_settled;
        for line in texts::tool(&tool) {
            print(&line)?;
        }
    }
    for tool in server.toolset.lacking() {
        waits = true;
        for line in texts::lacking_tool(&tool_name(server.name, &tool), &tool) {
            print(&line)?;
        }
    }
    Ok(ExitCode::from(u8::from(waits)))
}

/// Accepts the definition that `check` has shown, named by the beginning of its digest.
pub(crate) async fn accept(
    config: &Config,
    name: &str,
    tool: &str,
    digest: &str,
) -> anyhow::Result<ExitCode> {
    if digest.len() < SHORTEST_DIGEST {
        bail!(texts::digest_is_short(SHORTEST_DIGEST));
    }
    let (store, server) = opened(config, name).await?;
    connect(&server).await?;
    let mut listed = server.toolset.review().into_iter();
    let found = listed.find(|it| it.served.name == tool);
    let found = found.with_context(|| texts::no_such_tool(name, tool))?;
    // Another definition than the one that was looked at is not accepted.
    if !found.digest.starts_with(digest) {
        bail!(texts::other_definition(tool, &found.digest));
    }
    let accepted = server.toolset.accept(tool, &found.digest);
    let why = || texts::cannot_be_accepted(tool, &texts::standing(&found));
    let served = accepted.with_context(why)?;
    let accepted = AcceptedTool {
        server: name.to_owned(),
        tool: tool.to_owned(),
        digest: found.digest,
        definition: served.to_definition(),
        by: ToolReviewer::command_line(),
        at: SystemEnv.now(),
    };
    store.accept_tool(&accepted).await?;
    store.close().await?;
    print(&texts::is_accepted(tool))?;
    Ok(ExitCode::SUCCESS)
}

/// Takes the acceptance of a tool back. The server is not asked.
pub(crate) async fn reject(config: &Config, name: &str, tool: &str) -> anyhow::Result<ExitCode> {
    let store = Store::open_beside(&config.server.data_dir).await?;
    let by = ToolReviewer::command_line();
    let was_accepted = store.reject_tool(name, tool, &by, SystemEnv.now()).await?;
    store.close().await?;
    if !was_accepted {
        bail!(texts::is_not_accepted(name, tool));
    }
    print(&texts::is_rejected(tool))?;
    Ok(ExitCode::SUCCESS)
}

async fn opened(config: &Config, name: &str) -> anyhow::Result<(Store, McpServer)> {
    let settings = config.mcp.iter().find(|server| server.name == name);
    let settings = settings.with_context(|| texts::no_such_server(name))?;
    let store = Store::open_beside(&config.server.data_dir).await?;
    let room = ChildRoom::new(config.mcp_limits);
    let server = McpServer::new(settings, &room, &store.accepted_tools().await?)?;
    Ok((store, server))
}

/// Takes in the server's list, from a connection of its own.
async fn connect(server: &McpServer) -> anyhow::Result<()> {
    match server.connection.listed_once().await {
        Ok(tools) => {
            server.toolset.list(tools);
            Ok(())
        }
        Err(fault) => {
            for line in server.connection.log() {
                print(&texts::log_line(&line))?;
            }
            Err(fault.into())
        }
    }
}
