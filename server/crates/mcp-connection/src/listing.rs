//! The list of a server's tools, page by page.

use std::{collections::HashSet, time::Duration};

use mcp_client::ServedTool;
use rmcp::{
    Peer, RoleClient,
    model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool},
    service::PeerRequestOptions,
};
use serde_json::Value;

use crate::{fault::ConnectFault, texts};

/// The most pages: there may be a new cursor without end.
const MAX_PAGES: usize = 16;
/// The most tools.
const MAX_TOOLS: usize = 512;
/// Timeout of one page.
const PAGE: Duration = Duration::from_secs(20);

/// Reads the list. Never a copy that was kept: for how long one may be kept, the server itself says.
pub(crate) async fn list(peer: &Peer<RoleClient>) -> Result<Vec<ServedTool>, ConnectFault> {
    let mut tools = Vec::new();
    let mut cursor = None;
    // One that comes again leads in a circle, and ends the list.
    let mut followed = HashSet::new();
    for _ in 0..MAX_PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor.take());
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
        let options = PeerRequestOptions::with_timeout(PAGE);
        let sent = peer.send_request_with_option(request, options).await;
        let sent = sent.map_err(ConnectFault::no_server)?;
        let answer = sent.await_response().await;
        let ServerResult::ListToolsResult(page) = answer.map_err(ConnectFault::no_server)? else {
            return Err(ConnectFault::no_server(texts::NO_LIST));
        };
        tools.extend(page.tools.into_iter().map(served));
        let next = page.next_cursor;
        cursor = next.filter(|next| followed.insert(next.clone()));
        if cursor.is_none() || tools.len() >= MAX_TOOLS {
            break;
        }
    }
    tools.truncate(MAX_TOOLS);
    Ok(tools)
}

fn served(tool: Tool) -> ServedTool {
    let output = tool.output_schema.as_deref().cloned();
    let annotations = tool.annotations.map(serde_json::to_value);
    ServedTool {
        name: tool.name.into_owned(),
        description: tool.description.unwrap_or_default().into_owned(),
        input_schema: Value::Object((*tool.input_schema).clone()),
        output_schema: output.map_or(Value::Null, Value::Object),
        annotations: annotations.and_then(Result::ok).unwrap_or_default(),
    }
}
