//! Sign-in to a server with OAuth 2 client credentials, by a secret or by a key that signs. The token is in memory
//! only, is sent to the configured address alone, and is renewed before its end and once after a refusal.

pub(crate) mod address;
mod assertion;
mod fault;
mod metadata;
mod texts;
mod token;

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use reqwest::{Client, Url};
use tokio::time::Instant;

pub use address::is_sign_in_address;
pub use assertion::ClientKey;
pub use fault::SignInFault;

use address::{AddressRules, shown};
use metadata::TokenDoor;
use token::ServerToken;

/// Pause after a failure. Requests in between fail with the same fault, so that nobody is asked in a loop.
const PAUSE: Duration = Duration::from_secs(15);

/// A client's registration with an authorization server.
#[derive(Debug, Clone)]
pub struct OauthSettings {
    pub client_id: String,
    pub credential: ClientCredential,
    /// Scopes with spaces between them. Without any, the authorization server chooses.
    pub scope: Option<String>,
    /// The authorization server. Without one, the server itself names it, which then has to be on its own host.
    pub issuer: Option<String>,
    /// The token endpoint, if it is not on the issuer's origin.
    pub token_endpoint: Option<String>,
    /// True if hosts that the configuration does not name may be in a private network or on this machine.
    pub private: bool,
    /// The CAs of the authorization server, if not the system's.
    pub ca_file: Option<PathBuf>,
}

/// The proof that a client is the registered one.
#[derive(Debug, Clone)]
pub enum ClientCredential {
    Secret(ClientSecret),
    /// Signs an assertion for each token.
    Key {
        key: ClientKey,
        /// The audience of the assertions, if it is not the issuer as its metadata states it.
        audience: Option<String>,
    },
}

/// The secret of a client. It is in no debug output.
#[derive(Clone)]
pub struct ClientSecret(String);

impl ClientSecret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(…)")
    }
}

/// The state of a sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInState {
    /// Nothing was asked yet.
    Pending,
    SignedIn {
        issuer: String,
        /// The granted scopes, if the authorization server states them.
        scope: Option<String>,
        /// The rest of the token's lifetime, if it has one.
        seconds_left: Option<u64>,
    },
    Failed(SignInFault),
}

/// The sign-in to one server.
pub(crate) struct OauthSignIn {
    settings: OauthSettings,
    /// The configured address, which is also the resource that tokens are for.
    address: String,
    resource: Url,
    rules: AddressRules,
    /// The server's own client, with the trust that is configured for it.
    to_server: Client,
    to_issuer: Client,
    held: tokio::sync::Mutex<HeldSignIn>,
    seen: Mutex<SeenSignIn>,
}

#[derive(Default)]
struct HeldSignIn {
    door: Option<TokenDoor>,
    token: Option<ServerToken>,
    failed: Option<(Instant, SignInFault)>,
}

impl HeldSignIn {
    /// The last failure, as long as nothing is tried again.
    fn pausing(&self, now: Instant) -> Option<SignInFault> {
        let (at, fault) = self.failed.as_ref()?;
        (now < *at + PAUSE).then(|| fault.clone())
    }
}

/// The parts of the state that are read without a wait.
#[derive(Default)]
struct SeenSignIn {
    issuer: Option<String>,
    scope: Option<String>,
    end: Option<Instant>,
    fault: Option<SignInFault>,
}

impl fmt::Debug for OauthSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("OauthSignIn");
        f.field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl OauthSignIn {
    /// The rules for a sign-in to this address, and the address as it is compared.
    pub(crate) fn rules(
        address: &str,
        settings: &OauthSettings,
    ) -> Result<(Url, AddressRules), SignInFault> {
        let mut configured = Vec::new();
        let others = [&settings.issuer, &settings.token_endpoint];
        let others = others.into_iter().flatten().map(String::as_str);
        for text in [address].into_iter().chain(others) {
            let url = Url::parse(text).ok().filter(|_| is_sign_in_address(text));
            configured.push(url.ok_or_else(|| SignInFault::AddressNotAllowed(shown(text)))?);
        }
        let rules = AddressRules::new(&configured, settings.private);
        Ok((configured.swap_remove(0), rules))
    }

    pub(crate) fn new(
        address: &str,
        resource: Url,
        settings: OauthSettings,
        rules: AddressRules,
        to_server: Client,
        to_issuer: Client,
    ) -> Self {
        Self {
            settings,
            address: address.to_owned(),
            resource,
            rules,
            to_server,
            to_issuer,
            held: tokio::sync::Mutex::default(),
            seen: Mutex::default(),
        }
    }

    /// True for the one address that gets tokens.
    pub(crate) fn is_for(&self, address: &str) -> bool {
        self.address == address
    }

    /// A token for a request.
    pub(crate) async fn token(&self) -> Result<Arc<str>, SignInFault> {
        let mut held = self.held.lock().await;
        let now = Instant::now();
        let usable = held.token.clone().filter(|token| !token.has_ended(now));
        let pausing = held.pausing(now);
        match (usable, pausing) {
            // One that is due for renewal is good to its end.
            (Some(token), pausing) if pausing.is_some() || !token.is_due(now) => Ok(token.value),
            (_, Some(fault)) => Err(self.failed(fault)),
            (usable, None) => {
                let renewed = self.renew(&mut held).await;
                match (renewed, usable) {
                    (Err(_), Some(token)) => Ok(token.value),
                    (renewed, _) => renewed,
                }
            }
        }
    }

    /// Another token than the one that the server has refused.
    pub(crate) async fn token_after(&self, refused: &str) -> Result<Arc<str>, SignInFault> {
        let mut held = self.held.lock().await;
        // Another request may have renewed it meanwhile.
        if let Some(token) = &held.token
            && &*token.value != refused
        {
            return Ok(Arc::clone(&token.value));
        }
        held.token = None;
        if let Some(fault) = held.pausing(Instant::now()) {
            return Err(self.failed(fault));
        }
        self.renew(&mut held).await
    }

    /// Takes in that the server has refused a new token as well.
    pub(crate) async fn refused_again(&self) -> SignInFault {
        let mut held = self.held.lock().await;
        held.token = None;
        held.failed = Some((Instant::now(), SignInFault::TokenRefused));
        self.failed(SignInFault::TokenRefused)
    }

    async fn renew(&self, held: &mut HeldSignIn) -> Result<Arc<str>, SignInFault> {
        match self.fetch(&mut held.door).await {
            Ok((issuer, token)) => {
                held.failed = None;
                self.seen(|seen| {
                    *seen = SeenSignIn {
                        issuer: Some(issuer),
                        scope: token.scope.as_deref().map(|it| self.masked(it)),
                        end: token.end(),
                        fault: None,
                    };
                });
                let value = Arc::clone(&token.value);
                held.token = Some(token);
                Ok(value)
            }
            Err(fault) => {
                // The metadata is read again: the endpoint may have moved.
                held.door = None;
                held.failed = Some((Instant::now(), fault.clone()));
                Err(self.failed(fault))
            }
        }
    }

    /// A stranger's words without the secret.
    fn masked(&self, words: &str) -> String {
        match &self.settings.credential {
            ClientCredential::Secret(secret) => words.replace(secret.expose(), "…"),
            // A key is sent to nobody, and an assertion is of no use a second time.
            ClientCredential::Key { .. } => words.to_owned(),
        }
    }

    async fn fetch(
        &self,
        known: &mut Option<TokenDoor>,
    ) -> Result<(String, ServerToken), SignInFault> {
        let door = match known.take() {
            Some(door) => door,
            None => self.discover().await?,
        };
        let token = token::fetch(&self.to_issuer, &door, &self.settings, &self.address).await?;
        let issuer = door.issuer.clone();
        *known = Some(door);
        Ok((issuer, token))
    }

    async fn discover(&self) -> Result<TokenDoor, SignInFault> {
        let issuer = match &self.settings.issuer {
            Some(issuer) => issuer.clone(),
            None => metadata::issuer_of(&self.to_server, &self.rules, &self.resource).await?,
        };
        metadata::door_of(&self.to_issuer, &self.rules, &issuer, &self.settings).await
    }

    /// Records a fault.
    pub(crate) fn failed(&self, fault: SignInFault) -> SignInFault {
        self.seen(|seen| seen.fault = Some(fault.clone()));
        fault
    }

    /// Takes in that the server has accepted a token.
    pub(crate) fn worked(&self) {
        self.seen(|seen| seen.fault = None);
    }

    /// The last fault, if nothing has worked since.
    pub(crate) fn fault(&self) -> Option<SignInFault> {
        self.seen(|seen| seen.fault.clone())
    }

    pub(crate) fn state(&self) -> SignInState {
        let now = Instant::now();
        self.seen(|seen| match (&seen.fault, &seen.issuer) {
            (Some(fault), _) => SignInState::Failed(fault.clone()),
            (None, None) => SignInState::Pending,
            (None, Some(issuer)) => SignInState::SignedIn {
                issuer: shown(issuer),
                scope: seen.scope.clone(),
                seconds_left: seen
                    .end
                    .map(|end| end.saturating_duration_since(now).as_secs()),
            },
        })
    }

    fn seen<T>(&self, work: impl FnOnce(&mut SeenSignIn) -> T) -> T {
        work(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
