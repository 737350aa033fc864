//! The configuration: defaults, then `jarvis.toml`, then the environment, then flags.
//!
//! Each key is declared once, where it is read: see [`key::Key`]. Every setting knows where it came
//! from, so that an error can say so and `jarvis config check` can show it.

mod agent;
mod budget;
mod example;
mod feed;
mod file;
mod key;
mod limits;
mod log;
mod mcp;
mod mcp_limits;
mod metrics;
mod model;
mod network;
mod notices;
mod reader;
mod rehearsal;
mod rules;
mod run;
mod section;
mod server;
mod settings;
mod sign_in;
mod source;
mod suggestion;
mod telemetry;
mod value;
mod webhooks;

pub use self::sign_in::ProxySignIn;
pub use agent::AgentSettings;
pub(crate) use agent::{ConfirmationSeconds, HistoryLimit, MaxSteps};
pub(crate) use budget::{BudgetCents, BudgetTokens, CENT};
pub use limits::UserLimits;
pub use log::LogSettings;
pub use mcp::{McpCredential, McpOauth, McpSettings, McpTransport};
pub use metrics::MetricsSettings;
pub(crate) use model::MaxTokens;
pub use model::ModelSettings;
pub use network::{Networks, NoNetwork};
pub use notices::NoticeSettings;
pub use reader::Problem;
pub(crate) use reader::Reader;
pub use rehearsal::RehearsalSettings;
pub use run::RunSettings;
pub(crate) use section::DomainKey;
pub use section::{DomainConfig, Options, Section};
pub use server::ServerSettings;
pub use settings::{Config, Flags, example};
pub use source::{Setting, Source};
pub use telemetry::TraceReceiver;
pub(crate) use value::Whole;
pub use value::{
    AskOrAct, AuthHeader, LogFormat, ModelProfile, NewUsers, RestApi, RunMode, Secret, TwoPersons,
};
pub use webhooks::{WebhookKind, WebhookSecret, WebhookSettings};

#[cfg(test)]
mod tests;
