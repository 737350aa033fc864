//! Background tasks of domains, which end with the server.

use std::time::Duration;

use futures::{FutureExt, future::BoxFuture};
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

type TaskBody = Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, ()> + Send>;

/// A task that a domain needs while the server runs.
pub struct Task {
    name: &'static str,
    run: TaskBody,
}

impl Task {
    /// A task with a name for the log. It begins when the server is ready, and has to end soon after
    /// its token is cancelled; until then the database and the simulated systems are there.
    pub fn new<F>(
        name: &'static str,
        run: impl FnOnce(CancellationToken) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self {
            name,
            run: Box::new(|stop| run(stop).boxed()),
        }
    }
}

/// Tasks that run.
#[derive(Default)]
pub(crate) struct Tasks {
    stop: CancellationToken,
    running: Vec<(&'static str, JoinHandle<()>)>,
}

impl Tasks {
    pub(crate) fn start(tasks: Vec<Task>) -> Self {
        let stop = CancellationToken::new();
        let running = tasks.into_iter().map(|task| {
            let name = task.name;
            let work = tokio::spawn((task.run)(stop.clone()));
            // Reported when it happens: the rest of the server goes on without the task.
            let watched = tokio::spawn(async move {
                if let Err(error) = work.await {
                    tracing::error!(task = name, %error, "background task failed");
                }
            });
            (name, watched)
        });
        Self {
            running: running.collect(),
            stop,
        }
    }

    /// Ends them. Those that have not ended after `patience` are named in the log and left.
    pub(crate) async fn stop(self, patience: Duration) {
        self.stop.cancel();
        let until = Instant::now() + patience;
        for (name, work) in self.running {
            if tokio::time::timeout_at(until, work).await.is_err() {
                tracing::warn!(task = name, "background task did not end in time");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_is_told_to_end_and_waited_for() {
        let ended = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&ended);
        let slow = Task::new("slow", |stop| async move {
            stop.cancelled().await;
            tokio::time::sleep(Duration::from_secs(4)).await;
            flag.store(true, Ordering::Relaxed);
        });
        let failing = Task::new("failing", |_| async { panic!("on purpose") });
        let done = Task::new("done", |_| async {});
        Tasks::start(vec![failing, done, slow])
            .stop(Duration::from_secs(5))
            .await;
        assert!(ended.load(Ordering::Relaxed));
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_does_not_end_keeps_nobody() {
        let begun = Instant::now();
        let endless = || Task::new("endless", |_| std::future::pending());
        Tasks::start(vec![endless(), endless()])
            .stop(Duration::from_secs(5))
            .await;
        assert_eq!(begun.elapsed(), Duration::from_secs(5), "for both together");
    }
}
