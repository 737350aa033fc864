//! The connection to the model.

use std::time::Duration;

use protocol::Effort;
use serde::{Deserialize, Serialize};

use crate::{ModelKey, ProfileKind};

/// The connection to the model. Start from [`Config::default`].
#[derive(Debug, Clone)]
pub struct ModelConfig {
    /// Without `/v1/messages`.
    pub base_url: String,
    /// None for local servers that need none.
    pub key: Option<ModelKey>,
    pub auth: AuthStyle,
    pub profile: ProfileKind,
    /// Sent to models that are known to take it, where nobody chose one; none leaves the model's
    /// own default.
    pub effort: Option<Effort>,
    /// The most tokens of thinking. Models that take no number get the level of
    /// [`crate::effort_within`] at most. None for no limit.
    pub thinking_tokens: Option<u32>,
    pub connect_timeout: Duration,
    /// Longest silence before the first byte; none takes the profile's.
    pub first_byte_timeout: Option<Duration>,
    /// Longest silence inside an answer. There is no limit on its whole length.
    pub idle_timeout: Duration,
    /// The most retries of a request without an answer.
    pub max_retries: u32,
    /// The longest wait that a person is asked for; beyond it the call fails and says until when.
    pub max_wait: Duration,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            base_url: "https://api.anthropic.com".to_owned(),
            key: None,
            auth: AuthStyle::default(),
            profile: ProfileKind::default(),
            effort: None,
            thinking_tokens: None,
            connect_timeout: Duration::from_secs(10),
            first_byte_timeout: None,
            idle_timeout: Duration::from_secs(120),
            max_retries: 2,
            max_wait: Duration::from_secs(60),
        }
    }
}

/// The header with the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuthStyle {
    /// `x-api-key: KEY`
    #[default]
    XApiKey,
    /// `authorization: Bearer KEY`
    Bearer,
}
