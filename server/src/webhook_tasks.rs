//! Webhooks at work: folds the journals into messages and delivers them, beside everything else.
//!
//! A message is made in the transaction that moves the place of the fold, and sent from the queue: a server
//! that is killed at any instant loses none, and sends one twice at most under the same id.

mod message;
mod queue;

use std::{path::Path, sync::Arc, time::Duration};

use agent::ports::Env;
use anyhow::Context;
use futures::future::BoxFuture;
use store::Store;
use tokio::{sync::Notify, time::sleep};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use webhooks::{DeliveryWorker, SenderLimits, SigningSecrets, WebhookEndpoint, WebhookSender};

use crate::{
    config::{Source, WebhookSecret, WebhookSettings},
    metrics::Metrics,
    secret_file, texts,
};
use message::MessageMaker;
use queue::StoredQueue;

/// Events of each journal that are folded in one transaction.
const PORTION: u32 = 64;
/// Pause between two portions, in which others can write.
const BREATH: Duration = Duration::from_millis(5);
/// Debounce of writes.
const GATHER: Duration = Duration::from_millis(100);
/// Pause after the database has failed.
const REST: Duration = Duration::from_secs(5);

/// The webhooks of a server, before it runs.
pub(crate) struct WebhookTasks {
    settings: Vec<WebhookSettings>,
    senders: Vec<WebhookSender>,
}

/// The parts of the server that webhooks need.
pub(crate) struct WebhookParts {
    pub(crate) store: Store,
    pub(crate) env: Arc<dyn Env>,
    pub(crate) metrics: Metrics,
    /// Address at which browsers reach the server, without a slash at the end.
    pub(crate) url: String,
}

impl WebhookTasks {
    /// Reads secrets, prepares connections, and takes over the configured endpoints in the store. What
    /// happens from now on is theirs.
    pub(crate) async fn prepare(
        settings: Vec<WebhookSettings>,
        store: &Store,
        env: &dyn Env,
    ) -> anyhow::Result<Self> {
        let senders = settings.iter().map(sender);
        let senders = senders.collect::<anyhow::Result<Vec<_>>>()?;
        let names: Vec<_> = settings.iter().map(|it| it.name.as_str()).collect();
        store.configure_webhooks(&names, env.now()).await?;
        Ok(Self { settings, senders })
    }

    /// Runs until `stopping`. An attempt that is broken off then is made again after the next start.
    pub(crate) fn run(
        self,
        parts: WebhookParts,
        stopping: &CancellationToken,
        tasks: &TaskTracker,
    ) {
        if self.senders.is_empty() {
            return;
        }
        let spawn = |work: BoxFuture<'static, ()>| {
            let stopping = stopping.clone();
            tasks.spawn(async move {
                stopping.run_until_cancelled(work).await;
            });
        };
        let queue = Arc::new(StoredQueue {
            store: parts.store.clone(),
            env: Arc::clone(&parts.env),
            metrics: parts.metrics,
        });
        let mut wakes = Vec::new();
        for sender in self.senders {
            let wake = Arc::new(Notify::new());
            let worker = DeliveryWorker::new(sender, queue.clone(), Arc::clone(&wake));
            wakes.push(wake);
            spawn(Box::pin(worker.run()));
        }
        let follower = JournalFollower {
            messages: MessageMaker::new(parts.url, &self.settings),
            store: parts.store,
            env: parts.env,
            wakes,
        };
        spawn(Box::pin(follower.run()));
    }
}

/// Folds the journals whenever something was written.
struct JournalFollower {
    store: Store,
    env: Arc<dyn Env>,
    messages: MessageMaker,
    wakes: Vec<Arc<Notify>>,
}

impl JournalFollower {
    async fn run(self) {
        let mut moved = self.store.moved();
        loop {
            // Before the fold, so that no write in between is missed.
            moved.mark_unchanged();
            match self.fold().await {
                Ok(true) => {}
                Ok(false) => {
                    sleep(BREATH).await;
                    continue;
                }
                Err(error) => {
                    tracing::error!(%error, "webhooks cannot be folded");
                    sleep(REST).await;
                    continue;
                }
            }
            if moved.changed().await.is_err() {
                return;
            }
            sleep(GATHER).await;
        }
    }

    /// Folds a portion. Returns true if that was everything.
    async fn fold(&self) -> Result<bool, store::Error> {
        let message = |fact| self.messages.message(fact);
        let now = self.env.now();
        let fold = self.store.fold_webhooks(PORTION, now, message).await?;
        if fold.lost > 0 {
            let lost = fold.lost;
            tracing::error!(lost, "messages lost, the queue of a webhook is full");
        }
        if fold.queued > 0 {
            self.wakes.iter().for_each(|wake| wake.notify_one());
        }
        Ok(fold.complete)
    }
}

/// Reads the secrets of an endpoint, and prepares its connections.
pub(crate) fn sender(endpoint: &WebhookSettings) -> anyhow::Result<WebhookSender> {
    let cannot_start = || texts::webhooks::cannot_start(&endpoint.name);
    let secrets = match &endpoint.secret {
        WebhookSecret::Written(secrets) => secrets.clone(),
        WebhookSecret::File(file) => secrets(file, &file.source).with_context(cannot_start)?,
    };
    let prepared = WebhookEndpoint {
        name: endpoint.name.clone(),
        url: endpoint.url.clone(),
        secrets,
    };
    WebhookSender::new(prepared, SenderLimits::default()).with_context(cannot_start)
}

/// Reads secrets from a file that nobody else can read.
fn secrets(path: &Path, source: &Source) -> anyhow::Result<SigningSecrets> {
    let secrets = SigningSecrets::parse(&secret_file::read(path, source)?);
    secrets.map_err(|why| anyhow::anyhow!(texts::webhooks::secret_is_wrong(&path.display(), &why)))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn a_file_of_secrets_is_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        for (text, mode, expect) in [
            (format!("{secret}\n"), 0o600, None),
            (format!("{secret}\n{secret}\n"), 0o640, None),
            (format!("{secret}\n"), 0o644, Some("chmod o=")),
            ("hunter2".to_owned(), 0o600, Some("expected whsec_")),
            (String::new(), 0o600, Some("expected one secret")),
            (secret.repeat(1000), 0o600, Some("expected")),
        ] {
            fs::write(&path, &text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let read = secrets(&path, &Source::Default);
            match (read, expect) {
                (Ok(_), None) => {}
                (Err(error), Some(part)) => {
                    let error = format!("{error:#}");
                    assert!(error.contains(part), "{error}");
                    assert!(
                        !error.contains("hunter2") && !error.contains("MfKQ"),
                        "{error}"
                    );
                }
                (read, _) => panic!("{mode:o}: {read:?}"),
            }
        }
        fs::remove_file(&path).unwrap();
        let error = secrets(&path, &Source::Default).unwrap_err();
        assert!(format!("{error:#}").contains("cannot read"), "{error:#}");
    }
}
