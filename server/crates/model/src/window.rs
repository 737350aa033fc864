//! The context length that a local server runs a model with, read from the place where its kind of
//! server states it. Everything in the answer is untrusted.

use std::ops::RangeInclusive;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::Client;
use crate::client_state::{ClientState, LearnedWindow, read_some};
use crate::profile::WindowSource;

/// The longest wait for a statement.
const PATIENCE: Duration = Duration::from_secs(3);
/// Time for which the statement about a loaded model is used.
const FRESH: Duration = Duration::from_secs(300);
/// Time after which a server that stated nothing is asked again.
const RETRY: Duration = Duration::from_secs(60);
const MAX_BYTES: usize = 4 << 20;
/// Context lengths that can be true.
const PLAUSIBLE: RangeInclusive<u64> = 512..=100_000_000;

/// A context length as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StatedWindow {
    tokens: u64,
    /// False for the most that the model can, which may be more than it will be loaded with.
    loaded: bool,
}

impl Client {
    /// Reads the context length of a model from a local server, if that is due, and returns what is
    /// known of it.
    pub async fn context_window(&self, model: &str) -> Option<u64> {
        self.inner.learn_window(model).await;
        self.model(model)?.context_window
    }
}

impl ClientState {
    /// Reads the context length of a model from its server, if its kind of server states one and
    /// that is due.
    pub(crate) async fn learn_window(&self, model: &str) {
        let Some(source) = self.profile.window else {
            return;
        };
        let is_fresh = {
            let windows = self.windows.read().unwrap_or_else(PoisonError::into_inner);
            windows
                .get(model)
                .is_some_and(|known| known.at.elapsed() < known.lasts)
        };
        if is_fresh {
            return;
        }
        let stated = self.stated_window(source, model).await;
        let stated = stated.filter(|stated| PLAUSIBLE.contains(&stated.tokens));
        let lasts = match stated {
            Some(StatedWindow { loaded: true, .. }) => FRESH,
            Some(_) => Duration::ZERO,
            None => {
                tracing::warn!("the model's server states no context length");
                RETRY
            }
        };
        let learned = LearnedWindow {
            tokens: stated.map(|stated| stated.tokens),
            at: Instant::now(),
            lasts,
        };
        let mut windows = self.windows.write().unwrap_or_else(PoisonError::into_inner);
        windows.insert(model.to_owned(), learned);
    }

    async fn stated_window(&self, source: WindowSource, model: &str) -> Option<StatedWindow> {
        match source {
            WindowSource::Ollama => {
                if let Some(loaded) = self.loaded_by_ollama(model).await {
                    return Some(loaded);
                }
                // Its length is decided when it is loaded, which the request has to wait for anyway.
                // A request without a prompt loads it.
                let load = json!({ "model": model, "stream": false });
                let load = self.post_json("api/generate", &load);
                self.json(load, self.first_byte_timeout).await;
                if let Some(loaded) = self.loaded_by_ollama(model).await {
                    return Some(loaded);
                }
                let show = self.post_json("api/show", &json!({ "model": model }));
                of_ollama_show(&self.json(show, PATIENCE).await?)
            }
            WindowSource::LlamaCpp => of_llama_cpp(&self.json(self.get("props"), PATIENCE).await?),
            WindowSource::Vllm => {
                of_vllm(&self.json(self.get("v1/models"), PATIENCE).await?, model)
            }
            WindowSource::LmStudio => of_lm_studio(
                &self.json(self.get("api/v0/models"), PATIENCE).await?,
                model,
            ),
            WindowSource::LiteLlm => {
                of_lite_llm(&self.json(self.get("model/info"), PATIENCE).await?, model)
            }
        }
    }

    async fn loaded_by_ollama(&self, model: &str) -> Option<StatedWindow> {
        of_ollama_ps(&self.json(self.get("api/ps"), PATIENCE).await?, model)
    }

    /// The JSON of a good answer that comes in time.
    async fn json(&self, request: RequestBuilder, patience: Duration) -> Option<Value> {
        let read = async {
            let response = self.attempt(request).await.ok()?;
            serde_json::from_str::<Value>(&read_some(response, MAX_BYTES).await).ok()
        };
        tokio::time::timeout(patience, read).await.ok().flatten()
    }
}

fn loaded(tokens: &Value) -> Option<StatedWindow> {
    let tokens = tokens.as_u64()?;
    Some(StatedWindow {
        tokens,
        loaded: true,
    })
}

fn possible(tokens: u64) -> StatedWindow {
    StatedWindow {
        tokens,
        loaded: false,
    }
}

/// The entry of a model in a list. A name without a tag means the newest.
fn listed<'a>(list: &'a Value, model: &str) -> Option<&'a Value> {
    list.as_array()?.iter().find(|entry| {
        ["id", "name", "model", "model_name"].iter().any(|field| {
            let name = entry[*field].as_str().unwrap_or_default();
            name == model || name.strip_suffix(":latest") == Some(model)
        })
    })
}

fn of_ollama_ps(answer: &Value, model: &str) -> Option<StatedWindow> {
    loaded(&listed(&answer["models"], model)?["context_length"])
}

fn of_ollama_show(answer: &Value) -> Option<StatedWindow> {
    let chosen = answer["parameters"].as_str().and_then(|parameters| {
        parameters.lines().find_map(|line| {
            line.trim()
                .strip_prefix("num_ctx ")?
                .trim()
                .parse::<u64>()
                .ok()
        })
    });
    let most = answer["model_info"].as_object().and_then(|info| {
        info.iter()
            .find(|(name, _)| name.ends_with(".context_length"))
            .and_then(|(_, tokens)| tokens.as_u64())
    });
    let tokens: Option<u64> = chosen.into_iter().chain(most).min();
    tokens.map(possible)
}

fn of_llama_cpp(answer: &Value) -> Option<StatedWindow> {
    loaded(answer.pointer("/default_generation_settings/n_ctx")?)
}

fn of_vllm(answer: &Value, model: &str) -> Option<StatedWindow> {
    loaded(&listed(&answer["data"], model)?["max_model_len"])
}

fn of_lm_studio(answer: &Value, model: &str) -> Option<StatedWindow> {
    let entry = listed(&answer["data"], model)?;
    loaded(&entry["loaded_context_length"])
        .or_else(|| entry["max_context_length"].as_u64().map(possible))
}

fn of_lite_llm(answer: &Value, model: &str) -> Option<StatedWindow> {
    loaded(listed(&answer["data"], model)?.pointer("/model_info/max_input_tokens")?)
}

#[cfg(test)]
mod tests;
