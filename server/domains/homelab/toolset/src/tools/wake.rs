//! Tool that wakes a node: it sends the packet and watches the cluster for the node.

use std::{sync::Arc, time::Duration};

use agent::{
    crash,
    ports::{
        Assessment, InputValue, Preview, Progress, Reconciled, Recovery, Tool, ToolCall, ToolError,
        ToolExample, ToolSpec, read_input,
    },
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Fact, Offer, Tier, Timestamp, ToolOutput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{about_node, output, touched};
use crate::{
    cluster_access::{ClusterAccess, protection},
    texts, wake,
};

/// Polls for the node: three minutes at one poll per second.
const LOOKS: u32 = 180;
/// Polls per packet: one may get lost, and a second one does no harm.
const SEND_EVERY: u32 = 30;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WakeInput {
    /// The node to wake, such as "agent".
    #[schemars(length(min = 1, max = 63))]
    node: String,
}

pub(crate) struct WakeNode(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl Tool for WakeNode {
    fn spec(&self) -> ToolSpec {
        const DESCRIPTION: &str = "Wakes a node that is off, by Wake-on-LAN, and watches for up to three \
                      minutes whether it comes online. Use it when the user wants a node switched \
                      on. Only nodes whose hardware address is configured can be woken. \"Sent, \
                      not confirmed\" means that nobody knows whether it worked: say exactly that.";
        ToolSpec {
            tier: Tier::Yellow,
            recovery: Recovery::Idempotent,
            timeout: Duration::from_secs(6 * 60),
            editable: vec!["/node".to_owned()],
            examples: vec![
                ToolExample::new("Wake agent."),
                ToolExample::new("Switch the NAS on."),
            ],
            ..ToolSpec::new::<WakeInput>("wake_node", DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        let name = input.get("node").and_then(Value::as_str);
        let name = name.unwrap_or_default();
        let mac = self.0.config.mac(name);
        Assessment {
            tier: Tier::Yellow,
            risks: Vec::new(),
            protected: self.0.is_protected(name).then(|| protection::node(name)),
            refused: mac.as_ref().err().map(|error| error.message.clone()),
            // The configuration says which nodes may be woken; the person names the node.
            values: InputValue::all(input),
        }
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        preview(&self.0, read_input(call.input.clone())?).await
    }

    fn offers(&self) -> Vec<Offer> {
        let config = &self.0.config;
        let wakeable = config.node_macs.keys();
        let wakeable: Vec<_> = wakeable
            .filter(|name| config.mac(name).is_ok())
            .cloned()
            .collect();
        if wakeable.is_empty() {
            return Vec::new();
        }
        vec![Offer {
            tool: "wake_node".to_owned(),
            label: "Wake".to_owned(),
            on: "node".to_owned(),
            when: "offline".to_owned(),
            only: wakeable,
            with: Value::Null,
        }]
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(texts::wake::PACKET_LEAVES_NO_TRACE.to_owned())
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        let input = read_input(call.input).map_err(ToolError)?;
        wake_node(&self.0, input, &progress)
            .await
            .map_err(ToolError)
    }
}

async fn preview(access: &ClusterAccess, input: WakeInput) -> Result<Preview, ErrorBody> {
    let mac = access.config.mac(&input.node)?;
    let online = access.api.is_online(&input.node).await;
    let fact = |label: &str, value: String| Fact {
        label: label.to_owned(),
        value,
    };
    Ok(Preview {
        facts: vec![
            fact(
                texts::STATE_NOW,
                match &online {
                    Ok(Some(true)) => "online".to_owned(),
                    Ok(Some(false)) => "offline".to_owned(),
                    Ok(None) => texts::wake::NODE_STATE_UNKNOWN.to_owned(),
                    Err(error) => format!("unknown: {error}"),
                },
            ),
            fact(texts::wake::HARDWARE_ADDRESS, mac.to_string()),
            fact(texts::wake::SENT_TO, access.config.wake_address.to_string()),
        ],
        // The node's state does not change the effect of a packet.
        state: json!({ "mac": mac.to_string() }),
        said: &["node"],
        ..Preview::new(
            texts::wake::send_packet(&input.node),
            format!("node {}", input.node),
        )
    })
}

async fn wake_node(
    access: &ClusterAccess,
    input: WakeInput,
    progress: &Progress,
) -> Result<ToolOutput, ErrorBody> {
    let name = &input.node;
    let mac = access.config.mac(name)?;
    let to = access.config.wake_address;
    let result = |summary: String, sent: u32, state: Value| {
        output(
            summary,
            &json!({
                "node": name,
                "hardware_address": mac.to_string(),
                "packets_sent": sent,
                "state": state,
            }),
        )
    };
    // Without an answer the packet is still sent: it may wake the node that would answer.
    if let Ok(Some(true)) = access.api.is_online(name).await {
        let summary = texts::wake::already_online(name);
        return result(summary, 0, json!("online"));
    }
    let began = access.now();
    let mut sent = 0;
    let mut why = String::new();
    for look in 0..LOOKS {
        if look % SEND_EVERY == 0 {
            crash::point(|| "before the order: a magic packet".to_owned());
            match wake::send(mac, to).await {
                Ok(()) => {
                    crash::point(|| "ordered, not followed: a magic packet".to_owned());
                    sent += 1;
                }
                Err(error) if sent == 0 => {
                    return Err(ErrorBody::new(
                        ErrorCode::ToolFailed,
                        texts::wake::cannot_be_sent(name, &to, &error),
                    ));
                }
                Err(error) => tracing::warn!(node = name, %error, "second packet not sent"),
            }
        }
        tokio::time::sleep(Duration::from_millis(access.config.poll_ms)).await;
        let seconds = (access.now() - began).max(0);
        match access.api.is_online(name).await {
            Ok(Some(true)) => {
                access.api.forget();
                let summary = texts::wake::online_after(name, seconds);
                return result(summary, sent, json!("online"));
            }
            Ok(_) => why = texts::wake::IT_IS_NOT_ONLINE.to_owned(),
            Err(error) => why = error.to_string(),
        }
        progress.report(&texts::wake::waiting(seconds));
    }
    let seconds = (access.now() - began).max(0);
    result(
        texts::wake::not_confirmed(name, seconds),
        sent,
        json!({ "unknown": why }),
    )
}
