//! Start and shutdown of the simulated company.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::books::{SimBooks, SimErpProfile};
use crate::clock::{SimErpClock, SiteTime, SystemSimErpClock};
use crate::control::SimErpControl;
use crate::seed;
use crate::server::{self, SharedSite};
use crate::site::SimSite;
use crate::users::SimErpUser;

/// Reason that the simulated company did not start.
#[derive(Debug, thiserror::Error)]
pub enum SimErpError {
    /// The address is in use, or not local.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    /// A document of the history was refused: a mistake in the seed.
    #[error("cannot post the history: {0}")]
    History(String),
}

/// Settings of the simulated company.
#[derive(Clone)]
pub struct SimErpOptions {
    pub listen: SocketAddr,
    /// Seed of names, keys and history: with the same seed, clock and requests all answers are equal. So
    /// the keys are no secrets; listen on loopback only.
    pub seed: u64,
    pub clock: Arc<dyn SimErpClock>,
    pub profile: SimErpProfile,
}

impl Default for SimErpOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            seed: 1,
            clock: Arc::new(SystemSimErpClock),
            profile: SimErpProfile::default(),
        }
    }
}

/// A running company. Dropping it stops it; `shutdown` also waits for the end.
pub struct SimErp {
    address: SocketAddr,
    seed: u64,
    site: SharedSite,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl SimErp {
    /// Posts the history and serves the API until shut down or dropped.
    ///
    /// # Errors
    /// The address is in use, or the history cannot be posted.
    pub async fn start(options: SimErpOptions) -> Result<Self, SimErpError> {
        let address = options.listen;
        let failed = |source| SimErpError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let now = SiteTime::at(options.clock.now());
        let mut books = SimBooks::new(options.seed, now, options.profile);
        seed::fill(&mut books).map_err(SimErpError::History)?;
        let keys: BTreeMap<_, _> = SimErpUser::ALL
            .into_iter()
            .map(|user| (token(options.seed, user), user.email().to_owned()))
            .collect();
        let site = SharedSite::new(SimSite::new(books, options.clock, keys));
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(server::run(listener, site.clone(), stopped));
        Ok(Self {
            address,
            seed: options.seed,
            site,
            stop,
            task,
        })
    }

    /// The address of the API.
    pub fn addr(&self) -> SocketAddr {
        self.address
    }

    /// `http://HOST:PORT`, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A user's key and secret.
    pub fn key(&self, user: SimErpUser) -> (String, String) {
        key(self.seed, user)
    }

    /// A user's `KEY:SECRET`, for `Authorization: token KEY:SECRET`.
    pub fn token(&self, user: SimErpUser) -> String {
        token(self.seed, user)
    }

    /// A user's password, for sessions.
    pub fn password(&self, user: SimErpUser) -> String {
        format!("{}-password", user.email())
    }

    /// The control handle.
    pub fn control(&self) -> SimErpControl {
        SimErpControl::new(self.site.clone())
    }

    /// Stops listening and waits until the requests in flight have finished.
    pub async fn shutdown(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::debug!(%error, "the server of the simulated company ended early");
        }
    }
}

fn key(seed: u64, user: SimErpUser) -> (String, String) {
    let name = user.email();
    let part = |what: &str| crate::books::scattered(&format!("{seed} {name} {what}"));
    (
        format!("{}key", part("key")),
        format!("{}secret", part("secret")),
    )
}

fn token(seed: u64, user: SimErpUser) -> String {
    let (key, secret) = key(seed, user);
    format!("{key}:{secret}")
}
