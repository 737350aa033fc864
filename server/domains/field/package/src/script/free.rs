//! Free sh: a text that a person wrote, always of high risk.

use crate::{fields::is_hidden, texts};

/// Type of a payload that is free sh.
pub const FREE_SCRIPT_TYPE: &str = "text/x-shellscript";
/// Longest free script in bytes.
const MAX_FREE: usize = 64 * 1024;

/// A text for `/bin/sh`. There is no way to it from the input of a tool: it names the person who wrote
/// it, and nothing checks what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeScript {
    text: String,
    author: String,
}

/// Reason that a text is no free script. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FreeScriptRefusal {
    #[error("{}", texts::scripts::size(*bytes, MAX_FREE))]
    Size { bytes: usize },
    #[error("{}", texts::scripts::hidden(*line, *sign))]
    Hidden { line: usize, sign: char },
    #[error("{}", texts::scripts::PERSON)]
    Author,
}

impl FreeScript {
    /// Takes the text of a person.
    ///
    /// # Errors
    /// A text that is empty or too large, or that has characters which a reader would not see.
    pub fn by_person(text: &str, author: &str) -> Result<Self, FreeScriptRefusal> {
        if author.trim().is_empty() {
            return Err(FreeScriptRefusal::Author);
        }
        if text.trim().is_empty() || text.len() > MAX_FREE {
            return Err(FreeScriptRefusal::Size { bytes: text.len() });
        }
        for (at, line) in text.split('\n').enumerate() {
            let hidden = line.chars().find(|sign| *sign != '\t' && is_hidden(*sign));
            if let Some(sign) = hidden {
                return Err(FreeScriptRefusal::Hidden { line: at + 1, sign });
            }
        }
        Ok(Self {
            text: text.to_owned(),
            author: author.to_owned(),
        })
    }

    /// The text, which is shown, signed and executed as it is.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn author(&self) -> &str {
        &self.author
    }
}
