//! The model that answers: the real one or the rehearsal model, and the one that writes titles.

use std::{sync::Arc, time::Duration};

use ::model::ThinkingSupport;
use anyhow::Context;
use axum::http::Uri;
use protocol::ModelStatus;

use crate::{
    config::{AuthHeader, Config, ModelProfile, RunSettings},
    texts,
};

/// Writes titles, unless the configuration names another: the fast one of the table.
const TITLE_MODEL: &str = "claude-haiku-5-5";
/// The model of new conversations, unless the configuration names another.
const DEFAULT_MODEL: &str = "claude-sonnet-5-5";

/// Time that a local server has to state its context length while this one starts.
const PATIENCE: Duration = Duration::from_secs(3);

/// Tokens of context below which a local model has no room for Jarvis's tools and a few results.
const SHORT: u64 = 16_384;

/// Returns the model that writes titles. What another server than the vendor's has is not known, and
/// a rehearsal that is directed by a script keeps to it.
pub(super) fn of_titles(config: &Config, rehearsal: bool) -> Option<String> {
    match config.model.title_model.as_deref() {
        Some("off") => None,
        // One of the vendor's models may be configured, for when there is a key.
        _ if rehearsal => (!config.rehearsal_control).then(|| rehearsal::FAST_MODEL.to_owned()),
        Some(model) => Some(model.to_owned()),
        None if config.model.base_url.is_some() => None,
        None => Some(TITLE_MODEL.to_owned()),
    }
}

/// Starts the model: the real one if there is a key or another base URL, else the rehearsal model.
pub(crate) async fn start(
    config: &Config,
    areas: Vec<rehearsal::Area>,
    notes: &mut Vec<String>,
) -> anyhow::Result<(::model::Client, ModelStatus, Option<rehearsal::Rehearsal>)> {
    let mut catalogue = config.model.models.clone();
    let mut client = ::model::ModelConfig {
        idle_timeout: Duration::from_secs(config.model.idle_seconds.into()),
        thinking_tokens: config.run.max_thinking_tokens,
        ..::model::ModelConfig::default()
    };
    let mut rehearsal = None;
    let id;
    if config.model.key.is_some() || config.model.base_url.is_some() {
        id = config
            .model
            .id
            .clone()
            .unwrap_or_else(|| DEFAULT_MODEL.to_owned());
        client.key = config
            .model
            .key
            .as_ref()
            .map(|key| ::model::ModelKey::new(key.reveal()))
            .transpose()?;
        if let Some(url) = &config.model.base_url {
            client.base_url.clone_from(url);
        }
        client.auth = match config.model.auth {
            AuthHeader::ApiKey => ::model::AuthStyle::XApiKey,
            AuthHeader::Bearer => ::model::AuthStyle::Bearer,
        };
        client.profile = match config.model.profile {
            ModelProfile::Strict => ::model::ProfileKind::Strict,
            ModelProfile::Lenient => ::model::ProfileKind::Lenient,
            ModelProfile::Ollama => ::model::ProfileKind::Ollama,
            ModelProfile::LlamaCpp => ::model::ProfileKind::LlamaCpp,
            ModelProfile::Vllm => ::model::ProfileKind::Vllm,
            ModelProfile::LmStudio => ::model::ProfileKind::LmStudio,
            ModelProfile::LiteLlm => ::model::ProfileKind::LiteLlm,
        };
        if client.profile.estimates_usage() {
            notes.push(texts::start::USAGE_MAY_BE_ESTIMATED.to_owned());
        }
    } else {
        let options = rehearsal::Options {
            pace: rehearsal::Pace {
                first_token_ms: config.rehearsal.first_token_ms.into(),
                tokens_per_second: config.rehearsal.tokens_per_second,
            },
            control: config.rehearsal_control,
            areas,
            ..rehearsal::Options::default()
        };
        let running = rehearsal::start(options)
            .await
            .context("the rehearsal model")?;
        id = rehearsal::MODEL.to_owned();
        client.base_url = running.base_url();
        client.key = Some(::model::ModelKey::new(running.api_key())?);
        for (id, _) in rehearsal::MODELS {
            let entry = catalogue.entry(id.to_owned());
            entry.or_insert_with(|| rehearsal_entry(id == rehearsal::MODEL));
        }
        notes.push(texts::start::rehearsal_model_answers(&running.base_url()));
        rehearsal = Some(running);
    }
    let client = ::model::Client::new(client, ::model::Catalogue::new(&catalogue))?;
    let entry = ::model::Catalogue::new(&catalogue);
    notes.extend(run_notes(&config.run, entry.get(&id)));
    // A server that is away must not delay the start: it is asked again with each question.
    let window = Box::pin(client.context_window(&id));
    let window = tokio::time::timeout(PATIENCE, window).await.ok().flatten();
    let known = entry.get(&id).and_then(|entry| entry.context_window);
    let status = ModelStatus {
        name: if rehearsal.is_some() {
            texts::start::REHEARSAL_MODEL.to_owned()
        } else {
            id.clone()
        },
        context_window: window.or(known),
        rehearsal: rehearsal.is_some(),
        id,
    };
    if client.estimates_usage()
        && let Some(window) = status.context_window.filter(|window| *window < SHORT)
    {
        notes.push(texts::start::context_is_short(window, SHORT));
    }
    Ok((client, status, rehearsal))
}

/// Returns the host that answers as the model, without a port.
pub(super) fn host(config: &Config, rehearsal: Option<&rehearsal::Rehearsal>) -> Option<Arc<str>> {
    let url = match (rehearsal, &config.model.base_url) {
        (Some(running), _) => running.base_url(),
        (None, Some(url)) => url.value.clone(),
        (None, None) => ::model::ModelConfig::default().base_url,
    };
    let url: Uri = url.parse().ok()?;
    let host = url.host()?;
    // An address of IPv6 has brackets in a URL alone.
    Some(host.trim_matches(['[', ']']).into())
}

/// The tokens of history above which a conversation drops its older half. A local server's context is
/// short, and a request that does not fit is not sent: half of it leaves room for the calls of a turn.
pub(super) fn history_tokens(client: &::model::Client, status: &ModelStatus) -> Option<u64> {
    let window = status.context_window.filter(|_| client.estimates_usage());
    window.map(|window| window / 2)
}

/// Notes on limits of this run that are kept in another way, or ignored.
fn run_notes(run: &RunSettings, model: Option<&::model::ModelEntry>) -> Vec<String> {
    let takes_number = model.and_then(|model| model.thinking) == Some(ThinkingSupport::Budget);
    let level = run.max_thinking_tokens.filter(|_| !takes_number);
    let level = level.map(|tokens| {
        let effort = ::model::effort_within(tokens);
        texts::start::thinking_is_limited_by_effort(tokens, effort)
    });
    let executable = run
        .ignores_executable
        .then(|| texts::start::NO_EXECUTABLE_IS_RUN.to_owned());
    level.into_iter().chain(executable).collect()
}

/// The rehearsal models cost nothing.
fn rehearsal_entry(smart: bool) -> ::model::ModelEntry {
    ::model::ModelEntry {
        context_window: Some(if smart { 200_000 } else { 100_000 }),
        effort: Some(smart),
        class: Some(if smart {
            protocol::ModelClass::Smart
        } else {
            protocol::ModelClass::Fast
        }),
        max_output: Some(64_000),
        prices: vec![::model::PriceBand {
            up_to_input: None,
            input: 0,
            output: 0,
            cache_read: Some(0),
            cache_write: Some(0),
        }],
        ..::model::ModelEntry::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_history_of_local_models_is_bound_by_their_context() {
        let status = ModelStatus {
            id: "qwen3".to_owned(),
            name: "qwen3".to_owned(),
            rehearsal: false,
            context_window: Some(32_768),
        };
        for (profile, expect) in [
            (::model::ProfileKind::Strict, None),
            (::model::ProfileKind::Lenient, None),
            (::model::ProfileKind::Ollama, Some(16_384)),
        ] {
            let config = ::model::ModelConfig {
                profile,
                ..::model::ModelConfig::default()
            };
            let client = ::model::Client::new(config, ::model::Catalogue::default()).unwrap();
            assert_eq!(history_tokens(&client, &status), expect, "{profile:?}");
        }
    }
}
