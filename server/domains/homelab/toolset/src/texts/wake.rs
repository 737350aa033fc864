//! Sentences of the homelab for people: Wake-on-LAN.

use std::fmt::Display;

use crate::time::span;

pub(crate) const PACKET_LEAVES_NO_TRACE: &str = "A packet leaves no trace; it may be sent again.";

pub(crate) const NODE_STATE_UNKNOWN: &str = "unknown: the cluster does not know it";

pub(crate) const HARDWARE_ADDRESS: &str = "Hardware address";

pub(crate) const SENT_TO: &str = "Sent to";

pub(crate) fn send_packet(node: &str) -> String {
    format!("Send a magic packet that wakes node {node}.")
}

pub(crate) fn already_online(name: &str) -> String {
    format!("Node {name} is online already; nothing was sent")
}

pub(crate) fn cannot_be_sent(name: &str, to: &impl Display, error: &impl Display) -> String {
    format!("The magic packet for node {name} cannot be sent to {to}: {error}.")
}

pub(crate) fn online_after(name: &str, seconds: i64) -> String {
    format!("Node {name} is online, after {}", span(seconds))
}

pub(crate) const IT_IS_NOT_ONLINE: &str = "it is not online";

pub(crate) fn waiting(seconds: i64) -> String {
    format!("Packet sent, waiting for the node, {}", span(seconds))
}

pub(crate) fn not_confirmed(name: &str, seconds: i64) -> String {
    format!(
        "Sent, not confirmed: node {name} was not seen online within {}",
        span(seconds)
    )
}
