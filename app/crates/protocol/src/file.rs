//! Files that come with a message or from a tool.

use serde::{Deserialize, Serialize};

use crate::{EventBody, FromJson, Reference, ToolOutcome};

/// The largest image, in bytes: 3.5 MiB. In base64, which the model's server counts, it is below 5
/// MB.
pub const MAX_IMAGE_BYTES: usize = 3584 * 1024;
/// The largest text file, in bytes of UTF-8.
pub const MAX_TEXT_FILE_BYTES: usize = 256 * 1024;
/// The longest name of a file, in bytes.
pub const MAX_FILE_NAME: usize = 120;
/// The most images in one conversation: beyond that, vendors require smaller ones.
pub const MAX_IMAGES: usize = 20;
/// The most that all images of a conversation may add up to, in bytes: each request carries all of
/// them.
pub const MAX_IMAGES_BYTES: u64 = 20 * 1024 * 1024;

/// Marks a reference as one to a file: its kind is a media type, its identifier the SHA-256 of the
/// content, in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, FromJson)]
pub struct FileNote {
    /// The name that its source gave it; nothing is derived from it.
    pub name: String,
    pub bytes: u64,
}

impl Reference {
    /// Returns whether it refers to an image.
    pub fn is_image(&self) -> bool {
        self.file.is_some() && self.kind.starts_with("image/")
    }
}

impl EventBody {
    /// Iterates over the files that the message refers to.
    pub fn files(&self) -> impl Iterator<Item = &Reference> {
        let named: &[Reference] = match self {
            Self::MessageQueued { references, .. }
            | Self::MessageSteered { references, .. }
            | Self::MessageRead { references, .. }
            | Self::TurnStarted { references, .. } => references,
            Self::ToolFinished {
                outcome: ToolOutcome::Succeeded { output },
                ..
            } => &output.images,
            _ => &[],
        };
        named.iter().filter(|reference| reference.file.is_some())
    }
}
