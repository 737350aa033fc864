//! Prompts: messages that a person saves and recalls by a short name.

use serde::{Deserialize, Serialize};

use crate::{FromJson, texts};

/// The longest text of a prompt, in bytes.
pub const MAX_PROMPT_BYTES: usize = 16 * 1024;
/// The longest name, in bytes.
pub const MAX_PROMPT_NAME: usize = 32;
/// The most prompts that a person may save.
pub const MAX_PROMPTS: usize = 100;
/// Names that the page treats as commands after a slash, so no prompt may have them.
pub const COMMANDS: [&str; 6] = ["new", "plan", "stop", "search", "export", "help"];

/// A message that a person saved. `/name` in the composer recalls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct Prompt {
    pub name: String,
    pub text: String,
}

impl Prompt {
    /// Returns the first problem with it, in words for the person; none if it is valid.
    pub fn problem(&self) -> Option<String> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let named = (1..=MAX_PROMPT_NAME).contains(&self.name.len())
            && self.name.chars().all(plain)
            && !self.name.starts_with('-');
        if !named {
            Some(texts::name_is_out_of_range(MAX_PROMPT_NAME))
        } else if COMMANDS.contains(&&*self.name) {
            Some(texts::is_a_command(&self.name))
        } else if self.text.trim().is_empty() {
            Some(texts::NO_TEXT_TO_KEEP.to_owned())
        } else if self.text.len() > MAX_PROMPT_BYTES {
            Some(texts::text_is_too_long(MAX_PROMPT_BYTES / 1024))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_that_are_no_commands() {
        let long = "x".repeat(MAX_PROMPT_NAME + 1);
        for (name, text, good) in [
            ("morning-check", "How is it?", true),
            ("2", "Why?", true),
            ("", "x", false),
            ("-a", "x", false),
            ("Morning", "x", false),
            ("a b", "x", false),
            ("é", "x", false),
            (&*long, "x", false),
            ("help", "x", false),
            ("helper", "x", true),
            ("empty", " \n", false),
        ] {
            let prompt = Prompt {
                name: name.to_owned(),
                text: text.to_owned(),
            };
            assert_eq!(prompt.problem().is_none(), good, "{name}");
        }
        let large = Prompt {
            name: "large".to_owned(),
            text: "x".repeat(MAX_PROMPT_BYTES + 1),
        };
        assert!(large.problem().is_some());
    }
}
