//! The turn machine: pure, without clock, network or tasks.
//!
//! [`Conversation`] is a fold of the journal. [`Conversation::next`] returns what to do now, and
//! one method for each happening returns what to write. Everything that the machine needs is in the
//! journal, so a restart folds it and continues.

mod answer;
mod apply;
mod block;
mod branch;
mod calls;
mod choice;
mod command;
mod confirm;
mod frozen;
mod grants;
mod history;
mod images;
mod next;
mod plan;
mod state;
mod title;
mod turn;
mod withdrawal;

pub(crate) use answer::{Draft, Drafted, answered, interrupted, step_started};
pub(crate) use branch::{answer_text, branched, cut};
pub(crate) use calls::{CallDecision, FinishedCalls};
pub(crate) use choice::chosen;
pub(crate) use command::{BegunCall, action_started, asked_by_link, elapsed, turn_started};
pub(crate) use confirm::grant_given;
pub(crate) use frozen::Frozen;
pub(crate) use images::Images;
pub(crate) use next::{NextAsk, NextStep, step_limit};
pub(crate) use state::{Call, CallPlace, Conversation, Corrupt, Said};

#[cfg(test)]
mod tests;
