//! The guard at the last moment: no request with a hidden value leaves.

use protocol::{ErrorBody, ErrorCode, Reference};
use serde_json::{Value, json};

use super::{Cover, guarded};
use crate::{
    output::clean_line,
    ports::{LeakedValue, ModelRequest},
    raw_json::json as raw,
    tagged,
    texts::redaction as texts,
};

/// Texts within texts that are read; deeper JSON is read as the text that it is.
const MAX_DEPTH: usize = 6;

/// The reason why a request is not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Withheld {
    Leak(LeakedValue),
    /// It has images, and nothing reads text in them.
    Images,
    /// It could not be checked.
    Unchecked,
}

impl Withheld {
    /// The error that people see.
    pub(crate) fn error(&self) -> ErrorBody {
        let (message, help) = match self {
            Self::Leak(leak) => (
                texts::request_has_hidden_value(&clean_line(&leak.class), &clean_line(&leak.token)),
                texts::START_ANEW_AND_REPORT,
            ),
            Self::Images => (
                texts::REQUEST_HAS_IMAGES.to_owned(),
                texts::START_WITHOUT_IMAGES,
            ),
            Self::Unchecked => (
                texts::REQUEST_COULD_NOT_BE_CHECKED.to_owned(),
                texts::TRY_AGAIN_OR_LOOK_AT_LOG,
            ),
        };
        ErrorBody::new(ErrorCode::RequestWithheld, message).with_help(help)
    }

    /// The detail for the audit chain.
    pub(crate) fn audit(&self) -> Value {
        let why = match self {
            Self::Leak(leak) => json!({ "leak": { "class": leak.class, "token": leak.token } }),
            Self::Images => json!("images"),
            Self::Unchecked => json!("unchecked"),
        };
        json!({ "withheld": why })
    }
}

impl Cover {
    /// Refuses a request that may not leave.
    pub(crate) async fn check(
        &self,
        about: &[Reference],
        request: &ModelRequest,
        has_images: bool,
    ) -> Result<(), Withheld> {
        if has_images {
            return Err(Withheld::Images);
        }
        let bytes = read(request);
        let scope = self.scope(about);
        for redaction in &self.redactions {
            match guarded(redaction.leaks(&scope, &bytes)).await {
                Ok(None) => {}
                Ok(Some(leak)) => return Err(Withheld::Leak(leak)),
                Err(error) => {
                    self.log(&error);
                    return Err(Withheld::Unchecked);
                }
            }
        }
        Ok(())
    }
}

/// A request as bytes: its parts as JSON, as they are sent, and then each text in them.
fn read(request: &ModelRequest) -> Vec<u8> {
    let mut parts = vec![raw(&request.model), raw(&&*request.system)];
    parts.extend(request.tools.as_deref().map(ToOwned::to_owned));
    let blocks = request.messages.iter().flat_map(|it| &it.content);
    parts.extend(blocks.map(|block| (**block).to_owned()));
    let mut bytes = Vec::new();
    for part in &parts {
        bytes.extend_from_slice(part.get().as_bytes());
        bytes.push(b'\n');
    }
    for part in &parts {
        if let Ok(value) = serde_json::from_str::<Value>(part.get()) {
            push_texts(&value, &mut bytes, 0);
        }
    }
    bytes
}

fn push_texts(value: &Value, bytes: &mut Vec<u8>, depth: usize) {
    match value {
        Value::String(text) => {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(b'\n');
            if depth >= MAX_DEPTH {
                return;
            }
            let tagged = text.lines().filter_map(tagged::data_of);
            let tagged = tagged.map(|(_, data, _)| data);
            // Most texts begin with a letter, and are not parsed.
            let is_json = text.trim_start().starts_with(['{', '[', '"']);
            for data in tagged.chain(is_json.then_some(text.as_str())) {
                if let Ok(inner) = serde_json::from_str::<Value>(data) {
                    push_texts(&inner, bytes, depth + 1);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                push_texts(item, bytes, depth);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                bytes.extend_from_slice(name.as_bytes());
                bytes.push(b'\n');
                push_texts(item, bytes, depth);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
