//! What tests make the next answers be, and what they learn about the requests.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{fault::Fault, pace::Pace, reply::Block};

/// How many requests are remembered.
const REMEMBERED: usize = 500;

/// What becomes of the next request, or of several. Everything is optional: without blocks the
/// planner answers, without a pace the server's own counts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scripted {
    /// The exact answer.
    pub blocks: Option<Vec<Block>>,
    /// The stop reason; without one it follows from the blocks.
    pub stop_reason: Option<String>,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// How fast the answer comes.
    pub pace: Option<Pace>,
    /// For how many requests; zero counts as one.
    pub times: u32,
    /// Only for requests whose newest words of the user contain this text.
    pub when: Option<String>,
    /// Only for requests after so many steps with tool calls since the user's newest words. With
    /// `times`, the answer then depends on the request alone, however often it is asked.
    pub steps: Option<usize>,
}

impl Scripted {
    /// An exact answer.
    pub fn reply(blocks: impl IntoIterator<Item = Block>) -> Self {
        Self {
            blocks: Some(blocks.into_iter().collect()),
            ..Self::default()
        }
    }

    /// A fault of the planner's answer.
    pub fn fault(fault: Fault) -> Self {
        Self {
            faults: vec![fault],
            ..Self::default()
        }
    }

    /// Adds a fault.
    #[must_use]
    pub fn with(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// For so many requests.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// At this pace.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.pace = Some(pace);
        self
    }

    /// With this stop reason.
    #[must_use]
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }

    /// Only when the user's newest words contain this text.
    #[must_use]
    pub fn when(mut self, text: impl Into<String>) -> Self {
        self.when = Some(text.into());
        self
    }
}

/// How far a request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Answered with an error status.
    Refused,
    /// The answer is on its way.
    Answering,
    /// The whole answer went out.
    Completed,
    /// The answer ended early: the client left, or a fault asked for it.
    Broken,
}

/// A request that the server has seen. Keys are not kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seen {
    /// Counts from 1.
    pub number: u64,
    pub request_id: String,
    pub path: String,
    /// `x-api-key` or `bearer`.
    pub auth: Option<&'static str>,
    pub version: Option<String>,
    pub beta: Option<String>,
    pub body: Value,
    pub status: u16,
    /// The message of the refusal.
    pub error: Option<String>,
    /// The bill, once there is an answer.
    pub usage: Option<Value>,
    pub outcome: Outcome,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Scripted>,
    seen: VecDeque<Seen>,
    count: u64,
}

/// A handle to script the answers of a running server.
#[derive(Debug, Clone, Default)]
pub struct Script(Arc<Mutex<State>>);

impl Script {
    /// Puts what becomes of the next requests at the end of the queue.
    pub fn push(&self, scripted: Scripted) {
        self.lock().queue.push_back(scripted);
    }

    /// Scripts an exact answer.
    pub fn reply(&self, blocks: impl IntoIterator<Item = Block>) {
        self.push(Scripted::reply(blocks));
    }

    /// Scripts a fault of the planner's answer.
    pub fn fault(&self, fault: Fault) {
        self.push(Scripted::fault(fault));
    }

    /// Forgets what has not been played, and all requests.
    pub fn clear(&self) {
        *self.lock() = State::default();
    }

    /// How many entries of the script still wait for their request.
    pub fn waiting(&self) -> usize {
        self.lock().queue.len()
    }

    /// The requests seen, oldest first; the newest 500 are kept.
    pub fn requests(&self) -> Vec<Seen> {
        self.lock().seen.iter().cloned().collect()
    }

    /// Takes what is scripted for a request with these words of the user, after so many steps.
    pub(crate) fn take(&self, words: &str, steps: usize) -> Option<Scripted> {
        let mut state = self.lock();
        let at = state.queue.iter().position(|scripted| {
            scripted
                .when
                .as_ref()
                .is_none_or(|when| words.contains(when.as_str()))
                && scripted.steps.is_none_or(|wanted| wanted == steps)
        })?;
        let scripted = state.queue.get_mut(at)?;
        if scripted.times > 1 {
            scripted.times -= 1;
            return Some(scripted.clone());
        }
        state.queue.remove(at)
    }

    pub(crate) fn record(&self, mut seen: Seen) -> u64 {
        let mut state = self.lock();
        state.count += 1;
        seen.number = state.count;
        if state.seen.len() >= REMEMBERED {
            state.seen.pop_front();
        }
        state.seen.push_back(seen);
        state.count
    }

    pub(crate) fn update(&self, number: u64, change: impl FnOnce(&mut Seen)) {
        let mut state = self.lock();
        if let Some(seen) = state.seen.iter_mut().find(|seen| seen.number == number) {
            change(seen);
        }
    }

    /// A test that panicked while it held the lock has changed nothing by halves.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
