//! The offer of models: the ones that people may choose, and the facts about them.
//!
//! It refuses a model that is not on offer, one that has left the list, and a level of effort for a
//! model that is not known to have such a setting. Before there is a list, the vendor's own answer
//! decides.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use agent::ports::{Model, ModelError, ModelEvent, ModelRequest};
use futures::stream::BoxStream;
use model::{AvailableModel, Catalogue, ModelEntry, PriceBand};
use protocol::{
    Cost, ErrorBody, ErrorCode, ModelChoice, ModelClass, ModelMenu, ModelOption, ModelStatus, Usage,
};

use crate::texts;

/// Time for which the list of the model's server is cached.
const FRESH: Duration = Duration::from_secs(600);
/// The longest wait of a person for the list.
const PATIENCE: Duration = Duration::from_secs(5);

/// The models on offer.
#[derive(Clone)]
pub(crate) struct Offer(Arc<OfferState>);

struct OfferState {
    client: model::Client,
    /// The configured offer, beside the model of new conversations; none for every model.
    only: Option<Vec<String>>,
    /// Names of models that no list has.
    named: Vec<(&'static str, &'static str)>,
    listed: RwLock<Option<FetchedModels>>,
}

/// The list of the model's server, and its time.
struct FetchedModels {
    at: Instant,
    models: Vec<AvailableModel>,
}

impl Offer {
    /// Creates the offer. `only` is the configured one; `stand_in` is true for the rehearsal model.
    pub(crate) fn new(client: model::Client, only: Option<Vec<String>>, stand_in: bool) -> Self {
        let named = if stand_in {
            rehearsal::MODELS.to_vec()
        } else {
            Vec::new()
        };
        let only = if stand_in {
            Some(named.iter().map(|(id, _)| (*id).to_owned()).collect())
        } else {
            only
        };
        Self(Arc::new(OfferState {
            client,
            only,
            named,
            listed: RwLock::default(),
        }))
    }

    /// Returns the state of the model `id` of new conversations, beside the configured one.
    pub(crate) fn of_new(&self, id: String, configured: &ModelStatus) -> ModelStatus {
        let entry = self.entry(&id);
        if id == configured.id {
            // A local server states the length only once it is asked.
            let window = entry.and_then(|entry| entry.context_window);
            return ModelStatus {
                context_window: window.or(configured.context_window),
                ..configured.clone()
            };
        }
        ModelStatus {
            name: id.clone(),
            context_window: entry.and_then(|entry| entry.context_window),
            rehearsal: configured.rehearsal,
            id,
        }
    }

    /// Returns the models to choose from; `usual` is that of new conversations.
    pub(crate) async fn menu(&self, usual: &str) -> ModelMenu {
        let lack = if self.0.named.is_empty() {
            self.refresh().await
        } else {
            None
        };
        let listed = self.0.listed.read().unwrap_or_else(PoisonError::into_inner);
        let listed = listed.as_ref().map_or(&[][..], |listed| &listed.models);
        let mut ids: Vec<&str> = match &self.0.only {
            Some(only) => only.iter().map(String::as_str).collect(),
            None => listed.iter().map(|model| model.id.as_str()).collect(),
        };
        if !ids.contains(&usual) {
            ids.push(usual);
        }
        let mut models: Vec<_> = ids
            .into_iter()
            .filter_map(|id| {
                let known = listed.iter().find(|model| model.id == id);
                let gone = known.is_some_and(is_retired) || (known.is_none() && !listed.is_empty());
                (!gone || id == usual).then(|| self.option(id, known, id == usual))
            })
            .collect();
        // A stable sort: equal entries stay in the vendor's order.
        models.sort_by_key(|option| match (option.class, option.usual) {
            (Some(ModelClass::Smart), _) => 0,
            (Some(ModelClass::Fast), _) => 1,
            (_, true) => 2,
            _ => 3,
        });
        ModelMenu { models, lack }
    }

    /// Returns the facts about a model.
    pub(crate) fn entry(&self, id: &str) -> Option<ModelEntry> {
        self.0.client.model(id)
    }

    /// Returns whether token counts that the server leaves out are estimated.
    pub(crate) fn estimates_usage(&self) -> bool {
        self.0.client.estimates_usage()
    }

    fn option(&self, id: &str, known: Option<&AvailableModel>, usual: bool) -> ModelOption {
        let entry = self.entry(id).unwrap_or_default();
        let named = self.0.named.iter().find(|(named, _)| *named == id);
        let name = named.map(|(_, name)| (*name).to_owned());
        let name = name.or_else(|| known.and_then(|known| known.name.clone()));
        ModelOption {
            id: id.to_owned(),
            name: name.unwrap_or_else(|| id.to_owned()),
            class: entry.class,
            usual,
            window: entry.context_window,
            efforts: entry.effort == Some(true),
            price: price(&entry.prices),
            note: known.and_then(note).or_else(|| self.note_on_usage()),
        }
    }

    fn note_on_usage(&self) -> Option<String> {
        self.estimates_usage()
            .then(|| texts::models::TOKENS_MAY_BE_ESTIMATES.to_owned())
    }

    /// Requests the list from the model's server, if that is due. Returns the reason why there is
    /// none.
    async fn refresh(&self) -> Option<String> {
        let fresh = {
            let listed = self.0.listed.read().unwrap_or_else(PoisonError::into_inner);
            listed.as_ref().is_some_and(|it| it.at.elapsed() < FRESH)
        };
        if fresh {
            return None;
        }
        let why = match tokio::time::timeout(PATIENCE, self.0.client.models()).await {
            Ok(Ok(models)) => {
                let at = Instant::now();
                let mut listed = self
                    .0
                    .listed
                    .write()
                    .unwrap_or_else(PoisonError::into_inner);
                *listed = Some(FetchedModels { at, models });
                return None;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => texts::models::IT_DID_NOT_ANSWER_IN_TIME.to_owned(),
        };
        tracing::warn!(why, "the model's server gives no list of models");
        Some(texts::models::there_may_be_others(&why))
    }
}

impl Model for Offer {
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        self.0.client.ask(request)
    }

    fn offers(&self, choice: &ModelChoice, usual: &str) -> Result<Option<u64>, ErrorBody> {
        let id = choice.model.as_str();
        let sane = !id.is_empty() && id.len() <= 128 && id.chars().all(|c| c.is_ascii_graphic());
        let only = self.0.only.as_ref();
        let offered = only.is_none_or(|only| only.iter().any(|known| known == id));
        if !sane || !(offered || id == usual) {
            return Err(refused(
                ErrorCode::ModelNotOffered,
                texts::models::is_not_offered(&shown(id)),
            ));
        }
        let listed = self.0.listed.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(listed) = &*listed
            && id != usual
            && !listed
                .models
                .iter()
                .any(|known| known.id == id && !is_retired(known))
        {
            return Err(refused(
                ErrorCode::ModelNotFound,
                texts::models::is_gone(id),
            ));
        }
        let entry = self.entry(id).unwrap_or_default();
        if choice.effort.is_some() && entry.effort != Some(true) {
            return Err(refused(
                ErrorCode::EffortNotSupported,
                texts::models::has_no_effort_setting(id),
            ));
        }
        Ok(entry.context_window)
    }

    fn reads_images(&self, model: &str) -> Option<bool> {
        self.entry(model)?.images
    }

    fn cost(&self, model: &str, usage: &Usage) -> Option<Cost> {
        self.0.client.cost(model, usage)
    }
}

fn refused(code: ErrorCode, message: String) -> ErrorBody {
    ErrorBody::new(code, message).with_help(texts::models::CHOOSE_ANOTHER_MODEL)
}

/// Shortens an untrusted name to fit into a sentence.
fn shown(id: &str) -> String {
    let clean: String = id.chars().filter(char::is_ascii_graphic).take(64).collect();
    if clean.is_empty() {
        texts::models::WITHOUT_NAME.to_owned()
    } else {
        clean
    }
}

fn is_retired(model: &AvailableModel) -> bool {
    model.lifecycle.as_deref() == Some("retired")
}

/// Returns a note for a person who considers a model.
fn note(model: &AvailableModel) -> Option<String> {
    let state = model
        .lifecycle
        .as_deref()
        .filter(|state| *state != "active");
    let day = model.retires_at.as_deref().and_then(|at| at.get(..10));
    match (state, day) {
        (Some(state), Some(day)) => Some(texts::models::state_ends_on(&shown(state), &shown(day))),
        (Some(state), None) => Some(shown(state)),
        (None, Some(day)) => Some(texts::models::ends_on(&shown(day))),
        (None, None) => None,
    }
}

/// Formats a price in words; none if it is unknown.
fn price(bands: &[PriceBand]) -> Option<String> {
    let first = bands.first()?;
    if bands.len() == 1 && first.input == 0 && first.output == 0 {
        return Some(texts::models::COSTS_NOTHING.to_owned());
    }
    let from = if bands.len() > 1 { "from " } else { "" };
    Some(texts::models::price(
        from,
        &dollars(first.input),
        &dollars(first.output),
        Catalogue::AS_OF,
    ))
}

/// Formats millionths of a dollar: `$2`, `$0.10`.
fn dollars(micros: u64) -> String {
    match (micros / 1_000_000, micros / 10_000 % 100) {
        (whole, 0) => format!("${whole}"),
        (whole, cents) => format!("${whole}.{cents:02}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn client() -> model::Client {
        let catalogue = Catalogue::new(&BTreeMap::new());
        model::Client::new(model::ModelConfig::default(), catalogue).unwrap()
    }

    fn available(id: &str, lifecycle: &str) -> AvailableModel {
        AvailableModel {
            id: id.to_owned(),
            name: None,
            lifecycle: Some(lifecycle.to_owned()),
            retires_at: Some("2026-11-30T00:00:00Z".to_owned()),
            entry: ModelEntry::default(),
        }
    }

    fn listing(offer: &Offer, models: Vec<AvailableModel>) {
        let at = Instant::now();
        *offer.0.listed.write().unwrap() = Some(FetchedModels { at, models });
    }

    #[tokio::test]
    async fn the_smart_and_the_fast_one_come_first() {
        let offer = Offer::new(client(), None, false);
        listing(
            &offer,
            [
                "claude-sonnet-4-5",
                "claude-haiku-5-5",
                "claude-opus-5-5",
                "claude-sonnet-5-5",
                "old",
            ]
            .map(|id| available(id, if id == "old" { "retired" } else { "active" }))
            .to_vec(),
        );
        let menu = offer.menu("claude-sonnet-5-5").await;
        let ids: Vec<_> = menu.models.iter().map(|model| model.id.as_str()).collect();
        assert_eq!(
            ids,
            [
                "claude-opus-5-5",
                "claude-haiku-5-5",
                "claude-sonnet-5-5",
                "claude-sonnet-4-5"
            ]
        );
        assert_eq!(menu.lack, None);
        let fast = &menu.models[1];
        assert_eq!(
            fast.price.as_deref(),
            Some("from $0.10 in, $0.50 out for a million tokens of 2026-11")
        );
        assert!(menu.models[2].usual && fast.efforts);
        assert_eq!(fast.note.as_deref(), Some("ends on 2026-11-30"));
    }

    #[test]
    fn what_is_gone_or_not_offered_is_refused() {
        let choice = |model: &str, effort| ModelChoice {
            model: model.to_owned(),
            effort,
        };
        let effort = Some(protocol::Effort::High);
        let code = |offer: &Offer, choice: ModelChoice| {
            offer.offers(&choice, "usual").map_err(|error| error.code)
        };
        let all = Offer::new(client(), None, false);
        // Before there is a list, the vendor decides.
        assert_eq!(code(&all, choice("new-model", None)), Ok(None));
        assert_eq!(
            code(&all, choice("claude-opus-5-5", effort)),
            Ok(Some(1_000_000))
        );
        assert_eq!(
            code(&all, choice("claude-haiku-4-5", effort)),
            Err(ErrorCode::EffortNotSupported)
        );
        assert_eq!(
            code(&all, choice("two words", None)),
            Err(ErrorCode::ModelNotOffered)
        );
        listing(
            &all,
            vec![available("here", "active"), available("old", "retired")],
        );
        assert_eq!(code(&all, choice("here", None)), Ok(None));
        assert_eq!(
            code(&all, choice("old", None)),
            Err(ErrorCode::ModelNotFound)
        );
        assert_eq!(
            code(&all, choice("gone", None)),
            Err(ErrorCode::ModelNotFound)
        );
        assert_eq!(code(&all, choice("usual", None)), Ok(None));

        let some = Offer::new(client(), Some(vec!["here".to_owned()]), false);
        assert_eq!(code(&some, choice("here", None)), Ok(None));
        assert_eq!(code(&some, choice("usual", None)), Ok(None));
        assert_eq!(
            code(&some, choice("other", None)),
            Err(ErrorCode::ModelNotOffered)
        );

        let stand_in = Offer::new(client(), None, true);
        assert_eq!(code(&stand_in, choice(rehearsal::MODEL, None)), Ok(None));
        assert_eq!(
            code(&stand_in, choice("claude-opus-5-5", None)),
            Err(ErrorCode::ModelNotOffered)
        );
    }
}
