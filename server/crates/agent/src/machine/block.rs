//! Content blocks as raw JSON, with the little that the machine must know of each.

use std::sync::Arc;

use protocol::Reference;
use serde::Deserialize;
use serde_json::{json, value::RawValue};

use super::state::Corrupt;
use crate::{files, raw_json::json as raw};

/// A content block, byte for byte, and its kind.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) raw: Arc<RawValue>,
    pub(crate) kind: StoredBlockKind,
}

/// The kind of a block, as far as the machine needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoredBlockKind {
    /// Text that is not blank.
    Text,
    /// Thinking, open or redacted: bound to everything that was sent before it.
    Thinking,
    /// A tool call, under the model's own id.
    ToolUse {
        id: String,
    },
    Other,
}

#[derive(Deserialize)]
struct BlockHead {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    text: Option<String>,
}

impl Block {
    pub(crate) fn read(raw: Arc<RawValue>) -> Result<Self, Corrupt> {
        let head: BlockHead = serde_json::from_str(raw.get()).map_err(|_| Corrupt::Raw)?;
        let kind = match head.kind.as_str() {
            "text" if !head.text.is_none_or(|text| text.trim().is_empty()) => StoredBlockKind::Text,
            "thinking" | "redacted_thinking" => StoredBlockKind::Thinking,
            "tool_use" => StoredBlockKind::ToolUse {
                id: head.id.unwrap_or_default(),
            },
            _ => StoredBlockKind::Other,
        };
        Ok(Self { raw, kind })
    }

    /// The blocks of a record's raw array; none if the record has none.
    pub(super) fn read_all(raw: Option<&RawValue>) -> Result<Vec<Self>, Corrupt> {
        let Some(raw) = raw else {
            return Ok(Vec::new());
        };
        let blocks: Vec<Box<RawValue>> =
            serde_json::from_str(raw.get()).map_err(|_| Corrupt::Raw)?;
        blocks
            .into_iter()
            .map(|raw| Self::read(raw.into()))
            .collect()
    }
}

/// The blocks of a record's raw array, unparsed; none if the record has none.
pub(super) fn raws(raw: Option<&RawValue>) -> Result<Vec<Arc<RawValue>>, Corrupt> {
    let blocks = Block::read_all(raw)?;
    Ok(blocks.into_iter().map(|block| block.raw).collect())
}

/// The JSON array of blocks.
pub(super) fn array<'a>(blocks: impl IntoIterator<Item = &'a RawValue>) -> Box<RawValue> {
    raw(&blocks.into_iter().collect::<Vec<_>>())
}

/// A `tool_result` block. Its content is JSON in a text, so that nothing in it can pass for
/// anything but data; marks of images come after it.
pub(super) fn result_block(
    use_id: &str,
    content: &RawValue,
    images: &[Reference],
    is_error: bool,
) -> Box<RawValue> {
    let content = match images {
        [] => json!(content.get()),
        images => {
            let text = json!({ "type": "text", "text": content.get() });
            let marks = images.iter().map(files::mark);
            std::iter::once(text).chain(marks).collect()
        }
    };
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": use_id,
        "content": content,
    });
    if is_error && let Some(block) = block.as_object_mut() {
        block.insert("is_error".to_owned(), true.into());
    }
    raw(&block)
}
