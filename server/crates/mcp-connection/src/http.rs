//! Streamable HTTP.

use std::{collections::HashMap, path::Path, sync::Arc, time::Duration};

use pinned_trust::{CertificateSha256, PinnedTrust};
use reqwest::{
    Client,
    header::{HeaderName, HeaderValue},
    redirect::Policy,
};
use rmcp::transport::{
    StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
};
use tokio_util::sync::CancellationToken;

use crate::{
    sign_in::{
        OauthSettings, OauthSignIn, SignInFault,
        address::{AddressRules, RuledResolver},
    },
    signed_client::SignedClient,
    texts,
};

const CONNECT: Duration = Duration::from_secs(10);
/// Bytes of an error's text that are read.
const MAX_ERROR: usize = 1024;

/// A server behind an address.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    url: String,
    header: Option<SecretHeader>,
    client: Client,
    sign_in: Option<Arc<OauthSignIn>>,
}

/// A header that signs in. Its value is in no debug output.
#[derive(Debug, Clone)]
pub struct SecretHeader {
    name: HeaderName,
    value: HeaderValue,
}

impl SecretHeader {
    /// None if it can be no header.
    pub fn parse(name: &str, value: &str) -> Option<Self> {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        let mut value = HeaderValue::from_str(value).ok()?;
        value.set_sensitive(true);
        Some(Self { name, value })
    }
}

/// The reason why a server's address cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HttpFault {
    #[error("{}", texts::certificates(.0))]
    Trust(#[from] pinned_trust::PinnedTrustError),
    #[error("{}", texts::client(.0))]
    Client(#[from] reqwest::Error),
    #[error(transparent)]
    SignIn(#[from] SignInFault),
}

impl HttpSettings {
    /// # Errors
    /// The CA file cannot be used.
    pub fn new(
        url: &str,
        header: Option<SecretHeader>,
        pins: Vec<CertificateSha256>,
        ca_file: Option<&Path>,
    ) -> Result<Self, HttpFault> {
        Ok(Self {
            url: url.to_owned(),
            header,
            client: client(pins, ca_file, None)?,
            sign_in: None,
        })
    }

    /// The same server, with a sign-in.
    ///
    /// # Errors
    /// An address has no TLS, or the CA file of the authorization server cannot be used.
    pub fn with_sign_in(mut self, oauth: OauthSettings) -> Result<Self, HttpFault> {
        let (resource, rules) = OauthSignIn::rules(&self.url, &oauth)?;
        let to_issuer = client(Vec::new(), oauth.ca_file.as_deref(), Some(rules.clone()))?;
        let to_server = self.client.clone();
        let sign_in = OauthSignIn::new(&self.url, resource, oauth, rules, to_server, to_issuer);
        self.sign_in = Some(Arc::new(sign_in));
        Ok(self)
    }

    pub(crate) fn sign_in(&self) -> Option<&OauthSignIn> {
        self.sign_in.as_deref()
    }

    /// A new connection's transport. `given_up` ends the requests of its start.
    pub(crate) fn transport(
        &self,
        message_bytes: usize,
        given_up: CancellationToken,
    ) -> StreamableHttpClientTransport<SignedClient> {
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .max_sse_event_size(message_bytes)
            .max_json_response_size(message_bytes)
            .max_error_response_size(MAX_ERROR)
            // It would send a call again, which the server may have carried out.
            .reinit_on_expired_session(false);
        if let Some(header) = &self.header {
            let headers = HashMap::from([(header.name.clone(), header.value.clone())]);
            config = config.custom_headers(headers);
        }
        let client = SignedClient {
            client: self.client.clone(),
            sign_in: self.sign_in.clone(),
            given_up,
        };
        StreamableHttpClientTransport::with_client(client, config)
    }
}

/// A client with this trust, which resolves names by the rules if there are any.
fn client(
    pins: Vec<CertificateSha256>,
    ca_file: Option<&Path>,
    rules: Option<AddressRules>,
) -> Result<Client, HttpFault> {
    let tls = PinnedTrust::of(pins, ca_file).client_config()?;
    let builder = Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(concat!("jarvis/", env!("CARGO_PKG_VERSION")))
        // Another address would get what was meant for this one, and may be one that only this
        // machine reaches.
        .redirect(Policy::none())
        // A call that was sent once may have had its effect.
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT);
    let builder = match rules {
        Some(rules) => builder.dns_resolver(RuledResolver(rules)),
        None => builder,
    };
    Ok(builder.build()?)
}
