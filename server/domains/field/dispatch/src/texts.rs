//! Sentences for people and for the operators of devices.

pub(crate) mod devices;
pub(crate) mod gaps;
pub(crate) mod jobs;
pub(crate) mod keys;
