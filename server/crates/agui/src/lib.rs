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

pub use cards::{Cards, ResumeAnswer, WaitingCard};
pub use encoder::{FollowedTurn, NamedRun, RunEncoder, custom};
pub use event::{AguiEvent, Interrupt, RunEnding, RunUsage, SnapshotCall, SnapshotMessage};
pub use input::{
    AguiRequest, ClientVersion, Forwarded, NewText, NewestWords, Resume, ResumeStatus, placed,
};
pub use messages::{messages, unanswered};
