//! The device's identity: its enrolment, and the key that is made on it and never leaves it.

use std::path::Path;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_package::{
    envelope::signed_bytes,
    hex,
    ids::{DeviceId, Fingerprint, SiteId},
    keys::{PublicSigningKey, SigningPair},
};
use serde::{Deserialize, Serialize};

use crate::{config::RunnerConfig, error::RunnerError, files};

/// The outcome of an enrolment. It is no secret; root owns the file, so that the launcher can trust it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnrolledIdentity {
    /// Address of the server.
    pub url: String,
    pub device: DeviceId,
    pub name: String,
    pub site: SiteId,
    /// Name of the server, which its packages carry.
    pub server: String,
    /// Fingerprint of the root key, from the enrolment token.
    pub root_key: Fingerprint,
    /// Fingerprint of the device's own key.
    pub key: Fingerprint,
}

impl EnrolledIdentity {
    const FILE: &str = "device.json";

    /// # Errors
    /// If the device is not enrolled, or the file is not readable.
    pub fn load(config: &RunnerConfig) -> Result<Self, RunnerError> {
        let path = config.settings.join(Self::FILE);
        let bytes = files::read(&path).map_err(RunnerError::file(&path))?;
        let bytes = bytes.ok_or(RunnerError::NotEnrolled)?;
        serde_json::from_slice(&bytes).map_err(|error| RunnerError::Config {
            path,
            reason: error.to_string(),
        })
    }

    pub(crate) fn save(&self, config: &RunnerConfig) -> Result<(), RunnerError> {
        let path = config.settings.join(Self::FILE);
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        files::replace(&path, &bytes, 0o644).map_err(RunnerError::file(path))
    }
}

/// The device's own key.
pub struct DeviceKey(SigningPair);

impl DeviceKey {
    const FILE: &str = "key";

    /// Reads the key, or makes it.
    ///
    /// # Errors
    /// If the file is damaged or can't be written.
    pub fn load_or_make(state: &Path) -> Result<Self, RunnerError> {
        let path = state.join(Self::FILE);
        if files::read(&path)
            .map_err(RunnerError::file(&path))?
            .is_none()
        {
            files::make_private_folder(state).map_err(RunnerError::file(state))?;
            let seed: [u8; 32] = rand::random();
            let text = hex::write(&seed);
            files::replace(&path, text.as_bytes(), 0o600).map_err(RunnerError::file(&path))?;
        }
        Self::load(state)
    }

    /// # Errors
    /// If there is none, or it is damaged.
    pub fn load(state: &Path) -> Result<Self, RunnerError> {
        let path = state.join(Self::FILE);
        let bytes = files::read(&path).map_err(RunnerError::file(&path))?;
        let bytes = bytes.ok_or(RunnerError::NotEnrolled)?;
        let seed = std::str::from_utf8(&bytes).ok().and_then(hex::read::<32>);
        let seed = seed.ok_or_else(|| RunnerError::File {
            path,
            source: std::io::ErrorKind::InvalidData.into(),
        })?;
        Ok(Self(SigningPair::from_seed(&seed)))
    }

    pub fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint()
    }

    pub(crate) fn public(&self) -> Result<String, RunnerError> {
        let public = self.0.public().map_err(|_| RunnerError::Answer("key"))?;
        Ok(PublicSigningKey::to_hex(&public))
    }

    /// Signature in base64 over parts that are joined by points, with the type of their use.
    pub(crate) fn sign(&self, kind: &str, parts: &[&str]) -> String {
        let message = signed_bytes(kind, parts.join(".").as_bytes());
        BASE64_STANDARD.encode(self.0.sign(&message))
    }
}
