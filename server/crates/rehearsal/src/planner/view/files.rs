//! Files that came with the user's words, as far as a stand-in can look at them.

use serde_json::Value;

use super::{embedded_json, texts};
use crate::{history::Turn, texts::attachments, validate::image_bytes};

/// The beginning of a block that says what a file is.
pub(super) const FILE: &str = "<context source=\"file\">";

/// A line about each file: what it is called, and what has really come.
pub(super) fn of(turn: &Turn) -> Vec<String> {
    let mut images = turn.of_kind("image");
    let told = texts(turn).filter(|text| text.starts_with(FILE));
    let files = told.filter_map(embedded_json);
    // The text of a thing that the words point at has no name, and is no file of a person's.
    let files = files.filter(|file| !plain(&file["name"]).is_empty());
    let files = files.map(|file| {
        let name = plain(&file["name"]);
        if let Some(text) = file["text"].as_str() {
            return attachments::text_file(&name, text.len(), text.lines().count());
        }
        let image = images.next().and_then(|image| {
            let kind = plain(&image.block["source"]["media_type"]);
            Some((kind, image_bytes(&image.block)?.len()))
        });
        match image {
            Some((kind, bytes)) => attachments::image(&name, &kind, bytes),
            None => attachments::without_content(&name),
        }
    });
    files.collect()
}

/// A name as code in Markdown: nothing in it ends the code.
fn plain(name: &Value) -> String {
    let name = name.as_str().unwrap_or_default();
    name.replace(['`', '\n', '|'], " ")
}
