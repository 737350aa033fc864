#![doc = include_str!("../README.md")]

mod event;
mod input;

pub use event::{AguiEvent, Interrupt, Message, Outcome, RunUsage, ToolCall};
pub use input::{Client, Forwarded, NewText, Resume, ResumeStatus, RunInput, Words};
