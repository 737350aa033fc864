//! Connection to Proxmox VE: endpoints with failover, sign-in, bounded concurrency.

mod endpoint;
mod response;
mod session;
mod tls;

use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::sync::Semaphore;

use self::{
    endpoint::EndpointState,
    session::{ApiSession, SignIn},
};
use crate::{
    Config, HomelabError,
    error::{ProxmoxError, WriteError},
};

/// Client that reads and writes through any of the cluster's endpoints.
#[derive(Debug)]
pub(crate) struct Client {
    endpoints: Endpoints,
    session: ApiSession,
}

#[derive(Debug)]
struct Endpoints {
    all: Vec<EndpointState>,
    /// Index of the endpoint that answered last.
    preferred: AtomicUsize,
    permits: Semaphore,
}

impl Client {
    /// Checks the configuration and builds the client; makes no request.
    pub(crate) fn new(config: &Config) -> Result<Self, HomelabError> {
        config.check()?;
        let all = config
            .endpoints
            .iter()
            .map(|endpoint| EndpointState::new(endpoint, config))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            endpoints: Endpoints {
                all,
                preferred: AtomicUsize::new(0),
                permits: Semaphore::new(config.max_concurrent_requests),
            },
            session: ApiSession::new(config.credentials()?),
        })
    }

    /// Reads a path below `/api2/json`; returns the `data` of the answer.
    pub(crate) async fn get(
        &self,
        path: &[&str],
        query: &[(&str, String)],
    ) -> Result<Value, ProxmoxError> {
        let mut again = false;
        loop {
            let authorisation = self.session.authorise(&self.endpoints).await?;
            let result = self
                .endpoints
                .get(path, query, &authorisation.headers)
                .await;
            match result {
                Err(ProxmoxError::Unauthorised { .. })
                    if !again && self.session.renew(&authorisation).await =>
                {
                    again = true;
                }
                Err(error @ ProxmoxError::Unauthorised { .. }) => {
                    return Err(self.session.give_up(&authorisation, error).await);
                }
                other => return other,
            }
        }
    }

    /// Posts a change exactly once; returns the `data` of the answer.
    pub(crate) async fn write(
        &self,
        path: &[&str],
        form: &[(&str, &str)],
    ) -> Result<Value, WriteError> {
        let authorisation = self
            .session
            .authorise(&self.endpoints)
            .await
            .map_err(WriteError::Refused)?;
        let headers = authorisation.for_writes();
        match self.endpoints.write(path, form, &headers).await {
            // Never resent, although a 401 changed nothing; the next write signs in.
            Err(WriteError::Refused(error @ ProxmoxError::Unauthorised { .. })) => {
                let error = if self.session.renew(&authorisation).await {
                    error
                } else {
                    self.session.give_up(&authorisation, error).await
                };
                Err(WriteError::Refused(error))
            }
            other => other,
        }
    }

    /// The caller as written in UPIDs: `user@realm` or `user@realm!token`.
    pub(crate) fn caller(&self) -> &str {
        self.session.caller()
    }
}

impl Endpoints {
    async fn get(
        &self,
        path: &[&str],
        query: &[(&str, String)],
        headers: &HeaderMap,
    ) -> Result<Value, ProxmoxError> {
        self.first_answer(|endpoint| endpoint.get(path, query, headers.clone()))
            .await
    }

    /// Sends to the endpoint that answered last. Another one is tried only if no connection was
    /// made, so that nothing was sent.
    async fn write(
        &self,
        path: &[&str],
        form: &[(&str, &str)],
        headers: &HeaderMap,
    ) -> Result<Value, WriteError> {
        let start = self.preferred.load(Ordering::Relaxed);
        let mut failure = None;
        for offset in 0..self.all.len() {
            let index = (start + offset) % self.all.len();
            let _permit = self.permits.acquire().await;
            match self.all[index].write(path, form, headers.clone()).await {
                Err(WriteError::Refused(
                    error @ (ProxmoxError::Unreachable { .. } | ProxmoxError::Untrusted { .. }),
                )) => {
                    tracing::debug!(index, %error, "endpoint took no write");
                    let graver = matches!(error, ProxmoxError::Untrusted { .. });
                    if failure.is_none() || graver {
                        failure = Some(error);
                    }
                }
                answered => return answered,
            }
        }
        Err(WriteError::Refused(failure.unwrap_or_else(no_endpoint)))
    }

    /// Tries each endpoint, beginning with the one that answered last. Only for idempotent
    /// requests.
    async fn first_answer<'a, F>(
        &'a self,
        ask: impl Fn(&'a EndpointState) -> F,
    ) -> Result<Value, ProxmoxError>
    where
        F: Future<Output = Result<Value, ProxmoxError>>,
    {
        let start = self.preferred.load(Ordering::Relaxed);
        let mut failure: Option<ProxmoxError> = None;
        for offset in 0..self.all.len() {
            let index = (start + offset) % self.all.len();
            let result = {
                let _permit = self.permits.acquire().await;
                ask(&self.all[index]).await
            };
            match result {
                Err(error) if error.another_endpoint_may_answer() => {
                    tracing::debug!(index, %error, "endpoint did not answer");
                    // An error that needs a person must not hide behind a node that is off.
                    let graver = matches!(error, ProxmoxError::Untrusted { .. });
                    if failure.is_none() || graver {
                        failure = Some(error);
                    }
                }
                answered => {
                    self.preferred.store(index, Ordering::Relaxed);
                    return answered;
                }
            }
        }
        Err(failure.unwrap_or_else(no_endpoint))
    }
}

fn no_endpoint() -> ProxmoxError {
    ProxmoxError::Unreachable {
        endpoint: "Proxmox".to_owned(),
        message: "no endpoint".to_owned(),
    }
}

impl SignIn for Endpoints {
    async fn probe(&self, headers: HeaderMap) -> Result<(), ProxmoxError> {
        self.get(&["version"], &[], &headers).await.map(drop)
    }

    async fn ticket(&self, username: &str, password: &str) -> Result<Value, ProxmoxError> {
        let form = [("username", username), ("password", password)];
        self.first_answer(
            |endpoint| async move { endpoint.post(&["access", "ticket"], &form).await },
        )
        .await
    }
}

#[cfg(test)]
mod tests;
