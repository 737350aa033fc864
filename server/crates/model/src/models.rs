//! The models that the key can use.

use std::sync::PoisonError;

use agent::ports::{ModelError, ModelErrorKind};
use protocol::Usage;
use serde::Deserialize;

use crate::Client;
use crate::catalogue::{ModelEntry, ThinkingSupport};
use crate::client_state::read_some;
use crate::failure::Failure;
use crate::raw::string_or_nothing;
use crate::texts;

const MAX_PAGES: usize = 20;
const MAX_PAGE_BYTES: usize = 8 << 20;

/// A model that the key can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AvailableModel {
    pub id: String,
    /// For a person.
    pub name: Option<String>,
    /// Such as `active`, `deprecated` or `retired`.
    pub lifecycle: Option<String>,
    /// RFC 3339.
    pub retires_at: Option<String>,
    /// From the catalogue first, then from the vendor.
    pub entry: ModelEntry,
}

impl Client {
    /// Asks for the models that the key can use, in the vendor's order. Local servers may not have
    /// the list: then the error is [`ModelErrorKind::NotFound`]. Not retried.
    ///
    /// Facts in the list about models that the catalogue does not know are remembered.
    pub async fn models(&self) -> Result<Vec<AvailableModel>, ModelError> {
        let fail = |failure: Failure| failure.into_error(Vec::new(), Usage::default());
        let mut models = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let request = self.inner.models(after.as_deref());
            let response = self.inner.attempt(request).await.map_err(fail)?;
            let body = read_some(response, MAX_PAGE_BYTES).await;
            let page: ModelsPage = serde_json::from_str(&body).map_err(|_| ModelError {
                kind: ModelErrorKind::Protocol,
                message: texts::MALFORMED_LIST.to_owned(),
                status: None,
                request_id: None,
                partial: Vec::new(),
                usage: Usage::default(),
            })?;
            models.extend(page.data.into_iter().map(|listed| self.merged(listed)));
            after = page.last_id.filter(|_| page.has_more == Some(true));
            if after.is_none() {
                break;
            }
        }
        Ok(models)
    }

    fn merged(&self, listed: ListedModel) -> AvailableModel {
        let told = listed.entry();
        if !self.inner.is_in_catalogue(&listed.id) {
            let mut learned = self
                .inner
                .learned
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            learned.insert(listed.id.clone(), told.clone());
        }
        let entry = self.model(&listed.id).unwrap_or_default().or(&told);
        AvailableModel {
            id: listed.id,
            name: listed.display_name,
            lifecycle: listed.lifecycle,
            retires_at: listed.retires_at,
            entry,
        }
    }
}

#[derive(Deserialize)]
struct ModelsPage {
    data: Vec<ListedModel>,
    has_more: Option<bool>,
    #[serde(default, deserialize_with = "string_or_nothing")]
    last_id: Option<String>,
}

#[derive(Deserialize)]
struct ListedModel {
    id: String,
    #[serde(default, deserialize_with = "string_or_nothing")]
    display_name: Option<String>,
    #[serde(default, deserialize_with = "string_or_nothing")]
    lifecycle: Option<String>,
    #[serde(default, deserialize_with = "string_or_nothing")]
    retires_at: Option<String>,
    max_input_tokens: Option<u64>,
    max_tokens: Option<u32>,
    #[serde(default)]
    capabilities: serde_json::Value,
}

impl ListedModel {
    fn entry(&self) -> ModelEntry {
        let supported = |path: &str| {
            self.capabilities
                .pointer(path)
                .and_then(serde_json::Value::as_bool)
        };
        ModelEntry {
            context_window: self.max_input_tokens.filter(|tokens| *tokens > 0),
            max_output: self.max_tokens.filter(|tokens| *tokens > 0),
            prices: Vec::new(),
            thinking: supported("/thinking/types/adaptive/supported").map(|adaptive| {
                if adaptive {
                    ThinkingSupport::Adaptive
                } else {
                    ThinkingSupport::Unasked
                }
            }),
            effort: supported("/effort/supported"),
            images: supported("/image_input/supported"),
            class: None,
        }
    }
}
