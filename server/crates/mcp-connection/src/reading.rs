//! Reading of what a server has besides tools: resources and prompts.

use std::{collections::HashSet, time::Duration};

use mcp_client::{ReadRequest, ServerFault, ServerResult};
use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{
        self, ClientRequest, GetPromptRequest, GetPromptRequestParams, ListPromptsRequest,
        ListResourceTemplatesRequest, ListResourcesRequest, PaginatedRequestParams,
        ReadResourceRequest, ReadResourceRequestParams,
    },
    service::PeerRequestOptions,
};
use serde_json::{Map, Value, json};

use crate::{content, signed_client::sign_in_fault, texts};

/// The most pages of a list: there may be a new cursor without end.
const MAX_PAGES: usize = 16;
/// The most entries of a list.
const MAX_ENTRIES: usize = 512;
/// Timeout of one page.
const PAGE: Duration = Duration::from_secs(20);
/// The fields of an entry that are passed on.
const FIELDS: [&str; 6] = [
    "uri",
    "uriTemplate",
    "name",
    "description",
    "mimeType",
    "arguments",
];

/// The reason why something could not be read.
enum ReadFault {
    /// The server's error in its own words.
    Told(String),
    Failed(ServerFault),
}

pub(crate) async fn read(
    peer: &Peer<RoleClient>,
    request: ReadRequest,
) -> Result<ServerResult, ServerFault> {
    let content = match request {
        ReadRequest::Resources => resources(peer).await,
        ReadRequest::Resource { uri } => resource(peer, uri).await,
        ReadRequest::Prompts => prompts(peer).await,
        ReadRequest::Prompt { name, arguments } => prompt(peer, name, arguments).await,
    };
    match content {
        Ok(content) => Ok(ServerResult {
            is_error: false,
            content,
        }),
        Err(ReadFault::Told(words)) => Ok(ServerResult {
            is_error: true,
            content: json!(words),
        }),
        Err(ReadFault::Failed(fault)) => Err(fault),
    }
}

async fn resources(peer: &Peer<RoleClient>) -> Result<Value, ReadFault> {
    let resources = list(peer, |page| {
        ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(page))
    });
    let resources = resources.await?;
    let templates = list(peer, |page| {
        ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest::with_param(page))
    });
    let templates = match templates.await {
        // Not every server has them.
        Err(ReadFault::Told(_)) => Vec::new(),
        templates => templates?,
    };
    Ok(json!({ "resources": resources, "templates": templates }))
}

async fn prompts(peer: &Peer<RoleClient>) -> Result<Value, ReadFault> {
    let prompts = list(peer, |page| {
        ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(page))
    });
    Ok(json!({ "prompts": prompts.await? }))
}

async fn resource(peer: &Peer<RoleClient>, uri: String) -> Result<Value, ReadFault> {
    let request = ReadResourceRequest::new(ReadResourceRequestParams::new(uri));
    let request = ClientRequest::ReadResourceRequest(request);
    match ask(peer, request, PeerRequestOptions::no_options()).await? {
        model::ServerResult::ReadResourceResult(read) => {
            let contents = read.contents.into_iter().map(|part| {
                let part = serde_json::to_value(part).unwrap_or_default();
                content::of_resource(&part)
            });
            Ok(contents.collect())
        }
        // Also a question to the person, which nobody is asked.
        _ => Err(ReadFault::Failed(ServerFault::Lost)),
    }
}

async fn prompt(
    peer: &Peer<RoleClient>,
    name: String,
    arguments: Map<String, Value>,
) -> Result<Value, ReadFault> {
    let params = GetPromptRequestParams::new(name).with_arguments(arguments);
    let request = ClientRequest::GetPromptRequest(GetPromptRequest::new(params));
    match ask(peer, request, PeerRequestOptions::no_options()).await? {
        model::ServerResult::GetPromptResult(prompt) => {
            let messages = prompt.messages.into_iter().map(|message| {
                let message = serde_json::to_value(message).unwrap_or_default();
                let part = |field: &str| message.get(field).cloned().unwrap_or_default();
                json!({ "role": part("role"), "content": content::of_block(part("content")) })
            });
            Ok(messages.collect())
        }
        _ => Err(ReadFault::Failed(ServerFault::Lost)),
    }
}

/// Reads a list, page by page.
async fn list(
    peer: &Peer<RoleClient>,
    request: impl Fn(PaginatedRequestParams) -> ClientRequest,
) -> Result<Vec<Value>, ReadFault> {
    let mut entries = Vec::new();
    let mut cursor = None;
    // One that comes again leads in a circle, and ends the list.
    let mut followed = HashSet::new();
    for _ in 0..MAX_PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor.take());
        let options = PeerRequestOptions::with_timeout(PAGE);
        let (page, next) = match ask(peer, request(page), options).await? {
            model::ServerResult::ListResourcesResult(page) => {
                (serde_json::to_value(page.resources), page.next_cursor)
            }
            model::ServerResult::ListResourceTemplatesResult(page) => (
                serde_json::to_value(page.resource_templates),
                page.next_cursor,
            ),
            model::ServerResult::ListPromptsResult(page) => {
                (serde_json::to_value(page.prompts), page.next_cursor)
            }
            _ => return Err(ReadFault::Told(texts::NO_ENTRIES.to_owned())),
        };
        if let Ok(Value::Array(page)) = page {
            entries.extend(page.into_iter().map(entry));
        }
        cursor = next.filter(|next| followed.insert(next.clone()));
        if cursor.is_none() || entries.len() >= MAX_ENTRIES {
            break;
        }
    }
    entries.truncate(MAX_ENTRIES);
    Ok(entries)
}

/// The entry with the fields that somebody needs to read it.
fn entry(entry: Value) -> Value {
    let Value::Object(mut fields) = entry else {
        return Value::Null;
    };
    fields.retain(|name, _| FIELDS.contains(&name.as_str()));
    Value::Object(fields)
}

async fn ask(
    peer: &Peer<RoleClient>,
    request: ClientRequest,
    options: PeerRequestOptions,
) -> Result<model::ServerResult, ReadFault> {
    let sent = peer.send_request_with_option(request, options).await;
    let sent = sent.map_err(|_closed| ReadFault::Failed(ServerFault::NotSent))?;
    sent.await_response().await.map_err(|error| match error {
        ServiceError::McpError(error) => ReadFault::Told(error.message.into_owned()),
        error => match sign_in_fault(&error) {
            Some(fault) => ReadFault::Told(fault.to_string()),
            None => ReadFault::Failed(ServerFault::Lost),
        },
    })
}
