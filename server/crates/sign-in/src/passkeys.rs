//! The passkeys of one address.

use std::sync::Arc;

use protocol::Timestamp;
use store::StoredSecret;
use webauthn_rs::{
    Webauthn, WebauthnBuilder,
    prelude::{Url, WebauthnError},
};

use crate::{
    challenges::{Challenges, Half, Sealed, Waiting},
    texts,
};

/// The reason why a passkey failed.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// A message for the person.
    #[error("{0}")]
    Refused(&'static str),
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("the passkey library: {0}")]
    Library(#[from] WebauthnError),
    #[error("a passkey cannot be read or written: {0}")]
    Format(#[from] serde_json::Error),
}

const NOT_HERE: Trouble = Trouble::Refused(texts::PASSKEYS_NEED_A_HOST_NAME);

/// The passkeys of one address.
#[derive(Clone)]
pub struct Passkeys(Option<Arc<Parts>>);

pub(crate) struct Parts {
    pub(crate) webauthn: Webauthn,
    origin: String,
    /// Challenges of users who are known already, by a password or a session.
    pub(crate) waiting: Challenges<Waiting>,
    /// Challenges of strangers.
    pub(crate) sealed: Sealed,
}

impl Passkeys {
    /// Creates them for the address under which browsers reach the server. There are none at a
    /// numeric address, or one without TLS: browsers have no passkeys for such.
    pub fn new(url: &str) -> Self {
        let parts = Url::parse(url).ok().and_then(|url| {
            let name = url.domain()?;
            if url.scheme() != "https" && name != "localhost" {
                return None;
            }
            let webauthn = WebauthnBuilder::new(name, &url).ok()?.rp_name("Jarvis");
            Some(Arc::new(Parts {
                webauthn: webauthn.build().ok()?,
                origin: url.origin().ascii_serialization(),
                waiting: Challenges::default(),
                sealed: Sealed::default(),
            }))
        });
        Self(parts)
    }

    /// Returns the address at which passkeys work; none if they do not.
    pub(crate) fn origin(&self) -> Option<String> {
        self.0.as_ref().map(|parts| parts.origin.clone())
    }

    pub(crate) fn parts(&self) -> Result<&Parts, Trouble> {
        self.0.as_deref().ok_or(NOT_HERE)
    }
}

impl Parts {
    /// Stores a correct password until its passkey comes.
    pub(crate) fn keep_half(&self, browser: StoredSecret, half: Half, now: Timestamp) {
        let (end, owner) = (half.until, half.user.id);
        let waiting = Waiting::Half(half);
        self.waiting.put(browser, owner, waiting, end, now);
    }
}
