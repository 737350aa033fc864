//! The plan for the calls of the newest answer.

use protocol::{CallId, Timestamp};

use super::state::{Call, CallState, Conversation};

/// The work to do on the calls of an answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct HandedPlan {
    /// The gate decides on these, in call order.
    pub(crate) judge: Vec<Call>,
    /// Started and not ended, with their start.
    pub(crate) running: Vec<(Call, Timestamp)>,
    /// The one call that acts next: no action before it is open.
    pub(crate) act: Option<Call>,
    /// Calls that do not run because one before them failed.
    pub(crate) skip: Vec<Call>,
}

impl Conversation {
    /// Plans the work on the calls of the newest answer.
    ///
    /// Calls that only read run side by side. Calls that act run one by one in call order, and
    /// none after one that failed or whose outcome is unknown.
    pub(crate) fn plan(&self) -> HandedPlan {
        let mut plan = HandedPlan::default();
        // `free` ends with the first open call that may act, so nothing behind it can overtake it;
        // a call that the gate has not judged counts as one. `broke` outlasts an approval: what a
        // person allowed still does not run after a failure.
        let mut free = true;
        let mut broke = false;
        for call in self.last_calls() {
            match &call.state {
                CallState::Proposed => {
                    free = false;
                    plan.judge.push(call.clone());
                }
                CallState::Queued | CallState::Approved | CallState::Waiting if broke => {
                    plan.skip.push(call.clone());
                }
                CallState::Queued | CallState::Approved => {
                    if free {
                        plan.act = Some(call.clone());
                    }
                    free = false;
                }
                CallState::Waiting => free = false,
                CallState::Running { since, tier } => {
                    plan.running.push((call.clone(), *since));
                    free &= *tier == protocol::Tier::Green;
                }
                CallState::Closed { broke: this, .. } => broke |= *this,
            }
        }
        plan
    }

    /// True if a call that acted has failed, so that no other of this answer may act.
    pub(crate) fn is_broken(&self) -> bool {
        self.last_calls()
            .any(|call| matches!(call.state, CallState::Closed { broke: true, .. }))
    }

    /// Time at which the next open card expires.
    pub(crate) fn next_expiry(&self) -> Option<Timestamp> {
        self.waiting().map(|(_, expires)| expires).min()
    }

    /// The calls that wait for a second person, each with its card's digest.
    pub(crate) fn waiting_for_second(&self) -> Vec<(CallId, String)> {
        let waiting = self.waiting().filter_map(|(call, _)| {
            let asked = call.asked.as_ref()?;
            asked.second.as_ref()?;
            Some((call.id, asked.digest.clone()))
        });
        waiting.collect()
    }

    /// The calls that wait for a person, each with the time at which its card expires.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (&Call, Timestamp)> {
        self.last_calls()
            .filter_map(|call| match (&call.state, &call.asked) {
                (CallState::Waiting, Some(asked)) => Some((call, asked.expires)),
                _ => None,
            })
    }
}
