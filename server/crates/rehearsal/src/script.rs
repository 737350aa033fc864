//! Script of the next answers for tests, and a record of the requests.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{fault::Fault, pace::Pace, reply::Block};

/// Limit on remembered requests.
const REMEMBERED: usize = 500;

/// Script for the next request, or several. Everything is optional: without blocks the planner
/// answers, without a pace the server's applies.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scripted {
    /// Blocks of the exact answer.
    pub blocks: Option<Vec<Block>>,
    /// Stop reason; by default it is derived from the blocks.
    pub stop_reason: Option<String>,
    /// Faults of the answer.
    pub faults: Vec<Fault>,
    /// Pace of the answer.
    pub pace: Option<Pace>,
    /// Number of requests; zero counts as one.
    pub times: u32,
    /// Applies only to requests whose newest user words contain this text.
    pub when: Option<String>,
    /// Applies only to requests with this many tool-call steps since the user's newest words. With
    /// `times`, the answer then depends on the request alone, even when it is repeated.
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

    /// Sets the number of requests.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Sets the pace.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.pace = Some(pace);
        self
    }

    /// Sets the stop reason.
    #[must_use]
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }

    /// Restricts it to requests whose newest user words contain this text.
    #[must_use]
    pub fn when(mut self, text: impl Into<String>) -> Self {
        self.when = Some(text.into());
        self
    }
}

/// Progress of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Answered with an error status.
    Refused,
    /// The answer is being sent.
    Answering,
    /// The whole answer was sent.
    Completed,
    /// The answer ended early: the client left, or because of a fault.
    Broken,
}

/// A request received by the server. Keys are not kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seen {
    /// Number of the request, from 1.
    pub number: u64,
    pub request_id: String,
    pub path: String,
    /// Authentication: `x-api-key` or `bearer`.
    pub auth: Option<&'static str>,
    pub version: Option<String>,
    pub beta: Option<String>,
    pub body: Value,
    pub status: u16,
    /// Error message of a refused request.
    pub error: Option<String>,
    /// Usage, once there is an answer.
    pub usage: Option<Value>,
    pub outcome: Outcome,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Scripted>,
    seen: VecDeque<Seen>,
    count: u64,
}

/// Handle that scripts the answers of a running server.
#[derive(Debug, Clone, Default)]
pub struct Script(Arc<Mutex<State>>);

impl Script {
    /// Appends a script for the next requests to the queue.
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

    /// Clears the queue and all recorded requests.
    pub fn clear(&self) {
        *self.lock() = State::default();
    }

    /// The number of entries in the queue.
    pub fn waiting(&self) -> usize {
        self.lock().queue.len()
    }

    /// The requests received, oldest first; the newest 500 are kept.
    pub fn requests(&self) -> Vec<Seen> {
        self.lock().seen.iter().cloned().collect()
    }

    /// Takes the script for a request with these user words, after this many steps.
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

    /// A test that panicked while holding the lock has left no half-made change.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
