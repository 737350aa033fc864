//! Conversion of status, reason phrase and body to data or an error category.

use std::time::Duration;

use serde_json::Value;

use crate::{error::ProxmoxError, texts};

/// Limit, so that no text from the other side fills the log or the model's context window.
const MAX_MESSAGE_CHARS: usize = 300;

/// Response of an endpoint.
pub(super) struct ApiAnswer<'a> {
    pub endpoint: &'a str,
    pub status: u16,
    /// Reason phrase, where Proxmox VE writes its message; newer nodes repeat it in the body.
    pub reason: Option<&'a [u8]>,
    pub body: &'a [u8],
}

/// Returns the `data` of a success, or the category of the failure.
pub(super) fn read(answer: &ApiAnswer<'_>) -> Result<Value, ProxmoxError> {
    let protocol = |message: String| ProxmoxError::Protocol {
        endpoint: answer.endpoint.to_owned(),
        message,
    };
    match answer.status {
        200..300 => {
            let mut body: Value = serde_json::from_slice(answer.body)
                .map_err(|_not_json| protocol(texts::client::IT_IS_NOT_JSON.to_owned()))?;
            match body.get_mut("data") {
                Some(data) => Ok(data.take()),
                None => Err(protocol(texts::client::NO_DATA_IN_IT.to_owned())),
            }
        }
        300..400 => Err(protocol(texts::client::redirect_which_is_never_followed(
            answer.status,
        ))),
        status => Err(failure(status, &message(answer))),
    }
}

fn failure(status: u16, message: &str) -> ProxmoxError {
    let message = message.to_owned();
    match status {
        401 => ProxmoxError::Unauthorised {
            message,
            retry_after: Duration::ZERO,
        },
        403 => {
            let (path, privileges) = denied(&message);
            ProxmoxError::Forbidden {
                path,
                privileges,
                message,
            }
        }
        400 | 404 | 405 | 501 => ProxmoxError::Refused { status, message },
        595..=599 => ProxmoxError::NodeUnreachable { status, message },
        _ => ProxmoxError::Failed { status, message },
    }
}

/// The path and privileges in `Permission check failed (/vms/100, VM.Audit|VM.Config.Options)`.
fn denied(message: &str) -> (Option<String>, Vec<String>) {
    let inside = message
        .split_once("Permission check failed (")
        .and_then(|(_, rest)| rest.split_once(')'))
        .and_then(|(inside, _)| inside.split_once(','));
    match inside {
        Some((path, privileges)) if path.starts_with('/') => (
            Some(path.trim().to_owned()),
            privileges
                .split('|')
                .map(|privilege| privilege.trim().to_owned())
                .filter(|privilege| !privilege.is_empty())
                .collect(),
        ),
        _ => (None, Vec::new()),
    }
}

/// The error message from the body, or else the reason phrase, with the parameter errors.
fn message(answer: &ApiAnswer<'_>) -> String {
    let body: Value = serde_json::from_slice(answer.body).unwrap_or(Value::Null);
    let from_body = body
        .get("message")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned);
    let from_reason = answer
        .reason
        .map(|reason| String::from_utf8_lossy(reason).trim().to_owned())
        .filter(|text| !text.is_empty());
    let mut message = from_body
        .or(from_reason)
        .unwrap_or_else(|| texts::client::NO_MESSAGE.to_owned());
    if let Some(errors) = body.get("errors").and_then(Value::as_object) {
        for (field, error) in errors {
            let error = error.as_str().unwrap_or("invalid").trim();
            message.push_str(&format!("; {field}: {error}"));
        }
    }
    let mut message = agent::cause::without_links(&message);
    if message.chars().count() > MAX_MESSAGE_CHARS {
        message = message.chars().take(MAX_MESSAGE_CHARS).collect();
        message.push('…');
    }
    message
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(status: u16, reason: &str, body: &str, expect: Result<Value, ProxmoxError>) {
        let answer = ApiAnswer {
            endpoint: "pve:8006",
            status,
            reason: (!reason.is_empty()).then_some(reason.as_bytes()),
            body: body.as_bytes(),
        };
        assert_eq!(read(&answer), expect, "{status} {reason} {body}");
    }

    fn protocol(message: &str) -> Result<Value, ProxmoxError> {
        Err(ProxmoxError::Protocol {
            endpoint: "pve:8006".to_owned(),
            message: message.to_owned(),
        })
    }

    #[test]
    fn successes() {
        check(200, "", r#"{"data":[1],"total":7}"#, Ok(json!([1])));
        check(200, "", r#"{"data":null}"#, Ok(Value::Null));
        check(200, "", "{}", protocol("no `data` in it"));
        check(200, "", "<html>", protocol("it is not JSON"));
        check(
            301,
            "",
            "",
            protocol("a redirect (301), which is never followed"),
        );
    }

    #[test]
    fn forbidden_names_path_and_privileges() {
        let text = "Permission check failed (/vms/100, VM.Audit|VM.Backup)";
        let forbidden = |path: Option<&str>, privileges: &[&str], message: &str| {
            Err(ProxmoxError::Forbidden {
                path: path.map(str::to_owned),
                privileges: privileges.iter().map(|p| (*p).to_owned()).collect(),
                message: message.to_owned(),
            })
        };
        let expect = forbidden(Some("/vms/100"), &["VM.Audit", "VM.Backup"], text);
        check(403, text, "", expect.clone());
        // Newer nodes repeat it in the body, with a line break at the end.
        let body = json!({"data": null, "message": format!("{text}\n")}).to_string();
        check(403, "", &body, expect);
        check(
            403,
            "Permission check failed",
            "",
            forbidden(None, &[], "Permission check failed"),
        );
        assert_eq!(
            forbidden(Some("/"), &["Sys.Audit"], "x")
                .unwrap_err()
                .to_string(),
            "missing privilege Sys.Audit on /"
        );
    }

    #[test]
    fn other_failures() {
        check(
            400,
            "Parameter verification failed.",
            r#"{"errors":{"limit":"type check ('integer') failed\n"},"data":null}"#,
            Err(ProxmoxError::Refused {
                status: 400,
                message: "Parameter verification failed.; limit: type check ('integer') failed"
                    .to_owned(),
            }),
        );
        check(
            401,
            "No ticket",
            "",
            Err(ProxmoxError::Unauthorised {
                message: "No ticket".to_owned(),
                retry_after: Duration::ZERO,
            }),
        );
        check(
            500,
            "CT 200 not running",
            "",
            Err(ProxmoxError::Failed {
                status: 500,
                message: "CT 200 not running".to_owned(),
            }),
        );
        check(
            595,
            "No route to host",
            "",
            Err(ProxmoxError::NodeUnreachable {
                status: 595,
                message: "No route to host".to_owned(),
            }),
        );
        check(
            500,
            "see https://pve.example/doc for more",
            "",
            Err(ProxmoxError::Failed {
                status: 500,
                message: "see [link] for more".to_owned(),
            }),
        );
        check(
            500,
            "",
            "",
            Err(ProxmoxError::Failed {
                status: 500,
                message: "no message".to_owned(),
            }),
        );
        check(
            500,
            &"x".repeat(1000),
            "",
            Err(ProxmoxError::Failed {
                status: 500,
                message: format!("{}…", "x".repeat(300)),
            }),
        );
    }
}
