//! Envelopes of Frappe's answers: data, warnings, and errors of both versions of the REST API.

use serde_json::Value;

use super::route::DataField;
use crate::{
    error::{ErpError, ErpRefusal, RefusalKind},
    plain_text::plain,
    texts::client as say,
};

/// The most messages of one answer, and the most characters of each: no text from the other side
/// fills a log or the model's context.
const MOST_MESSAGES: usize = 3;
const MESSAGE_CHARS: usize = 160;

/// A success.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SiteAnswer {
    pub(crate) data: Value,
    /// Warnings that came with it, without markup: hostile text.
    pub(crate) warnings: Vec<String>,
    /// Set by v2 for a list with more rows.
    pub(crate) has_more: Option<bool>,
}

/// An answer as it came.
pub(super) struct RawAnswer<'a> {
    pub(super) site: &'a str,
    pub(super) status: u16,
    /// In seconds, from the header.
    pub(super) retry_after: Option<u64>,
    /// True if the body is in an encoding, which is not read.
    pub(super) is_encoded: bool,
    pub(super) body: &'a [u8],
}

/// The data of a success, or the kind of the refusal.
pub(super) fn read(raw: &RawAnswer<'_>, field: DataField) -> Result<SiteAnswer, ErpError> {
    let unusable = |cause: String| ErpError::Unusable {
        site: raw.site.to_owned(),
        cause,
    };
    let body: Option<Value> = serde_json::from_slice(raw.body).ok();
    match raw.status {
        200..300 if raw.is_encoded => Err(unusable(say::IT_IS_COMPRESSED.to_owned())),
        200..300 => {
            let body = body.filter(Value::is_object);
            let mut body = body.ok_or_else(|| unusable(say::IT_IS_NOT_JSON.to_owned()))?;
            let warnings = messages(&body);
            let has_more = body.get("has_next_page").and_then(Value::as_bool);
            let names: &[&str] = match field {
                DataField::Data => &["data"],
                DataField::Message => &["message", "data", "results"],
                DataField::Docs => &["docs"],
                DataField::DocInfo => &["docinfo"],
            };
            let name = names.iter().find(|name| body.get(**name).is_some());
            let found = name.and_then(|name| body.get_mut(*name));
            let data = match (found, field) {
                (Some(data), _) => data.take(),
                // A method that returns nothing has no field.
                (None, DataField::Message) => Value::Null,
                (None, _) => return Err(unusable(say::no_field_in_it(names[0]))),
            };
            Ok(SiteAnswer {
                data,
                warnings,
                has_more,
            })
        }
        300..400 => Err(unusable(say::a_redirect(raw.status))),
        // An HTML page of a proxy, or of Frappe itself, has no fields: the status must do.
        status => {
            let body = body.unwrap_or(Value::Null);
            Err(ErpError::Refused(ErpRefusal {
                kind: RefusalKind::of(status, exception(&body)),
                messages: messages(&body),
                retry_after: raw.retry_after,
            }))
        }
    }
}

/// The name of the exception: `exc_type` of v1, `errors[].type` of v2.
fn exception(body: &Value) -> Option<&str> {
    let v1 = body.get("exc_type").and_then(Value::as_str);
    v1.or_else(|| body.get("errors")?.get(0)?.get("type")?.as_str())
}

/// The messages of an answer: `_server_messages` of v1 is a JSON text of a list of JSON texts;
/// v2 has `errors` and `messages`.
fn messages(body: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for list in ["errors", "messages"] {
        let list = body.get(list).and_then(Value::as_array);
        found.extend(list.into_iter().flatten().filter_map(words));
    }
    let v1 = body.get("_server_messages").and_then(Value::as_str);
    let v1: Option<Vec<Value>> = v1.and_then(|text| serde_json::from_str(text).ok());
    for message in v1.into_iter().flatten() {
        // Each is JSON once more; one that is not is the text itself.
        let inner: Option<Value> = match message.as_str() {
            Some(text) => serde_json::from_str(text).ok().filter(Value::is_object),
            None => None,
        };
        found.extend(words(inner.as_ref().unwrap_or(&message)));
    }
    found.dedup();
    found.truncate(MOST_MESSAGES);
    found
}

/// The text of one message.
fn words(message: &Value) -> Option<String> {
    let text = match message {
        Value::String(text) => text,
        other => other.get("message")?.as_str()?,
    };
    let text = agent::cause::without_links(&plain(text, MESSAGE_CHARS));
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
