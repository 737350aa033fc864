//! `[run]`: limits of one run, for programs that start the server.

use agent::RunRules;
use protocol::Mode;

use super::{
    reader::Reader,
    value::{RunMode, ToolNames, Whole},
};

/// A variable of other programs that names what they run in place of an API.
pub(super) const EXECUTABLE: &str = "CLAUDE_CODE_EXECUTABLE";

/// The limits of one run.
#[derive(Debug, Clone, Default)]
pub struct RunSettings {
    /// The limits of conversations.
    pub rules: RunRules,
    /// The most tokens of thinking in one answer.
    pub max_thinking_tokens: Option<u32>,
    /// True if a variable names an executable, which is not run.
    pub ignores_executable: bool,
}

impl RunSettings {
    /// The part that decides what may run, as text; empty if nothing is limited.
    pub(crate) fn policy(&self) -> String {
        if self.rules == RunRules::default() {
            String::new()
        } else {
            format!("{:?}; ", self.rules)
        }
    }
}

pub(super) fn read(r: &mut Reader<'_>) -> RunSettings {
    r.section(
        "run",
        "Limits for this run, for programs that start the server. They only narrow what the rest of \
         the configuration allows; calls that people make themselves are not limited by them.",
    );
    let mode = r
        .key("run.mode", "mode of new conversations: default or plan")
        .env("CLAUDE_PERMISSION_MODE")
        .or(RunMode::Default);
    let allowed = r
        .key::<ToolNames>(
            "run.allowed_tools",
            "the only tools that conversations may use",
        )
        .env("CLAUDE_ALLOWED_TOOLS")
        .optional("[\"one_tool\", \"another_tool\"]");
    let disallowed = r
        .key(
            "run.disallowed_tools",
            "tools that no conversation may use; both variables hold a JSON array",
        )
        .env("CLAUDE_DISALLOWED_TOOLS")
        .or(ToolNames(Vec::new()));
    let max_turns = r
        .key::<Whole<1, 100>>("run.max_turns", "the most calls of the model in a turn")
        .env("CLAUDE_MAX_TURNS")
        .optional("1");
    let max_thinking_tokens = r
        .key::<Whole<0, 128_000>>(
            "run.max_thinking_tokens",
            "the most tokens of thinking; a model that takes no number gets a level of effort instead",
        )
        .env("CLAUDE_MAX_THINKING_TOKENS")
        .optional("4096");
    RunSettings {
        rules: RunRules {
            mode: match *mode {
                RunMode::Default => Mode::Default,
                RunMode::Plan => Mode::Plan,
            },
            allowed: allowed.map(|allowed| allowed.value.0),
            disallowed: disallowed.value.0,
            max_turns: max_turns.map(|turns| turns.value.0),
        },
        max_thinking_tokens: max_thinking_tokens.map(|tokens| tokens.value.0),
        ignores_executable: r.has_variable(EXECUTABLE),
    }
}
