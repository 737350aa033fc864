//! Questions of people that lead to a tool.

use std::borrow::Cow;

use serde_json::Value;

/// A question of a person that a tool answers, and the input that it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolExample {
    question: Cow<'static, str>,
    input: Option<&'static str>,
}

impl ToolExample {
    /// A question such as `Which VMs are stopped?`, where the schema alone tells how to fill the input.
    pub const fn new(question: &'static str) -> Self {
        Self {
            question: Cow::Borrowed(question),
            input: None,
        }
    }

    /// A question with the input that it means, as JSON. Texts of the input that stand in the question
    /// are what may differ.
    pub const fn worked(question: &'static str, input: &'static str) -> Self {
        Self {
            question: Cow::Borrowed(question),
            input: Some(input),
        }
    }

    /// The question as a person asks it.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// The input that the question means. Null, which fits no schema, if it is no JSON.
    pub fn input(&self) -> Option<Value> {
        let text = self.input?;
        Some(serde_json::from_str(text).unwrap_or_default())
    }
}

/// The example of a tool that is made at run time.
impl From<String> for ToolExample {
    fn from(question: String) -> Self {
        Self {
            question: question.into(),
            input: None,
        }
    }
}
