#![doc = include_str!("../README.md")]

mod call_report;
mod followed_call;
mod outcome_tool;
mod texts;

pub use call_report::CallReport;
pub use followed_call::{AskedPerson, CallStanding, EndedCall, FollowedCall};
pub use outcome_tool::{OUTCOME_TOOL, OutcomeTool, called_outcome, outcome_tool};
