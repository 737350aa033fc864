//! JSON in one form only: the bytes that its own writer would have written.
//!
//! Whoever signs bytes and whoever reads them must not differ about their meaning. So a document is
//! read only if writing it again gives the very same bytes: no doubled, unknown or missing member, no
//! other order, no spaces, no other spelling of a text or number.

use serde::{Serialize, de::DeserializeOwned};

use crate::texts;

/// Reason that bytes are not the document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrictError {
    #[error("{}", texts::documents::too_large(*bytes, *most))]
    TooLarge { bytes: usize, most: usize },
    /// The reader's reason, with a position.
    #[error("{}", texts::documents::not_read(reason))]
    NotRead { reason: String },
    #[error("{}", texts::documents::OTHER_FORM)]
    Form,
}

/// Reads a document of at most `most` bytes.
///
/// # Errors
/// If it is larger, no such document, or written in another form.
pub fn read<T: Serialize + DeserializeOwned>(bytes: &[u8], most: usize) -> Result<T, StrictError> {
    if bytes.len() > most {
        return Err(StrictError::TooLarge {
            bytes: bytes.len(),
            most,
        });
    }
    let document: T = serde_json::from_slice(bytes).map_err(|error| StrictError::NotRead {
        reason: error.to_string(),
    })?;
    if write(&document) != bytes {
        return Err(StrictError::Form);
    }
    Ok(document)
}

/// Writes a document in its one form.
///
/// Our documents have no maps with keys that are no texts, so serde_json writes all of them; nothing
/// reads what it could not write.
pub fn write<T: Serialize>(document: &T) -> Vec<u8> {
    serde_json::to_vec(document).unwrap_or_default()
}
