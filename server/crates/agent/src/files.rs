//! Files that came with a message or out of a tool: their kind, detected from the bytes, and the
//! blocks that the model is sent.
//!
//! In the journal a text is the block that is sent. An image is a mark, and replaced when the model
//! is asked: its bytes are stored once, and they are always the same.

mod image;

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use protocol::{
    ErrorBody, ErrorCode, FileNote, MAX_FILE_NAME, MAX_IMAGE_BYTES, MAX_TEXT_FILE_BYTES, Reference,
    UserId,
};
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest, Sha256};

use crate::{
    output::clean_line,
    ports::{Journal, JournalError, RequestMessage, RequestRole, StoredFile},
    raw_json::{json as raw, text_block},
    tagged, texts,
};
use image::Image;

/// The type of the mark for an image. As JSON it cannot occur inside a string.
const MARK: &str = "\"type\":\"attached\"";
const TEXT: &str = "text/plain";
/// The longest side of an image in pixels: vendors refuse longer ones.
const MAX_SIDE: u32 = 8000;

impl StoredFile {
    /// A file, if it can be taken: an image or a text, by its bytes, and not too large.
    ///
    /// # Errors
    /// The error to show to the person.
    pub fn new(content: Vec<u8>) -> Result<Self, ErrorBody> {
        let kind = match Image::of(&content) {
            Some(image) => checked_image(&image, content.len())?,
            None => checked_text(&content)?,
        };
        let digest = Sha256::digest(&content);
        Ok(Self {
            id: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            kind: kind.to_owned(),
            content,
        })
    }

    /// The reference to it in a message or a result. The name is somebody's word; everything else
    /// is checked.
    pub fn reference(&self, name: &str) -> Reference {
        let mut name = clean_line(name);
        if name.len() > MAX_FILE_NAME {
            name.truncate(name.floor_char_boundary(MAX_FILE_NAME));
        }
        if name.trim().is_empty() {
            name = "unnamed".to_owned();
        }
        Reference {
            kind: self.kind.clone(),
            id: self.id.clone(),
            file: Some(FileNote {
                name,
                bytes: self.content.len() as u64,
            }),
        }
    }
}

fn refused(message: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::FileRefused, message)
}

fn checked_image(image: &Image, bytes: usize) -> Result<&'static str, ErrorBody> {
    if bytes > MAX_IMAGE_BYTES {
        return Err(refused(texts::files::IMAGE_IS_TOO_LARGE.to_owned())
            .with_help(texts::files::MAKE_IT_SMALLER));
    }
    match image.size {
        None | Some((0, _) | (_, 0)) => Err(refused(texts::files::IMAGE_HAS_NO_SIZE.to_owned())),
        Some((width, height)) if width.max(height) > MAX_SIDE => Err(refused(
            texts::files::image_has_too_many_pixels(width, height, MAX_SIDE),
        )
        .with_help(texts::files::MAKE_IT_SMALLER)),
        Some(_) => Ok(image.kind),
    }
}

fn checked_text(content: &[u8]) -> Result<&'static str, ErrorBody> {
    if content.is_empty() {
        return Err(refused(texts::files::FILE_IS_EMPTY.to_owned()));
    }
    let is_text = std::str::from_utf8(content).is_ok() && !content.contains(&0);
    if !is_text {
        return Err(refused(texts::files::NEITHER_IMAGE_NOR_TEXT.to_owned()));
    }
    if content.len() > MAX_TEXT_FILE_BYTES {
        return Err(refused(texts::files::TEXT_IS_TOO_LARGE.to_owned())
            .with_help(texts::files::SHORTEN_IT_TO_WHAT_MATTERS));
    }
    if content.iter().all(u8::is_ascii_whitespace) {
        return Err(refused(texts::files::FILE_IS_BLANK.to_owned()));
    }
    Ok(TEXT)
}

/// The name of a file and its text, which an image has not.
pub(crate) fn name_and_text(reference: &Reference, file: &StoredFile) -> Vec<String> {
    let name = reference.file.as_ref().map(|note| note.name.clone());
    let text = std::str::from_utf8(&file.content).ok();
    let text = text.filter(|_| !reference.is_image());
    let name = name.unwrap_or_default();
    std::iter::once(name)
        .chain(text.map(str::to_owned))
        .collect()
}

/// The content blocks that show a file to the model under this name and with this text, as the
/// journal keeps them.
pub(crate) fn blocks(
    reference: &Reference,
    file: &StoredFile,
    name_and_text: Vec<String>,
) -> Vec<Arc<RawValue>> {
    let mut name_and_text = name_and_text.into_iter();
    let name = name_and_text.next();
    let mut told = json!({ "name": name, "type": file.kind, "bytes": file.content.len() });
    if let (Some(told), Some(text)) = (told.as_object_mut(), name_and_text.next()) {
        told.insert("text".to_owned(), text.into());
    }
    let mut blocks = vec![text_block(&tagged::tagged(tagged::FILE, told)).into()];
    if reference.is_image() {
        blocks.push(raw(&mark(reference)).into());
    }
    blocks
}

/// The mark for an image.
pub(crate) fn mark(image: &Reference) -> Value {
    json!({ "type": "attached", "id": image.id, "media_type": image.kind })
}

/// The messages with all images in their places.
pub(crate) async fn filled(
    mut messages: Vec<RequestMessage>,
    journal: &dyn Journal,
    owner: UserId,
) -> Result<Vec<RequestMessage>, JournalError> {
    let said = messages
        .iter_mut()
        .filter(|it| it.role == RequestRole::User);
    for block in said.flat_map(|message| &mut message.content) {
        if !block.get().contains(MARK) {
            continue;
        }
        let Ok(mut value) = serde_json::from_str::<Value>(block.get()) else {
            continue;
        };
        match value.get_mut("content") {
            Some(Value::Array(parts)) => {
                for part in parts {
                    fill(part, journal, owner).await?;
                }
            }
            _ => fill(&mut value, journal, owner).await?,
        }
        *block = raw(&value).into();
    }
    Ok(messages)
}

/// Puts an image in the place of its mark.
async fn fill(block: &mut Value, journal: &dyn Journal, owner: UserId) -> Result<(), JournalError> {
    if block["type"] != "attached" {
        return Ok(());
    }
    let id = block["id"].as_str().unwrap_or_default();
    *block = match journal.file(owner, id).await? {
        Some(file) => json!({
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": file.kind,
                "data": BASE64_STANDARD.encode(&file.content),
            },
        }),
        None => {
            tracing::error!(file = id, "an image of a conversation is not there");
            json!({ "type": "text", "text": "[This image is no longer on the server.]" })
        }
    };
    Ok(())
}

/// Tells model and person, in a result, that an image is left out, and why.
pub(crate) fn left_out(data: &mut Value, why: &str) {
    match data {
        Value::Object(fields) => {
            fields.insert("image_left_out".to_owned(), why.into());
        }
        other => *other = json!({ "data": other.take(), "image_left_out": why }),
    }
}

#[cfg(test)]
mod tests;
