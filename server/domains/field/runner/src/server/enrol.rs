//! Enrolment: a token that is used once, and the root key that it names.

use field_package::{
    ids::{DeviceId, Fingerprint, SiteId},
    root::TrustedRoot,
};
use serde::Deserialize;
use serde_json::Value;

use super::{ApiClient, ApiRequest, LinkReport};
use crate::{
    clock::{HeardClock, WallClock},
    config::{LocalUser, RunnerConfig, is_root},
    error::RunnerError,
    files,
    identity::{DeviceKey, EnrolledIdentity},
    launch::VerifiedTime,
    roots::FIRST_FILE,
};

/// Type of what a device signs to enrol.
const ENROL_TYPE: &str = "application/vnd.jarvis.enrol";

/// The two parts of a token.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenParts {
    secret: String,
    root_key: Fingerprint,
}

#[derive(Deserialize)]
struct EnrolledMessage {
    device: DeviceId,
    name: String,
    site: SiteId,
    server: String,
    root: Value,
}

impl TokenParts {
    /// # Errors
    /// If the text has another form.
    pub fn read(text: &str) -> Result<Self, RunnerError> {
        let parts = text
            .trim()
            .strip_prefix("jarvis-enrol-1.")
            .and_then(|it| it.split_once('.'));
        let (secret, root_key) = parts.ok_or(RunnerError::Token)?;
        let is_plain = |it: u8| it.is_ascii_digit() || it.is_ascii_lowercase();
        if secret.len() != 32 || !secret.bytes().all(is_plain) {
            return Err(RunnerError::Token);
        }
        Ok(Self {
            secret: secret.to_owned(),
            root_key: Fingerprint::new(root_key).map_err(|_| RunnerError::Token)?,
        })
    }
}

/// Enrols this device, and writes its identity for runner and launcher.
///
/// # Errors
/// If it is enrolled already, the server refuses, or the server's root document is not signed by the root
/// key that the token names.
pub async fn enrol(
    config: &RunnerConfig,
    url: &str,
    token: &TokenParts,
    report: &LinkReport,
    wall: WallClock,
) -> Result<EnrolledIdentity, RunnerError> {
    if EnrolledIdentity::load(config).is_ok() {
        return Err(RunnerError::Enrolled);
    }
    let client = ApiClient::new(url, config.ca_file.as_deref())?;
    let key = DeviceKey::load_or_make(&config.state)?;
    let public = key.public()?;
    let body = serde_json::json!({
        "token": token.secret,
        "key": public,
        "proof": key.sign(ENROL_TYPE, &[&token.secret, &public]),
        "facts": report.facts,
        "capabilities": report.capabilities,
    });
    let mut clock = HeardClock::load(&config.state, wall)?;
    let answer = client.send(&ApiRequest::post("enrol", &body), None).await;
    let answer = answer.map_err(|error| clock.fault().unwrap_or(error))?;
    if let Some(time_ms) = answer.time_ms {
        clock.hear(time_ms)?;
    }
    let message: EnrolledMessage = answer.read()?;
    let root = message.root.to_string();
    TrustedRoot::enrol(root.as_bytes(), &token.root_key)?;
    let identity = EnrolledIdentity {
        url: url.to_owned(),
        device: message.device,
        name: message.name,
        site: message.site,
        server: message.server,
        root_key: token.root_key.clone(),
        key: key.fingerprint(),
    };
    let path = config.settings.join(FIRST_FILE);
    std::fs::create_dir_all(&config.settings).map_err(RunnerError::file(&config.settings))?;
    files::replace(&path, root.as_bytes(), 0o644).map_err(RunnerError::file(path))?;
    give_to_runner(config)?;
    // Root's own memory of the time begins with the server that the token's root key vouches for.
    files::make_private_folder(&config.fence).map_err(RunnerError::file(&config.fence))?;
    if let Some(now) = clock.now().server {
        VerifiedTime::load(&config.fence)?.raise(now)?;
    }
    // Last: with this file the device is enrolled.
    identity.save(config)?;
    Ok(identity)
}

/// Root enrols; the state is the runner's.
fn give_to_runner(config: &RunnerConfig) -> Result<(), RunnerError> {
    let Some(user) = LocalUser::find(&config.user).filter(|_| is_root()) else {
        return Ok(());
    };
    let give = |path: &std::path::Path| {
        std::os::unix::fs::chown(path, Some(user.uid), Some(user.gid))
            .map_err(RunnerError::file(path))
    };
    give(&config.state)?;
    let entries = std::fs::read_dir(&config.state).map_err(RunnerError::file(&config.state))?;
    for entry in entries.flatten() {
        give(&entry.path())?;
    }
    Ok(())
}
