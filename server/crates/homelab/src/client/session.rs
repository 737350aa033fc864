//! Signing in: one attempt at a time, and never again and again with what was refused.
//!
//! A node holds every 401 back for three seconds, and some operators ban addresses that collect
//! them. So the first request of all is a small one that proves the credentials; everybody else
//! waits for its outcome, and after a refusal the answer is given without asking for a while.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::{sync::Mutex, time::Instant};

use crate::{config::Credentials, error::ApiError};

/// A ticket lives for two hours.
const RENEW_TICKET_AFTER: Duration = Duration::from_secs(90 * 60);
/// Those who waited for an attempt that failed for other reasons share its error for this long.
const SHARE_FAILURE: Duration = Duration::from_secs(1);
const CSRF: HeaderName = HeaderName::from_static("csrfpreventiontoken");
const FIRST_PAUSE: Duration = Duration::from_secs(15);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

#[derive(Debug)]
pub(super) struct Session {
    credentials: Credentials,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Counts sign-ins, so that a late 401 does not undo a newer one.
    generation: u64,
    /// Refusals in a row.
    refusals: u32,
}

#[derive(Debug)]
enum Phase {
    SignedOut,
    SignedIn {
        headers: HeaderMap,
        /// What a write needs beside a ticket.
        csrf: Option<HeaderValue>,
        /// None for a token, which does not age.
        ticket: Option<Ticket>,
    },
    /// The attempt failed; until then its error is everybody's answer.
    Failed {
        error: ApiError,
        until: Instant,
    },
}

#[derive(Debug, Clone)]
struct Ticket {
    text: String,
    since: Instant,
}

/// What makes a request ours.
#[derive(Debug, Clone)]
pub(super) struct Authorisation {
    pub headers: HeaderMap,
    csrf: Option<HeaderValue>,
    generation: u64,
}

impl Authorisation {
    /// The headers of a request that changes something.
    pub(super) fn for_writes(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        if let Some(csrf) = &self.csrf {
            headers.insert(CSRF, csrf.clone());
        }
        headers
    }
}

/// What signing in brings.
struct SignedIn {
    headers: HeaderMap,
    csrf: Option<HeaderValue>,
    ticket: Option<Ticket>,
}

/// The two requests that signing in needs.
pub(super) trait SignIn {
    /// Reads something that every signed-in caller may read.
    async fn probe(&self, headers: HeaderMap) -> Result<(), ApiError>;
    /// Asks for a ticket; the data of the answer.
    async fn ticket(&self, username: &str, password: &str) -> Result<Value, ApiError>;
}

impl Session {
    pub(super) fn new(credentials: Credentials) -> Self {
        Self {
            credentials,
            state: Mutex::new(State {
                phase: Phase::SignedOut,
                generation: 0,
                refusals: 0,
            }),
        }
    }

    /// What makes a request ours, after signing in if that is due.
    pub(super) async fn authorise(&self, wire: &impl SignIn) -> Result<Authorisation, ApiError> {
        let mut state = self.state.lock().await;
        let stale = match &state.phase {
            Phase::SignedIn {
                headers,
                csrf,
                ticket,
            } => match ticket {
                Some(ticket) if ticket.since.elapsed() >= RENEW_TICKET_AFTER => {
                    Some(ticket.text.clone())
                }
                _ => {
                    return Ok(Authorisation {
                        headers: headers.clone(),
                        csrf: csrf.clone(),
                        generation: state.generation,
                    });
                }
            },
            Phase::Failed { error, until } if Instant::now() < *until => {
                let left = until.saturating_duration_since(Instant::now());
                return Err(with_pause(error.clone(), left));
            }
            Phase::SignedOut | Phase::Failed { .. } => None,
        };
        match self.sign_in(wire, stale).await {
            Ok(signed_in) => {
                state.generation += 1;
                state.refusals = 0;
                let SignedIn {
                    headers,
                    csrf,
                    ticket,
                } = signed_in;
                let authorisation = Authorisation {
                    headers: headers.clone(),
                    csrf: csrf.clone(),
                    generation: state.generation,
                };
                state.phase = Phase::SignedIn {
                    headers,
                    csrf,
                    ticket,
                };
                Ok(authorisation)
            }
            Err(error) => Err(state.fail(error)),
        }
    }

    /// A request that was ours got a 401. Whether it is worth sending once more, after signing in
    /// again.
    pub(super) async fn renew(&self, authorisation: &Authorisation) -> bool {
        let mut state = self.state.lock().await;
        if state.generation != authorisation.generation {
            return true;
        }
        match (&self.credentials, &state.phase) {
            (_, Phase::SignedOut) => true,
            // A ticket ends early when the password or the cluster's key changes.
            (Credentials::Password { .. }, Phase::SignedIn { .. }) => {
                state.phase = Phase::SignedOut;
                true
            }
            _ => false,
        }
    }

    /// A request that was ours got a 401 for good: nobody asks for a while.
    pub(super) async fn give_up(&self, authorisation: &Authorisation, error: ApiError) -> ApiError {
        let mut state = self.state.lock().await;
        match &state.phase {
            Phase::Failed { error, until } => with_pause(
                error.clone(),
                until.saturating_duration_since(Instant::now()),
            ),
            _ if state.generation == authorisation.generation => state.fail(error),
            _ => error,
        }
    }

    async fn sign_in(
        &self,
        wire: &impl SignIn,
        stale_ticket: Option<String>,
    ) -> Result<SignedIn, ApiError> {
        match &self.credentials {
            Credentials::Token { id, secret } => {
                let value = format!("PVEAPIToken={id}={}", secret.expose());
                let headers = header(AUTHORIZATION, &value)?;
                wire.probe(headers.clone()).await?;
                Ok(SignedIn {
                    headers,
                    csrf: None,
                    ticket: None,
                })
            }
            Credentials::Password { username, password } => {
                let data = match stale_ticket {
                    Some(ticket) => match wire.ticket(username, &ticket).await {
                        Err(ApiError::Unauthorised { .. }) => {
                            wire.ticket(username, password.expose()).await?
                        }
                        other => other?,
                    },
                    None => wire.ticket(username, password.expose()).await?,
                };
                let text = ticket_of(&data)?;
                let headers = header(COOKIE, &format!("PVEAuthCookie={}", encoded(&text)))?;
                let csrf = data.get("CSRFPreventionToken").and_then(Value::as_str);
                let csrf = csrf.map(secret).transpose()?;
                let since = Instant::now();
                Ok(SignedIn {
                    headers,
                    csrf,
                    ticket: Some(Ticket { text, since }),
                })
            }
        }
    }

    /// Who signs in, as in UPIDs.
    pub(super) fn caller(&self) -> &str {
        match &self.credentials {
            Credentials::Token { id, .. } => id,
            Credentials::Password { username, .. } => username,
        }
    }
}

impl State {
    fn fail(&mut self, error: ApiError) -> ApiError {
        let pause = if matches!(error, ApiError::Unauthorised { .. }) {
            let pause = FIRST_PAUSE * 2_u32.saturating_pow(self.refusals.min(10));
            self.refusals = self.refusals.saturating_add(1);
            pause.min(LONGEST_PAUSE)
        } else {
            SHARE_FAILURE
        };
        self.phase = Phase::Failed {
            error: error.clone(),
            until: Instant::now() + pause,
        };
        with_pause(error, pause)
    }
}

fn with_pause(error: ApiError, pause: Duration) -> ApiError {
    match error {
        ApiError::Unauthorised { message, .. } => ApiError::Unauthorised {
            message,
            retry_after: pause,
        },
        other => other,
    }
}

fn header(name: HeaderName, value: &str) -> Result<HeaderMap, ApiError> {
    Ok(HeaderMap::from_iter([(name, secret(value)?)]))
}

fn secret(value: &str) -> Result<HeaderValue, ApiError> {
    let mut value =
        HeaderValue::from_str(value).map_err(|_| sign_in_failed("unusable characters"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Nodes decode the cookie's value.
fn encoded(ticket: &str) -> String {
    let mut out = String::with_capacity(ticket.len());
    for byte in ticket.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn ticket_of(data: &Value) -> Result<String, ApiError> {
    let needs_second_factor = match data.get("NeedTFA") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(other) => other != 0,
    };
    if needs_second_factor {
        return Err(sign_in_failed(
            "the user needs a second factor; use an API token",
        ));
    }
    data.get("ticket")
        .and_then(Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| sign_in_failed("no ticket in the answer"))
}

fn sign_in_failed(message: &str) -> ApiError {
    ApiError::Unauthorised {
        message: message.to_owned(),
        retry_after: Duration::ZERO,
    }
}

#[cfg(test)]
mod tests;
