//! Writes each step to the store once it is over.

use std::sync::Arc;

use super::OwnMeasurements;

/// Background task that writes the measurements. Without it they are collected, but not kept.
#[derive(Debug)]
pub struct MeasurementRecorder(pub(crate) Arc<OwnMeasurements>);

impl MeasurementRecorder {
    /// Writes each step that is over, and at `stop` also the current one.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                () = self.0.over.notified() => self.write().await,
                () = &mut stop => break,
            }
        }
        self.0.sampler().end();
        self.write().await;
    }

    /// Writes the steps that wait, oldest first. A failure leaves them for the next time.
    async fn write(&self) {
        let own = &self.0;
        let first = || own.sampler().first();
        while let Some(step) = first() {
            if let Err(error) = own.store.put(step.at, &step.means).await {
                tracing::warn!(%error, at = step.at, "measurements not written, kept for the next attempt");
                return;
            }
            own.sampler().written(&step);
        }
    }
}
