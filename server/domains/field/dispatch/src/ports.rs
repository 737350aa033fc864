//! The ports of the field toolset, on the dispatch and its tables.

mod administration;
mod bundles;
mod devices;
mod events;
mod export;
mod faults;
mod follow;
mod followers;
mod lists;
mod networks;
mod output;
mod programs;
mod proposals;
mod records;
mod results;
mod runs;
mod snapshot;
mod steps;
mod values;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, RwLock};

use async_trait::async_trait;
use field::field_package::policy::NamedDestinations;
use field::ports::{FieldFault, FieldFaultCode, FieldSnapshot};
use field_tables::{FieldTables, NewFieldSite};
use protocol::UserId;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::dispatch::Dispatch;

pub use self::export::{ExportedBundle, ExportedSection};
pub use self::follow::{OutputPiece, OutputPlace, OutputSince};
pub use self::followers::RunFollower;
use self::followers::SharedReads;
pub use self::lists::NewestFirst;
pub(crate) use self::networks::KnownNetworks;
use self::snapshot::SnapshotMemory;

/// The site of conversations that are about none. People do not see it.
pub(crate) const INSTALLATION: &str = "installation";

/// Everything about the installation that the ports need besides the dispatch.
pub struct BackendParts {
    pub rights: Arc<dyn LookRights>,
    /// Destinations that the configuration names.
    pub named: NamedDestinations,
    /// Names and addresses of this server, which no probe may reach.
    pub server_names: BTreeSet<String>,
}

/// The server's word on people: who may see hidden values and act on devices, and their names.
#[async_trait]
pub trait LookRights: Send + Sync + 'static {
    async fn may_see_values(&self, person: UserId) -> bool;

    /// The name of a person; none if it cannot be read.
    async fn name(&self, person: UserId) -> Option<String>;
}

/// The ports of the field toolset. One for each dispatch; share it behind an `Arc`.
pub struct FieldBackend {
    dispatch: Dispatch,
    parts: BackendParts,
    shown: watch::Sender<Arc<FieldSnapshot>>,
    networks: RwLock<HashMap<String, KnownNetworks>>,
    memory: Arc<tokio::sync::Mutex<SnapshotMemory>>,
    reads: SharedReads,
}

impl FieldBackend {
    /// Opens the ports and takes the first look at everything.
    ///
    /// # Errors
    /// The database fails.
    pub async fn open(dispatch: Dispatch, parts: BackendParts) -> Result<Arc<Self>, FieldFault> {
        let hidden = dispatch.0.tables.site(INSTALLATION).await;
        let hidden = hidden.map_err(faults::stored)?;
        if hidden.is_none() {
            let site = NewFieldSite {
                id: INSTALLATION.to_owned(),
                name: INSTALLATION.to_owned(),
                covers_public: true,
            };
            let made = dispatch.make_site(&site, "server").await;
            made.map_err(faults::fault(FieldFaultCode::Storage))?;
        }
        let backend = Arc::new(Self {
            dispatch,
            parts,
            shown: watch::Sender::new(Arc::default()),
            networks: RwLock::default(),
            memory: Arc::default(),
            reads: SharedReads::default(),
        });
        backend.look().await?;
        Ok(backend)
    }

    /// Keeps the snapshot up to date until the future is dropped.
    pub async fn follow(&self) {
        let mut changes = self.dispatch.changes();
        loop {
            let begun = Instant::now();
            if let Err(fault) = self.look().await {
                self.unread(&fault);
            }
            // Many changes are one look, and a large fleet is not looked at all the time.
            let pause = (9 * begun.elapsed()).clamp(snapshot::PAUSE, snapshot::LONGEST_PAUSE);
            tokio::time::sleep(pause).await;
            let changed = tokio::time::timeout(snapshot::LONGEST, changes.changed());
            if let Ok(Err(_)) = changed.await {
                return;
            }
        }
    }

    fn tables(&self) -> &FieldTables {
        &self.dispatch.0.tables
    }
}
