//! The starting point of all cycles: the folder of a server that was started and stopped once.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, bail};
use erp::{Erp, ErpConfig, PersonKey};
use erp_tables::ErpTables;
use protocol::{Role, Timestamp, UserId};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::{LinkMaker, SettingsKind, Store, StoredSecret, User};
use tempfile::TempDir;

use crate::{
    process::{self, At, Server, Start, data_of},
    standins::StandIns,
};

/// The name of the second person.
pub(crate) const SECOND: &str = "Otto";
/// Sign-ins of the second person; each life of a server takes one.
const LINKS: usize = 8;

/// A data folder to copy.
pub(crate) struct Ground(TempDir);

impl Ground {
    /// Lets a server start for the first time. Its work then, such as importing the samples of the
    /// chart, is part of one scenario and need not be of all.
    pub(crate) async fn make(binary: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let stand_ins = StandIns::start(&[], None, None, None).await?;
        stand_ins.configure(folder.path())?;
        let environment = stand_ins.environment()?;
        let start = Server::start(binary, folder.path(), &environment, &At::Never).await?;
        let Start::Up(server) = start else {
            bail!(process::errors(folder.path()));
        };
        server.stop().await?;
        Ok(Self(folder))
    }

    /// The one in a folder that has a server's data.
    pub(crate) fn of(folder: TempDir) -> Self {
        Self(folder)
    }

    /// Copies it.
    pub(crate) fn copy(&self, to: &Path) -> anyhow::Result<()> {
        copy(&data_of(self.0.path()), &data_of(to)).context("the folder could not be copied")
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    for entry in fs::read_dir(from)? {
        let from = entry?.path();
        let name: PathBuf = from.file_name().into_iter().collect();
        if from.is_dir() {
            copy(&from, &to.join(name))?
        } else {
            fs::copy(&from, to.join(name)).map(drop)?
        }
    }
    Ok(())
}

/// Adds a second person to a folder, without whom nothing RED runs. Returns links that sign that
/// person in: nobody asks the first one for any.
pub(crate) async fn add_second(folder: &Path) -> anyhow::Result<Vec<String>> {
    let store = Store::open(&data_of(folder)).await?;
    let now = now();
    let user = User {
        id: UserId::new(now, rand::random()),
        name: SECOND.to_owned(),
        role: Role::Operator,
    };
    store.add_user(&user, "a test", Timestamp(0)).await?;
    let admin = admin(&store).await?;
    let policy = json!({ "second": { "scope": "all" } });
    let kind = SettingsKind::Policy;
    store.change_settings(kind, 0, policy, &admin, now).await?;
    let by = LinkMaker::server();
    let mut links = Vec::new();
    for number in 0..LINKS {
        let token = format!("link-{number}-of-{SECOND}");
        let secret = StoredSecret(Sha256::digest(token.as_bytes()).into());
        store
            .add_sign_in_link(secret, user.id, &by, Timestamp(0), Timestamp(i64::MAX))
            .await?;
        links.push(format!("/sign-in?token={token}"));
    }
    store.close().await?;
    Ok(links)
}

/// Keeps an own key of the first person, as the settings do: the company as the server and as the person
/// reach it.
pub(crate) async fn add_own_key(
    folder: &Path,
    companies: Option<[ErpConfig; 2]>,
) -> anyhow::Result<()> {
    let Some([server, own]) = companies else {
        return Ok(());
    };
    let store = Store::open(&data_of(folder)).await?;
    let tables = ErpTables::open(&store).await?;
    let erp = Erp::connect(server)?.with_person_keys(Arc::new(tables));
    let keys = erp.own_keys().context("no own keys")?;
    let (key, secret) = (own.api_key.as_str(), own.api_secret.expose());
    let account = keys.check(key, secret).await?;
    let key = PersonKey::new(key, secret, account);
    keys.keep(admin(&store).await?.id, key, now()).await?;
    store.close().await?;
    Ok(())
}

/// The first person.
async fn admin(store: &Store) -> anyhow::Result<User> {
    let accounts = store.accounts().await?.into_iter();
    let mut users = accounts.map(|it| it.user);
    users.find(|it| it.role == Role::Admin).context("no admin")
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default().as_millis();
    Timestamp(i64::try_from(since).unwrap_or(i64::MAX))
}
