//! Reading answers of server functions and the data of pages through [`FromJson`]: the readers that
//! `serde` generates for the same types would be a fifth of the browser's download.

use leptos::{
    server::codee::{Decoder, Encoder},
    server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType, codec::Post},
};
use protocol::{FromJson, from_json_text};
use serde::Serialize;

/// JSON, read through [`FromJson`].
pub struct Wire;

/// The answer of a server function.
pub type Answer = Post<Wire>;

/// Text that is not JSON, or JSON of another shape.
#[derive(Debug)]
pub struct Unreadable;

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON of another shape")
    }
}

impl ContentType for Wire {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for Wire {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for Wire {
    type Error = serde_json::Error;

    fn encode(value: &T) -> Result<Bytes, Self::Error> {
        serde_json::to_vec(value).map(Bytes::from)
    }
}

impl<T: FromJson> Decodes<T> for Wire {
    type Error = Unreadable;

    fn decode(bytes: Bytes) -> Result<T, Unreadable> {
        let text = std::str::from_utf8(&bytes).map_err(|_| Unreadable)?;
        from_json_text(text).ok_or(Unreadable)
    }
}

impl<T: Serialize> Encoder<T> for Wire {
    type Error = serde_json::Error;
    type Encoded = String;

    fn encode(value: &T) -> Result<String, Self::Error> {
        // Only the server writes pages.
        if cfg!(feature = "ssr") {
            serde_json::to_string(value)
        } else {
            Ok(String::new())
        }
    }
}

impl<T: FromJson> Decoder<T> for Wire {
    type Error = Unreadable;
    type Encoded = str;

    fn decode(text: &str) -> Result<T, Unreadable> {
        from_json_text(text).ok_or(Unreadable)
    }
}
