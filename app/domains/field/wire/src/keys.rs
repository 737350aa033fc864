//! The page of the keys, and the answer with a token. Fingerprints alone, but for that one answer.

use protocol::{FromJson, Offer, Timestamp};
use serde::{Deserialize, Serialize};

/// Part `keys` of the keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct FieldKeysPage {
    /// Fingerprint of the root key, which enrolment tokens carry.
    pub root: String,
    /// True while the root key is on the server.
    #[serde(default)]
    pub root_is_here: bool,
    /// Version of the newest root document.
    pub root_version: u64,
    pub root_expires: Timestamp,
    /// Oldest first.
    #[serde(default)]
    pub signing: Vec<SigningKeyRow>,
    /// Of the devices that are not retired.
    #[serde(default)]
    pub devices: Vec<DeviceKeyRow>,
    /// Those that a device can still use, newest first.
    #[serde(default)]
    pub enrolments: Vec<EnrolmentRow>,
}

/// A key that signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct SigningKeyRow {
    /// `root`, `job` or `update`.
    pub role: String,
    pub fingerprint: String,
    pub since: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked: Option<Timestamp>,
}

/// The key of a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DeviceKeyRow {
    /// Identifier of the device.
    pub device: String,
    pub name: String,
    pub site_name: String,
    /// `waiting`, `adopted` or `suspended`.
    pub standing: String,
    pub fingerprint: String,
}

/// An enrolment, without its token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct EnrolmentRow {
    pub id: String,
    /// The name that the device gets.
    pub name: String,
    pub site_name: String,
    pub made: Timestamp,
    /// The name of whoever made it.
    pub by: String,
    pub expires: Timestamp,
    /// Its withdrawal, for a person who may act.
    #[serde(default)]
    pub offers: Vec<Offer>,
}

/// Part `token` of an enrolment: asked for by the journal of the call that made it, and answered once, to
/// the person who made it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct EnrolmentTokenPage {
    pub enrolment: String,
    pub token: String,
    pub name: String,
    pub site_name: String,
    pub expires: Timestamp,
}

impl std::fmt::Debug for EnrolmentTokenPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EnrolmentTokenPage({} …)", self.enrolment)
    }
}
