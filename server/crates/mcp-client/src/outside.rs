//! The toolset of one server.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use agent::{
    clean_text,
    ports::{
        Assessment, Board, ContextPart, Impact, Preview, Progress, Reconciled, Recovery, Tool,
        ToolCall, ToolError, ToolSpec, Toolset,
    },
};
use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Reference, Tier, Timestamp, ToolOutput};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::{
    name::{NameHolder, tool_name},
    port::{ServerFault, ToolServer, bounded_content, told_error},
    presence::{Presence, PresenceBoard},
    reading,
    rules::{OutsideRules, TierSource},
    schema::{UnusableSchema, closed_schema},
    served::{ReviewStanding, ServedTool},
    texts,
};

/// The longest description that a model reads, in characters.
const MAX_DESCRIPTION: usize = 2000;

/// The most lines of progress of one call.
const MAX_REPORTS: usize = 50;

/// The most tools of a server.
const MAX_TOOLS: usize = 128;

/// One tool, for an admin who looks at it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedTool {
    /// The name here.
    pub name: String,
    pub served: ServedTool,
    /// Of the definition that is shown; to accept is to name it.
    pub digest: String,
    pub standing: ReviewStanding,
    /// The tier of its calls; None if the configuration does not name it.
    pub tier: Option<Tier>,
    /// The reason for it; None if there is none.
    pub tier_source: Option<TierSource>,
    /// Set if the schema of its input cannot be used: then it cannot be accepted either.
    pub unusable: Option<UnusableSchema>,
    /// Set if another tool has its name: then it cannot be accepted either, and is not offered if it was.
    pub name_holder: Option<NameHolder>,
}

impl ReviewedTool {
    /// True if conversations can have it.
    pub fn is_offered(&self) -> bool {
        self.is_accepted() && self.name_holder.is_none()
    }

    fn is_accepted(&self) -> bool {
        self.standing == ReviewStanding::Accepted && self.unusable.is_none()
    }
}

/// The toolset of one server. Clones are the same toolset.
#[derive(Clone)]
pub struct OutsideToolset {
    outside: Arc<OutsideServer>,
    board: Option<Arc<PresenceBoard>>,
}

struct OutsideServer {
    name: &'static str,
    rules: OutsideRules,
    server: Arc<dyn ToolServer>,
    state: RwLock<OutsideState>,
}

#[derive(Default)]
struct OutsideState {
    /// In the server's order, each name once.
    served: Vec<ServedTool>,
    /// By the server's own name.
    accepted: BTreeMap<String, ServedTool>,
}

impl OutsideToolset {
    /// A server of this name, of which nothing is known yet, with what an admin has accepted before, by
    /// the server's own names.
    pub fn new(
        name: &'static str,
        rules: OutsideRules,
        server: Arc<dyn ToolServer>,
        accepted: BTreeMap<String, ServedTool>,
    ) -> Self {
        let state = RwLock::new(OutsideState {
            served: Vec::new(),
            accepted,
        });
        let outside = OutsideServer {
            name,
            rules,
            server,
            state,
        };
        Self {
            outside: Arc::new(outside),
            board: None,
        }
    }

    /// The same, with a notice while the server is away.
    #[must_use]
    pub fn guarded(self, presence: watch::Receiver<Presence>) -> Self {
        let board = PresenceBoard {
            server: self.outside.name,
            presence,
        };
        Self {
            board: Some(Arc::new(board)),
            ..self
        }
    }

    /// Takes in what the server lists now. Of two definitions with one name the first counts, and no more
    /// than 128. Returns true if it differs from the list before; the engine has to hear of it then, see
    /// `Engine::tools_arrived`.
    pub fn list(&self, listed: Vec<ServedTool>) -> bool {
        let mut served: Vec<ServedTool> = Vec::new();
        for tool in listed {
            let is_known = served.iter().any(|other| other.name == tool.name);
            if !is_known && served.len() < MAX_TOOLS {
                served.push(tool);
            }
        }
        let mut state = self
            .outside
            .state
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let is_new = state.served != served;
        state.served = served;
        is_new
    }

    /// Accepts the definition with this digest of a tool by the server's own name. Returns it, to be kept.
    /// None if the tool has another definition by now, is not allowed, cannot be used, or has no name of its own.
    pub fn accept(&self, tool: &str, digest: &str) -> Option<ServedTool> {
        let found = self.acceptable(tool, digest)?;
        let mut state = self
            .outside
            .state
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        state.accepted.insert(tool.to_owned(), found.clone());
        Some(found)
    }

    /// The definition that [`Self::accept`] would accept. Nothing changes.
    pub fn acceptable(&self, tool: &str, digest: &str) -> Option<ServedTool> {
        let mut listed = self.review().into_iter();
        let found = listed.find(|reviewed| reviewed.served.name == tool)?;
        let is_usable = found.standing != ReviewStanding::NotAllowed
            && found.digest == digest
            && found.unusable.is_none()
            && found.name_holder.is_none();
        is_usable.then_some(found.served)
    }

    /// Takes in what is accepted now, by the server's own names. Returns true if that is something else than
    /// before; the engine has to hear of it then.
    pub fn set_accepted(&self, accepted: BTreeMap<String, ServedTool>) -> bool {
        let mut state = self
            .outside
            .state
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let is_new = state.accepted != accepted;
        state.accepted = accepted;
        is_new
    }

    /// All that the server lists, for an admin.
    pub fn review(&self) -> Vec<ReviewedTool> {
        let outside = &self.outside;
        let state = outside.state.read().unwrap_or_else(PoisonError::into_inner);
        let reviewed = state.served.iter().map(|served| ReviewedTool {
            name: tool_name(outside.name, &served.name),
            digest: served.digest(),
            standing: outside.standing(served, &state),
            tier: outside.tier(served),
            tier_source: outside.tier_source(served),
            unusable: closed_schema(&served.input_schema).err(),
            name_holder: None,
            served: served.clone(),
        });
        let mut reviewed: Vec<_> = reviewed.collect();
        outside.hold_names(&mut reviewed);
        reviewed
    }

    /// The tools that the configuration names and the server does not list, by the server's own names.
    pub fn lacking(&self) -> Vec<String> {
        let outside = &self.outside;
        let state = outside.state.read().unwrap_or_else(PoisonError::into_inner);
        let is_listed = |name: &String| state.served.iter().any(|served| served.name == *name);
        let named = outside.rules.tools.keys();
        named.filter(|name| !is_listed(name)).cloned().collect()
    }
}

impl OutsideServer {
    /// Notes whose name another tool has: Jarvis's own, or else the first in the server's order that is accepted.
    fn hold_names(&self, reviewed: &mut [ReviewedTool]) {
        let mut holders: BTreeMap<String, String> = BTreeMap::new();
        for tool in reviewed.iter().filter(|tool| tool.is_accepted()) {
            let holder = holders.entry(tool.name.clone());
            holder.or_insert_with(|| tool.served.name.clone());
        }
        for tool in reviewed {
            let holder = holders.get(&tool.name);
            let other = holder.filter(|holder| **holder != tool.served.name);
            tool.name_holder = if reading::has_name(self.name, &self.rules, &tool.name) {
                Some(NameHolder::Jarvis)
            } else {
                other.cloned().map(NameHolder::Server)
            };
        }
    }

    fn tier(&self, served: &ServedTool) -> Option<Tier> {
        let rule = self.rules.tools.get(&served.name)?;
        Some(rule.tier(&served.annotations))
    }

    fn tier_source(&self, served: &ServedTool) -> Option<TierSource> {
        let rule = self.rules.tools.get(&served.name)?;
        Some(rule.tier_source(&served.annotations))
    }

    fn standing(&self, served: &ServedTool, state: &OutsideState) -> ReviewStanding {
        if !self.rules.tools.contains_key(&served.name) {
            return ReviewStanding::NotAllowed;
        }
        match state.accepted.get(&served.name) {
            None => ReviewStanding::Unseen,
            Some(accepted) if accepted == served => ReviewStanding::Accepted,
            Some(accepted) => ReviewStanding::Changed(accepted.changes_to(served)),
        }
    }

    /// True if this very definition is what the server lists now and what was accepted.
    fn is_in_force(&self, tool: &ServedTool) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let listed = state.served.iter().find(|served| served.name == tool.name);
        listed == Some(tool) && self.standing(tool, &state) == ReviewStanding::Accepted
    }
}

#[async_trait]
impl Toolset for OutsideToolset {
    fn name(&self) -> &'static str {
        self.outside.name
    }

    fn system_prompt(&self) -> String {
        texts::prompt(self.outside.name)
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let outside = &self.outside;
        reading::tools(outside.name, &outside.rules, &outside.server)
    }

    fn arrived_tools(&self) -> Vec<Arc<dyn Tool>> {
        let reviewed = self.review().into_iter();
        let mut offered: Vec<_> = reviewed.filter(ReviewedTool::is_offered).collect();
        // Of those that share a name the server's order has decided; a model reads one order, and its cache lasts.
        offered.sort_by(|one, other| one.name.cmp(&other.name));
        let offered = offered.into_iter();
        let tools = offered.filter_map(|tool| OutsideTool::new(&self.outside, tool));
        tools.map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        Vec::new()
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        let board = self.board.clone()?;
        Some(board)
    }
}

struct OutsideTool {
    outside: Arc<OutsideServer>,
    served: ServedTool,
    digest: String,
    spec: ToolSpec,
}

impl OutsideTool {
    fn new(outside: &Arc<OutsideServer>, tool: ReviewedTool) -> Option<Self> {
        let rule = outside.rules.tools.get(&tool.served.name)?;
        let schema = closed_schema(&tool.served.input_schema).ok()?;
        let description: String = clean_text(&tool.served.description)
            .chars()
            .take(MAX_DESCRIPTION)
            .collect();
        let description = texts::described(outside.name, &description);
        let spec = ToolSpec {
            tier: rule.tier(&tool.served.annotations),
            recovery: rule.recovery(),
            timeout: outside.rules.timeout,
            impact: Impact::System,
            ..ToolSpec::with_schema(&tool.name, &description, schema)
        };
        Some(Self {
            outside: Arc::clone(outside),
            served: tool.served,
            digest: tool.digest,
            spec,
        })
    }

    fn in_force(&self) -> Result<(), ErrorBody> {
        if self.outside.is_in_force(&self.served) {
            Ok(())
        } else {
            Err(ErrorBody::new(ErrorCode::ToolFailed, texts::DISABLED))
        }
    }
}

#[async_trait]
impl Tool for OutsideTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn definition_digest(&self) -> Option<String> {
        Some(self.digest.clone())
    }

    fn target(&self, _input: &Value) -> Option<String> {
        Some(texts::target(self.outside.name))
    }

    fn objects(&self, _input: &Value) -> Vec<String> {
        Vec::new()
    }

    fn assess(&self, input: &Value) -> Assessment {
        Assessment::plain(self.spec.tier, input)
    }

    async fn preview(&self, _call: &ToolCall) -> Result<Preview, ErrorBody> {
        self.in_force()?;
        let name = self.outside.name;
        Ok(Preview {
            // An approval is for this definition: with another one the person is asked again.
            state: json!({ "definition": self.digest }),
            ..Preview::new(texts::call_of(&self.spec.name, name), texts::target(name))
        })
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(texts::OUTCOME_IS_NOT_KNOWN.to_owned())
    }

    async fn call(&self, call: ToolCall, progress: Progress) -> Result<ToolOutput, ToolError> {
        self.in_force().map_err(ToolError)?;
        let progress = bounded(progress);
        let server = &self.outside.server;
        let answer = server.call(&self.served.name, call.input, &progress).await;
        let answer = answer.map_err(|fault| ToolError(self.fault(fault)))?;
        let content = bounded_content(answer.content, self.outside.rules.result_bytes);
        if answer.is_error {
            return Err(told_error(self.outside.name, &content));
        }
        Ok(ToolOutput {
            summary: texts::answered(self.outside.name),
            data: content,
            images: Vec::new(),
        })
    }
}

impl OutsideTool {
    fn fault(&self, fault: ServerFault) -> ErrorBody {
        let (code, message) = match (fault, self.spec.recovery) {
            (ServerFault::NotSent, _) => (ErrorCode::ToolUnreachable, texts::NOT_REACHED),
            (ServerFault::Lost, Recovery::Pure) => (ErrorCode::ToolUnreachable, texts::NO_ANSWER),
            (ServerFault::Lost, _) => (ErrorCode::ToolOutcomeUnknown, texts::NO_ANSWER),
        };
        ErrorBody::new(code, message)
    }
}

/// The same progress, for a limited number of lines.
fn bounded(progress: Progress) -> Progress {
    let sent = AtomicUsize::new(0);
    Progress::new(move |line| {
        if sent.fetch_add(1, Ordering::Relaxed) < MAX_REPORTS {
            progress.report(line);
        }
    })
}
