//! Acts of people on devices: enrolment, the standing of a device and what people say about it, and the
//! outcome of a run that nobody knows.

use async_trait::async_trait;
use protocol::{CallId, Timestamp, UserId};

use super::{CRITICAL, DeviceStanding, FieldFault, KnownDevice, METERED, RunResolution};

/// Everything that people do to devices, with a record of who did it. Whether they may has been decided
/// before; a change is seen in the snapshot once the act returns.
#[async_trait]
pub trait DeviceAdministration: Send + Sync + 'static {
    /// True if the role of a person lets them act on devices, as far as it can be read.
    async fn may_act(&self, person: UserId) -> bool;

    /// The name of a person; none if it cannot be read.
    async fn person_name(&self, person: UserId) -> Option<String>;

    /// Makes a one-time token for a new device, and its site if there is none yet. Only the hash of the
    /// token is stored, so it is in this answer and nowhere else.
    ///
    /// # Errors
    /// The site has too many open enrolments, or the storage fails.
    async fn issue(&self, wish: &EnrolmentWish) -> Result<IssuedToken, FieldFault>;

    /// The enrolment that a call made. None: it made none, and never will.
    async fn enrolment_of(&self, call: CallId) -> Result<Option<EnrolmentNote>, FieldFault>;

    /// An enrolment.
    async fn enrolment(&self, id: &str) -> Result<Option<EnrolmentNote>, FieldFault>;

    /// The enrolments that a device can still use, newest first.
    async fn open_enrolments(&self) -> Result<Vec<EnrolmentNote>, FieldFault>;

    /// Withdraws an enrolment that no device has used, and says what it is now.
    ///
    /// # Errors
    /// [`super::FieldFaultCode::UnknownEnrolment`].
    async fn withdraw(&self, id: &str, person: UserId) -> Result<EnrolmentNote, FieldFault>;

    /// Changes the standing of a device, if it can change like that, and says what it is now.
    async fn change_standing(
        &self,
        device: &str,
        change: &StandingChange,
        person: UserId,
    ) -> Result<DeviceStanding, FieldFault>;

    /// A device that is retired, which the snapshot does not have. None if no such device is.
    async fn retired(&self, device: &str) -> Result<Option<RetiredDevice>, FieldFault>;

    /// Changes what people call a device and say about it. What is so already is left as it is.
    ///
    /// # Errors
    /// [`super::FieldFaultCode::OtherStanding`] if the device is retired.
    async fn edit_device(
        &self,
        device: &str,
        wish: &DeviceWish,
        person: UserId,
    ) -> Result<(), FieldFault>;

    /// Hides addresses that are routed globally at a site, or shows them, from now on. Texts that are stored
    /// stay as they are.
    ///
    /// # Errors
    /// [`super::FieldFaultCode::UnknownSite`].
    async fn hide_public(&self, site: &str, hides: bool, person: UserId) -> Result<(), FieldFault>;

    /// Records a person's word on a run whose outcome is unknown. The run itself stays as it is. A finding may
    /// come after the word that nobody can tell; nothing comes after a finding.
    ///
    /// # Errors
    /// [`super::FieldFaultCode::NotUnknown`], or [`super::FieldFaultCode::AlreadyResolved`] unless it was
    /// by the same person with the same finding.
    async fn resolve(&self, order: &ResolveOrder) -> Result<(), FieldFault>;

    /// The words of people on a run, with their reasons; newest first.
    async fn resolutions(&self, run: &str) -> Result<Vec<ResolutionNote>, FieldFault>;

    /// The keys of the server: fingerprints alone.
    fn keys(&self) -> KeyFacts;
}

/// A wish to enrol a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnrolmentWish {
    /// The same call makes one enrolment.
    pub call: CallId,
    pub site: WishedSite,
    /// The name that the device gets.
    pub name: String,
    /// Hours that the token can be used; 24 if none are given, 168 at most.
    pub hours: Option<u32>,
    pub person: UserId,
}

/// The site of a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WishedSite {
    /// One that is there, by its identifier.
    Known(String),
    /// A new one of this name.
    New(String),
}

/// A token for one device. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedToken {
    pub enrolment: String,
    pub token: String,
    pub expires: Timestamp,
}

impl std::fmt::Debug for IssuedToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "IssuedToken({} …)", self.enrolment)
    }
}

/// An enrolment, without its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnrolmentNote {
    /// `enr_` and 26 characters.
    pub id: String,
    pub site: String,
    pub name: String,
    pub made: Timestamp,
    /// The name of whoever made it.
    pub by: String,
    pub expires: Timestamp,
    pub is_withdrawn: bool,
    /// The device that used it.
    pub device: Option<String>,
}

/// A change of a device's standing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StandingChange {
    /// `fingerprint`: of the key that the person compared, in 64 digits.
    Adopt {
        fingerprint: String,
    },
    Suspend {
        reason: String,
    },
    Resume,
    Retire {
        reason: String,
    },
}

impl StandingChange {
    /// The standing afterwards.
    pub const fn standing(&self) -> DeviceStanding {
        match self {
            Self::Adopt { .. } | Self::Resume => DeviceStanding::Adopted,
            Self::Suspend { .. } => DeviceStanding::Suspended,
            Self::Retire { .. } => DeviceStanding::Retired,
        }
    }
}

/// A retired device as it was seen last, and the act that retired it.
#[derive(Debug, Clone, PartialEq)]
pub struct RetiredDevice {
    pub device: KnownDevice,
    /// The name of the person.
    pub by: String,
    pub at: Timestamp,
    /// As they wrote it: for people, not for a model.
    pub reason: String,
}

/// Changes that a person wants to a device; none leaves a part as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceWish {
    pub name: Option<String>,
    /// True for one that much depends on: its scripts have more risk.
    pub critical: Option<bool>,
    /// True for one whose line is paid by volume.
    pub metered: Option<bool>,
}

impl DeviceWish {
    /// The tags of a device afterwards.
    pub fn tags(&self, now: &[String]) -> Vec<String> {
        let mut tags = now.to_vec();
        for (tag, wished) in [(CRITICAL, self.critical), (METERED, self.metered)] {
            let is_it = |other: &String| other.eq_ignore_ascii_case(tag);
            match wished {
                Some(true) if !tags.iter().any(is_it) => tags.push(tag.to_owned()),
                Some(false) => tags.retain(|other| !is_it(other)),
                _ => {}
            }
        }
        tags
    }
}

/// A person's word on a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveOrder {
    pub run: String,
    pub finding: RunResolution,
    pub reason: String,
    pub person: UserId,
}

/// The record of a person's word on a run. As they wrote it: for people, not for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolutionNote {
    pub finding: RunResolution,
    /// The name of the person.
    pub by: String,
    pub at: Timestamp,
    pub reason: String,
}

/// The keys of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFacts {
    /// Of the root key, which enrolment tokens carry; in 64 digits.
    pub root: String,
    /// True while the root key is on this server.
    pub root_is_here: bool,
    pub root_version: u64,
    pub root_expires: Timestamp,
    /// Oldest first.
    pub signing: Vec<SigningKeyFacts>,
}

/// A key that signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKeyFacts {
    /// `root`, `job` or `update`.
    pub role: &'static str,
    /// In 64 digits.
    pub fingerprint: String,
    pub since: Timestamp,
    pub revoked: Option<Timestamp>,
}
