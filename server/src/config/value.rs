//! Values that a setting can have, and how each is read from the file and from text.

use std::{fmt, net::SocketAddr, path::PathBuf};

use axum::http::HeaderName;
use toml::de::DeValue;

use crate::texts;

/// A key, token or password. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret itself, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// True for an address of the web, for a key that names one.
pub(super) fn is_web_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// A type that a setting can have.
pub(crate) trait Value: Sized {
    /// True for values that only their owner may read.
    const IS_SECRET: bool = false;

    /// Description of a correct value, to complete "expected …".
    fn expected() -> String;

    /// Reads the value of an environment variable or flag.
    fn from_text(text: &str) -> Option<Self>;

    /// Reads the value of a key in the file.
    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value.as_str().and_then(Self::from_text)
    }

    /// Text that `jarvis config check` shows.
    fn show(&self) -> String;

    /// Text as the file has it.
    fn toml(&self) -> String {
        // Defaults are plain text, which TOML quotes as Rust does.
        format!("{:?}", self.show())
    }
}

impl Value for String {
    fn expected() -> String {
        "text".to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl Value for Secret {
    const IS_SECRET: bool = true;

    fn expected() -> String {
        "text".to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    fn show(&self) -> String {
        "(secret)".to_owned()
    }
}

impl Value for PathBuf {
    fn expected() -> String {
        texts::config::A_PATH.to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| text.into())
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

impl Value for SocketAddr {
    fn expected() -> String {
        texts::config::ADDRESS_AND_PORT.to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for bool {
    fn expected() -> String {
        texts::config::TRUE_OR_FALSE.to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value.as_bool()
    }

    fn show(&self) -> String {
        self.to_string()
    }

    fn toml(&self) -> String {
        self.show()
    }
}

impl Value for Vec<String> {
    fn expected() -> String {
        texts::config::LIST_OF_TEXTS.to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        Some(
            text.split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .map(Into::into)
                .collect(),
        )
    }

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value
            .as_array()?
            .iter()
            .map(|part| part.get_ref().as_str().map(Into::into))
            .collect()
    }

    fn show(&self) -> String {
        self.join(", ")
    }

    fn toml(&self) -> String {
        format!("{self:?}")
    }
}

impl Value for HeaderName {
    fn expected() -> String {
        texts::config::NAME_OF_HEADER.to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole<const MIN: u32, const MAX: u32>(pub u32);

impl<const MIN: u32, const MAX: u32> Value for Whole<MIN, MAX> {
    fn expected() -> String {
        texts::config::whole_number_from_to(MIN, MAX)
    }

    fn from_text(text: &str) -> Option<Self> {
        text.trim()
            .parse()
            .ok()
            .filter(|number| (MIN..=MAX).contains(number))
            .map(Self)
    }

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        let number = value.as_integer()?;
        if number.radix() != 10 {
            return None;
        }
        Self::from_text(&number.as_str().replace('_', ""))
    }

    fn show(&self) -> String {
        self.0.to_string()
    }

    fn toml(&self) -> String {
        self.show()
    }
}

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    /// The least and the greatest value.
    pub(crate) const BOUNDS: (u32, u32) = (MIN, MAX);
}

impl<const MIN: u32, const MAX: u32> Value for Vec<Whole<MIN, MAX>> {
    fn expected() -> String {
        texts::config::list_of_whole_numbers(MIN, MAX)
    }

    fn from_text(text: &str) -> Option<Self> {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(Whole::from_text)
            .collect()
    }

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value
            .as_array()?
            .iter()
            .map(|part| Whole::from_toml(part.get_ref()))
            .collect()
    }

    fn show(&self) -> String {
        let ids: Vec<String> = self.iter().map(Value::show).collect();
        ids.join(", ")
    }

    fn toml(&self) -> String {
        format!("[{}]", self.show())
    }
}

/// An enum of words, each with its text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? } $expected:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl Value for $name {
            fn expected() -> String {
                $expected.to_owned()
            }

            fn from_text(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }

            fn show(&self) -> String {
                match self { $(Self::$variant => $text),+ }.to_owned()
            }
        }
    };
}

/// Names of tools; in a variable as a JSON array, as programs write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolNames(pub Vec<String>);

impl Value for ToolNames {
    fn expected() -> String {
        texts::config::LIST_OF_TOOLS.to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        Vec::<String>::from_toml(value).map(Self)
    }

    fn show(&self) -> String {
        self.0.show()
    }

    fn toml(&self) -> String {
        self.0.toml()
    }
}

words! {
    /// Modes of new conversations that a run may set.
    RunMode { Default = "default", Plan = "plan" } "default or plan; there is no mode in which calls run without the gate"
}

words! {
    /// Format of log lines.
    LogFormat { Text = "text", Json = "json" } "text or json"
}

words! {
    /// Treatment of a user whom the reverse proxy names and nobody knows here.
    NewUsers {
        Refuse = "refuse",
        Viewer = "viewer",
        Operator = "operator",
        Admin = "admin",
    } "refuse, viewer, operator or admin"
}

words! {
    /// Calls that take two persons.
    TwoPersons { Off = "off", Irreversible = "irreversible", All = "all" } "off, irreversible or all"
}

words! {
    /// Consent for what could be done unasked.
    AskOrAct { Ask = "ask", Act = "act" } "ask or act"
}

words! {
    /// The generation of a REST API, of a system that has two.
    RestApi { Auto = "auto", V1 = "v1", V2 = "v2" } "auto, v1 or v2"
}

words! {
    /// The header that carries the key of the model.
    AuthHeader { ApiKey = "x-api-key", Bearer = "bearer" } "x-api-key or bearer"
}

words! {
    /// The kind of server that the model answers from.
    ModelProfile {
        /// The vendor's own API.
        Strict = "strict",
        /// Other servers that deviate from it.
        Lenient = "lenient",
        Ollama = "ollama",
        LlamaCpp = "llama.cpp",
        Vllm = "vllm",
        LmStudio = "lm-studio",
        LiteLlm = "litellm",
    } "strict, lenient, ollama, llama.cpp, vllm, lm-studio or litellm"
}
