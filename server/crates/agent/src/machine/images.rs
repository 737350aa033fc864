//! The images of a conversation: each request carries all of them, and vendors accept only so many.

use protocol::{ErrorBody, MAX_IMAGES, MAX_IMAGES_BYTES, Reference};

use super::state::{Conversation, Said};
use crate::error;

/// Number of images, and their size together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Images {
    count: usize,
    bytes: u64,
}

impl Images {
    pub(crate) fn add(&mut self, references: &[Reference]) {
        for image in references.iter().filter(|reference| reference.is_image()) {
            self.count += 1;
            self.bytes += image.file.as_ref().map_or(0, |note| note.bytes);
        }
    }

    pub(crate) fn any(self) -> bool {
        self.count > 0
    }

    pub(crate) fn are_too_many(self) -> bool {
        self.count > MAX_IMAGES || self.bytes > MAX_IMAGES_BYTES
    }
}

impl Conversation {
    pub(crate) fn images(&self) -> Images {
        self.images
    }

    /// Refuses a message with images for which there is no room beside those that are there or
    /// queued.
    pub(crate) fn has_room_for(&self, said: &Said) -> Result<(), ErrorBody> {
        let mut images = self.images;
        for queued in &self.queue {
            images.add(&queued.said.references);
        }
        let before = images.count;
        images.add(&said.references);
        if images.count > before && images.are_too_many() {
            Err(error::too_many_images())
        } else {
            Ok(())
        }
    }
}
