//! Typed views of the stream's events, borrowed from the bytes. Unknown kinds are not errors.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::raw::RawText;

/// One event of the stream.
#[derive(Debug)]
pub(crate) enum StreamEvent<'a> {
    MessageStart {
        id: Option<String>,
        model: Option<String>,
        usage: UsageUpdate,
    },
    BlockStart {
        index: u32,
        block: &'a RawValue,
    },
    BlockDelta {
        index: u32,
        delta: DeltaBody<'a>,
    },
    BlockStop {
        index: u32,
    },
    MessageDelta {
        stop_reason: Option<Cow<'a, str>>,
        explanation: Option<String>,
        usage: UsageUpdate,
    },
    MessageStop,
    Error(VendorError),
    /// Pings, markers of other vendors, and events that this build does not know.
    Ignored,
}

/// More of a block.
#[derive(Debug)]
pub(crate) enum DeltaBody<'a> {
    Text(Cow<'a, str>),
    Thinking(Cow<'a, str>),
    /// Replaces the one that the block had.
    Signature(Cow<'a, str>),
    InputJson(Cow<'a, str>),
    Citation(&'a RawValue),
    /// Replaces fields of the block.
    Fields(&'a RawValue),
    Unknown,
}

/// Cumulative counts; an absent or null one stays unchanged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct UsageUpdate {
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    pub(crate) cache_creation_input_tokens: Option<u64>,
    pub(crate) cache_read_input_tokens: Option<u64>,
}

/// The most tokens of a figure: more than any call has, and few enough that no sum of them is too large.
const MOST_TOKENS: u64 = 1 << 40;

impl UsageUpdate {
    pub(crate) fn apply(self, usage: &mut protocol::Usage) {
        let set = |field: &mut u64, value: Option<u64>| {
            *field = value.map_or(*field, |value| value.min(MOST_TOKENS));
        };
        set(&mut usage.input, self.input_tokens);
        set(&mut usage.output, self.output_tokens);
        set(&mut usage.cache_write, self.cache_creation_input_tokens);
        set(&mut usage.cache_read, self.cache_read_input_tokens);
    }
}

/// An error as the vendor reports it, in a body or in mid-stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct VendorError {
    #[serde(
        default,
        rename = "type",
        deserialize_with = "crate::raw::string_or_nothing"
    )]
    pub(crate) kind: Option<String>,
    #[serde(default, deserialize_with = "crate::raw::string_or_nothing")]
    pub(crate) message: Option<String>,
    #[serde(default)]
    pub(crate) details: Option<VendorErrorDetails>,
    #[serde(skip)]
    pub(crate) request_id: Option<String>,
}

/// The finer code of an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct VendorErrorDetails {
    #[serde(default, deserialize_with = "crate::raw::string_or_nothing")]
    pub(crate) error_code: Option<String>,
}

impl VendorError {
    /// Reads `{"error": {…}, "request_id": …}`, or the `error` that is a bare string on some
    /// servers.
    pub(crate) fn parse(body: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct EventPayload<'a> {
            #[serde(borrow)]
            error: &'a RawValue,
            #[serde(default, deserialize_with = "crate::raw::string_or_nothing")]
            request_id: Option<String>,
        }
        let body: EventPayload<'_> = serde_json::from_str(body).ok()?;
        let mut error = match serde_json::from_str::<Self>(body.error.get()) {
            Ok(error) => error,
            Err(_) => Self {
                message: Some(serde_json::from_str(body.error.get()).ok()?),
                ..Self::default()
            },
        };
        error.request_id = body.request_id;
        Some(error)
    }
}

/// All fields of all known events. Flat, because serde copies the input of tagged enums.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<RawText<'a>>,
    index: Option<u32>,
    #[serde(borrow)]
    delta: Option<FlatDelta<'a>>,
    #[serde(borrow)]
    content_block: Option<&'a RawValue>,
    message: Option<MessageView>,
    usage: Option<UsageUpdate>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct MessageView {
    #[serde(default, deserialize_with = "crate::raw::string_or_nothing")]
    id: Option<String>,
    #[serde(default, deserialize_with = "crate::raw::string_or_nothing")]
    model: Option<String>,
    usage: Option<UsageUpdate>,
}

#[derive(Deserialize)]
struct FlatDelta<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<RawText<'a>>,
    #[serde(borrow)]
    text: Option<RawText<'a>>,
    #[serde(borrow)]
    thinking: Option<RawText<'a>>,
    #[serde(borrow)]
    signature: Option<RawText<'a>>,
    #[serde(borrow)]
    partial_json: Option<RawText<'a>>,
    #[serde(borrow)]
    citation: Option<&'a RawValue>,
    #[serde(borrow)]
    stop_reason: Option<RawText<'a>>,
    stop_details: Option<StopDetails>,
}

#[derive(Deserialize)]
struct StopDetails {
    #[serde(default, deserialize_with = "crate::raw::string_or_nothing")]
    explanation: Option<String>,
}

/// A delta's event, with the delta unread: for deltas that do not fit the view above.
#[derive(Deserialize)]
struct DeltaView<'a> {
    index: Option<u32>,
    #[serde(borrow)]
    delta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct EventKind<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<RawText<'a>>,
}

const KNOWN_DELTAS: [&str; 6] = [
    "text_delta",
    "thinking_delta",
    "signature_delta",
    "input_json_delta",
    "citations_delta",
    "compaction_delta",
];

impl<'a> StreamEvent<'a> {
    /// Reads an event's data. The error says in a few words what is wrong with a known event.
    pub(crate) fn parse(name: &str, data: &'a str) -> Result<Self, &'static str> {
        match serde_json::from_str::<Envelope<'a>>(data) {
            Ok(envelope) => envelope.into_event(name, data),
            Err(_) => Self::parse_unusual(name, data),
        }
    }

    fn parse_unusual(name: &str, data: &'a str) -> Result<Self, &'static str> {
        if data.trim().is_empty() || data.trim() == "[DONE]" {
            return Ok(Self::Ignored);
        }
        let kind: EventKind<'a> = serde_json::from_str(data).map_err(|_| "an event is not JSON")?;
        let kind = kind.kind.map_or(Cow::Borrowed(name), |kind| kind.0);
        match kind.as_ref() {
            "message_start" => Err("a message_start is malformed"),
            "content_block_start" => Err("a content_block_start is malformed"),
            "content_block_stop" => Err("a content_block_stop is malformed"),
            "message_delta" => Err("a message_delta is malformed"),
            "content_block_delta" => {
                const MALFORMED: &str = "a content_block_delta is malformed";
                let view: DeltaView<'a> = serde_json::from_str(data).map_err(|_| MALFORMED)?;
                let delta: EventKind<'a> = view
                    .delta
                    .and_then(|delta| serde_json::from_str(delta.get()).ok())
                    .ok_or(MALFORMED)?;
                let known = delta
                    .kind
                    .is_none_or(|kind| KNOWN_DELTAS.contains(&kind.0.as_ref()));
                match view.index {
                    Some(index) if !known => Ok(Self::BlockDelta {
                        index,
                        delta: DeltaBody::Unknown,
                    }),
                    _ => Err(MALFORMED),
                }
            }
            "message_stop" => Ok(Self::MessageStop),
            "error" => Ok(Self::Error(VendorError::parse(data).unwrap_or_default())),
            _ => Ok(Self::Ignored),
        }
    }
}

impl<'a> Envelope<'a> {
    fn into_event(self, name: &str, data: &'a str) -> Result<StreamEvent<'a>, &'static str> {
        let index = self.index;
        // The name on the frame counts only when the data has none: gateways change it.
        let kind = match &self.kind {
            Some(kind) => kind.0.as_ref(),
            None if self.error.is_some() => "error",
            None => name,
        };
        Ok(match kind {
            "content_block_delta" => StreamEvent::BlockDelta {
                index: index.ok_or("a content_block_delta has no index")?,
                delta: self
                    .delta
                    .ok_or("a content_block_delta has no delta")?
                    .into_delta(data)?,
            },
            "content_block_start" => StreamEvent::BlockStart {
                index: index.ok_or("a content_block_start has no index")?,
                block: self
                    .content_block
                    .ok_or("a content_block_start has no block")?,
            },
            "content_block_stop" => StreamEvent::BlockStop {
                index: index.ok_or("a content_block_stop has no index")?,
            },
            "message_start" => {
                let MessageView { id, model, usage } = self.message.unwrap_or_default();
                StreamEvent::MessageStart {
                    id,
                    model,
                    usage: usage.unwrap_or_default(),
                }
            }
            "message_delta" => {
                let (stop_reason, stop_details) = self.delta.map_or((None, None), |delta| {
                    (delta.stop_reason, delta.stop_details)
                });
                StreamEvent::MessageDelta {
                    stop_reason: stop_reason.map(|reason| reason.0),
                    explanation: stop_details.and_then(|details| details.explanation),
                    usage: self.usage.unwrap_or_default(),
                }
            }
            "message_stop" => StreamEvent::MessageStop,
            "error" => StreamEvent::Error(VendorError::parse(data).unwrap_or_default()),
            _ => StreamEvent::Ignored,
        })
    }
}

impl<'a> FlatDelta<'a> {
    fn into_delta(self, data: &'a str) -> Result<DeltaBody<'a>, &'static str> {
        let text = |text: Option<RawText<'a>>| text.map(|text| text.0).ok_or("a delta has no text");
        let kind = self.kind.ok_or("a delta has no type")?;
        Ok(match kind.0.as_ref() {
            "text_delta" => DeltaBody::Text(text(self.text)?),
            "thinking_delta" => DeltaBody::Thinking(text(self.thinking)?),
            "signature_delta" => DeltaBody::Signature(text(self.signature)?),
            "input_json_delta" => DeltaBody::InputJson(text(self.partial_json)?),
            "citations_delta" => {
                DeltaBody::Citation(self.citation.ok_or("a delta has no citation")?)
            }
            "compaction_delta" => {
                let view: DeltaView<'a> =
                    serde_json::from_str(data).map_err(|_| "a delta is malformed")?;
                DeltaBody::Fields(view.delta.ok_or("a delta is malformed")?)
            }
            _ => DeltaBody::Unknown,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hot_path_borrows() {
        let data = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"} }"#;
        let Ok(StreamEvent::BlockDelta {
            index: 0,
            delta: DeltaBody::Text(Cow::Borrowed("Hello")),
        }) = StreamEvent::parse("message", data)
        else {
            panic!("not borrowed");
        };
    }

    /// The figures of all calls are added up, for budgets too: a server must not make the sum small again.
    #[test]
    fn no_figure_is_so_large_that_a_sum_overflows() {
        let data = r#"{"input_tokens":18446744073709551615,"output_tokens":18446744073709551615,
            "cache_read_input_tokens":18446744073709551615,"cache_creation_input_tokens":7}"#;
        let update: UsageUpdate = serde_json::from_str(data).unwrap();
        let mut usage = protocol::Usage::default();
        update.apply(&mut usage);
        assert_eq!(usage.total(), 3 * MOST_TOKENS + 7);
        UsageUpdate::default().apply(&mut usage);
        assert_eq!(usage.output, MOST_TOKENS, "what is absent stays");
    }

    #[test]
    fn unknown_kinds_are_tolerated() {
        for data in [
            r#"{"type":"ping"}"#,
            r#"{"type":"future_event","index":"one","delta":3,"usage":{"input_tokens":99}}"#,
            r#"{"type":"future_event"}"#,
            "[DONE]",
            "",
            "{}",
        ] {
            assert!(
                matches!(StreamEvent::parse("", data), Ok(StreamEvent::Ignored)),
                "{data}"
            );
        }
        for data in [
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"future_delta","text":{"a":1}}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"future_delta"}}"#,
        ] {
            let event = StreamEvent::parse("", data);
            assert!(
                matches!(
                    event,
                    Ok(StreamEvent::BlockDelta {
                        index: 0,
                        delta: DeltaBody::Unknown
                    })
                ),
                "{data}"
            );
        }
    }

    #[test]
    fn malformed_known_kinds_are_faults() {
        for data in [
            "<html>",
            r#"{"type":"content_block_delta","index":0}"#,
            r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":1}}"#,
            r#"{"type":"content_block_start","index":0}"#,
            r#"{"type":"message_start","message":1}"#,
        ] {
            assert!(StreamEvent::parse("", data).is_err(), "{data}");
        }
    }

    #[test]
    fn errors_in_every_shape() {
        let parse = |data| match StreamEvent::parse("", data) {
            Ok(StreamEvent::Error(error)) => error,
            other => panic!("{other:?}"),
        };
        let error = parse(
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Busy"},"request_id":"req_1"}"#,
        );
        assert_eq!(error.kind.as_deref(), Some("overloaded_error"));
        assert_eq!(error.message.as_deref(), Some("Busy"));
        assert_eq!(error.request_id.as_deref(), Some("req_1"));
        assert_eq!(
            parse(r#"{"error":"boom"}"#).message.as_deref(),
            Some("boom")
        );
        assert_eq!(
            parse(r#"{"error":{"code":500,"message":7}}"#),
            VendorError::default()
        );
        assert_eq!(parse(r#"{"type":"error"}"#), VendorError::default());
    }
}
