//! A server in this process, on its own folder, with instant stand-ins.

use std::{
    future::Future,
    path::{Path, PathBuf},
    time::Duration,
};

use futures::future::join;
use protocol::{Role, Timestamp, UserId};
use rehearsal::Script;
use server::{
    Running,
    config::{Config, Flags},
    domains::sections,
};
use sha2::{Digest, Sha256};
use store::{LinkMaker, Store, StoredSecret, User};
use tempfile::TempDir;

use crate::{client::Browser, socket::hang_up};

/// No notices: most tests count events.
pub(crate) const QUIET: &str = "[notices]\nenabled = false\n";
/// Without the simulated field devices.
const NO_OFFICE: &str = "[field]\nsimulated = false\n";
/// Timeout: an event that has not happened by then never happens.
const PATIENCE: Duration = Duration::from_secs(40);

/// Waits for something that must happen.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(value) => value,
        Err(_) => panic!("{what}: has not happened in {PATIENCE:?}"),
    }
}

/// A folder for data, removed with the value.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The server's data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }
}

/// Adds a user to a folder where no server runs. Returns the path of a link that signs the user in.
pub(crate) async fn add_user(folder: &Folder, name: &str, role: Role) -> String {
    let store = Store::open(&folder.data()).await.unwrap();
    let user = User {
        id: UserId::new(Timestamp(1_700_000_000_000), rand::random()),
        name: name.to_owned(),
        role,
    };
    store.add_user(&user, "Test", Timestamp(0)).await.unwrap();
    let token = format!("link-of-{name}");
    let secret = StoredSecret(Sha256::digest(token.as_bytes()).into());
    store
        .add_sign_in_link(
            secret,
            user.id,
            &LinkMaker::server(),
            Timestamp(0),
            Timestamp(i64::MAX),
        )
        .await
        .unwrap();
    store.close().await.unwrap();
    format!("/sign-in?token={token}")
}

/// A running server. Its folder outlives it.
pub(crate) struct Server {
    running: Running,
}

impl Server {
    /// Starts on a folder.
    pub(crate) async fn start(folder: &Folder) -> Self {
        Self::start_with(folder, QUIET).await
    }

    /// Starts on a folder with more in its configuration.
    pub(crate) async fn start_with(folder: &Folder, more: &str) -> Self {
        Self::try_start(folder, more).await.unwrap()
    }

    /// The same, where it may fail.
    pub(crate) async fn try_start(folder: &Folder, more: &str) -> anyhow::Result<Self> {
        let flags = Flags {
            listen: Some("127.0.0.1:0".parse().unwrap()),
            data_dir: Some(folder.data()),
            rehearsal_control: true,
            ..Flags::default()
        };
        // The office goes on in the background, which only the tests of field devices want.
        let field = if more.contains("[field]") {
            ""
        } else {
            NO_OFFICE
        };
        let text =
            format!("[rehearsal]\ntokens_per_second = 0\nfirst_token_ms = 0\n{more}\n{field}");
        let config =
            Config::read(&flags, Path::new("jarvis.toml"), &text, [], &sections()).unwrap();
        let running = soon("the start", Box::pin(server::start(config, &[]))).await?;
        Ok(Self { running })
    }

    pub(crate) fn url(&self) -> &str {
        self.running.url()
    }

    /// Its listening address, whatever its public address is.
    pub(crate) fn address(&self) -> String {
        self.running.address().to_string()
    }

    /// Where it serves metrics.
    pub(crate) fn metrics_url(&self) -> String {
        format!("http://{}", self.running.metrics_address().unwrap())
    }

    /// The sign-in link that a start prints, if it does.
    pub(crate) fn printed_link(&self) -> Option<&str> {
        self.running.sign_in_link()
    }

    /// The link that a server prints while its admin has no password.
    pub(crate) fn link(&self) -> &str {
        self.running.sign_in_link().unwrap()
    }

    /// The routes that the domains have added.
    pub(crate) fn rights(&self) -> &[server::routes::RouteRight] {
        self.running.rights()
    }

    /// The script of the rehearsal model.
    pub(crate) fn script(&self) -> Script {
        self.running.rehearsal().unwrap().script()
    }

    /// The tools, as the rehearsal model was told of them.
    pub(crate) fn areas(&self) -> &[rehearsal::Area] {
        self.running.rehearsal().unwrap().areas()
    }

    /// The simulated cluster.
    pub(crate) fn simlab(&self) -> &simlab::Simlab {
        self.running.simulation().unwrap()
    }

    /// A simulated system.
    pub(crate) fn simulation<T: 'static>(&self) -> &T {
        self.running.simulation().unwrap()
    }

    /// A browser that has used the link.
    pub(crate) async fn sign_in(&self) -> Browser {
        Browser::sign_in(self.link()).await
    }

    /// Stops it. It says so on every socket first; a test reads that afterwards, if at all, so that the server
    /// would wait in vain, for a second each time, to be answered.
    pub(crate) async fn stop(self) {
        let address = self.address();
        let stop = Box::pin(self.running.stop());
        let (stopped, ()) = soon("the stop", join(stop, async { hang_up(&address) })).await;
        stopped.unwrap();
    }
}
