//! Trust of a simulated device: its key, envelopes, the root document, manifests and packages.
//!
//! Written from the format's description alone. It shares no code with the server's side, so that a
//! mistake in one of the two shows.

pub(crate) mod admission;
pub(crate) mod envelope;
pub(crate) mod keys;
pub(crate) mod manifest;
pub(crate) mod members;
pub(crate) mod root;
