//! Checks of a person's message: text, references and files.

use std::sync::Arc;

use protocol::{
    ConversationId, ErrorBody, MAX_MESSAGE_BYTES, MAX_REFERENCE_BYTES, MAX_REFERENCES, Reference,
};
use serde_json::value::RawValue;

use crate::{
    attachments, context, error, files,
    machine::{Images, Said},
    ports::{Person, Scope, TokenRule},
    raw_json::text_block,
    redaction::{Cover, message_not_covered, no_images_here},
    shared::EngineShared,
};

/// The conversation that a message is for.
pub(crate) struct MessagePlace {
    pub(crate) conversation: ConversationId,
    /// The names of its toolsets.
    pub(crate) toolsets: Vec<String>,
}

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
        place: &MessagePlace,
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
        let cover = self.cover(person, place);
        let about = references.clone();
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
            let sent = note.name.clone();
            *reference = file.reference(&sent);
            let mut shown = files::name_and_text(reference, &file);
            if let Some(cover) = &cover {
                // As it was sent: a hidden character in a value is visible in the cleaned form.
                if let Some(name) = shown.first_mut() {
                    *name = sent;
                }
                if reference.is_image() {
                    return Err(no_images_here());
                }
                let covered = cover.texts(&about, shown, TokenRule::Escape).await;
                shown = covered.map_err(|error| message_not_covered(Some(cover), &error))?;
            }
            blocks.extend(files::blocks(reference, &file, shown));
        }
        let held = self.tools.toolsets.iter();
        let held = held.filter(|toolset| place.toolsets.iter().any(|name| name == toolset.name()));
        let held: Vec<_> = held.cloned().collect();
        match attachments::blocks(&held, &references, cover.as_ref()).await {
            Ok(attached) => blocks.extend(attached),
            Err(error) => return Err(message_not_covered(cover.as_ref(), &error)),
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

    /// The block of a plan that a message takes from another conversation.
    pub(crate) async fn plan_block(
        &self,
        person: &Person,
        references: &[Reference],
        mut plan: String,
        place: &MessagePlace,
    ) -> Result<Arc<RawValue>, ErrorBody> {
        if let Some(cover) = self.cover(person, place) {
            // A model wrote it, and its tokens are to be carried out.
            let covered = cover.text(references, &plan, TokenRule::Keep).await;
            plan = covered.map_err(|error| message_not_covered(Some(&cover), &error))?;
        }
        Ok(text_block(&context::plan(&plan)).into())
    }

    fn cover(&self, person: &Person, place: &MessagePlace) -> Option<Cover> {
        Cover::of(&self.tools, &place.toolsets, place.conversation, person.id)
    }

    /// The place of the first message of a conversation.
    pub(crate) fn place_at_start(
        &self,
        person: &Person,
        conversation: ConversationId,
        references: &[Reference],
        packs: Option<&[String]>,
    ) -> Result<MessagePlace, ErrorBody> {
        let live = self.live();
        let usual = &live.config.packs;
        let scope = self.tools.held(&person.scope, references, packs, usual)?;
        let scope = match scope {
            Scope::All => self.tools.everyday(&scope, usual),
            Scope::Only(_) => scope,
        };
        let toolsets = self.tools.toolsets.iter().map(|toolset| toolset.name());
        let toolsets = toolsets.filter(|name| scope.has(name)).map(str::to_owned);
        Ok(MessagePlace {
            conversation,
            toolsets: toolsets.collect(),
        })
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
