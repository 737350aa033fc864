//! `[metrics]`: who may read the figures for Prometheus, and where.

use std::net::SocketAddr;

use super::{reader::Reader, source::Setting, value::Secret};
use crate::texts;

/// The fewest characters of a token: whoever can reach the address may guess as often as they like.
const LEAST_TOKEN: usize = 16;

/// Access to the metrics. Without an address and a token nobody has it.
#[derive(Debug, Clone, Default)]
pub struct MetricsSettings {
    /// An address of its own; none for the server's.
    pub listen: Option<Setting<SocketAddr>>,
    /// Sent as `Authorization: Bearer …`.
    pub token: Option<Secret>,
}

pub(super) fn read(r: &mut Reader<'_>) -> MetricsSettings {
    r.section(
        "metrics",
        "Metrics for Prometheus at /metrics. They are off until there is a token or an address of \
         their own; docs/monitoring has a dashboard and alert rules.",
    );
    let token = r
        .key::<Secret>(
            "metrics.token",
            "at least 16 characters; Prometheus sends it as `Authorization: Bearer …`",
        )
        .env("JARVIS_METRICS_TOKEN")
        .optional("\"a-long-random-text\"");
    let listen = r
        .key::<SocketAddr>(
            "metrics.listen",
            "address and port for metrics alone; without it they are at the server's own address. \
             Beyond this machine it needs the token",
        )
        .env("JARVIS_METRICS_LISTEN")
        .optional("\"127.0.0.1:9340\"");
    if let Some(token) = &token
        && token.reveal().chars().count() < LEAST_TOKEN
    {
        let message = texts::config::metrics_token_is_short(LEAST_TOKEN);
        r.refuse(&token.source, message);
    }
    if let Some(listen) = &listen
        && !listen.ip().is_loopback()
        && token.is_none()
    {
        let message = texts::config::metrics_need_token(&listen.value);
        r.refuse(&listen.source, message);
    }
    MetricsSettings {
        listen,
        token: token.map(|token| token.value),
    }
}
