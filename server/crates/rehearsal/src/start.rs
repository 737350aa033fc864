//! Start and shutdown of the server.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::serve::ListenerExt as _;
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

use crate::{
    clock::{Clock, SystemClock},
    ids::{Ids, random_key},
    pace::Pace,
    planner::Area,
    script::Script,
    server,
    shared::Shared,
};

/// Time allowed for open connections to end when the server stops.
const PATIENCE: Duration = Duration::from_secs(2);

/// Settings of the server.
#[derive(Clone)]
pub struct Options {
    /// Loopback address; port 0 picks a free port.
    pub listen: SocketAddr,
    pub pace: Pace,
    /// Enables `/control/…`, markers in the user's words, and the vendor's model ids.
    pub control: bool,
    /// Key that clients must send; a random one by default.
    pub key: Option<String>,
    pub clock: Arc<dyn Clock>,
    /// Example questions of the tools and rules of their own, which no request carries.
    pub areas: Vec<Area>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            pace: Pace::NATURAL,
            control: false,
            key: None,
            clock: Arc::new(SystemClock),
            areas: Vec::new(),
        }
    }
}

/// Reason that the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is not loopback.
    #[error("the rehearsal model listens on loopback only, not on {0}")]
    NotLoopback(SocketAddr),
    /// The key is not valid in a header.
    #[error("the key must be visible ASCII without spaces")]
    BadKey,
    /// The address is in use or unavailable.
    #[error("cannot listen on {addr}: {source}")]
    Listen {
        addr: SocketAddr,
        source: std::io::Error,
    },
}

/// A running server. Dropping it stops it.
pub struct Rehearsal {
    addr: SocketAddr,
    key: String,
    script: Script,
    areas: Vec<Area>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Starts the server.
///
/// # Errors
/// The address is not loopback or in use, or the key is not valid in a header.
pub async fn start(options: Options) -> Result<Rehearsal, Error> {
    let wanted = options.listen;
    if !wanted.ip().is_loopback() {
        return Err(Error::NotLoopback(wanted));
    }
    let key = options.key.unwrap_or_else(random_key);
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::BadKey);
    }
    let listen = |source| Error::Listen {
        addr: wanted,
        source,
    };
    let listener = TcpListener::bind(wanted).await.map_err(listen)?;
    let addr = listener.local_addr().map_err(listen)?;
    let (stop, stopped) = watch::channel(false);
    let script = Script::default();
    let router = server::router(Arc::new(Shared {
        key: key.clone(),
        pace: options.pace,
        control: options.control,
        clock: options.clock,
        script: script.clone(),
        areas: options.areas.clone(),
        stop: stopped.clone(),
        ids: Ids::new(),
        cache: Default::default(),
        made: Default::default(),
    }));
    // Small frames must not wait for an acknowledgement.
    let listener = listener.tap_io(|socket| {
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
    });
    let task = tokio::spawn(async move {
        let mut stopped = stopped;
        let graceful = axum::serve(listener, router).with_graceful_shutdown(async move {
            // An error means that the handle was dropped, which also stops it.
            stopped.wait_for(|stop| *stop).await.map(|_| ()).ok();
        });
        if let Err(error) = graceful.await {
            tracing::error!(%error, "the rehearsal model has stopped");
        }
    });
    Ok(Rehearsal {
        addr,
        key,
        script,
        areas: options.areas,
        stop,
        task,
    })
}

impl Rehearsal {
    /// The address it listens on.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The base URL for clients, instead of the vendor's; no trailing slash.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// The key that clients must send.
    pub fn api_key(&self) -> &str {
        &self.key
    }

    /// The handle that scripts answers and returns requests.
    pub fn script(&self) -> Script {
        self.script.clone()
    }

    /// The tools that it was told of.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// Ends all answers and stops.
    pub async fn shutdown(mut self) {
        self.stop.send_replace(true);
        if tokio::time::timeout(PATIENCE, &mut self.task)
            .await
            .is_err()
        {
            self.task.abort();
        }
    }
}
