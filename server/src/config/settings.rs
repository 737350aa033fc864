//! All settings: their keys, variables, defaults and the rules between them.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
};

use agent::{Budgets, Policy};
use model::ModelEntry;

use super::{
    budget, file,
    limits::{self, UserLimits},
    network::Networks,
    notices::{self, NoticeSettings},
    reader::{Problem, Reader},
    rules,
    section::{self, Options, Section},
    sign_in::{self, ProxySignIn},
    source::{Setting, Source},
    value::{AuthHeader, LogFormat, ModelProfile, Secret, Whole},
};

/// Settings given as flags. They win over everything.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// The configuration file; without it `jarvis.toml` in the working folder, if it is there.
    pub config: Option<PathBuf>,
    pub listen: Option<SocketAddr>,
    pub data_dir: Option<PathBuf>,
    /// Lets tests script the rehearsal model, and break the simulated cluster, over HTTP.
    pub rehearsal_control: bool,
}

/// The whole configuration.
#[derive(Debug, Clone)]
pub struct Config {
    pub listen: Setting<SocketAddr>,
    pub data_dir: Setting<PathBuf>,
    /// How browsers reach the server, such as `https://jarvis.example`.
    pub public_url: Option<Setting<String>>,
    /// PEM files of the certificate chain and its key.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Addresses of reverse proxies that end TLS.
    pub trusted_proxies: Networks,
    /// None: nobody is signed in by a proxy.
    pub proxy_sign_in: Option<ProxySignIn>,

    pub model_key: Option<Secret>,
    pub model_base_url: Option<Setting<String>>,
    pub model: Option<String>,
    /// The models that people may choose, beside that of new conversations; none for all.
    pub offered: Option<Vec<String>>,
    /// The model that writes titles; none for the fast one of the table, `off` for no model.
    pub title_model: Option<String>,
    /// Changes and additions to the built-in table of models and prices.
    pub models: BTreeMap<String, ModelEntry>,
    /// Output tokens of one answer.
    pub max_tokens: u32,
    pub model_auth: AuthHeader,
    pub model_profile: ModelProfile,
    /// Seconds of silence after which a model's answer counts as broken.
    pub model_idle_seconds: u32,

    /// Messages of the user and final answers that the model sees.
    pub history_limit: u32,
    /// Steps of a turn.
    pub max_steps: u32,
    /// Calls of one answer.
    pub max_calls: u32,
    /// Questions that may be open in one conversation.
    pub max_cards: u32,
    /// How long a person has to decide on a RED call.
    pub confirmation_seconds: u32,

    /// How much may be used.
    pub budgets: Budgets,
    /// How long the feed is kept.
    pub feed_days: u32,
    /// What the file adds to the built-in rules; what is changed at run time can only be stricter.
    pub rules: Policy,

    /// The domains that this server has, by their names, in the order of the table.
    pub domains: Vec<(&'static str, Arc<dyn Options>)>,
    pub notices: NoticeSettings,
    /// Quotas for each user.
    pub limits: UserLimits,

    /// Words of the rehearsal model, in tokens per second; zero is at once.
    pub rehearsal_rate: u32,
    /// Before the rehearsal model's first word, in milliseconds.
    pub rehearsal_first_token_ms: u32,
    pub rehearsal_control: bool,

    pub log_filter: String,
    pub log_format: LogFormat,

    /// Every setting as `jarvis config check` shows it: key, value, source.
    pub shown: Vec<(&'static str, String, Source)>,
}

impl Config {
    /// What of it decides what may run, as text: it is part of what every decision is bound to.
    pub fn policy(&self) -> String {
        let domains = self.domains.iter().map(|(_, options)| options.policy());
        let domains: String = domains.map(|policy| format!("{policy}; ")).collect();
        format!("{}; {domains}{:?}", crate::VERSION, self.rules)
    }

    /// The options of a domain that this server has.
    pub fn domain<T: Options>(&self) -> Option<&T> {
        self.domains.iter().find_map(|(_, options)| options.as_of())
    }

    /// Reads the configuration of this process.
    pub fn load(flags: &Flags, sections: &[Section]) -> Result<Self, Vec<Problem>> {
        let path = flags
            .config
            .clone()
            .unwrap_or_else(|| PathBuf::from("jarvis.toml"));
        let found = file::read(&path, flags.config.is_some())?;
        // A variable that is not Unicode cannot be one of ours.
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let found = (&*path, &*found.text, found.exposed);
        Self::from_parts(flags, found, environment, sections)
    }

    /// Reads the configuration from the contents of a file and an environment.
    pub fn read(
        flags: &Flags,
        path: &Path,
        text: &str,
        environment: impl IntoIterator<Item = (String, String)>,
        sections: &[Section],
    ) -> Result<Self, Vec<Problem>> {
        Self::from_parts(flags, (path, text, false), environment, sections)
    }

    /// As [`Config::read`]; the last part of the file says whether everybody can read it.
    pub(super) fn from_parts(
        flags: &Flags,
        (path, text, exposed): (&Path, &str, bool),
        environment: impl IntoIterator<Item = (String, String)>,
        sections: &[Section],
    ) -> Result<Self, Vec<Problem>> {
        let environment: Vec<_> = environment.into_iter().collect();
        let default_data_dir = default_data_dir(&environment);
        let mut reader = Reader::new(path, text, exposed, environment);
        let mut config = Self::take(&mut reader, flags, default_data_dir, sections);
        config.shown = reader.finish()?;
        Ok(config)
    }

    /// Takes all settings. What is wrong is in the reader.
    fn take(
        r: &mut Reader<'_>,
        flags: &Flags,
        default_data_dir: Option<PathBuf>,
        sections: &[Section],
    ) -> Self {
        let mut listen = r.with_default(
            "server.listen",
            Some("JARVIS_LISTEN"),
            SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 7340),
        );
        if let Some(value) = flags.listen {
            listen = Setting {
                value,
                source: Source::Flag("--listen"),
            };
        }
        let mut data_dir = r.optional("server.data_dir", Some("JARVIS_DATA_DIR"));
        if let Some(value) = flags.data_dir.clone() {
            data_dir = Some(Setting {
                value,
                source: Source::Flag("--data-dir"),
            });
        }
        let data_dir = match (data_dir, default_data_dir) {
            (Some(setting), _) => setting,
            (None, Some(value)) => Setting {
                value,
                source: Source::Default,
            },
            (None, None) => {
                r.refuse(
                    &Source::Default,
                    "server.data_dir: there is no home folder; name one with --data-dir",
                );
                Setting {
                    value: PathBuf::new(),
                    source: Source::Default,
                }
            }
        };
        let public_url = r.optional::<String>("server.public_url", Some("JARVIS_PUBLIC_URL"));
        let tls_cert = r.optional::<PathBuf>("server.tls_cert", Some("JARVIS_TLS_CERT"));
        let tls_key = r.optional::<PathBuf>("server.tls_key", Some("JARVIS_TLS_KEY"));
        let proxies =
            r.optional::<Networks>("server.trusted_proxies", Some("JARVIS_TRUSTED_PROXIES"));
        let proxy_sign_in = sign_in::read(r);

        let model_key = r.optional::<Secret>("model.api_key", Some("ANTHROPIC_API_KEY"));
        let model_base_url = r.optional::<String>("model.base_url", Some("ANTHROPIC_BASE_URL"));
        let model = r.optional::<String>("model.id", Some("CLAUDE_MODEL"));
        let offered = r.optional::<Vec<String>>("model.offered", Some("JARVIS_MODEL_OFFERED"));
        let title_model = r.optional::<String>("model.title_model", Some("JARVIS_TITLE_MODEL"));
        let models = r.table("models", "", "");
        let max_tokens = r.with_default(
            "model.max_tokens",
            Some("CLAUDE_MAX_TOKENS"),
            Whole::<256, 128_000>(8_192),
        );
        let model_auth =
            r.with_default("model.auth", Some("JARVIS_MODEL_AUTH"), AuthHeader::ApiKey);
        let model_profile = r.with_default(
            "model.profile",
            Some("JARVIS_MODEL_PROFILE"),
            ModelProfile::Strict,
        );
        let model_idle_seconds = r.with_default("model.idle_seconds", None, Whole::<5, 3600>(120));

        let history_limit = r.with_default(
            "agent.history_limit",
            Some("CHAT_HISTORY_LIMIT"),
            Whole::<2, 1000>(20),
        );
        let max_steps = r.with_default(
            "agent.max_steps",
            Some("CHAT_MAX_LOOP"),
            Whole::<1, 100>(10),
        );
        let max_calls = r.with_default("agent.max_calls", None, Whole::<1, 1000>(50));
        let max_cards = r.with_default("agent.max_cards", None, Whole::<1, 200>(20));
        let confirmation_seconds = r.with_default(
            "agent.confirmation_seconds",
            Some("JARVIS_CONFIRMATION_SECONDS"),
            Whole::<1, 86_400>(600),
        );

        let budgets = budget::read(r);
        let feed_days = r.with_default("feed.days", Some("JARVIS_FEED_DAYS"), Whole::<1, 3650>(90));

        let rules = rules::read(r);
        let notices = notices::read(r, sections);
        let limits = limits::read(r);
        let domains = section::read(r, sections);

        let rehearsal_rate = r.with_default(
            "rehearsal.tokens_per_second",
            Some("JARVIS_REHEARSAL_RATE"),
            Whole::<0, 1_000_000>(60),
        );
        let rehearsal_first_token_ms = r.with_default(
            "rehearsal.first_token_ms",
            Some("JARVIS_REHEARSAL_FIRST_TOKEN_MS"),
            Whole::<0, 600_000>(250),
        );

        let log_filter = r.with_default("log.filter", Some("JARVIS_LOG"), "info".to_owned());
        let log_format = r.with_default("log.format", Some("JARVIS_LOG_FORMAT"), LogFormat::Text);

        let tls = match (tls_cert, tls_key) {
            (Some(cert), Some(key)) => Some((cert.value, key.value)),
            (None, None) => None,
            (Some(one), None) | (None, Some(one)) => {
                r.refuse(
                    &one.source,
                    "server.tls_cert and server.tls_key go together",
                );
                None
            }
        };
        let trusted_proxies = proxies.map(|proxies| proxies.value).unwrap_or_default();
        if let Some(url) = &public_url
            && !(url.starts_with("http://") || url.starts_with("https://"))
        {
            r.refuse(
                &url.source,
                "server.public_url: expected http://… or https://…",
            );
        }
        if let Some(url) = &model_base_url
            && !(url.starts_with("http://") || url.starts_with("https://"))
        {
            r.refuse(
                &url.source,
                "model.base_url: expected http://… or https://…",
            );
        }
        if !listen.ip().is_loopback() && tls.is_none() && trusted_proxies.is_empty() {
            r.refuse(
                &listen.source,
                format!(
                    "server.listen: {} can be reached from other machines, and without TLS anybody \
                     on the way can read the session. Set server.tls_cert and server.tls_key, or \
                     put a reverse proxy with TLS in front and name its address in \
                     server.trusted_proxies, or listen on 127.0.0.1",
                    listen.value
                ),
            );
        }

        Self {
            listen,
            data_dir,
            public_url,
            tls,
            trusted_proxies,
            proxy_sign_in,
            model_key: model_key.map(|key| key.value),
            model_base_url,
            model: model.map(|model| model.value),
            offered: offered.map(|offered| offered.value),
            title_model: title_model.map(|model| model.value),
            models,
            max_tokens: max_tokens.0,
            model_auth: *model_auth,
            model_profile: *model_profile,
            model_idle_seconds: model_idle_seconds.0,
            history_limit: history_limit.0,
            max_steps: max_steps.0,
            max_calls: max_calls.0,
            max_cards: max_cards.0,
            confirmation_seconds: confirmation_seconds.0,
            budgets,
            feed_days: feed_days.0,
            rules,
            domains,
            notices,
            limits,
            rehearsal_rate: rehearsal_rate.0,
            rehearsal_first_token_ms: rehearsal_first_token_ms.0,
            rehearsal_control: flags.rehearsal_control,
            log_filter: log_filter.value,
            log_format: *log_format,
            shown: Vec::new(),
        }
    }
}

/// The example file, with the sections of these domains.
pub fn example(sections: &[Section]) -> String {
    let mut reader = Reader::new(Path::new("jarvis.toml"), "", false, []);
    Config::take(&mut reader, &Flags::default(), None, sections);
    reader.declarations.example()
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
