//! Checks of a person's message: text, references and files.

use protocol::{ErrorBody, MAX_MESSAGE_BYTES, MAX_REFERENCE_BYTES, MAX_REFERENCES, Reference};

use crate::{
    error, files,
    machine::{Images, Said},
    ports::Person,
    shared::EngineShared,
};

/// Refuses a text that is too long, or one without words where there are no files.
pub(crate) fn check_text(text: &str, references: &[Reference]) -> Result<(), ErrorBody> {
    if text.trim().is_empty() && references.iter().all(|it| it.file.is_none()) {
        return Err(error::message_empty());
    }
    if text.len() > MAX_MESSAGE_BYTES {
        Err(error::message_too_long(text.len()))
    } else {
        Ok(())
    }
}

impl EngineShared {
    /// A message, if it has text or files, is not too long, is about things that some toolset here
    /// knows, and its files are stored here for this person. Kind and size of a file are those of
    /// the stored bytes, whatever the page says.
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
            // Held for another day, so that it is still there when the message is written.
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
        if images.are_too_many() {
            Err(error::too_many_images())
        } else {
            Ok(Said {
                text,
                references,
                files: blocks,
            })
        }
    }

    /// Refuses images for a model that is known to read none.
    pub(crate) fn can_see(&self, model: &str, said: &Said) -> Result<(), ErrorBody> {
        let images = said.references.iter().any(Reference::is_image);
        if images && self.is_blind(model) {
            Err(error::no_images(model))
        } else {
            Ok(())
        }
    }

    /// True if a model is known to read no images.
    pub(crate) fn is_blind(&self, model: &str) -> bool {
        self.model.reads_images(model) == Some(false)
    }
}
