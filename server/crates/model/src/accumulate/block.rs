//! One content block: its original fields, with the additions of the deltas.

use std::borrow::Cow;
use std::sync::Arc;

use protocol::BlockKind;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::event::DeltaBody;
use crate::profile::Deviation;
use crate::raw::{RawObject, quoted, raw};

/// A block that may still grow.
#[derive(Debug)]
pub(super) struct AccumulatedBlock {
    wire_index: u32,
    shape: BlockShape,
    kind: BlockKind,
    start: Box<RawValue>,
    /// All of the text, the thinking, or the JSON of the input.
    text: String,
    signature: Option<String>,
    citations: Vec<Box<RawValue>>,
    fields: Option<Box<RawValue>>,
}

/// The deltas that fit a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockShape {
    Text,
    Thinking,
    Input,
    /// Complete from the start, or unknown.
    Opaque,
}

/// A block as it goes back to the model.
#[derive(Debug)]
pub(super) struct FinishedBlock {
    pub(super) raw: Arc<RawValue>,
    pub(super) kind: BlockKind,
    /// A call's input that is not a JSON object; the block has `{}` in its place.
    pub(super) invalid_input: Option<String>,
    /// Text with something to read in it.
    pub(super) is_readable_text: bool,
}

impl AccumulatedBlock {
    pub(super) fn new(wire_index: u32, start: &RawValue) -> Result<Self, &'static str> {
        let object = RawObject::parse(start.get()).ok_or("a content block is not an object")?;
        let kind = object.text("type").ok_or("a content block has no type")?;
        let (shape, text) = match kind.as_ref() {
            "text" => (BlockShape::Text, object.text("text")),
            "thinking" => (BlockShape::Thinking, object.text("thinking")),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => (BlockShape::Input, None),
            _ => (BlockShape::Opaque, None),
        };
        let kind = match kind.as_ref() {
            "text" => BlockKind::Text,
            "thinking" => BlockKind::Thinking,
            "tool_use" => {
                object.text("id").ok_or("a tool call has no id")?;
                let name = object.text("name").ok_or("a tool call has no name")?;
                BlockKind::ToolUse {
                    name: name.into_owned(),
                }
            }
            _ => BlockKind::Other,
        };
        Ok(Self {
            wire_index,
            shape,
            kind,
            text: text.map(Cow::into_owned).unwrap_or_default(),
            start: start.to_owned(),
            signature: None,
            citations: Vec::new(),
            fields: None,
        })
    }

    /// An empty block for a delta that came without one.
    pub(super) fn fitting(wire_index: u32, delta: &DeltaBody<'_>) -> Option<Self> {
        let start = match delta {
            DeltaBody::Text(_) | DeltaBody::Citation(_) => r#"{"type":"text","text":""}"#,
            DeltaBody::Thinking(_) | DeltaBody::Signature(_) => {
                r#"{"type":"thinking","thinking":"","signature":""}"#
            }
            DeltaBody::InputJson(_) | DeltaBody::Fields(_) | DeltaBody::Unknown => return None,
        };
        Self::new(wire_index, &raw(start.to_owned())?).ok()
    }

    pub(super) fn wire_index(&self) -> u32 {
        self.wire_index
    }

    pub(super) fn kind(&self) -> BlockKind {
        self.kind.clone()
    }

    /// The text that came with the start.
    pub(super) fn initial_text(&self) -> Option<&str> {
        Some(self.text.as_str()).filter(|text| !text.is_empty())
    }

    /// Adds a delta. Returns the text in it that a person may see.
    pub(super) fn take<'d>(
        &mut self,
        delta: &'d DeltaBody<'_>,
    ) -> Result<Option<&'d str>, Deviation> {
        match (self.shape, delta) {
            (BlockShape::Text, DeltaBody::Text(text))
            | (BlockShape::Thinking, DeltaBody::Thinking(text))
            | (BlockShape::Input, DeltaBody::InputJson(text)) => {
                self.text.push_str(text);
                Ok(Some(text.as_ref()).filter(|_| self.kind != BlockKind::Other))
            }
            (BlockShape::Thinking, DeltaBody::Signature(signature)) => {
                self.signature = Some(signature.clone().into_owned());
                Ok(None)
            }
            (BlockShape::Text, DeltaBody::Citation(citation)) => {
                self.citations.push((*citation).to_owned());
                Ok(None)
            }
            (BlockShape::Opaque, DeltaBody::Fields(fields)) => {
                self.fields = Some((*fields).to_owned());
                Ok(None)
            }
            (_, DeltaBody::Unknown) => Ok(None),
            // An unknown block cannot be broken.
            (BlockShape::Opaque, _) => Ok(None),
            _ => Err(Deviation::DeltaOfOtherKind),
        }
    }

    /// The input of a call that came whole with the start, not in deltas.
    pub(super) fn late_input(&self) -> Option<String> {
        if !matches!(self.kind, BlockKind::ToolUse { .. }) || !self.text.trim().is_empty() {
            return None;
        }
        let start = RawObject::parse(self.start.get())?;
        let input = start.get("input")?.get();
        (!as_object(input)?.is_empty()).then(|| input.to_owned())
    }

    pub(super) fn finish(&self) -> FinishedBlock {
        let mut invalid_input = None;
        let start = RawObject::parse(self.start.get()).unwrap_or_default();
        let fields = self
            .fields
            .as_ref()
            .and_then(|fields| RawObject::parse(fields.get()))
            .unwrap_or_default();
        let mut changes: Vec<(Cow<'_, str>, Cow<'_, str>)> = Vec::new();
        match self.shape {
            BlockShape::Text => {
                changes.push(("text".into(), quoted(&self.text).into()));
                if !self.citations.is_empty() {
                    changes.push(("citations".into(), self.all_citations(&start).into()));
                }
            }
            BlockShape::Thinking => {
                changes.push(("thinking".into(), quoted(&self.text).into()));
                if let Some(signature) = &self.signature {
                    changes.push(("signature".into(), quoted(signature).into()));
                }
            }
            BlockShape::Input => {
                let written = match self.text.trim() {
                    "" => match start.get("input").map(RawValue::get) {
                        None | Some("null") => "{}",
                        Some(input) => input,
                    },
                    text => text,
                };
                let input = if as_object(written).is_some() {
                    written
                } else {
                    if matches!(self.kind, BlockKind::ToolUse { .. }) {
                        invalid_input = Some(written.to_owned());
                    }
                    "{}"
                };
                changes.push(("input".into(), input.into()));
            }
            BlockShape::Opaque => {
                for (name, value) in &fields.0 {
                    if name != "type" {
                        changes.push((name.clone(), value.get().into()));
                    }
                }
            }
        }
        FinishedBlock {
            raw: rewritten(&self.start, &start, changes),
            kind: self.kind.clone(),
            invalid_input,
            is_readable_text: self.shape == BlockShape::Text && !self.text.trim().is_empty(),
        }
    }

    fn all_citations(&self, start: &RawObject<'_>) -> String {
        let first: Vec<&RawValue> = start
            .get("citations")
            .and_then(|citations| serde_json::from_str(citations.get()).ok())
            .unwrap_or_default();
        let all: Vec<&str> = first
            .into_iter()
            .chain(self.citations.iter().map(AsRef::as_ref))
            .map(RawValue::get)
            .collect();
        format!("[{}]", all.join(","))
    }
}

/// The object, if everybody can read it, the journal included: raw values may nest deeper or count
/// higher than values can.
fn as_object(json: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(json).ok()
}

/// The object with some fields changed: in their old places if they were there, at the end
/// otherwise. Everything else keeps its bytes.
fn rewritten(
    whole: &RawValue,
    object: &RawObject<'_>,
    changes: Vec<(Cow<'_, str>, Cow<'_, str>)>,
) -> Arc<RawValue> {
    if changes.is_empty() {
        return Arc::from(whole.to_owned());
    }
    let mut json = String::with_capacity(
        whole.get().len() + changes.iter().map(|(_, value)| value.len()).sum::<usize>(),
    );
    let mut field = |name: &str, value: &str| {
        json.push(if json.is_empty() { '{' } else { ',' });
        json.push_str(&quoted(name));
        json.push(':');
        json.push_str(value);
    };
    for (name, value) in &object.0 {
        let change = changes.iter().find(|(changed, _)| changed == name);
        field(name, change.map_or(value.get(), |(_, value)| value));
    }
    for (name, value) in &changes {
        if object.get(name).is_none() {
            field(name, value);
        }
    }
    json.push('}');
    // The parts are JSON, and so is the whole.
    raw(json).map_or_else(|| Arc::from(whole.to_owned()), Arc::from)
}
