//! What a person says: whether it can be said here.

use protocol::{ErrorBody, MAX_MESSAGE_BYTES, MAX_REFERENCE_BYTES, MAX_REFERENCES, Reference};

use crate::{error, machine::Said, tools::Tools};

/// A message, if it has text, is not too long, and is about things that some toolset here has.
pub(crate) fn checked(
    tools: &Tools,
    text: String,
    references: Vec<Reference>,
) -> Result<Said, ErrorBody> {
    if text.trim().is_empty() {
        return Err(error::message_empty());
    }
    if text.len() > MAX_MESSAGE_BYTES {
        return Err(error::message_too_long(text.len()));
    }
    if references.len() > MAX_REFERENCES {
        return Err(error::too_many_references());
    }
    let known = references.iter().all(|reference| {
        reference.id.len() <= MAX_REFERENCE_BYTES
            && tools
                .toolsets
                .iter()
                .any(|toolset| toolset.refers(reference))
    });
    match known {
        true => Ok(Said { text, references }),
        false => Err(error::unknown_reference()),
    }
}
