//! The device API as its client: the same protocol that the simulated fleet speaks with code of its own.

mod bundle;
mod enrol;
mod http;
pub(crate) mod link;
mod update;
mod upload;

pub use self::{
    bundle::{CollectedOutput, collect},
    enrol::{TokenParts, enrol},
    http::{ApiClient, ApiRequest, LinkAnswer},
    link::{DeviceLink, LinkReport},
    upload::{SentOffsets, send_pieces},
};
