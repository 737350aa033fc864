//! FigureSet for Prometheus. All of them are recorded by two listeners, one on the journal's writes and
//! one around the model; the rest is read when somebody asks for the page.

mod figures;
mod journal;
mod known;
pub(crate) mod labels;
mod model;

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, Ordering},
    },
};

use prometheus_client::{encoding::text, registry::Registry};
use protocol::{CallId, Timestamp};

use figures::FigureSet;
pub(crate) use known::{of_server, outside_tools};
use labels::{DeliveryLabels, OTHER, SpanLabels, TargetLabels};
pub(crate) use model::MeasuredModel;

/// The most cards whose time of asking is kept.
const MOST_WAITS: usize = 4096;
/// The name of the model among the targets.
const MODEL: &str = "model";

/// The figures of a server. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Metrics(Arc<MetricsState>);

#[derive(Debug)]
struct MetricsState {
    registry: Registry,
    figures: FigureSet,
    /// Tools and models that have a label of their own; all others share one.
    tools: HashSet<Arc<str>>,
    models: HashSet<Arc<str>>,
    other: Arc<str>,
    /// Open cards, with the time of asking. Empty after a restart.
    waits: Mutex<HashMap<CallId, Timestamp>>,
    /// See [`Reachability`].
    model: AtomicU8,
}

/// The last that was heard of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reachability {
    Unknown = 0,
    Up = 1,
    Away = 2,
}

/// The figures that are read when somebody asks for them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gauges {
    pub(crate) waiting_confirmations: Option<i64>,
    pub(crate) sockets: usize,
    pub(crate) kill_switch: Option<bool>,
    /// Systems, with whether each answers; none if that is not known.
    pub(crate) systems: Vec<(&'static str, Option<bool>)>,
}

impl Metrics {
    /// Creates figures with these tools and models as labels.
    pub(crate) fn new<T, M>(
        tools: impl IntoIterator<Item = T>,
        models: impl IntoIterator<Item = M>,
    ) -> Self
    where
        T: Into<Arc<str>>,
        M: Into<Arc<str>>,
    {
        let mut registry = Registry::with_prefix("jarvis");
        let figures = FigureSet::register(&mut registry);
        let models: HashSet<Arc<str>> = models.into_iter().map(Into::into).collect();
        let other: Arc<str> = OTHER.into();
        figures.begin(models.iter().chain([&other]));
        Self(Arc::new(MetricsState {
            registry,
            figures,
            tools: tools.into_iter().map(Into::into).collect(),
            models,
            other,
            waits: Mutex::default(),
            model: AtomicU8::new(Reachability::Unknown as u8),
        }))
    }

    /// True if the model answered last time, or refused a request for what was in it; false if it could not be
    /// reached or failed; none before the first time.
    pub(crate) fn model_answers(&self) -> Option<bool> {
        match self.0.model.load(Ordering::Relaxed) {
            up if up == Reachability::Up as u8 => Some(true),
            away if away == Reachability::Away as u8 => Some(false),
            _ => None,
        }
    }

    /// Counts an attempt to deliver a message of a webhook, by its outcome, which is of a closed set.
    pub(crate) fn webhook(&self, outcome: &'static str) {
        let deliveries = &self.0.figures.webhook_deliveries;
        deliveries.get_or_create(&DeliveryLabels { outcome }).inc();
    }

    /// Counts spans of traces by their outcome, which is of a closed set.
    pub(crate) fn spans(&self, outcome: &'static str, count: u64) {
        let spans = &self.0.figures.spans;
        spans.get_or_create(&SpanLabels { outcome }).inc_by(count);
    }

    fn note_model(&self, reach: Reachability) {
        self.0.model.store(reach as u8, Ordering::Relaxed);
    }

    /// All figures as OpenMetrics text.
    ///
    /// # Errors
    /// A figure could not be formatted.
    pub(crate) fn page(&self, gauges: &Gauges) -> Result<String, std::fmt::Error> {
        let figures = &self.0.figures;
        // NaN is how Prometheus writes what is not known.
        let waiting = gauges.waiting_confirmations;
        let waiting = waiting.map_or(f64::NAN, |waiting| waiting as f64);
        figures.confirmations_open.set(waiting);
        let kill_switch = gauges.kill_switch.map(|on| f64::from(u8::from(on)));
        figures.kill_switch.set(kill_switch.unwrap_or(f64::NAN));
        let sockets = i64::try_from(gauges.sockets).unwrap_or(i64::MAX);
        figures.websockets.set(sockets);
        let systems = gauges.systems.iter().copied();
        for (target, answers) in systems.chain([(MODEL, self.model_answers())]) {
            let labels = TargetLabels { target };
            match answers {
                Some(answers) => {
                    let up = figures.upstream_up.get_or_create(&labels);
                    up.set(i64::from(answers));
                }
                None => {
                    figures.upstream_up.remove(&labels);
                }
            }
        }
        let mut page = String::new();
        text::encode(&mut page, &self.0.registry)?;
        Ok(page)
    }

    /// The label of a tool.
    pub(crate) fn tool(&self, name: &str) -> Arc<str> {
        self.known(&self.0.tools, name)
    }

    /// The label of a model.
    pub(crate) fn model(&self, id: &str) -> Arc<str> {
        self.known(&self.0.models, id)
    }

    /// The label of a name: whatever a model or a person makes up has one between them all.
    fn known(&self, names: &HashSet<Arc<str>>, name: &str) -> Arc<str> {
        let known = names.get(name).unwrap_or(&self.0.other);
        Arc::clone(known)
    }
}

#[cfg(test)]
mod tests;
