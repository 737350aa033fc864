//! A live picture of a system, for pages that show it.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use serde_json::Value;

/// All parts of a board by their keys, such as `node/pve`.
pub type Picture = BTreeMap<String, Value>;

/// Shows a system as it is, while somebody looks.
#[async_trait]
pub trait Board: Send + Sync + 'static {
    /// Looks again and again, and shows what it sees. It never ends by itself; when nobody looks any
    /// more it is dropped, and later called again. It reads, and changes nothing.
    async fn watch(&self, screen: Screen);
}

/// Where a board shows what it sees.
#[derive(Clone)]
pub struct Screen(Arc<dyn Fn(Picture) + Send + Sync>);

impl Screen {
    /// A screen that hands pictures to `show`.
    pub fn new(show: impl Fn(Picture) + Send + Sync + 'static) -> Self {
        Self(Arc::new(show))
    }

    /// Shows a whole picture; what of it is the same as before costs nobody anything.
    pub fn show(&self, picture: Picture) {
        (self.0)(picture);
    }
}
