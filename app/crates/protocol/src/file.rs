//! Files that come with a message, or out of a tool.

use serde::{Deserialize, Serialize};

use crate::{EventBody, Reference, ToolOutcome};

/// The largest image, in bytes: 3.5 MiB. In base64, as the model's server counts, it stays below 5 MB.
pub const MAX_IMAGE_BYTES: usize = 3584 * 1024;
/// The largest text file, in bytes of UTF-8.
pub const MAX_TEXT_FILE_BYTES: usize = 256 * 1024;
/// The longest name of a file, in bytes.
pub const MAX_FILE_NAME: usize = 120;
/// Images that one conversation can hold: with more of them vendors want small ones.
pub const MAX_IMAGES: usize = 20;
/// What all images of a conversation can have together, in bytes: each request holds all of them.
pub const MAX_IMAGES_BYTES: u64 = 20 * 1024 * 1024;

/// What makes a reference one to a file: its kind is a media type, its identifier the SHA-256 of the
/// content, in hex.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileNote {
    /// As its source calls it; nothing is told by it.
    pub name: String,
    pub bytes: u64,
}

impl Reference {
    /// Whether it is to an image.
    pub fn is_image(&self) -> bool {
        self.file.is_some() && self.kind.starts_with("image/")
    }
}

impl EventBody {
    /// The files that it names.
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
