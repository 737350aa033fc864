//! The guard at the last moment: no request with a hidden value leaves.

use protocol::{ErrorBody, ErrorCode, Reference};
use serde_json::{Value, json};

use super::{
    Cover, guarded,
    texts::{self, PlainBlocks},
};
use crate::{
    output::clean_line,
    ports::{LeakedValue, ModelRequest, NotCovered, RequestMessage, RequestRole, TokenRule},
    raw_json::json as raw,
    tagged,
    texts::redaction as sentences,
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
                sentences::request_has_hidden_value(
                    &clean_line(&leak.class),
                    &clean_line(&leak.token),
                ),
                sentences::START_ANEW_AND_REPORT,
            ),
            Self::Images => (
                sentences::REQUEST_HAS_IMAGES.to_owned(),
                sentences::START_WITHOUT_IMAGES,
            ),
            Self::Unchecked => (
                sentences::REQUEST_COULD_NOT_BE_CHECKED.to_owned(),
                sentences::TRY_AGAIN_OR_LOOK_AT_LOG,
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
    /// The request as it may leave, or the reason why it may not.
    ///
    /// A value that became known after the conversation read it in the clear is in texts that were
    /// covered before. They are covered again, in this request and in each later one alike: what is
    /// on record stays as it was made, and the value does not leave once more.
    pub(crate) async fn cleared(
        &self,
        about: &[Reference],
        mut request: ModelRequest,
        has_images: bool,
    ) -> Result<ModelRequest, Withheld> {
        if has_images {
            return Err(Withheld::Images);
        }
        if self.leak(about, &request).await?.is_some() {
            let messages = self.covered_again(about, request.messages).await;
            request.messages = messages.map_err(|error| self.unchecked(&error))?;
            if let Some(leak) = self.leak(about, &request).await? {
                return Err(Withheld::Leak(leak));
            }
        }
        Ok(request)
    }

    async fn leak(
        &self,
        about: &[Reference],
        request: &ModelRequest,
    ) -> Result<Option<LeakedValue>, Withheld> {
        let bytes = read(request);
        let scope = self.scope(about);
        for redaction in &self.redactions {
            let leak = guarded(redaction.leaks(&scope, &bytes)).await;
            if let Some(leak) = leak.map_err(|error| self.unchecked(&error))? {
                return Ok(Some(leak));
            }
        }
        Ok(None)
    }

    fn unchecked(&self, error: &NotCovered) -> Withheld {
        self.log(error);
        Withheld::Unchecked
    }

    /// The messages with all texts covered anew. Blocks in which nothing changes keep their bytes.
    async fn covered_again(
        &self,
        about: &[Reference],
        mut messages: Vec<RequestMessage>,
    ) -> Result<Vec<RequestMessage>, NotCovered> {
        let mut found = Vec::new();
        for message in &messages {
            let words = words_of(message.role);
            for block in &message.content {
                if let Ok(mut block) = serde_json::from_str::<Value>(block.get()) {
                    texts::each_of_blocks(&mut block, words, &mut |text: &mut String| {
                        texts::collected(text, &mut found)
                    });
                }
            }
        }
        // They were all covered before, so tokens in them are tokens.
        let covered = self.texts(about, found, TokenRule::Keep).await?;
        let mut covered = covered.into_iter();
        for message in &mut messages {
            let words = words_of(message.role);
            for block in &mut message.content {
                let Ok(mut value) = serde_json::from_str::<Value>(block.get()) else {
                    continue;
                };
                let changed = texts::each_of_blocks(&mut value, words, &mut |text: &mut String| {
                    texts::replaced(text, &mut covered)
                });
                if changed {
                    *block = raw(&value).into();
                }
            }
        }
        Ok(messages)
    }
}

/// The model writes words; what else is sent may have data of ours between the words.
fn words_of(role: RequestRole) -> PlainBlocks {
    match role {
        RequestRole::Assistant => PlainBlocks::All,
        RequestRole::User => PlainBlocks::None,
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
