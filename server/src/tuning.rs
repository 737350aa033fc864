//! Settings of the model and the agent that can change at run time.
//!
//! The environment takes precedence, then the values stored by an admin, then the file, then the
//! default: whoever starts the server with a variable means it.

use std::time::Duration;

use agent::EngineConfig;
use anyhow::Context;
use protocol::Cost;
use serde::{Deserialize, Serialize};
use store::{SettingsKind, Store};

use crate::{
    config::{
        BudgetCents, BudgetTokens, CENT, Config, ConfirmationSeconds, HistoryLimit, MaxSteps,
        MaxTokens, Source,
    },
    texts,
};

/// The values stored by an admin; none keeps the configuration's own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Stored {
    /// The model of new conversations.
    pub(crate) model: Option<String>,
    pub(crate) max_tokens: Option<u32>,
    pub(crate) max_steps: Option<u32>,
    pub(crate) history_limit: Option<u32>,
    pub(crate) confirmation_seconds: Option<u32>,
    pub(crate) budget_conversation_cents: Option<u32>,
    pub(crate) budget_conversation_tokens: Option<u32>,
    pub(crate) budget_day_cents: Option<u32>,
    pub(crate) budget_day_tokens: Option<u32>,
}

/// A number that can be changed.
pub(crate) struct Knob {
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
    pub(crate) unit: &'static str,
    /// The least and the greatest value.
    pub(crate) bounds: (u32, u32),
    pub(crate) of: fn(&mut Stored) -> &mut Option<u32>,
    put: fn(&mut EngineConfig, u32),
}

/// All knobs.
pub(crate) const KNOBS: [Knob; 8] = [
    Knob {
        key: "model.max_tokens",
        label: texts::settings::LONGEST_ANSWER,
        unit: "tokens",
        bounds: MaxTokens::BOUNDS,
        of: |stored| &mut stored.max_tokens,
        put: |config, n| config.max_tokens = n,
    },
    Knob {
        key: "agent.max_steps",
        label: texts::settings::STEPS_OF_TURN,
        unit: texts::settings::MODEL_CALLS,
        bounds: MaxSteps::BOUNDS,
        of: |stored| &mut stored.max_steps,
        put: |config, n| config.max_steps = n,
    },
    Knob {
        key: "agent.history_limit",
        label: texts::settings::HISTORY_OF_NEW_CONVERSATIONS,
        unit: "messages",
        bounds: HistoryLimit::BOUNDS,
        of: |stored| &mut stored.history_limit,
        put: |config, n| config.history_limit = n,
    },
    Knob {
        key: "agent.confirmation_seconds",
        label: texts::settings::TIME_TO_DECIDE,
        unit: "seconds",
        bounds: ConfirmationSeconds::BOUNDS,
        of: |stored| &mut stored.confirmation_seconds,
        put: |config, n| config.confirmation_ttl = Duration::from_secs(n.into()),
    },
    Knob {
        key: "budget.conversation_cents",
        label: texts::settings::BUDGET_OF_CONVERSATION,
        unit: texts::settings::US_CENTS,
        bounds: BudgetCents::BOUNDS,
        of: |stored| &mut stored.budget_conversation_cents,
        put: |config, n| config.budgets.conversation.cost = Some(cents(n)),
    },
    Knob {
        key: "budget.conversation_tokens",
        label: texts::settings::BUDGET_OF_CONVERSATION,
        unit: "tokens",
        bounds: BudgetTokens::BOUNDS,
        of: |stored| &mut stored.budget_conversation_tokens,
        put: |config, n| config.budgets.conversation.tokens = Some(n.into()),
    },
    Knob {
        key: "budget.day_cents",
        label: texts::settings::BUDGET_OF_PERSON_FOR_A_DAY,
        unit: texts::settings::US_CENTS,
        bounds: BudgetCents::BOUNDS,
        of: |stored| &mut stored.budget_day_cents,
        put: |config, n| config.budgets.day.cost = Some(cents(n)),
    },
    Knob {
        key: "budget.day_tokens",
        label: texts::settings::BUDGET_OF_PERSON_FOR_A_DAY,
        unit: "tokens",
        bounds: BudgetTokens::BOUNDS,
        of: |stored| &mut stored.budget_day_tokens,
        put: |config, n| config.budgets.day.tokens = Some(n.into()),
    },
];

fn cents(number: u32) -> Cost {
    Cost(u64::from(number) * CENT)
}

/// The configuration key of the model's name.
pub(crate) const MODEL: &str = "model.id";

/// A setting as configured.
#[derive(Debug, Clone)]
pub(crate) struct Configured {
    pub(crate) key: &'static str,
    pub(crate) value: String,
    pub(crate) source: Source,
}

/// The configuration of the model and the agent.
pub(crate) struct Tuning {
    /// The agent's configuration, before any stored value.
    base: EngineConfig,
    shown: Vec<Configured>,
    /// True for the built-in stand-in: it is the only model there is.
    pub(crate) rehearsal: bool,
    pub(crate) has_key: bool,
    /// Locked while a version is stored and put in force, so that the newest is the one in force.
    pub(crate) changing: tokio::sync::Mutex<()>,
}

impl Tuning {
    pub(crate) fn of(config: &Config, base: &EngineConfig, rehearsal: bool) -> Self {
        let shown = config.shown.iter();
        Self {
            base: base.clone(),
            shown: shown
                .map(|(key, value, source)| Configured {
                    key,
                    value: value.clone(),
                    source: source.clone(),
                })
                .collect(),
            rehearsal,
            has_key: config.model.key.is_some(),
            changing: tokio::sync::Mutex::default(),
        }
    }

    /// Returns a setting of the configuration; none if it is not set and has no default.
    pub(crate) fn configured(&self, key: &str) -> Option<&Configured> {
        self.shown.iter().find(|configured| configured.key == key)
    }

    /// Returns the variable that set it, if one did: then nothing else can.
    pub(crate) fn variable(&self, key: &str) -> Option<&'static str> {
        match self.configured(key)?.source {
            Source::Environment(name) | Source::Flag(name) => Some(name),
            Source::Default | Source::File { .. } => None,
        }
    }

    /// Returns the model that the configuration names.
    pub(crate) fn base_model(&self) -> &str {
        &self.base.model
    }

    /// Puts the stored values in force in a configuration.
    pub(crate) fn put(&self, config: &mut EngineConfig, stored: &Stored) {
        config.model.clone_from(&self.base.model);
        config.max_tokens = self.base.max_tokens;
        config.max_steps = self.base.max_steps;
        config.history_limit = self.base.history_limit;
        config.confirmation_ttl = self.base.confirmation_ttl;
        config.budgets = self.base.budgets;
        if let Some(model) = &stored.model
            && !self.rehearsal
            && self.variable(MODEL).is_none()
        {
            config.model.clone_from(model);
        }
        let mut stored = stored.clone();
        for knob in &KNOBS {
            if let Some(number) = *(knob.of)(&mut stored)
                && self.variable(knob.key).is_none()
            {
                let (least, most) = knob.bounds;
                (knob.put)(config, number.clamp(least, most));
            }
        }
    }
}

/// Returns the stored values, with their version.
pub(crate) async fn stored(store: &Store) -> anyhow::Result<(Stored, u64)> {
    match store.settings(SettingsKind::Model, 1).await?.pop() {
        None => Ok((Stored::default(), 0)),
        Some(newest) => {
            let stored = serde_json::from_value(newest.body)
                .with_context(|| texts::settings::version_of_model_settings(newest.version))?;
            Ok((stored, newest.version))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Flags;

    fn tuning(file: &str, environment: &[(&str, &str)]) -> (Tuning, EngineConfig) {
        let home = [("HOME", "/home/jarvis")];
        let environment = home.iter().chain(environment);
        let environment = environment.map(|(name, value)| ((*name).into(), (*value).into()));
        let path = Path::new("jarvis.toml");
        let config = Config::read(&Flags::default(), path, file, environment, &[]).unwrap();
        let mut base = EngineConfig::new(config.model.id.clone().unwrap_or_default());
        base.max_tokens = config.model.max_tokens;
        base.max_steps = config.agent.max_steps;
        (Tuning::of(&config, &base, false), base)
    }

    #[test]
    fn the_environment_wins_then_what_is_stored_then_the_file() {
        let file = "[model]\nid = \"one\"\nmax_tokens = 1000\n[agent]\nmax_steps = 5\n";
        let stored = Stored {
            model: Some("two".to_owned()),
            max_tokens: Some(2000),
            max_steps: Some(1_000_000),
            ..Stored::default()
        };
        let (tuning, mut config) = tuning(file, &[("CLAUDE_MAX_TOKENS", "3000")]);
        tuning.put(&mut config, &stored);
        assert_eq!(config.model, "two");
        assert_eq!(config.max_tokens, 3000, "set by a variable");
        assert_eq!(config.max_steps, 100, "in bounds");
        assert_eq!(config.history_limit, 20);
        assert_eq!(
            tuning.variable("model.max_tokens"),
            Some("CLAUDE_MAX_TOKENS")
        );
        // And back.
        tuning.put(&mut config, &Stored::default());
        assert_eq!((&*config.model, config.max_steps), ("one", 5));
    }
}
