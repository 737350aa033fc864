//! Conversion of a message to bytes on the wire.

pub(crate) mod body;
pub(crate) mod events;
pub(crate) mod pieces;
mod split;
