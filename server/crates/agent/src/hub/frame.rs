//! A frame, serialised once for all who receive it.

use bytes::Bytes;
use protocol::ServerFrame;

/// The JSON text of one [`ServerFrame`]. Clones share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFrame(Bytes);

impl SharedFrame {
    /// Serialises a frame.
    pub fn new(frame: &ServerFrame) -> Self {
        match serde_json::to_vec(frame) {
            Ok(json) => Self(json.into()),
            Err(error) => {
                // Only a type with keys that are not strings gets here, and no frame has any.
                tracing::error!(%error, "a frame could not be serialised");
                Self(Bytes::from_static(br#"{"type":"unknown"}"#))
            }
        }
    }

    /// UTF-8 JSON.
    pub fn as_bytes(&self) -> &Bytes {
        &self.0
    }

    /// UTF-8 JSON.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
