//! State that all requests share.

use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use crate::{
    cache::Cache, clock::Clock, ids::Ids, pace::Pace, planner::Area, script::Script,
    validate::thinking::Made,
};

/// The server as each request sees it.
pub(crate) struct Shared {
    pub(crate) key: String,
    pub(crate) pace: Pace,
    pub(crate) control: bool,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) script: Script,
    pub(crate) stop: watch::Receiver<bool>,
    pub(crate) ids: Ids,
    pub(crate) cache: Mutex<Cache>,
    pub(crate) made: Mutex<Made>,
    pub(crate) areas: Vec<Area>,
}
