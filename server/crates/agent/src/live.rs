//! The configuration in force, which may change while the agent runs.

use std::sync::{Arc, OnceLock};

use protocol::Mode;

use crate::{
    Engine, EngineConfig, Persona, Policy,
    machine::Frozen,
    ports::Scope,
    prompt,
    tools::{ToolDefinitions, Tools},
};

/// A configuration in force. A change makes another one; work that began keeps its own until it
/// looks again, which it does before every decision.
pub(crate) struct LiveTurn {
    pub(crate) config: EngineConfig,
    /// One with tools, one for plans.
    fresh: [OnceLock<Frozen>; 2],
}

impl LiveTurn {
    pub(crate) fn new(config: EngineConfig) -> Arc<Self> {
        Arc::new(Self {
            config,
            fresh: [OnceLock::new(), OnceLock::new()],
        })
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.config.rules
    }

    /// The frozen part of a conversation that starts now.
    pub(crate) fn fresh(&self, mode: Mode, tools: &Tools) -> &Frozen {
        let (known, mode) = match mode {
            Mode::Default => (&self.fresh[0], mode),
            Mode::Plan | Mode::Unknown => (&self.fresh[1], Mode::Plan),
        };
        known.get_or_init(|| {
            self.freeze(
                mode,
                &tools.everyday(&Scope::All, &self.config.packs),
                tools,
                &self.config.persona,
            )
        })
    }

    /// The same within a scope, with a persona.
    pub(crate) fn freeze(
        &self,
        mode: Mode,
        scope: &Scope,
        tools: &Tools,
        persona: &Persona,
    ) -> Frozen {
        let toolsets = tools.toolsets.iter().cloned();
        let (toolsets, absent): (Vec<_>, Vec<_>) =
            toolsets.partition(|toolset| scope.has(toolset.name()));
        let elsewhere = prompt::elsewhere(&absent, &self.config.pages);
        let mode = match mode {
            Mode::Default => mode,
            Mode::Plan | Mode::Unknown => Mode::Plan,
        };
        let definitions = match mode {
            Mode::Default => tools.definitions(scope, &self.config.run),
            Mode::Plan | Mode::Unknown => ToolDefinitions::default(),
        };
        Frozen {
            model: self.config.model.clone(),
            mode,
            toolsets: toolsets
                .iter()
                .map(|toolset| toolset.name().to_owned())
                .collect(),
            system: prompt::system(mode, &toolsets, &elsewhere, persona).into(),
            tools: definitions.array,
            allowed: Vec::new(),
            digests: definitions.digests,
            history_limit: self.config.history_limit,
            history_tokens: self.config.history_tokens,
        }
    }
}

impl Engine {
    /// A copy of the configuration in force.
    pub fn config(&self) -> EngineConfig {
        self.shared.live().config.clone()
    }

    /// Takes in the tools that toolsets have now, for conversations that start from now on; see
    /// [`crate::ports::Toolset::arrived_tools`].
    pub fn tools_arrived(&self) {
        self.shared.tools.take_arrived();
        // What conversations begin with is kept with the configuration in force.
        self.shared.change(|_| {});
    }

    /// Changes the configuration for everything that is decided from now on. The frozen parts of
    /// conversations stay.
    pub fn reconfigure(&self, change: impl FnOnce(&mut EngineConfig)) {
        self.shared.change(change);
    }
}
