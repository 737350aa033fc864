//! Conversations as files: exported as Markdown for people and as JSON for programs, imported as
//! closed history.

mod check;
mod export;
mod markdown;

pub(crate) use check::{Foreign, MAX_FILE, read, refused};
pub(crate) use export::{Format, export};

/// The name of the JSON format.
const FORMAT: &str = "jarvis-conversation";
/// The version of the JSON format. A file of another one is refused.
const VERSION: u64 = 1;
