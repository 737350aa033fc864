//! Log lines on standard error.

use std::io::IsTerminal;

use anyhow::Context;
use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{config::LogFormat, texts};

/// Starts logging. `filter` is a level or a list such as `info,agent=debug`.
pub fn start(filter: &str, format: LogFormat) -> anyhow::Result<()> {
    // It reports every request of a model elsewhere, and every message of a server of tools that is too long,
    // which that server can repeat at will. It also writes the whole address of a connection that fails, which
    // may have a key in its query; Jarvis logs the fault without it. A filter that names rmcp shows all of it.
    let quiet = format!("rmcp=warn,rmcp::transport=off,{filter}");
    let filter = EnvFilter::try_new(quiet).with_context(|| texts::config::no_log_filter(filter))?;
    let registry = tracing_subscriber::registry().with(filter);
    let text = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => registry.with(text).try_init(),
        LogFormat::Json => registry.with(text.json().flatten_event(true)).try_init(),
    }
    .context(texts::config::LOGGING_WAS_STARTED_BEFORE)
}
