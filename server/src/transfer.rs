//! Conversations as files: out as Markdown for people and as JSON for programs, in again as closed
//! history.

mod check;
mod export;
mod markdown;

pub(crate) use check::{Foreign, MAX_FILE, read, refused};
pub(crate) use export::{Format, export};

/// What the JSON says it is.
const FORMAT: &str = "jarvis-conversation";
/// The form of the JSON. A file of another one is refused.
const VERSION: u64 = 1;
