//! A live picture of a system, for pages that show it.
//!
//! A board gives whole pictures, parts by key; the hub sends the first one and then changes. Only
//! its toolset and the page that draws it know what is in a part.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_trait::async_trait;
use protocol::Timestamp;
use serde_json::Value;
use tokio::sync::watch;

use super::Survey;

/// All parts of a board by their keys, such as `node/pve`.
pub type Picture = BTreeMap<String, Value>;

/// Shows a system as it is, while somebody looks.
#[async_trait]
pub trait Board: Send + Sync + 'static {
    /// Looks again and again, and shows what it sees. It never returns; when nobody looks any
    /// longer it is dropped, and later called again. It reads, and changes nothing.
    async fn watch(&self, screen: Screen);

    /// True if it is to be watched also while nobody looks, for the conditions on it.
    fn is_guarded(&self) -> bool {
        false
    }

    /// True if the system answered when this picture was made; none if the picture does not say so.
    fn answers(&self, _picture: &Picture) -> Option<bool> {
        None
    }

    /// The conditions in a picture of this board. `known` are the keys of the conditions so far.
    fn survey(&self, _picture: &Picture, _known: &BTreeSet<String>, _now: Timestamp) -> Survey {
        Survey::default()
    }
}

/// The screen on which a board shows what it sees.
#[derive(Clone)]
pub struct Screen {
    show: Arc<dyn Fn(Picture) + Send + Sync>,
    looked_at: watch::Receiver<bool>,
}

impl Screen {
    /// A screen that hands pictures to `show`, and that somebody looks at.
    pub fn new(show: impl Fn(Picture) + Send + Sync + 'static) -> Self {
        Self::seen_by(watch::channel(true).1, show)
    }

    /// The same; `looked_at` is true while somebody looks at it.
    pub fn seen_by(
        looked_at: watch::Receiver<bool>,
        show: impl Fn(Picture) + Send + Sync + 'static,
    ) -> Self {
        Self {
            show: Arc::new(show),
            looked_at,
        }
    }

    /// Shows a whole picture; parts that are the same as before cost nothing.
    pub fn show(&self, picture: Picture) {
        (self.show)(picture);
    }

    /// True if somebody looks. If not, a slow pace will do.
    pub fn is_looked_at(&self) -> bool {
        *self.looked_at.borrow()
    }

    /// Returns when somebody begins to look, or nobody does any longer.
    pub async fn looks_change(&mut self) {
        if self.looked_at.changed().await.is_err() {
            // The sender is gone, so nothing changes any longer.
            std::future::pending::<()>().await;
        }
    }
}
