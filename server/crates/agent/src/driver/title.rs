//! The title that a small model writes in the background.
//!
//! It is asked when the first answer is there, without tools, with the beginnings of question and
//! answer as JSON. Only the actor writes, so a title that a person gave meanwhile stays. Its usage
//! is part of the event and counts for the budgets. One attempt at most while an actor lives; if it
//! fails, the first words stay.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use protocol::{EventBody, StopReason, Usage};
use tokio::time::{Instant, timeout_at};

use super::{ConversationActor, EndedActor};
use crate::{
    ports::{Durability, ModelError, ModelEvent, NewRecord},
    title,
};

/// Timeout of the model. Nobody waits for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A title that is being written.
pub(super) struct Titling {
    model: String,
    written: BoxFuture<'static, WrittenTitle>,
}

/// The result of the attempt.
pub(super) struct WrittenTitle {
    /// Empty if it failed.
    text: String,
    /// The usage known.
    usage: Usage,
}

/// Ready when a title is written; never if none is.
pub(super) async fn written(titling: &mut Option<Titling>) -> WrittenTitle {
    match titling {
        Some(titling) => (&mut titling.written).await,
        None => std::future::pending().await,
    }
}

impl ConversationActor {
    /// Lets a model write the title, once there is an answer to take it from. The actor does not
    /// wait for it.
    pub(super) async fn think_of_title(&mut self) -> Result<(), EndedActor> {
        if self.title_asked || !self.conversation.wants_title() {
            return Ok(());
        }
        self.title_asked = true;
        let Some(model) = self.shared.live().config.title_model.clone() else {
            return Ok(());
        };
        let Some((question, answer)) = self.conversation.first_words() else {
            return Ok(());
        };
        if self.cannot_begin().await.is_some() {
            return Ok(());
        }
        let mut request = title::request(model.clone(), &question, &answer);
        request.correlation = self.correlations.of_turn().cloned();
        if let Some(cover) = &self.cover {
            request = match cover.cleared(&[], request, false).await {
                Ok(request) => request,
                Err(withheld) => {
                    tracing::error!(conversation = %self.entry.id, ?withheld, "no title was asked for");
                    let nothing = EventBody::TitleWritten {
                        title: None,
                        model,
                        usage: Usage::default(),
                        cost: None,
                    };
                    let record = NewRecord::event(nothing).audited(withheld.audit());
                    return self.commit(vec![record], Durability::Power).await;
                }
            };
        }
        let asked = std::sync::Arc::clone(&self.shared.model);
        let stream = futures::stream::once(async move { asked.ask(request) }).flatten();
        let conversation = self.entry.id;
        let written = AssertUnwindSafe(read(stream.boxed())).catch_unwind();
        let written = written.map(move |read| {
            let (written, failed) = read.unwrap_or_else(|_panic| {
                let why = "a fault of the server".to_owned();
                (WrittenTitle::nothing(Usage::default()), Some(why))
            });
            if let Some(why) = failed {
                tracing::warn!(%conversation, why, "no title was written");
            }
            written
        });
        self.titling = Some(Titling {
            model,
            written: written.boxed(),
        });
        Ok(())
    }

    /// Takes the title, unless a person has given one meanwhile; its usage counts anyway.
    pub(super) async fn on_title(&mut self, written: WrittenTitle) -> Result<(), EndedActor> {
        let Some(Titling { model, .. }) = self.titling.take() else {
            return Ok(());
        };
        let WrittenTitle { text, usage } = written;
        let title = title::written(&text).filter(|_| !self.conversation.is_titled());
        if title.is_none() && usage == Usage::default() {
            return Ok(());
        }
        let record = NewRecord::event(EventBody::TitleWritten {
            title,
            cost: self.shared.model.cost(&model, &usage),
            model,
            usage,
        });
        self.commit(vec![record], Durability::Process).await
    }
}

impl WrittenTitle {
    fn nothing(usage: Usage) -> Self {
        Self {
            text: String::new(),
            usage,
        }
    }
}

/// Reads the whole answer, and the reason if it gives no title.
async fn read(
    mut stream: BoxStream<'static, Result<ModelEvent, ModelError>>,
) -> (WrittenTitle, Option<String>) {
    let end = Instant::now() + PATIENCE;
    let mut usage = Usage::default();
    let why = loop {
        match timeout_at(end, stream.next()).await {
            Ok(Some(Ok(ModelEvent::Usage(known)))) => usage = known,
            Ok(Some(Ok(ModelEvent::Finished(reply)))) => {
                let usage = reply.usage;
                return match reply.stop {
                    StopReason::EndTurn => {
                        let text = title::text_of(reply.content.iter().map(|raw| &**raw));
                        (WrittenTitle { text, usage }, None)
                    }
                    stop => (
                        WrittenTitle::nothing(usage),
                        Some(format!("it ended by {stop:?}")),
                    ),
                };
            }
            Ok(Some(Ok(_))) => {}
            Ok(Some(Err(error))) => {
                if error.usage != Usage::default() {
                    usage = error.usage;
                }
                break error.to_string();
            }
            Ok(None) => break "the answer ended early".to_owned(),
            Err(_) => break "it took too long".to_owned(),
        }
    };
    (WrittenTitle::nothing(usage), Some(why))
}
