//! Texts of things that a message names, sent with it like files.
//!
//! The text is read once, when the message is accepted, and sent again byte for byte ever after: a
//! later message that names the thing gets it as it is then.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::{FutureExt, future::join_all};
use protocol::{MAX_TEXT_FILE_BYTES, Reference};
use serde_json::{json, value::RawValue};

use crate::{
    ports::{NotCovered, Toolset},
    raw_json::text_block,
    redaction::Cover,
    tagged, texts,
};

/// Timeout of a text.
const PATIENCE: Duration = Duration::from_secs(5);

/// The blocks of the things that have a text, in the order of the references. One that does not come
/// in time says so.
///
/// # Errors
/// A text cannot be covered now.
pub(crate) async fn blocks(
    toolsets: &[Arc<dyn Toolset>],
    references: &[Reference],
    cover: Option<&Cover>,
) -> Result<Vec<Arc<RawValue>>, NotCovered> {
    let things = references.iter().filter(|it| it.file.is_none());
    let read = join_all(things.map(|thing| read(toolsets, thing))).await;
    let mut blocks = Vec::new();
    for AttachedText {
        thing,
        toolset,
        text,
    } in read.into_iter().flatten()
    {
        let mut told = json!({ "kind": thing.kind, "id": thing.id });
        match text {
            Ok(mut text) => {
                // Before it is cut: half a value is not found.
                if let Some(cover) = cover {
                    text = cover.text(references, &text, cover.rule(toolset)).await?;
                }
                told["bytes"] = text.len().into();
                told["text"] = bounded(text).into();
            }
            Err(why) => told["unavailable"] = why.into(),
        }
        blocks.push(text_block(&tagged::tagged(tagged::FILE, told)).into());
    }
    Ok(blocks)
}

/// The text of a thing, or the reason why it did not come.
struct AttachedText<'a> {
    thing: &'a Reference,
    toolset: &'static str,
    text: Result<String, String>,
}

/// Reads the text of one thing; none if the thing has none.
async fn read<'a>(toolsets: &[Arc<dyn Toolset>], thing: &'a Reference) -> Option<AttachedText<'a>> {
    let toolset = toolsets.iter().find(|toolset| toolset.refers(thing))?;
    let read = AssertUnwindSafe(toolset.attach(thing)).catch_unwind();
    let text = match tokio::time::timeout(PATIENCE, read).await {
        Ok(Ok(text)) => Ok(text.filter(|text| !text.trim().is_empty())?),
        Ok(Err(_panic)) => Err("failed".to_owned()),
        Err(_elapsed) => Err(texts::no_answer_within(PATIENCE.as_millis())),
    };
    Some(AttachedText {
        thing,
        toolset: toolset.name(),
        text,
    })
}

/// As much of a text as a file may have.
fn bounded(mut text: String) -> String {
    let bytes = text.len();
    if bytes > MAX_TEXT_FILE_BYTES {
        text.truncate(text.floor_char_boundary(MAX_TEXT_FILE_BYTES));
        text.push_str(&texts::bytes_left_out(bytes - text.len()));
    }
    text
}
