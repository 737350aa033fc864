//! One step: gathering context, asking the model, taking in its answer.

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc};

use futures::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use protocol::{Cost, MessageId, TurnId, Usage};
use serde_json::value::RawValue;

use super::{ConversationActor, EndedActor, Work};
use crate::{
    context, crash, files,
    hub::Hub,
    machine::{Draft, NextAsk, answered, interrupted, step_started},
    ports::{
        ContextPart, Durability, ModelError, ModelErrorKind, ModelEvent, ModelReply, ModelRequest,
    },
    raw_json::text_block,
    redaction::Withheld,
    texts,
};

/// Context that is older than this, in milliseconds, is sent again with new context after it.
const FRESH_CONTEXT: i64 = 5 * 60 * 1000;

type Streamed = Result<Result<ModelEvent, ModelError>, Box<dyn Any + Send>>;

/// The context of a step, while it is gathered.
pub(super) struct Gathering {
    pub(super) ask: NextAsk,
    parts: BoxFuture<'static, Vec<ContextPart>>,
}

/// An answer of the model, while it streams.
pub(super) struct Answering {
    pub(super) turn: TurnId,
    pub(super) message: MessageId,
    stream: BoxStream<'static, Streamed>,
    /// The usage known so far.
    usage: Usage,
}

/// An event within a step.
pub(super) enum StepEvent {
    Gathered(NextAsk, Vec<ContextPart>),
    Model(ModelEvent),
    Failed(ModelError),
}

/// The error for a failure on our side of the model.
fn fault(kind: ModelErrorKind, message: &str) -> ModelError {
    ModelError {
        kind,
        message: message.to_owned(),
        status: None,
        request_id: None,
        partial: Vec::new(),
        usage: Usage::default(),
    }
}

impl Gathering {
    pub(super) async fn event(&mut self) -> StepEvent {
        let parts = (&mut self.parts).await;
        StepEvent::Gathered(self.ask.clone(), parts)
    }
}

impl Answering {
    /// The next event that the actor must know of. Text is none: it is passed on at once, which
    /// keeps the cost of a token low.
    pub(super) async fn event(&mut self, hub: &Hub) -> StepEvent {
        let fault = |kind, message| StepEvent::Failed(fault(kind, message));
        loop {
            return match self.stream.next().await {
                Some(Ok(Ok(ModelEvent::Delta { index, text }))) => {
                    hub.delta(index, text);
                    // A stream that is always ready must not keep the tabs from reading.
                    tokio::task::coop::consume_budget().await;
                    continue;
                }
                Some(Ok(Ok(event))) => StepEvent::Model(event),
                Some(Ok(Err(error))) => StepEvent::Failed(error),
                Some(Err(_panic)) => {
                    fault(ModelErrorKind::Failed, texts::calls::FAULT_DURING_ANSWER)
                }
                None => fault(ModelErrorKind::Protocol, texts::calls::ANSWER_ENDED_EARLY),
            };
        }
    }
}

impl ConversationActor {
    pub(super) fn gather(&self, ask: NextAsk) -> Gathering {
        let shared = Arc::clone(&self.shared);
        let named = self.conversation.frozen().toolsets.clone();
        let references = self.conversation.references().to_vec();
        let person = self.stored.owner;
        let cover = self.cover.clone();
        let parts = async move {
            let toolsets: Vec<_> = shared
                .tools
                .toolsets
                .iter()
                .filter(|toolset| named.iter().any(|name| name == toolset.name()))
                .cloned()
                .collect();
            let patience = shared.live().config.context_timeout;
            let cover = cover.as_ref();
            let parts = context::gather(&toolsets, person, &references, patience, cover).await;
            // What was just read may have brought new names.
            shared.learn_names();
            parts
        };
        Gathering {
            ask,
            parts: parts.boxed(),
        }
    }

    /// True if the context of an interrupted step still describes the present.
    pub(super) fn has_fresh_context(&self) -> bool {
        let kept = self.conversation.kept_context();
        let now = self.shared.env.now();
        kept.is_some_and(|(_, at)| now.0.saturating_sub(at.0) < FRESH_CONTEXT)
    }

    /// Records that the model is asked, and asks it.
    pub(super) async fn begin_step(
        &mut self,
        ask: &NextAsk,
        parts: Option<Vec<ContextPart>>,
    ) -> Result<(), EndedActor> {
        // Context of an interrupted step is sent again byte for byte; newer context follows it.
        let kept = self.conversation.kept_context().filter(|_| ask.context);
        let mut preface: Vec<Box<RawValue>> = Vec::new();
        preface.extend(kept.map(|(raw, _)| (*raw).to_owned()));
        if let Some(parts) = parts {
            let mut notes = self.conversation.notes();
            notes.extend(context::note(self.conversation.references()));
            let text = context::render(self.shared.env.now(), &parts, &notes);
            preface.push(text_block(&text));
        }
        preface.extend(ask.nudge.map(text_block));
        let message = self.shared.new_message();
        // Read in the same write that starts the step, so that a crash neither loses nor repeats
        // one.
        let mut records = if ask.reads {
            self.conversation.read_waiting(ask.turn)
        } else {
            Vec::new()
        };
        records.push(step_started(ask.turn, ask.step, message, &preface));
        self.commit(records, Durability::Process).await?;
        // Built from the fold after the write: the request says exactly what the journal says.
        let frozen = self.conversation.frozen();
        let choice = self.conversation.answering();
        let mut request = ModelRequest {
            model: choice.model.clone(),
            effort: choice.effort,
            max_tokens: self.shared.live().config.max_tokens,
            system: Arc::clone(&frozen.system),
            tools: frozen.tools.clone(),
            tool_choice: ask.choice,
            messages: self.conversation.messages(),
            correlation: self.correlations.of_turn().cloned(),
        };
        if let Some(cover) = &self.cover {
            let has_images = self.conversation.images().any();
            let references = self.conversation.references();
            request = match cover.cleared(references, request, has_images).await {
                Ok(request) => request,
                Err(withheld) => return self.withhold(ask.turn, message, &withheld).await,
            };
        }
        let stream = futures::stream::once(self.asked(request)).flatten();
        self.work = Work::Answering(Answering {
            turn: ask.turn,
            message,
            stream: AssertUnwindSafe(stream).catch_unwind().boxed(),
            usage: Usage::default(),
        });
        Ok(())
    }

    /// Ends the turn of a request that may not leave.
    async fn withhold(
        &mut self,
        turn: TurnId,
        message: MessageId,
        withheld: &Withheld,
    ) -> Result<(), EndedActor> {
        tracing::error!(conversation = %self.entry.id, ?withheld, "a request was not sent to the model");
        let records = self
            .conversation
            .withheld(turn, message, withheld.error(), withheld.audit());
        self.commit(records, Durability::Power).await
    }

    /// Asks the model, with all images in their places.
    fn asked(
        &self,
        mut request: ModelRequest,
    ) -> impl Future<Output = BoxStream<'static, Result<ModelEvent, ModelError>>> + use<> {
        let owner = self.stored.owner;
        let journal = Arc::clone(&self.shared.journal);
        let model = Arc::clone(&self.shared.model);
        let has_images = self.conversation.images().any();
        // Even a model that panics when it is asked ends in a failed turn.
        async move {
            if has_images {
                request.messages = match files::filled(request.messages, &*journal, owner).await {
                    Ok(messages) => messages,
                    Err(error) => {
                        tracing::error!(%error, "images could not be read");
                        let error = fault(
                            ModelErrorKind::Failed,
                            texts::calls::IMAGES_COULD_NOT_BE_READ,
                        );
                        return futures::stream::once(async { Err(error) }).boxed();
                    }
                };
            }
            model.ask(request)
        }
    }

    /// Closes a step that is not under way in this process: it will be asked again.
    pub(super) async fn interrupt(
        &mut self,
        turn: TurnId,
        message: MessageId,
    ) -> Result<(), EndedActor> {
        self.commit(vec![interrupted(turn, message)], Durability::Process)
            .await
    }

    pub(super) async fn on_step(&mut self, event: StepEvent) -> Result<(), EndedActor> {
        if let StepEvent::Gathered(ask, parts) = event {
            self.work = Work::Nothing;
            return self.begin_step(&ask, Some(parts)).await;
        }
        // An event of work that was dropped meanwhile.
        let Work::Answering(answering) = &mut self.work else {
            return Ok(());
        };
        let (turn, message) = (answering.turn, answering.message);
        let hub = &self.entry.hub;
        match event {
            StepEvent::Gathered(..) => {}
            StepEvent::Model(ModelEvent::Waiting { mut error, until }) => {
                // People read it on the page and take it to the log.
                error.request_id = self.correlations.of_turn().map(ToString::to_string);
                hub.waiting(turn, error, until);
            }
            StepEvent::Model(ModelEvent::Usage(usage)) => answering.usage = usage,
            StepEvent::Model(ModelEvent::BlockStarted { index, kind }) => {
                crash::point(|| format!("an answer streams: {kind:?}"));
                hub.block(message, index, kind);
            }
            // Text went to the hub when it came.
            StepEvent::Model(ModelEvent::Delta { .. } | ModelEvent::BlockFinished { .. }) => {}
            StepEvent::Model(ModelEvent::Finished(reply)) => {
                crash::point(|| "an answer is complete".to_owned());
                return self.on_answer(turn, message, &reply).await;
            }
            StepEvent::Failed(error) => {
                // What a failed call has used is paid for as well.
                if error.usage != Usage::default() {
                    answering.usage = error.usage;
                }
                tracing::warn!(
                    conversation = %self.entry.id,
                    correlation = self.correlations.of_turn().map(tracing::field::display),
                    kind = ?error.kind,
                    status = error.status,
                    model_request = error.request_id,
                    %error,
                    "the model failed"
                );
                let Work::Answering(answering) = &self.work else {
                    return Ok(());
                };
                let draft = self.draft(answering);
                let records = self
                    .conversation
                    .model_failed(turn, message, &error, &draft);
                return self.commit(records, Durability::Process).await;
            }
        }
        Ok(())
    }

    async fn on_answer(
        &mut self,
        turn: TurnId,
        message: MessageId,
        reply: &ModelReply,
    ) -> Result<(), EndedActor> {
        let cost = self.cost(&reply.usage);
        let record = answered(turn, message, reply, cost, || self.shared.new_call());
        self.commit(vec![record], Durability::Process).await
    }

    /// The answer as far as it has come.
    pub(super) fn draft(&self, answering: &Answering) -> Draft {
        let usage = answering.usage;
        Draft {
            blocks: self.entry.hub.drafted(),
            usage,
            cost: (usage != Usage::default())
                .then(|| self.cost(&usage))
                .flatten(),
        }
    }

    fn cost(&self, usage: &Usage) -> Option<Cost> {
        let model = &self.conversation.answering().model;
        self.shared.model.cost(model, usage)
    }
}
