//! Carries out one socket's commands, one after the other.
//!
//! It runs beside the socket's own loop, so that a command that waits does not hold up streaming;
//! and to its end, even if the socket is gone.

use std::time::SystemTime;

use agent::{
    Engine, SharedFrame,
    ports::{Correlation, Person},
};
use protocol::{Command, CommandId, ErrorBody, ErrorCode, ServerFrame};
use tokio::sync::mpsc;

use crate::{
    http::log_refusal,
    telemetry::{Telemetry, TracedRequest},
    texts,
};

/// The most commands in the queue.
const WAITING: usize = 32;

/// Commands in, answers out.
pub(super) struct Commands {
    /// Boxed: a channel reserves room for its whole queue, as long as the socket lives.
    sender: mpsc::Sender<Box<(CommandId, Command)>>,
    pub(super) answers: mpsc::UnboundedReceiver<SharedFrame>,
    answer: mpsc::UnboundedSender<SharedFrame>,
}

impl Commands {
    /// Starts carrying out the commands of a person.
    pub(super) fn start(engine: Engine, person: Person, telemetry: Option<Telemetry>) -> Self {
        let (sender, mut commands) = mpsc::channel::<Box<(CommandId, Command)>>(WAITING);
        let (answer, answers) = mpsc::unbounded_channel();
        let to_socket = answer.clone();
        tokio::spawn(async move {
            while let Some(letter) = commands.recv().await {
                let (id, command) = *letter;
                // The page has the id in its answer, and in its outbox.
                let correlation = Correlation::from(id);
                let asking = Person {
                    correlation: Some(correlation.clone()),
                    ..person.clone()
                };
                let begun = SystemTime::now();
                let done = Box::pin(engine.command(asking, id, command)).await;
                if let Some(telemetry) = &telemetry {
                    telemetry.request(TracedRequest {
                        id: &correlation,
                        name: "command".to_owned(),
                        begun,
                        status: None,
                        failed: done.is_err(),
                    });
                }
                let frame = match done {
                    Ok(()) => ServerFrame::Accepted { id },
                    Err(error) => rejected(id, error),
                };
                if to_socket.send(SharedFrame::new(&frame)).is_err() {
                    tracing::debug!(%id, "a command was answered after its socket had closed");
                }
            }
        });
        Self {
            sender,
            answers,
            answer,
        }
    }

    /// Queues a command, or answers at once that there are too many.
    pub(super) fn take(&self, id: CommandId, command: Command) {
        if self.sender.try_send(Box::new((id, command))).is_err() {
            let message = texts::http::TOO_MANY_COMMANDS_WAIT;
            let error = ErrorBody::new(ErrorCode::RateLimited, message)
                .with_help(texts::http::WAIT_FOR_ANSWERS);
            // The receiver is dropped together with this sender.
            self.answer
                .send(SharedFrame::new(&rejected(id, error)))
                .unwrap_or_default();
        }
    }
}

/// The answer to a refused command. People read its id on the page and look for it in the log.
pub(super) fn rejected(id: CommandId, error: ErrorBody) -> ServerFrame {
    let correlation = id.to_string();
    log_refusal("command", &correlation, error.code);
    let error = error.of_request(correlation);
    ServerFrame::Rejected { id, error }
}
