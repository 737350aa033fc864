#![doc = include_str!("../README.md")]

mod blocks;
mod calls;
mod cards;
mod content;
mod encoder;
mod event;
mod input;
mod iso_time;
mod messages;
mod texts;

pub use cards::{Answer, Card, Cards};
pub use encoder::{Encoder, Lead, Run, custom};
pub use event::{AguiEvent, Interrupt, Message, Outcome, RunUsage, ToolCall};
pub use input::{Client, Forwarded, NewText, Resume, ResumeStatus, RunInput, Words};
pub use messages::{messages, unanswered};
