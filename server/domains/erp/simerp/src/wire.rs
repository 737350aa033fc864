//! Requests and answers: paths decoded once, arguments, and the envelopes of both versions.

mod multipart;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use crate::books::SimErpProfile;
use crate::refusal::SimRefusal;

/// Version of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApiVersion {
    V1,
    V2,
}

/// A request, taken apart.
#[derive(Debug)]
pub(crate) struct ErpRequest {
    pub method: String,
    pub version: ApiVersion,
    /// Below `/api`, decoded once.
    pub segments: Vec<String>,
    pub args: Args,
    /// The file of a form, in its field `file`.
    pub file: Option<SentFile>,
    pub wants_html: bool,
}

/// A file as a form sends it.
#[derive(Debug)]
pub(crate) struct SentFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Arguments of a request: a JSON body replaces those of the query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args(pub Map<String, Value>);

impl Args {
    pub(crate) fn text(&self, name: &str) -> String {
        match self.0.get(name) {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            Some(other) => other.to_string(),
        }
    }

    /// A value that may come as JSON in a text.
    pub(crate) fn json(&self, name: &str) -> Option<Value> {
        match self.0.get(name)? {
            Value::String(text) => match serde_json::from_str(text) {
                Ok(value) => Some(value),
                Err(_) if text.is_empty() => None,
                Err(_) => Some(Value::String(text.clone())),
            },
            Value::Null => None,
            other => Some(other.clone()),
        }
    }

    pub(crate) fn object(&self, name: &str) -> Option<Map<String, Value>> {
        match self.json(name)? {
            Value::Object(map) => Some(map),
            _ => None,
        }
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.text(name).parse().ok()
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.text(name).as_str(), "1" | "true" | "True")
    }
}

/// An answer before it is written.
#[derive(Clone, Debug)]
pub(crate) struct ErpAnswer {
    pub status: u16,
    pub html: bool,
    pub body: String,
}

/// Takes a request apart; `None` if the path is none of the API.
pub(crate) fn read(
    method: &str,
    path: &str,
    query: &str,
    content_type: &str,
    body: &[u8],
    accept: &str,
) -> Option<ErpRequest> {
    let below = path.strip_prefix("/api/")?;
    let (version, below) = match below.split_once('/') {
        Some(("v2", rest)) => (ApiVersion::V2, rest),
        Some(("v1", rest)) => (ApiVersion::V1, rest),
        _ => (ApiVersion::V1, below),
    };
    let segments = below.trim_end_matches('/').split('/');
    let decode = |it: &str| percent_decode_str(it).decode_utf8_lossy().into_owned();
    let mut args = Map::new();
    let pairs = |bytes: &[u8]| -> Vec<(String, String)> {
        form_urlencoded::parse(bytes).into_owned().collect()
    };
    for (key, value) in pairs(query.as_bytes()) {
        args.insert(key, Value::String(value));
    }
    let mut file = None;
    if let Some(parts) = multipart::parts(content_type, body) {
        for part in parts {
            match part.file_name {
                Some(name) if part.name == "file" => {
                    let bytes = part.bytes;
                    file = Some(SentFile { name, bytes });
                }
                Some(_) => {}
                None => {
                    let value = String::from_utf8_lossy(&part.bytes).into_owned();
                    args.insert(part.name, Value::String(value));
                }
            }
        }
    } else if content_type.contains("json") {
        if let Ok(Value::Object(map)) = serde_json::from_slice(body) {
            args = map;
        }
    } else {
        for (key, value) in pairs(body) {
            args.insert(key, Value::String(value));
        }
    }
    Some(ErpRequest {
        method: method.to_owned(),
        version,
        segments: segments.map(decode).collect(),
        args: Args(args),
        file,
        wants_html: accept.contains("text/html") && !accept.contains("json"),
    })
}

/// A success: `data` or `message` in version 1, `data` in version 2, with warnings.
pub(crate) fn success(
    version: ApiVersion,
    key: &str,
    value: Value,
    status: u16,
    messages: &[String],
) -> ErpAnswer {
    let mut body = Map::new();
    match version {
        ApiVersion::V1 => body.insert(key.to_owned(), value),
        ApiVersion::V2 => body.insert("data".to_owned(), value),
    };
    with_messages(version, body, status, messages)
}

/// A success whose members are at the top level.
pub(crate) fn root(
    version: ApiVersion,
    body: Map<String, Value>,
    messages: &[String],
) -> ErpAnswer {
    with_messages(version, body, 200, messages)
}

fn with_messages(
    version: ApiVersion,
    mut body: Map<String, Value>,
    status: u16,
    messages: &[String],
) -> ErpAnswer {
    if !messages.is_empty() {
        match version {
            ApiVersion::V1 => {
                let list = server_messages(messages, "Message", "blue", false);
                body.insert("_server_messages".to_owned(), list);
            }
            ApiVersion::V2 => {
                let list: Vec<_> = messages
                    .iter()
                    .map(|it| json!({"message": it, "title": "Message", "indicator": "blue"}))
                    .collect();
                body.insert("messages".to_owned(), Value::Array(list));
            }
        }
    }
    ErpAnswer {
        status,
        html: false,
        body: Value::Object(body).to_string(),
    }
}

/// A text with a list of texts with an object each.
fn server_messages(messages: &[String], title: &str, indicator: &str, raised: bool) -> Value {
    let list: Vec<_> = messages
        .iter()
        .map(|message| {
            let mut one = json!({"message": message, "title": title, "indicator": indicator});
            if raised {
                one["raise_exception"] = json!(1);
            }
            Value::String(one.to_string())
        })
        .collect();
    Value::String(Value::Array(list).to_string())
}

/// An error in the envelope of its version, or as a page.
pub(crate) fn failure(
    version: ApiVersion,
    refusal: &SimRefusal,
    profile: SimErpProfile,
    html: bool,
) -> ErpAnswer {
    if html {
        return page(refusal.status, refusal.title);
    }
    let first = refusal.messages.first().map_or("", String::as_str);
    let exception = format!("frappe.exceptions.{}: {first}", refusal.kind);
    let traced = profile == SimErpProfile::V15Traceback && refusal.status != 404;
    let body = match version {
        ApiVersion::V1 => {
            let mut body = Map::new();
            if traced {
                let trace = format!("Traceback (most recent call last):\n  …\n{exception}\n");
                body.insert("exception".to_owned(), json!(exception));
                body.insert("exc".to_owned(), json!(json!([trace]).to_string()));
            }
            body.insert("exc_type".to_owned(), json!(refusal.kind));
            if refusal.status != 500 {
                let list = server_messages(&refusal.messages, refusal.title, "red", true);
                body.insert("_server_messages".to_owned(), list);
            }
            Value::Object(body)
        }
        ApiVersion::V2 => {
            let errors: Vec<_> = refusal
                .messages
                .iter()
                .map(|message| {
                    let mut one = json!({
                        "type": refusal.kind, "message": message, "title": refusal.title,
                        "indicator": "red",
                    });
                    if traced {
                        one["exception"] = json!(exception);
                    }
                    one
                })
                .collect();
            json!({ "errors": errors })
        }
    };
    ErpAnswer {
        status: refusal.status,
        html: false,
        body: body.to_string(),
    }
}

/// An error page of the framework or of a proxy before it.
pub(crate) fn page(status: u16, title: &str) -> ErpAnswer {
    ErpAnswer {
        status,
        html: true,
        body: format!(
            "<!DOCTYPE html>\n<html><head><title>{title}</title></head>\
             <body><h1>{status}</h1><p>{title}</p></body></html>\n"
        ),
    }
}
