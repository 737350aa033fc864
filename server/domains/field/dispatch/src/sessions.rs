//! Sessions of devices: a challenge, its signature, and a token for a quarter of an hour. It needs no
//! clock on the device, and two runners with one key give themselves away.

use field_package::keys::PublicSigningKey;
use field_tables::{
    DeviceState, FieldDevice, FieldTablesError, JobFilter, JobState, NewDeviceSession,
    SessionCheck, SessionOpened,
};

use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::ids::{random_hex, secret_hash, session_token};
use crate::messages::{ChallengeAnswer, ChallengeMessage, OpenedSession, SessionMessage};
use crate::signatures::{SESSION_TYPE, is_hex, is_signed, is_word};
use crate::texts::devices as texts;

/// Milliseconds in which a challenge can be answered.
const CHALLENGE_MS: i64 = 60_000;
/// Seconds of a session.
const SESSION_S: u64 = 15 * 60;
/// Challenges of one device in a minute. Whoever knows its identifier can ask for them.
const CHALLENGES_A_MINUTE: u32 = 60;

/// A device that has proven who it is.
#[derive(Debug, Clone)]
pub struct DeviceSession {
    pub device: FieldDevice,
    token_hash: Vec<u8>,
}

impl DeviceSession {
    pub(crate) fn id(&self) -> &str {
        &self.device.id
    }

    pub(crate) fn token_hash(&self) -> &[u8] {
        &self.token_hash
    }

    /// # Errors
    /// The device is not adopted.
    pub(crate) fn adopted(&self) -> Result<(), DispatchRefusal> {
        match self.device.state {
            DeviceState::Adopted => Ok(()),
            state => Err(shut_out(state)),
        }
    }
}

impl Dispatch {
    /// Gives a device a challenge to sign. A stranger gets one as well, which nobody can answer.
    ///
    /// # Errors
    /// There were too many, or the database fails.
    pub async fn challenge(
        &self,
        message: &ChallengeMessage,
    ) -> Result<ChallengeAnswer, DispatchRefusal> {
        let now = self.now_ms();
        if message.device.len() > 40 {
            return Err(DispatchRefusal::member("device"));
        }
        let key = format!("challenge {}", message.device);
        self.0.rates.count(&key, CHALLENGES_A_MINUTE, now)?;
        let nonce = random_hex::<32>();
        let until = now + CHALLENGE_MS;
        match self
            .0
            .tables
            .challenge(&message.device, &nonce, until)
            .await
        {
            Ok(()) | Err(FieldTablesError::NotFound) => Ok(ChallengeAnswer { nonce }),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a session and ends the one before. The same answer to a challenge again gets the same
    /// token, for the first answer may have been lost.
    ///
    /// # Errors
    /// The device is unknown, suspended or retired, the signature is not of its key, or the challenge
    /// is over.
    pub async fn open_session(
        &self,
        message: &SessionMessage,
    ) -> Result<OpenedSession, DispatchRefusal> {
        if !is_word(&message.instance) {
            return Err(DispatchRefusal::member("instance"));
        }
        if !is_hex(&message.nonce, 32) {
            return Err(DispatchRefusal::member("nonce"));
        }
        let now = self.now_ms();
        let device = self.0.tables.device(&message.device).await?;
        let device = device.ok_or_else(key_unknown)?;
        if !self.is_answered(&device, message) {
            return Err(key_unknown());
        }
        let parts = [&*message.device, &*message.nonce, &*message.instance];
        let token = session_token(&self.0.session_secret, &parts);
        let new = NewDeviceSession {
            device: message.device.clone(),
            nonce: message.nonce.clone(),
            token_hash: secret_hash(&token),
            instance: message.instance.clone(),
            expires_ms: now + i64::try_from(SESSION_S * 1000).unwrap_or(i64::MAX),
        };
        let state = match self.0.tables.open_session(&new, now).await? {
            SessionOpened::Opened { returns: 0, .. } => device.state,
            SessionOpened::Opened { returns, .. } => {
                tracing::warn!(
                    device = device.id,
                    returns,
                    "two runners with the key of one device"
                );
                self.suspend_suspect(&device, texts::CLONE_REASON).await?;
                return Err(shut_out(DeviceState::Suspended));
            }
            SessionOpened::Refused(state) => return Err(shut_out(state)),
            SessionOpened::BadChallenge => self.opened_before(&token, now).await?,
        };
        // Who waits with the session before has to open a new one.
        self.0.waiting.ring(&device.id);
        Ok(OpenedSession {
            token,
            expires_s: SESSION_S,
            state: state.word(),
        })
    }

    fn is_answered(&self, device: &FieldDevice, message: &SessionMessage) -> bool {
        let key = std::str::from_utf8(&device.public_key).ok();
        let key = key.and_then(|text| PublicSigningKey::from_hex(text).ok());
        let server = self.0.settings.server.as_str();
        let parts = [
            &*message.device,
            &*message.nonce,
            &*message.instance,
            server,
        ];
        key.is_some_and(|key| is_signed(&key, SESSION_TYPE, &parts, &message.signature))
    }

    /// The device's state if this very session is open.
    async fn opened_before(&self, token: &str, now: i64) -> Result<DeviceState, DispatchRefusal> {
        match self.0.tables.session(&secret_hash(token), now).await? {
            SessionCheck::Live(device) => Ok(device.state),
            SessionCheck::Expired | SessionCheck::Ended | SessionCheck::Unknown => {
                let (class, text) = (RefusalClass::NoSession, texts::NO_CHALLENGE);
                Err(DispatchRefusal::new(
                    class,
                    "no_challenge",
                    text,
                    texts::NO_CHALLENGE_HELP,
                ))
            }
        }
    }

    /// Suspends a device that a person has to look at. One that was never adopted gets no work anyway.
    pub(crate) async fn suspend_suspect(
        &self,
        device: &FieldDevice,
        reason: &str,
    ) -> Result<(), DispatchRefusal> {
        let now = self.now_ms();
        self.0
            .tables
            .suspend_device(&device.id, reason, "server", now)
            .await?;
        self.changed(&device.id);
        Ok(())
    }

    /// The device of a token.
    ///
    /// # Errors
    /// The session is over or never was, or the device is retired.
    pub async fn authenticate(&self, token: &str) -> Result<DeviceSession, DispatchRefusal> {
        let token_hash = secret_hash(token);
        let device = self.live(&token_hash).await?;
        self.heard_of(&device.id);
        Ok(DeviceSession { device, token_hash })
    }

    /// The same session as it is now: it may have ended while the device waited.
    pub(crate) async fn still(
        &self,
        session: &DeviceSession,
    ) -> Result<DeviceSession, DispatchRefusal> {
        let device = self.live(&session.token_hash).await?;
        Ok(DeviceSession {
            device,
            token_hash: session.token_hash.clone(),
        })
    }

    async fn live(&self, token_hash: &[u8]) -> Result<FieldDevice, DispatchRefusal> {
        match self.0.tables.session(token_hash, self.now_ms()).await? {
            SessionCheck::Live(device) => {
                let may_speak = match device.state {
                    DeviceState::Waiting | DeviceState::Adopted => true,
                    // As little as one that waits: it hears that its run is cancelled, and says how it ended.
                    DeviceState::Suspended => self.runs_something(&device.id).await?,
                    DeviceState::Retired => false,
                };
                let state = device.state;
                may_speak.then_some(*device).ok_or_else(|| shut_out(state))
            }
            SessionCheck::Expired | SessionCheck::Ended | SessionCheck::Unknown => {
                Err(no_session())
            }
        }
    }

    async fn runs_something(&self, device: &str) -> Result<bool, DispatchRefusal> {
        let running = JobFilter {
            device: Some(device.to_owned()),
            states: vec![JobState::Running],
            ..JobFilter::default()
        };
        Ok(!self.0.tables.jobs(&running, 1).await?.is_empty())
    }
}

/// The refusal that makes a device open a new session, and say hello.
pub(crate) fn no_session() -> DispatchRefusal {
    let (class, help) = (RefusalClass::NoSession, texts::NO_SESSION_HELP);
    DispatchRefusal::new(class, "no_session", texts::NO_SESSION, help)
}

/// The refusal of a device that a person has to do something about.
pub(crate) fn shut_out(state: DeviceState) -> DispatchRefusal {
    let (code, text, help) = match state {
        DeviceState::Waiting => ("device_waiting", texts::WAITING, texts::WAITING_HELP),
        DeviceState::Adopted => ("device_adopted", texts::ADOPTED, texts::NOT_FOUND_HELP),
        DeviceState::Suspended => ("device_suspended", texts::SUSPENDED, texts::SUSPENDED_HELP),
        DeviceState::Retired => ("device_retired", texts::RETIRED, texts::RETIRED_HELP),
    };
    DispatchRefusal::new(RefusalClass::Forbidden, code, text, help)
}

fn key_unknown() -> DispatchRefusal {
    let class = RefusalClass::Forbidden;
    DispatchRefusal::new(
        class,
        "key_unknown",
        texts::KEY_UNKNOWN,
        texts::KEY_UNKNOWN_HELP,
    )
}
