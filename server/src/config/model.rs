//! `[model]` and `[models]`: the model that answers, and what is known of others.

use std::collections::BTreeMap;

use model::ModelEntry;

use super::{
    reader::Reader,
    source::Setting,
    value::{AuthHeader, ModelProfile, Secret, Whole, is_web_address},
};
use crate::texts;

/// Output tokens of one answer.
pub(crate) type MaxTokens = Whole<256, 128_000>;

/// The model that answers.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    pub key: Option<Secret>,
    pub base_url: Option<Setting<String>>,
    pub id: Option<String>,
    /// The models that people may choose, beside that of new conversations; none for all.
    pub offered: Option<Vec<String>>,
    /// The model that writes titles; none for the fast one of the table, `off` for no model.
    pub title_model: Option<String>,
    /// Changes and additions to the built-in table of models and prices.
    pub models: BTreeMap<String, ModelEntry>,
    /// Output tokens of one answer.
    pub max_tokens: u32,
    pub auth: AuthHeader,
    pub profile: ModelProfile,
    /// Seconds of silence after which an answer counts as broken.
    pub idle_seconds: u32,
}

pub(super) fn read(r: &mut Reader<'_>) -> ModelSettings {
    r.section("model", "");
    let key = r
        .key::<Secret>("model.api_key", "key of the vendor")
        .env("ANTHROPIC_API_KEY")
        .under("Without a key and a base URL the built-in rehearsal model answers.")
        .optional("\"sk-ant-…\"");
    let id = r
        .key::<String>("model.id", "the model of new conversations")
        .env("CLAUDE_MODEL")
        .optional("\"claude-sonnet-5-5\"");
    let offered = r
        .key::<Vec<String>>(
            "model.offered",
            "other models that people may choose; by default all that the key gives access to",
        )
        .env("JARVIS_MODEL_OFFERED")
        .optional("[\"claude-opus-5-5\", \"claude-haiku-5-5\"]");
    let title_model = r
        .key::<String>(
            "model.title_model",
            "writes each conversation's title, once; \"off\" uses its first words instead, which is \
             the default with a base_url",
        )
        .env("JARVIS_TITLE_MODEL")
        .optional("\"claude-haiku-5-5\"");
    let max_tokens = r
        .key::<MaxTokens>("model.max_tokens", "output tokens per answer")
        .env("CLAUDE_MAX_TOKENS")
        .or(Whole(8_192));
    let idle_seconds = r
        .key(
            "model.idle_seconds",
            "seconds of silence after which an answer counts as broken",
        )
        .or(Whole::<5, 3600>(120));
    let base_url = r
        .key::<String>("model.base_url", "its address")
        .env("ANTHROPIC_BASE_URL")
        .under(
            "A local server or a gateway that speaks the Messages API needs its profile. A profile \
             also reads the context length from the server and keeps requests below it; usage that \
             the server leaves out is estimated. `jarvis model check` shows what works:",
        )
        .optional("\"http://127.0.0.1:11434\"");
    let profile = r
        .key(
            "model.profile",
            "strict for the vendor; ollama, llama.cpp, vllm, lm-studio, litellm; lenient for others",
        )
        .env("JARVIS_MODEL_PROFILE")
        .or(ModelProfile::Strict);
    let auth = r
        .key(
            "model.auth",
            "header that carries the key, x-api-key or bearer",
        )
        .env("JARVIS_MODEL_AUTH")
        .or(AuthHeader::ApiKey);
    let models = r.table(
        "models",
        "Limits and prices of models that are missing or wrong in the built-in table. Prices are in \
         millionths of a US dollar per million tokens.",
        "[models.\"my-model\"]\n\
         context_window = 32768\n\
         prices = [{ input = 0, output = 0, cache_read = 0 }]",
    );
    if let Some(url) = &base_url
        && !is_web_address(url)
    {
        r.refuse(&url.source, texts::config::BASE_URL_IS_NO_ADDRESS);
    }
    ModelSettings {
        key: key.map(|key| key.value),
        base_url,
        id: id.map(|id| id.value),
        offered: offered.map(|offered| offered.value),
        title_model: title_model.map(|model| model.value),
        models,
        max_tokens: max_tokens.0,
        auth: *auth,
        profile: *profile,
        idle_seconds: idle_seconds.0,
    }
}
