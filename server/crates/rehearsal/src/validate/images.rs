//! Validation of images: base64 data of the declared type, within the limit.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::refusal::Refusal;

/// The largest image, in bytes of base64.
const MAX_BASE64: usize = 5 * 1024 * 1024;

pub(super) fn check(path: &str, block: &Value) -> Result<(), Refusal> {
    let refuse = |message: String| Err(Refusal::invalid(format!("{path}.image.{message}")));
    let source = &block["source"];
    if source["type"] != "base64" {
        return refuse("source: only base64 is supported here".to_owned());
    }
    let fields = source
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys());
    let mut extra = fields.filter(|key| !matches!(key.as_str(), "type" | "media_type" | "data"));
    if let Some(extra) = extra.next() {
        return refuse(format!(
            "source.base64.{extra}: Extra inputs are not permitted"
        ));
    }
    let data = source["data"].as_str().unwrap_or_default();
    if data.len() > MAX_BASE64 {
        return refuse(format!(
            "source.base64: image exceeds 5 MB maximum: {} bytes > {MAX_BASE64} bytes",
            data.len()
        ));
    }
    let Some(image) = bytes(block) else {
        return refuse("source.base64.data: Invalid base64".to_owned());
    };
    let told = source["media_type"].as_str().unwrap_or_default();
    match kind(&image) {
        Some(kind) if kind == told => Ok(()),
        _ => refuse(format!(
            "source.base64: the image is not of the media type {told:?}"
        )),
    }
}

/// The bytes of an image block.
pub(crate) fn bytes(block: &Value) -> Option<Vec<u8>> {
    BASE64_STANDARD
        .decode(block["source"]["data"].as_str()?)
        .ok()
}

fn kind(image: &[u8]) -> Option<&'static str> {
    match image {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("image/webp"),
        _ => None,
    }
}
