//! The next thing to do in a conversation, from its state alone.

use protocol::{ErrorBody, ErrorCode, MessageId, Mode, StopReason, TurnId, TurnOutcome};

use super::state::{Answer, Call, CallState, Conversation, Queued, Step, Turn};
use crate::{ports::ToolChoice, texts};

/// The most answers with a cut tool call after which a run asks again.
const MAX_CUT: usize = 2;
/// The most pauses of the vendor after which a run continues.
const MAX_PAUSES: usize = 5;
/// The most interruptions of one step before the turn fails: a step that brings the server down
/// must not do so forever.
const MAX_INTERRUPTIONS: u32 = 10;

/// The next thing to do in a conversation.
#[derive(Debug, Clone)]
pub(crate) enum NextStep {
    /// Nothing, until a person does something.
    Rest,
    /// Begin a turn with this message.
    Begin(Queued),
    /// Ask the model.
    Ask(NextAsk),
    /// The model was asked: its answer is awaited, or the step was interrupted.
    Await { turn: TurnId, message: MessageId },
    /// The calls of the newest answer need something, or their ends and decisions are awaited;
    /// see [`Conversation::plan`].
    Tend { turn: TurnId },
    /// None of these calls may run, because the answer that asks for them may be incomplete or
    /// because no more calls are allowed.
    Refuse {
        turn: TurnId,
        calls: Vec<Call>,
        why: CallRefusal,
    },
    /// Calls of a turn that has ended lack a result.
    Repair { turn: TurnId, calls: Vec<Call> },
    /// The turn has come to its end.
    Finish { turn: TurnId, outcome: TurnOutcome },
}

/// The reason for refusing calls unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallRefusal {
    Truncated,
    StepLimit,
}

/// The next step of a turn.
#[derive(Debug, Clone)]
pub(crate) struct NextAsk {
    pub(crate) turn: TurnId,
    /// From 1 in the turn.
    pub(crate) step: u32,
    pub(crate) choice: ToolChoice,
    /// Fresh context goes with it.
    pub(crate) context: bool,
    /// It reads the messages that wait for it.
    pub(crate) reads: bool,
    /// An instruction to the model beside the history.
    pub(crate) nudge: Option<&'static str>,
}

impl Conversation {
    /// The next thing to do. `max_steps` bounds the steps with tools of a run.
    pub(crate) fn next(&self, max_steps: u32) -> NextStep {
        let Some(turn) = self.running() else {
            return self.between_turns();
        };
        if turn.own {
            return self.own(turn);
        }
        let step = match turn.steps.last() {
            Some(step) if turn.steps.len() > turn.run_from => step,
            _ => return self.ask(turn, max_steps, None),
        };
        let Some(answer) = &step.answer else {
            return NextStep::Await {
                turn: turn.id,
                message: step.message,
            };
        };
        // Calls come before a stop: actions under way finish, and every call needs a result before
        // the history can be sent again.
        if let Some(next) = self.calls(turn, answer, max_steps) {
            return next;
        }
        if turn.stopping {
            return finish(turn, TurnOutcome::Stopped);
        }
        self.after_answer(turn, answer, max_steps)
    }

    /// A person's own call: the model is never asked.
    fn own(&self, turn: &Turn) -> NextStep {
        if self.last_calls().any(Call::is_open) {
            return NextStep::Tend { turn: turn.id };
        }
        let outcome = if turn.stopping {
            TurnOutcome::Stopped
        } else {
            TurnOutcome::Done
        };
        finish(turn, outcome)
    }

    fn between_turns(&self) -> NextStep {
        if let Some(turn) = self.turns.back() {
            let calls: Vec<_> = self.last_calls().filter(|c| c.is_open()).cloned().collect();
            if !calls.is_empty() {
                return NextStep::Repair {
                    turn: turn.id,
                    calls,
                };
            }
        }
        match self.queue.front() {
            Some(queued) if !self.held => NextStep::Begin(queued.clone()),
            _ => NextStep::Rest,
        }
    }

    /// The next thing to do about the calls of the newest answer, if anything.
    fn calls(&self, turn: &Turn, answer: &Answer, max_steps: u32) -> Option<NextStep> {
        let calls: Vec<_> = answer
            .calls
            .iter()
            .filter(|call| matches!(call.state, CallState::Proposed))
            .cloned()
            .collect();
        if !calls.is_empty() {
            // An answer that did not stop for its tools was cut: its last input may be half of one.
            let why = if answer.stop != StopReason::ToolUse {
                Some(CallRefusal::Truncated)
            } else if turn.run().len() > max_steps as usize {
                Some(CallRefusal::StepLimit)
            } else {
                None
            };
            if let Some(why) = why {
                return Some(NextStep::Refuse {
                    turn: turn.id,
                    calls,
                    why,
                });
            }
        }
        let open = answer.calls.iter().any(Call::is_open);
        open.then_some(NextStep::Tend { turn: turn.id })
    }

    fn after_answer(&self, turn: &Turn, answer: &Answer, max_steps: u32) -> NextStep {
        // Order matters: ends that the vendor reports come first, then calls without an end of
        // their own, then text. Whatever asks the model again is counted over the run, so that an
        // answer that repeats itself cannot keep a turn going forever.
        let last_step = turn.run().len() > self.tool_steps(max_steps);
        let text = answer.has_text();
        let count = |of: fn(&Answer) -> bool| {
            turn.run()
                .iter()
                .filter_map(|step| step.answer.as_ref())
                .filter(|answer| of(answer))
                .count()
        };
        match answer.stop {
            StopReason::ToolUse if !answer.calls.is_empty() && !last_step => {
                self.ask(turn, max_steps, None)
            }
            StopReason::ContextWindow if !text || !answer.calls.is_empty() => {
                finish(turn, failed(ErrorCode::ModelContextOverflow))
            }
            StopReason::ContextWindow => finish(turn, TurnOutcome::Truncated),
            StopReason::Refusal => finish(turn, TurnOutcome::Refused),
            StopReason::Cancelled => finish(turn, TurnOutcome::Stopped),
            // The error itself is in the end of the turn, written together with this answer.
            StopReason::Interrupted => finish(turn, failed(ErrorCode::ModelFailed)),
            StopReason::Pause if count(|a| a.stop == StopReason::Pause) <= MAX_PAUSES => {
                self.ask(turn, max_steps, None)
            }
            StopReason::Pause => finish(turn, failed(ErrorCode::ModelProtocol)),
            _ if !answer.calls.is_empty() => {
                let cut = count(|a| a.stop != StopReason::ToolUse && !a.calls.is_empty());
                if !last_step && cut <= MAX_CUT {
                    self.ask(turn, max_steps, None)
                } else {
                    finish(turn, TurnOutcome::Truncated)
                }
            }
            StopReason::MaxTokens => finish(turn, TurnOutcome::Truncated),
            // It had used up its steps and answered from what it had.
            _ if text && last_step && self.has_tools() => finish(turn, step_limit(max_steps)),
            _ if text => finish(turn, TurnOutcome::Answered),
            _ if count(|answer| !answer.has_text() && answer.calls.is_empty()) <= 1 => {
                self.ask(turn, max_steps, Some(EMPTY))
            }
            _ => finish(turn, failed(ErrorCode::ModelProtocol)),
        }
    }

    /// False for a conversation in which the last step is like every other.
    fn has_tools(&self) -> bool {
        self.frozen.tools.is_some()
    }

    /// Steps of a run after which a call is not followed by another question to the model. A plan has
    /// none: its calls are blocked, and a model that goes on making them would never come to an end.
    fn tool_steps(&self, max_steps: u32) -> usize {
        match self.frozen.mode {
            Mode::Default => max_steps as usize,
            Mode::Plan | Mode::Unknown => 0,
        }
    }

    /// Number of answers of the model in this run of the turn.
    pub(crate) fn steps_of_run(&self) -> usize {
        self.running().map_or(0, |turn| turn.run().len())
    }

    fn ask(&self, turn: &Turn, max_steps: u32, nudge: Option<&'static str>) -> NextStep {
        if turn.interruptions >= MAX_INTERRUPTIONS {
            return finish(turn, failed(ErrorCode::Internal));
        }
        let paused = turn
            .run()
            .last()
            .and_then(|step| step.answer.as_ref())
            .is_some_and(|answer| answer.stop == StopReason::Pause);
        let last = self.has_tools() && turn.run().len() >= max_steps as usize;
        let nudge = match nudge {
            Some(nudge) => Some(nudge),
            // The vendor wants the very same request again.
            None if paused => None,
            None if self.ends_with_answer() => Some(match turn.last_stop() {
                Some(StopReason::EndTurn) => GO_AHEAD,
                _ => GO_ON,
            }),
            None if last => Some(LAST),
            None => None,
        };
        NextStep::Ask(NextAsk {
            turn: turn.id,
            step: u32::try_from(turn.steps.len() + 1).unwrap_or(u32::MAX),
            choice: if last {
                ToolChoice::None
            } else {
                ToolChoice::Auto
            },
            context: turn.run().is_empty(),
            reads: !paused,
            nudge,
        })
    }
}

const GO_ON: &str = "[Your answer above was cut off before its end. Go on from where it stops, \
                     without repeating what is there.]";
const GO_AHEAD: &str = "[The operator asks you to go on with this turn. Tool calls are possible \
                        again. Do not repeat what is there.]";
const LAST: &str = "[No more tool calls are possible in this turn. Answer from what you have, and \
                    say what is missing.]";
const EMPTY: &str = "[Your answer was empty. Please answer.]";

fn finish(turn: &Turn, outcome: TurnOutcome) -> NextStep {
    NextStep::Finish {
        turn: turn.id,
        outcome,
    }
}

/// The outcome of a turn that cannot go on for a reason that its answers show.
fn failed(code: ErrorCode) -> TurnOutcome {
    let (message, help) = match code {
        ErrorCode::ModelContextOverflow => (
            texts::calls::CONVERSATION_IS_TOO_LONG,
            texts::calls::START_NEW_CONVERSATION,
        ),
        ErrorCode::ModelProtocol => (texts::calls::NO_ANSWER, texts::calls::TRY_AGAIN),
        ErrorCode::ModelFailed => (texts::calls::ANSWER_BROKE_OFF, texts::calls::TRY_AGAIN),
        _ => (
            texts::calls::INTERRUPTED_TOO_OFTEN,
            texts::calls::LOOK_AT_LOG,
        ),
    };
    TurnOutcome::Failed {
        error: ErrorBody::new(code, message).with_help(help),
    }
}

/// The outcome of a turn that answered from what it had when its steps were used up.
pub(crate) fn step_limit(max_steps: u32) -> TurnOutcome {
    let message = texts::calls::steps_are_used_up(max_steps);
    TurnOutcome::Limited {
        error: ErrorBody::new(ErrorCode::StepLimit, message)
            .with_help(texts::calls::CONTINUE_TO_KEEP_GOING),
    }
}

impl Turn {
    /// The reason for which the model stopped last.
    fn last_stop(&self) -> Option<StopReason> {
        Some(self.steps.last()?.answer.as_ref()?.stop)
    }
}

impl Step {
    /// True until the model has answered.
    pub(super) fn is_open(&self) -> bool {
        self.answer.is_none()
    }
}
