//! The whole configuration, section by section.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use ::agent::{Budgets, Policy};
use mcp_connection::ChildBounds;

use super::{
    agent::{self, AgentSettings},
    budget,
    example::Declarations,
    feed, file,
    limits::{self, UserLimits},
    log::{self, LogSettings},
    mcp::{self, McpSettings},
    mcp_limits,
    metrics::{self, MetricsSettings},
    model::{self, ModelSettings},
    notices::{self, NoticeSettings},
    reader::{Problem, Reader},
    rehearsal::{self, RehearsalSettings},
    rules,
    run::{self, RunSettings},
    section::{self, DomainConfig, Options, Section},
    server::{self, ServerSettings},
    sign_in::{self, ProxySignIn},
    source::Source,
    telemetry::{self, TraceReceiver},
    webhooks::{self, WebhookSettings},
};

/// The configuration file, unless a flag names another.
const FILE: &str = "jarvis.toml";

/// Settings given as flags. They win over everything.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// The configuration file; without it `jarvis.toml` in the working folder, if it is there.
    pub config: Option<PathBuf>,
    pub listen: Option<SocketAddr>,
    pub data_dir: Option<PathBuf>,
    /// Lets tests script the rehearsal model, and break the simulations, over HTTP.
    pub rehearsal_control: bool,
}

/// The whole configuration.
#[derive(Debug, Clone)]
pub struct Config {
    pub server: ServerSettings,
    /// Quotas for each user.
    pub limits: UserLimits,
    /// None: nobody is signed in by a proxy.
    pub proxy_sign_in: Option<ProxySignIn>,
    pub model: ModelSettings,
    pub agent: AgentSettings,
    /// The limits of this run.
    pub run: RunSettings,
    /// Limits of use.
    pub budgets: Budgets,
    /// Retention of the feed.
    pub feed_days: u32,
    /// Rules that the file adds to the built-in ones; what is changed at run time can only be stricter.
    pub rules: Policy,
    pub notices: NoticeSettings,
    /// The domains that this server has, in the order of the table.
    pub domains: Vec<DomainConfig>,
    pub rehearsal: RehearsalSettings,
    /// See [`Flags::rehearsal_control`].
    pub rehearsal_control: bool,
    pub log: LogSettings,
    pub metrics: MetricsSettings,
    /// None: nothing is traced.
    pub telemetry: Option<TraceReceiver>,
    /// Endpoints that get messages about what happens.
    pub webhooks: Vec<WebhookSettings>,
    /// Servers whose tools conversations may have.
    pub mcp: Vec<McpSettings>,
    /// Bounds of those that run in a sandbox, together.
    pub mcp_limits: ChildBounds,
    /// Every setting as `jarvis config check` shows it: key, value, source.
    pub shown: Vec<(&'static str, String, Source)>,
}

impl Config {
    /// The part that decides what may run, as text: it is part of what every decision is bound to.
    pub fn policy(&self) -> String {
        let domains = self.domains.iter().map(|domain| domain.options.policy());
        let domains: String = domains.map(|policy| format!("{policy}; ")).collect();
        let servers: String = self.mcp.iter().map(McpSettings::policy).collect();
        let run = self.run.policy();
        format!(
            "{}; {run}{domains}{servers}{:?}",
            crate::VERSION,
            self.rules
        )
    }

    /// The options of a domain that this server has.
    pub fn domain<T: Options>(&self) -> Option<&T> {
        self.domains
            .iter()
            .find_map(|domain| domain.options.as_of())
    }

    /// Reads the configuration of this process.
    pub fn load(flags: &Flags, sections: &[Section]) -> Result<Self, Vec<Problem>> {
        let path = flags.config.clone().unwrap_or_else(|| PathBuf::from(FILE));
        let found = file::read(&path, flags.config.is_some())?;
        // A variable that is not Unicode cannot be one of ours.
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self::from_parts(flags, &path, &found, environment, sections)
    }

    /// Reads the configuration from the contents of a file and an environment.
    pub fn read(
        flags: &Flags,
        path: &Path,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
        sections: &[Section],
    ) -> Result<Self, Vec<Problem>> {
        let found = file::Found {
            text: text.to_owned(),
            exposed: false,
        };
        Self::from_parts(flags, path, &found, environment, sections)
    }

    /// As [`Config::read`], from a file that everybody may be able to read.
    pub(super) fn from_parts(
        flags: &Flags,
        path: &Path,
        found: &file::Found,
        environment: impl IntoIterator<Item = (String, String)>,
        sections: &[Section],
    ) -> Result<Self, Vec<Problem>> {
        let environment: Vec<_> = environment.into_iter().collect();
        let home = default_data_dir(&environment);
        let mut reader = Reader::new(path, &found.text, found.exposed, environment);
        let mut config = Self::take(&mut reader, flags, home, sections);
        config.shown = reader.finish()?;
        Ok(config)
    }

    /// Takes all sections, in the order of the example file. What is wrong is in the reader.
    fn take(
        r: &mut Reader<'_>,
        flags: &Flags,
        home: Option<PathBuf>,
        sections: &[Section],
    ) -> Self {
        let mut config = Self {
            server: server::read(r, flags, home),
            limits: limits::read(r),
            proxy_sign_in: sign_in::read(r),
            model: model::read(r),
            agent: agent::read(r),
            run: run::read(r),
            budgets: budget::read(r),
            feed_days: feed::read(r),
            rules: rules::read(r),
            notices: notices::read(r, sections),
            domains: section::read(r, sections),
            rehearsal: rehearsal::read(r),
            rehearsal_control: flags.rehearsal_control,
            log: log::read(r),
            metrics: metrics::read(r),
            telemetry: telemetry::read(r),
            webhooks: webhooks::read(r),
            mcp: mcp::read(r, sections),
            mcp_limits: ChildBounds::default(),
            shown: Vec::new(),
        };
        config.mcp_limits = mcp_limits::read(r, &config.mcp);
        config
    }
}

/// The example file, with the sections of these domains.
pub fn example(sections: &[Section]) -> String {
    declared(sections).example()
}

/// All keys, from reading an empty file.
pub(super) fn declared(sections: &[Section]) -> Declarations {
    let mut reader = Reader::new(Path::new(FILE), "", false, []);
    Config::take(&mut reader, &Flags::default(), None, sections);
    reader.declarations
}

/// `$XDG_DATA_HOME/jarvis`, or `~/.local/share/jarvis`.
fn default_data_dir(environment: &[(String, String)]) -> Option<PathBuf> {
    let get = |name: &str| {
        let found = environment
            .iter()
            .find(|(key, value)| key == name && !value.is_empty());
        found.map(|(_, value)| PathBuf::from(value))
    };
    get("XDG_DATA_HOME")
        .or_else(|| get("HOME").map(|home| home.join(".local/share")))
        .map(|folder| folder.join("jarvis"))
}
