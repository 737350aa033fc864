//! The beginning of the protocol on a new connection.
//!
//! `rmcp` asks first whether the server speaks the newer era. After ten seconds without an answer it begins as in the
//! older one, and whatever comes next it takes for the answer to that. An older server that starts slowly answers
//! both, in order: its first answer is left out here, and the connection stands.

use std::borrow::Cow;

use rmcp::{
    ClientLifecycleMode, ClientServiceExt as _, RoleClient,
    model::{
        ClientJsonRpcMessage, ClientRequest, ProtocolVersion, RequestId, ServerJsonRpcMessage,
    },
    service::RunningService,
    transport::Transport,
};

use crate::{events::ServerEvents, fault::ConnectFault};

/// Finds out which era of the protocol the server speaks, and begins.
pub(crate) async fn serve<T>(
    events: ServerEvents,
    transport: T,
) -> Result<RunningService<RoleClient, ServerEvents>, ConnectFault>
where
    T: Transport<RoleClient> + 'static,
{
    let either = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let transport = PatientTransport {
        inner: transport,
        discovery: None,
        given_up: None,
    };
    // Boxed: it is far larger than all around it.
    let began = Box::pin(events.serve_with_lifecycle(transport, either)).await;
    began.map_err(ConnectFault::no_server)
}

/// A transport without the late answer to a probe that was given up.
struct PatientTransport<T> {
    inner: T,
    /// The probe whose answer is waited for.
    discovery: Option<RequestId>,
    /// The probe whose answer nobody waits for any longer.
    given_up: Option<RequestId>,
}

impl<T> PatientTransport<T> {
    fn sends(&mut self, message: &ClientJsonRpcMessage) {
        let ClientJsonRpcMessage::Request(request) = message else {
            return;
        };
        match &request.request {
            ClientRequest::DiscoverRequest(_) => self.discovery = Some(request.id.clone()),
            ClientRequest::InitializeRequest(_) => self.given_up = self.discovery.take(),
            _ => {}
        }
    }

    /// Returns whether a message is the answer that nobody waits for any longer.
    fn is_late(&mut self, message: &ServerJsonRpcMessage) -> bool {
        let answered = match message {
            ServerJsonRpcMessage::Response(response) => Some(&response.id),
            ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => return false,
        };
        // Some servers answer with the number as a text, and many older ones refuse what they do not know without
        // saying which request it was.
        let is_of = |request: &RequestId| {
            answered.is_none_or(|answered| answered.to_string() == request.to_string())
        };
        if self.discovery.as_ref().is_some_and(is_of) {
            self.discovery = None;
            return false;
        }
        let is_late = self.given_up.as_ref().is_some_and(is_of);
        if is_late {
            self.given_up = None;
        }
        is_late
    }
}

impl<T> Transport<RoleClient> for PatientTransport<T>
where
    T: Transport<RoleClient> + 'static,
{
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.sends(&item);
        self.inner.send(item)
    }

    // Dropped in the middle it loses nothing, as the one that it waits for.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            if !self.is_late(&message) {
                return Some(message);
            }
            tracing::debug!("MCP server answered a discovery that was given up, answer dropped");
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rmcp::transport::async_rw::AsyncRwTransport;
    use serde_json::{Value, json};
    use tokio::io::{
        AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex, split,
    };

    use super::*;
    use crate::listing::list;

    fn answer(id: &Value, result: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "result": result })
    }

    /// A server that reads the probe and says nothing until it is asked to initialize.
    async fn older_server(stream: DuplexStream, late: fn(&Value) -> Value) {
        let (read, mut write) = split(stream);
        let mut lines = BufReader::new(read).lines();
        let mut probe = Value::Null;
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            let id = &message["id"];
            let answers = match message["method"].as_str() {
                Some("server/discover") => {
                    probe = id.clone();
                    vec![]
                }
                Some("initialize") => {
                    assert!(probe.is_number(), "the probe came first");
                    let info = json!({
                        "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                        "serverInfo": { "name": "older", "version": "1" },
                    });
                    vec![late(&probe), answer(id, &info)]
                }
                Some("tools/list") => {
                    let schema = json!({ "type": "object", "properties": {} });
                    let tools = json!([{ "name": "act", "inputSchema": schema }]);
                    vec![answer(id, &json!({ "tools": tools }))]
                }
                _ => vec![],
            };
            for answer in answers {
                let line = format!("{answer}\n");
                // A client that is gone needs no answer.
                let _gone = write.write_all(line.as_bytes()).await;
            }
        }
    }

    // The clock jumps over the ten seconds as soon as both sides wait.
    #[tokio::test(start_paused = true)]
    async fn an_answer_to_the_probe_after_it_was_given_up_ends_no_connection() {
        let late: [fn(&Value) -> Value; 3] = [
            |probe| {
                let error = json!({ "code": -32601, "message": "Method not found" });
                json!({ "jsonrpc": "2.0", "id": probe, "error": error })
            },
            |_| {
                let error = json!({ "code": -32600, "message": "Not initialized" });
                json!({ "jsonrpc": "2.0", "id": null, "error": error })
            },
            |probe| answer(&json!(probe.to_string()), &json!({})),
        ];
        for late in late {
            let (ours, theirs) = duplex(64 * 1024);
            let server = tokio::spawn(older_server(theirs, late));
            let (read, write) = split(ours);
            let events = ServerEvents {
                reports: Arc::default(),
                changed: Arc::default(),
            };
            let begun = serve(events, AsyncRwTransport::new_client(read, write)).await;
            let service = begun.unwrap();
            let tools = list(service.peer()).await.unwrap();
            assert_eq!(tools[0].name, "act");
            drop(service);
            server.await.unwrap();
        }
    }
}
