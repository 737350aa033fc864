//! `jarvis sign-in-link`: a link for the operator of the server, with the server stopped or
//! running.

use std::net::SocketAddr;

use agent::ports::Env;
use anyhow::{Context, bail};
use protocol::Role;
use store::{LinkMaker, Store, same_name};

use crate::{config::Config, env::SystemEnv, texts};

/// Creates a link for a user, or for the first admin.
pub(crate) async fn make(config: &Config, user: Option<&str>) -> anyhow::Result<String> {
    if config.server.public_url.is_none() && config.server.listen.port() == 0 {
        bail!(texts::start::NAME_THE_PORT);
    }
    let store = Store::open_beside(&config.server.data_dir).await?;
    let accounts = store.accounts().await?;
    let mut users = accounts
        .into_iter()
        .filter(|account| account.disabled.is_none())
        .map(|account| account.user);
    let found = match user {
        Some(name) => users
            .find(|user| same_name(&user.name, name))
            .with_context(|| texts::start::no_such_user(name))?,
        None => users
            .find(|user| user.role == Role::Admin)
            .context(texts::start::NO_USER_YET)?,
    };
    let (token, secret) = sign_in::new_link();
    let now = SystemEnv.now();
    let expires = sign_in::link_expires(now);
    let by = LinkMaker::command_line();
    store
        .add_sign_in_link(secret, found.id, &by, now, expires)
        .await?;
    let link = address(&url(config, *config.server.listen), &token);
    store.close().await?;
    Ok(link)
}

/// Returns the address of a link.
pub(crate) fn address(url: &str, token: &str) -> String {
    format!("{url}/sign-in?token={token}")
}

/// Returns the address under which browsers reach a server that listens there, without a slash at
/// the end.
pub(crate) fn url(config: &Config, listen: SocketAddr) -> String {
    match &config.server.public_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => format!("{}://{listen}", scheme(config)),
    }
}

/// Returns the scheme of the server's own listener.
pub(crate) fn scheme(config: &Config) -> &'static str {
    if config.server.tls.is_some() {
        "https"
    } else {
        "http"
    }
}
