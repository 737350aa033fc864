//! What a person says: whether it can be said here.

use protocol::{ErrorBody, MAX_MESSAGE_BYTES, MAX_REFERENCE_BYTES, MAX_REFERENCES, Reference};

use crate::{
    error, files,
    machine::{Images, Said},
    ports::Person,
    shared::Shared,
};

/// A text may be missing where there are files.
pub(crate) fn check_text(text: &str, references: &[Reference]) -> Result<(), ErrorBody> {
    if text.trim().is_empty() && references.iter().all(|it| it.file.is_none()) {
        return Err(error::message_empty());
    }
    match text.len() > MAX_MESSAGE_BYTES {
        true => Err(error::message_too_long(text.len())),
        false => Ok(()),
    }
}

impl Shared {
    /// A message, if it has text or files, is not too long, is about things that some toolset here has, and
    /// its files are kept here for this person. What is said of them is what they are.
    pub(crate) async fn said(
        &self,
        person: &Person,
        text: String,
        mut references: Vec<Reference>,
    ) -> Result<Said, ErrorBody> {
        check_text(&text, &references)?;
        if references.len() > MAX_REFERENCES {
            return Err(error::too_many_references());
        }
        let known = references.iter().all(|reference| {
            let mut toolsets = self.tools.toolsets.iter();
            reference.id.len() <= MAX_REFERENCE_BYTES
                && (reference.file.is_some() || toolsets.any(|toolset| toolset.refers(reference)))
        });
        if !known {
            return Err(error::unknown_reference());
        }
        let mut blocks = Vec::new();
        for reference in &mut references {
            let Some(note) = &reference.file else {
                continue;
            };
            let held = self
                .journal
                .hold_file(person.id, &reference.id, self.env.now());
            let held = held.await.map_err(|error| error::of_journal(&error))?;
            let file = held.ok_or_else(|| error::file_not_found(&note.name))?;
            *reference = file.reference(&note.name);
            blocks.extend(files::blocks(reference, &file));
        }
        let mut images = Images::default();
        images.add(&references);
        match images.are_too_many() {
            true => Err(error::too_many_images()),
            false => Ok(Said {
                text,
                references,
                files: blocks,
            }),
        }
    }

    /// Refuses images for a model of which is known that it reads none.
    pub(crate) fn can_see(&self, model: &str, said: &Said) -> Result<(), ErrorBody> {
        let images = said.references.iter().any(Reference::is_image);
        match images && self.is_blind(model) {
            true => Err(error::no_images(model)),
            false => Ok(()),
        }
    }

    /// Whether it is known of a model that it reads no images.
    pub(crate) fn is_blind(&self, model: &str) -> bool {
        self.model.reads_images(model) == Some(false)
    }
}
