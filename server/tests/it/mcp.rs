//! `/mcp`, as clients of the Model Context Protocol see it.

mod bridge;
mod calls;
mod conformance;
mod eras;
mod hostile;
mod packs;
mod trace;

use protocol::{ConversationId, Decision};
use reqwest::{Method, RequestBuilder, Response, StatusCode, header::ACCEPT};
use serde_json::{Value, json};

use crate::{
    client::{Browser, send},
    harness::Server,
    socket::Socket,
    tokens::token,
};

const CURRENT: &str = "2026-07-28";
const OLDER: &str = "2025-06-18";
const APPROVE: Decision = Decision::Approve {
    grant: None,
    word: None,
};
const DENY: Decision = Decision::Deny { comment: None };

/// A client with a token, in one of the two eras.
#[derive(Clone)]
struct McpClient {
    program: Browser,
    path: &'static str,
    version: &'static str,
    /// True if it can show a person an address.
    opens: bool,
}

impl McpClient {
    async fn new(server: &Server, owner: &Browser, role: &str, toolsets: &[&str]) -> Self {
        let token = token(owner, role, toolsets).await.unwrap();
        Self {
            program: Browser::new(server.url()).bearing(&token),
            path: "/mcp",
            version: CURRENT,
            opens: false,
        }
    }

    fn at(&self, path: &'static str) -> Self {
        Self {
            path,
            ..self.clone()
        }
    }

    fn older(&self) -> Self {
        Self {
            version: OLDER,
            ..self.clone()
        }
    }

    fn opening(&self) -> Self {
        Self {
            opens: true,
            ..self.clone()
        }
    }

    /// The request of a message, with the headers that repeat parts of it.
    fn request(&self, method: &str, mut params: Value) -> RequestBuilder {
        let name = params["name"].as_str().map(str::to_owned);
        let request = self.program.request(Method::POST, self.path);
        let mut request = request
            .header(ACCEPT, "application/json, text/event-stream")
            .header("mcp-protocol-version", self.version);
        if self.version != OLDER {
            let elicitation = if self.opens {
                json!({ "url": {} })
            } else {
                json!({ "form": {} })
            };
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.version,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": elicitation },
            });
            request = request.header("mcp-method", method);
            if let Some(name) = name {
                request = request.header("mcp-name", name);
            }
        }
        request.json(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }

    /// The whole answer to a message.
    async fn ask(&self, method: &str, params: Value) -> (StatusCode, Value) {
        read(send(self.request(method, params)).await).await
    }

    /// The result of a message that is answered.
    async fn result(&self, method: &str, params: Value) -> Value {
        let (status, answer) = self.ask(method, params).await;
        assert_eq!(status, StatusCode::OK, "{answer:#}");
        assert_eq!(answer["error"], Value::Null, "{answer:#}");
        answer["result"].clone()
    }

    /// The code of the error that a message is answered with.
    async fn error(&self, method: &str, params: Value) -> (StatusCode, i64) {
        let (status, answer) = self.ask(method, params).await;
        let code = answer["error"]["code"].as_i64();
        (
            status,
            code.unwrap_or_else(|| panic!("no error: {answer:#}")),
        )
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        self.result("tools/call", params).await
    }

    /// The tools of the list, by their names.
    async fn tools(&self) -> Vec<Value> {
        let result = self.result("tools/list", json!({})).await;
        result["tools"].as_array().unwrap().clone()
    }

    async fn names(&self) -> Vec<String> {
        let tools = self.tools().await;
        let names = tools.iter().map(|tool| tool["name"].as_str().unwrap());
        names.map(str::to_owned).collect()
    }
}

async fn read(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let text = response.text().await.unwrap();
    let answer = serde_json::from_str(&text);
    (
        status,
        answer.unwrap_or_else(|error| panic!("{status}, {error}: {text}")),
    )
}

/// The state of a call in an answer.
fn state(result: &Value) -> &str {
    let state = &result["structuredContent"]["state"];
    state.as_str().unwrap_or_else(|| panic!("{result:#}"))
}

/// The call of an answer.
fn call_of(result: &Value) -> ConversationId {
    let name = result["structuredContent"]["call"].as_str();
    name.unwrap_or_else(|| panic!("{result:#}"))
        .parse()
        .unwrap()
}

/// Decides the card of a call as its owner does on the page, and waits for the end.
async fn decide(tab: &mut Socket, call: ConversationId, decision: Decision) {
    tab.subscribe(call, protocol::Seq(0)).await.unwrap();
    let question = tab.question().await;
    tab.decide(call, &question, decision).await.unwrap();
    tab.see(|view| view.finished() == 1).await;
}
