//! Spans of a code block and their kinds, for highlighting. Never markup.

use serde::{Deserialize, Serialize};

use crate::FromJson;

/// The most blocks of code in one request.
pub const MAX_CODE_BLOCKS: usize = 32;
/// The most text in one request, in bytes. A longer block gets no colours.
pub const MAX_CODE_BYTES: usize = 64 * 1024;

/// A finished block of code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CodeBlock {
    /// The word after the fence, such as `rust`.
    pub lang: String,
    pub text: String,
}

/// A piece of a block. All pieces, in order, are the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct CodeSpan {
    pub kind: CodeKind,
    /// Length in bytes of UTF-8; it ends on a character boundary.
    pub bytes: u32,
}

/// The kind of a piece of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "snake_case")]
pub enum CodeKind {
    Plain,
    Comment,
    Keyword,
    /// Text between quotation marks.
    Text,
    Number,
    /// A key, a variable, a function.
    Name,
    /// A section header, or a position in a file.
    Head,
    /// A line that a change adds.
    Added,
    /// A line that a change removes.
    Removed,
    /// A word such as `ERROR`.
    Bad,
    /// A word such as `WARN`.
    Warning,
    /// A kind that this build does not know.
    #[serde(other)]
    Unknown,
}
