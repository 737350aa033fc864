//! The agent's limits and times.

use std::time::Duration;

use crate::{Budgets, Persona, Policy, RunRules};

/// The largest result of a tool, in bytes of JSON, unless a configuration says otherwise.
pub const MAX_RESULT_BYTES: usize = 24 * 1024;

/// Limits and times of the agent. Those of the history are frozen in a conversation when it starts,
/// so that a later change does not alter what the model was sent before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// The model that new conversations use.
    pub model: String,
    /// The model that writes titles, once for each conversation; without one they are the first
    /// words of the first message.
    pub title_model: Option<String>,
    /// The longest answer of the model, in tokens.
    pub max_tokens: u32,
    /// Steps of a turn before one last step without tools.
    pub max_steps: u32,
    /// The most calls of one answer; those after them are blocked.
    pub max_calls: u32,
    /// The most cards that may be open in one conversation; calls that would need more are blocked.
    pub max_cards: u32,
    /// User messages and final answers that the model sees again.
    pub history_limit: u32,
    /// Tokens of history above which older turns are left out as well; none for no such bound.
    pub history_tokens: Option<u64>,
    /// Time that the question to the model waits for the context of a new message, all toolsets side
    /// by side. What is late the model can read by a tool.
    pub context_timeout: Duration,
    /// Messages that may wait while a turn runs.
    pub queue_limit: usize,
    /// Tools that may run at the same time in one conversation.
    pub parallel_tools: usize,
    /// The largest result of a tool, in bytes of JSON; more is cut and said to be cut.
    pub max_result_bytes: usize,
    /// Time that a person has to decide on a RED call.
    pub confirmation_ttl: Duration,
    /// The part of the configuration that decides which calls may run, as text: it is in every
    /// digest, so that a card from before a change does not run after it.
    pub policy: String,
    /// The policy in force; its version is part of [`Self::policy`] too.
    pub rules: Policy,
    /// The rules of this run. A gate that takes them into account is bound to them by
    /// [`Self::policy`].
    pub run: RunRules,
    /// The persona of the installation.
    pub persona: Persona,
    /// The pages that conversations without a toolset's tools send people to.
    pub pages: Vec<ToolsetPage>,
    /// The packs of conversations that begin without a choice, by the names of their toolsets.
    pub packs: Vec<String>,
    /// The budgets.
    pub budgets: Budgets,
    /// Time for which an idle conversation stays in memory.
    pub linger: Duration,
    /// Times that keep a condition that comes and goes from raising notice after notice.
    pub notices: NoticeTimes,
}

/// The page of a toolset, where a question about its system can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolsetPage {
    /// The name of the toolset.
    pub toolset: String,
    /// The page's title, such as `Chart`.
    pub title: String,
    /// The page's path, such as `/chart`.
    pub path: String,
}

/// Times that a condition must persist or be absent before a notice says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeTimes {
    /// Total time for which a condition must persist before it is raised…
    pub hold: Duration,
    /// …and for which it must be absent without a break before it is resolved.
    pub clear: Duration,
}

impl EngineConfig {
    /// The defaults, with a model.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            title_model: None,
            max_tokens: 8192,
            max_steps: 10,
            max_calls: 50,
            max_cards: 20,
            history_limit: 20,
            history_tokens: None,
            context_timeout: Duration::from_millis(150),
            queue_limit: 10,
            parallel_tools: 8,
            max_result_bytes: MAX_RESULT_BYTES,
            confirmation_ttl: Duration::from_secs(10 * 60),
            policy: String::new(),
            rules: Policy::default(),
            run: RunRules::default(),
            persona: Persona::default(),
            pages: Vec::new(),
            packs: Vec::new(),
            budgets: Budgets::default(),
            linger: Duration::from_secs(60),
            notices: NoticeTimes {
                hold: Duration::from_secs(60),
                clear: Duration::from_secs(300),
            },
        }
    }
}
