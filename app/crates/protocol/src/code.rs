//! What the pieces of a block of code are, to give them colours. Never markup.

use serde::{Deserialize, Serialize};

/// Blocks of code in one question about them.
pub const MAX_CODE_BLOCKS: usize = 32;
/// The most text of all of them, in bytes. A longer block has no colours.
pub const MAX_CODE_BYTES: usize = 64 * 1024;

/// A finished block of code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CodeBlock {
    /// The word after the fence, such as `rust`.
    pub lang: String,
    pub text: String,
}

/// A piece of it. All pieces together, in their order, are the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeSpan {
    pub kind: CodeKind,
    /// How long it is, in bytes of UTF-8; it ends between two characters.
    pub bytes: u32,
}

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CodeKind {
    Plain,
    Comment,
    Keyword,
    /// What stands between quotation marks.
    Text,
    Number,
    /// A key, a variable, a function.
    Name,
    /// A section, or a place in a file.
    Head,
    /// A line that a change adds.
    Added,
    /// A line that a change takes away.
    Removed,
    /// A word such as `ERROR`.
    Bad,
    /// A word such as `WARN`.
    Warning,
    /// A kind that this build does not know.
    #[serde(other)]
    Unknown,
}
