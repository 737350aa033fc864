//! The signals that stop the server.

use std::future::Future;

use anyhow::Context;

use crate::texts;

/// Waits for SIGINT or SIGTERM. Catches them from the call on, not only once it is awaited; a
/// second one ends the process at once.
pub fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt =
        signal(SignalKind::interrupt()).context(texts::start::CANNOT_CATCH_SIGINT)?;
    let mut terminate =
        signal(SignalKind::terminate()).context(texts::start::CANNOT_CATCH_SIGTERM)?;
    let (stop, stopped) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        let mut stop = Some(stop);
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            match stop.take() {
                // The receiver is gone if the server has stopped for another reason.
                Some(stop) => stop.send(()).unwrap_or_default(),
                None => std::process::exit(130),
            }
        }
    });
    Ok(async move { stopped.await.unwrap_or_default() })
}
