//! A live picture of a system, for pages that show it.
//!
//! A board gives whole pictures, parts by key; the hub sends the first one and then what changed.
//! What is in a part, only its toolset and the page that draws it know.

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
    /// Looks again and again, and shows what it sees. It never ends by itself; when nobody looks any
    /// more it is dropped, and later called again. It reads, and changes nothing.
    async fn watch(&self, screen: Screen);

    /// Whether it is to be watched also while nobody looks, for what a person should know of.
    fn is_guarded(&self) -> bool {
        false
    }

    /// What a picture of this board says of conditions. `known` are the keys of those that held
    /// before.
    fn survey(&self, _picture: &Picture, _known: &BTreeSet<String>, _now: Timestamp) -> Survey {
        Survey::default()
    }
}

/// Where a board shows what it sees.
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

    /// The same, with whether somebody looks at it.
    pub fn seen_by(
        looked_at: watch::Receiver<bool>,
        show: impl Fn(Picture) + Send + Sync + 'static,
    ) -> Self {
        Self {
            show: Arc::new(show),
            looked_at,
        }
    }

    /// Shows a whole picture; what of it is the same as before costs nobody anything.
    pub fn show(&self, picture: Picture) {
        (self.show)(picture);
    }

    /// Whether somebody looks. If not, a slow pace will do.
    pub fn is_looked_at(&self) -> bool {
        *self.looked_at.borrow()
    }

    /// Comes back when somebody begins to look, or nobody does any more.
    pub async fn looks_change(&mut self) {
        if self.looked_at.changed().await.is_err() {
            // Whoever told has gone, so nothing changes any more.
            std::future::pending::<()>().await;
        }
    }
}
