//! Events of the journal → spans of turns, calls and effects.
//!
//! A span that waits for a person for hours would be useless, and lost in a restart. So the spans of a turn and
//! of its call end where the wait begins, and those after it link to that of the call, whose id follows from
//! the call's: another process can link to it as well.

use std::{collections::HashMap, sync::Arc};

use agent::ports::{Correlation, ObservedEvent};
use otlp::{
    AttributeValue, FinishedSpan, SpanContext, SpanId, SpanKind, TraceId, attribute, error_type,
    mcp_method, operation, tool_type,
};
use protocol::{
    CallId, ContentBlock, ConversationId, ErrorCode, EventBody, Tier, Timestamp, ToolOutcome,
    TurnId, TurnOutcome,
};

use super::{TracedTurn, own, request_context};
use crate::{metrics::labels, outcomes::turn_word};

/// The most turns that are followed at once. Those of conversations that were deleted stay, so the oldest one
/// makes room.
const MOST_TURNS: usize = 4096;
/// The outcome of a span that ends at a wait.
const WAITING: &str = "waiting";

/// A tool as spans have it.
#[derive(Clone)]
pub(super) struct SpanTool {
    /// One of a closed set.
    pub(super) name: Arc<str>,
    /// True if an MCP server runs it.
    pub(super) is_outside: bool,
}

/// The tool of a name.
type KnownSpanTool<'a> = &'a dyn Fn(&str) -> SpanTool;

/// The turns that run, with what is open in each.
pub(super) struct TurnSpans {
    /// The start of this process: spans of turns that another one has begun begin here.
    since: Timestamp,
    open: HashMap<TurnId, OpenTurn>,
}

struct OpenTurn {
    turn: TurnId,
    conversation: ConversationId,
    /// The trace, and the request that it is of; none until an event says it.
    trace: Option<(TraceId, Option<Correlation>)>,
    /// None while the turn waits for a person.
    part: Option<TurnPart>,
    /// The number of parts so far.
    parts: u32,
    calls: HashMap<CallId, OpenCall>,
}

/// A part of a turn, from its start or a wait to the next wait or its end.
struct TurnPart {
    span: SpanId,
    start: Timestamp,
    /// The wait that it follows.
    after: Option<SpanId>,
}

#[derive(Clone)]
struct OpenCall {
    tool: SpanTool,
    tier: Option<Tier>,
    since: Timestamp,
    /// Time at which its effect began.
    started: Option<Timestamp>,
    is_waiting: bool,
    /// Number of its waits so far.
    waits: u32,
    /// The wait that it follows.
    after: Option<SpanId>,
}

impl TurnSpans {
    pub(super) fn new(since: Timestamp) -> Self {
        Self {
            since,
            open: HashMap::new(),
        }
    }

    /// Takes an event in and returns the spans that it ends.
    pub(super) fn take(
        &mut self,
        event: &ObservedEvent<'_>,
        known: KnownSpanTool<'_>,
    ) -> Vec<FinishedSpan> {
        let Some(turn) = turn_of(event.body) else {
            return Vec::new();
        };
        if self.open.len() >= MOST_TURNS
            && !self.open.contains_key(&turn)
            && let Some(oldest) = self.open.keys().min().copied()
        {
            self.open.remove(&oldest);
        }
        let open = self.open.entry(turn);
        let open = open.or_insert_with(|| OpenTurn::new(turn, event.conversation));
        let mut spans = Vec::new();
        open.take(event, self.since, known, &mut spans);
        if matches!(event.body, EventBody::TurnFinished { .. }) {
            self.open.remove(&turn);
        }
        spans
    }

    /// The running turn that a request has begun.
    pub(super) fn running(&self, correlation: &Correlation) -> Option<TracedTurn> {
        self.open.values().find_map(|open| {
            let (trace, of) = open.trace.as_ref()?;
            let part = open.part.as_ref()?;
            (of.as_ref() == Some(correlation)).then_some(TracedTurn {
                context: SpanContext {
                    trace: *trace,
                    span: part.span,
                },
                conversation: open.conversation,
            })
        })
    }
}

impl OpenTurn {
    fn new(turn: TurnId, conversation: ConversationId) -> Self {
        Self {
            turn,
            conversation,
            trace: None,
            part: None,
            parts: 0,
            calls: HashMap::new(),
        }
    }

    fn take(
        &mut self,
        event: &ObservedEvent<'_>,
        since: Timestamp,
        known: KnownSpanTool<'_>,
        spans: &mut Vec<FinishedSpan>,
    ) {
        let at = event.at;
        // A decision has the id of the request that decided, not of the one that the turn is of.
        if self.trace.is_none() && !matches!(event.body, EventBody::ConfirmationDecided { .. }) {
            let trace = match event.correlation {
                Some(correlation) => request_context(correlation).trace,
                None => TraceId::of(&["turn", &self.turn.to_string()]),
            };
            self.trace = Some((trace, event.correlation.cloned()));
        }
        if self.part.is_none() {
            self.begin(event, since);
        }
        match event.body {
            EventBody::AssistantMessage { blocks, .. } => {
                for block in blocks {
                    if let ContentBlock::ToolUse { call, name, .. } = block {
                        self.calls.insert(*call, OpenCall::new(known(name), at));
                    }
                }
            }
            EventBody::ToolQueued { call, tier, .. } => {
                self.call(*call, event, known).tier = Some(*tier);
            }
            EventBody::ConfirmationRequested {
                call: id,
                confirmation,
                ..
            } => {
                let call = self.call(*id, event, known);
                call.tier = Some(confirmation.tier);
                // A card that is shown again, with other content, goes on waiting.
                if !call.is_waiting {
                    call.is_waiting = true;
                    call.waits += 1;
                    let span = wait_span(*id, call.waits);
                    let call = call.clone();
                    spans.push(self.call_span(*id, &call, span, at, WAITING, false));
                }
                self.park(at, spans);
            }
            EventBody::ConfirmationDecided { call: id, .. } => {
                let call = self.call(*id, event, known);
                call.is_waiting = false;
                call.after = Some(call.wait(*id));
                call.since = at;
            }
            EventBody::ToolStarted { call, tier, .. } => {
                let call = self.call(*call, event, known);
                call.tier = Some(*tier);
                call.started = Some(at);
            }
            EventBody::ToolBlocked { call: id, tier, .. } => {
                let mut call = self.call(*id, event, known).clone();
                call.tier = call.tier.or(*tier);
                self.calls.remove(id);
                spans.push(self.call_span(*id, &call, call_span(*id), at, "blocked", false));
                self.park(at, spans);
            }
            EventBody::ToolFinished {
                call: id,
                outcome,
                elapsed_ms,
                ..
            } => {
                let mut call = self.call(*id, event, known).clone();
                call.tier = call.tier.or(event.call.and_then(|call| call.tier));
                self.calls.remove(id);
                let failed = matches!(outcome, ToolOutcome::Failed { .. });
                // A server that was not reached has answered nothing.
                let is_answer = matches!(
                    outcome,
                    ToolOutcome::Failed { error } if error.code == ErrorCode::ToolFailed
                );
                let outcome = labels::call(outcome);
                let error = if call.tool.is_outside && is_answer {
                    error_type::TOOL
                } else {
                    outcome
                };
                let error = failed.then_some(error);
                let elapsed = i64::try_from(*elapsed_ms).unwrap_or_default();
                // A process that has seen no start knows when it was.
                let started = Timestamp(at.0.saturating_sub(elapsed));
                let started = call.started.unwrap_or(started);
                call.since = call.since.min(started);
                spans.push(self.effect_span(*id, &call, started, at, outcome, error));
                spans.push(self.call_span(*id, &call, call_span(*id), at, outcome, failed));
                self.park(at, spans);
            }
            EventBody::TurnFinished { outcome, .. } => {
                let failed = matches!(outcome, TurnOutcome::Failed { .. });
                self.end(at, turn_word(outcome), failed, spans);
            }
            _ => {}
        }
    }

    /// Begins a part.
    fn begin(&mut self, event: &ObservedEvent<'_>, since: Timestamp) {
        let after = match event.body {
            EventBody::ConfirmationDecided { call, .. } => {
                let known = self.calls.get(call);
                Some(known.map_or_else(|| wait_span(*call, 1), |known| known.wait(*call)))
            }
            _ => {
                let mut calls = self.calls.iter();
                calls.find_map(|(id, call)| call.is_waiting.then(|| call.wait(*id)))
            }
        };
        let begins = matches!(
            event.body,
            EventBody::TurnStarted { .. }
                | EventBody::TurnResumed { .. }
                | EventBody::ActionStarted { .. }
        );
        let start = if begins || after.is_some() || self.parts > 0 {
            event.at
        } else {
            // The event that began a conversation is not heard of, nor what another process has seen.
            self.turn.made().max(since).min(event.at)
        };
        self.parts += 1;
        let part = format!("{} {}", start.0, self.parts);
        self.part = Some(TurnPart {
            span: SpanId::of(&["turn", &self.turn.to_string(), &part]),
            start,
            after,
        });
    }

    /// Ends the part if every open call waits for a person.
    fn park(&mut self, at: Timestamp, spans: &mut Vec<FinishedSpan>) {
        if !self.calls.is_empty() && self.calls.values().all(|call| call.is_waiting) {
            self.end(at, WAITING, false, spans);
        }
    }

    fn end(
        &mut self,
        at: Timestamp,
        outcome: &'static str,
        failed: bool,
        spans: &mut Vec<FinishedSpan>,
    ) {
        let Some(part) = self.part.take() else {
            return;
        };
        let mut attributes = self.attributes(operation::AGENT, outcome, failed);
        attributes.push((attribute::AGENT, "jarvis".into()));
        let correlation = self.trace.as_ref().and_then(|(_, of)| of.as_ref());
        spans.push(FinishedSpan {
            context: self.context(part.span),
            parent: correlation.map(|correlation| request_context(correlation).span),
            name: format!("{} jarvis", operation::AGENT),
            kind: SpanKind::Internal,
            start: nanoseconds(part.start),
            end: nanoseconds(at),
            attributes,
            links: self.links(part.after),
            failed,
        });
    }

    /// An open call. One that another process has seen begins here.
    fn call(
        &mut self,
        id: CallId,
        event: &ObservedEvent<'_>,
        known: KnownSpanTool<'_>,
    ) -> &mut OpenCall {
        let tool = event.call.map_or("", |call| call.tool);
        let call = self.calls.entry(id);
        call.or_insert_with(|| OpenCall::new(known(tool), event.at))
    }

    fn call_span(
        &self,
        id: CallId,
        call: &OpenCall,
        span: SpanId,
        at: Timestamp,
        outcome: &'static str,
        failed: bool,
    ) -> FinishedSpan {
        let mut attributes = self.attributes(operation::TOOL, outcome, failed);
        attributes.extend(of_call(id, call));
        FinishedSpan {
            context: self.context(span),
            parent: self.part.as_ref().map(|part| part.span),
            name: format!("{} {}", operation::TOOL, call.tool.name),
            kind: SpanKind::Internal,
            start: nanoseconds(call.since),
            end: nanoseconds(at),
            attributes,
            links: self.links(call.after),
            failed,
        }
    }

    fn effect_span(
        &self,
        id: CallId,
        call: &OpenCall,
        started: Timestamp,
        at: Timestamp,
        outcome: &'static str,
        error: Option<&'static str>,
    ) -> FinishedSpan {
        let mut attributes = self.shared(outcome, error);
        attributes.extend(of_call(id, call));
        // What another program does has the name that it has in that program's own traces.
        let (word, kind) = if call.tool.is_outside {
            attributes.push((attribute::MCP_METHOD, mcp_method::CALL.into()));
            (mcp_method::CALL, SpanKind::Client)
        } else {
            ("effect", SpanKind::Internal)
        };
        FinishedSpan {
            context: self.context(SpanId::of(&["effect", &id.to_string()])),
            parent: Some(call_span(id)),
            name: format!("{word} {}", call.tool.name),
            kind,
            start: nanoseconds(started),
            end: nanoseconds(at),
            attributes,
            links: Vec::new(),
            failed: error.is_some(),
        }
    }

    fn context(&self, span: SpanId) -> SpanContext {
        let trace = self.trace.as_ref().map(|(trace, _)| *trace);
        let trace = trace.unwrap_or_else(|| TraceId::of(&["turn", &self.turn.to_string()]));
        SpanContext { trace, span }
    }

    fn links(&self, after: Option<SpanId>) -> Vec<SpanContext> {
        after.map(|span| self.context(span)).into_iter().collect()
    }

    fn attributes(
        &self,
        operation: &'static str,
        outcome: &'static str,
        failed: bool,
    ) -> Vec<(&'static str, AttributeValue)> {
        let mut attributes = self.shared(outcome, failed.then_some(outcome));
        attributes.push((attribute::OPERATION, operation.into()));
        attributes
    }

    fn shared(
        &self,
        outcome: &'static str,
        error: Option<&'static str>,
    ) -> Vec<(&'static str, AttributeValue)> {
        let mut attributes = vec![
            (
                attribute::CONVERSATION,
                self.conversation.to_string().into(),
            ),
            (own::TURN, self.turn.to_string().into()),
            (own::OUTCOME, outcome.into()),
        ];
        if let Some((_, Some(correlation))) = &self.trace {
            attributes.push((own::CORRELATION, correlation.as_str().into()));
        }
        if let Some(error) = error {
            attributes.push((attribute::ERROR, error.into()));
        }
        attributes
    }
}

impl OpenCall {
    fn new(tool: SpanTool, since: Timestamp) -> Self {
        Self {
            tool,
            tier: None,
            since,
            started: None,
            is_waiting: false,
            waits: 0,
            after: None,
        }
    }

    /// The span of its newest wait. Of a call that waited in another process, that is its first.
    fn wait(&self, id: CallId) -> SpanId {
        wait_span(id, self.waits.max(1))
    }
}

fn of_call(id: CallId, call: &OpenCall) -> [(&'static str, AttributeValue); 4] {
    [
        (attribute::TOOL_NAME, (&*call.tool.name).into()),
        (attribute::TOOL_TYPE, tool_type::FUNCTION.into()),
        (attribute::TOOL_CALL, id.to_string().into()),
        (own::TIER, labels::tier(call.tier).into()),
    ]
}

fn call_span(id: CallId) -> SpanId {
    SpanId::of(&["call", &id.to_string()])
}

/// The span of a call that ends at its `n`th wait.
fn wait_span(id: CallId, n: u32) -> SpanId {
    SpanId::of(&["wait", &id.to_string(), &n.to_string()])
}

/// The turn whose spans an event begins or ends.
fn turn_of(body: &EventBody) -> Option<TurnId> {
    match body {
        EventBody::TurnStarted { turn, .. }
        | EventBody::ActionStarted { turn, .. }
        | EventBody::TurnResumed { turn }
        | EventBody::StepStarted { turn, .. }
        | EventBody::AssistantMessage { turn, .. }
        | EventBody::ToolQueued { turn, .. }
        | EventBody::ConfirmationRequested { turn, .. }
        | EventBody::ConfirmationDecided { turn, .. }
        | EventBody::ToolStarted { turn, .. }
        | EventBody::ToolBlocked { turn, .. }
        | EventBody::ToolFinished { turn, .. }
        | EventBody::TurnFinished { turn, .. } => Some(*turn),
        _ => None,
    }
}

fn nanoseconds(at: Timestamp) -> u64 {
    let milliseconds = u64::try_from(at.0).unwrap_or_default();
    milliseconds.saturating_mul(1_000_000)
}

#[cfg(test)]
mod tests;
