//! Sign-in session: one attempt at a time, and no endless retries with refused credentials.
//!
//! A node delays every 401 by three seconds, and some operators ban addresses that collect them. So
//! the very first request is a small one that proves the credentials, and all others wait for its
//! outcome; after a refusal they fail for a while without a request.

use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::{sync::Mutex, time::Instant};

use crate::{config::Credentials, error::ProxmoxError, texts};

/// A ticket is valid for two hours.
const RENEW_TICKET_AFTER: Duration = Duration::from_secs(90 * 60);
/// Time for which the waiters of an attempt that failed for another reason share its error.
const SHARE_FAILURE: Duration = Duration::from_secs(1);
const CSRF: HeaderName = HeaderName::from_static("csrfpreventiontoken");
const FIRST_PAUSE: Duration = Duration::from_secs(15);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// The signs of a ticket that a cookie's value cannot have, and a few more.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b'@');

#[derive(Debug)]
pub(super) struct ApiSession {
    credentials: Credentials,
    state: Mutex<SessionState>,
}

#[derive(Debug)]
struct SessionState {
    phase: SessionPhase,
    /// Number of sign-ins, so that a late 401 does not undo a newer one.
    generation: u64,
    /// Refusals in a row.
    refusals: u32,
}

#[derive(Debug)]
enum SessionPhase {
    SignedOut,
    SignedIn {
        headers: HeaderMap,
        /// CSRF token, which a write with a ticket needs.
        csrf: Option<HeaderValue>,
        /// `None` for a token, which does not expire.
        ticket: Option<Ticket>,
    },
    /// The attempt failed; until then every caller gets its error.
    Failed {
        error: ProxmoxError,
        until: Instant,
    },
}

#[derive(Debug, Clone)]
struct Ticket {
    text: String,
    since: Instant,
}

/// Credentials attached to a request.
#[derive(Debug, Clone)]
pub(super) struct Authorisation {
    pub headers: HeaderMap,
    csrf: Option<HeaderValue>,
    generation: u64,
}

impl Authorisation {
    /// The headers of a writing request.
    pub(super) fn for_writes(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        if let Some(csrf) = &self.csrf {
            headers.insert(CSRF, csrf.clone());
        }
        headers
    }
}

/// Result of a sign-in.
struct SignedInTicket {
    headers: HeaderMap,
    csrf: Option<HeaderValue>,
    ticket: Option<Ticket>,
}

/// The two requests that a sign-in needs.
pub(super) trait SignIn {
    /// Reads something that every signed-in caller may read.
    async fn probe(&self, headers: HeaderMap) -> Result<(), ProxmoxError>;
    /// Requests a ticket; returns the data of the answer.
    async fn ticket(&self, username: &str, password: &str) -> Result<Value, ProxmoxError>;
}

impl ApiSession {
    pub(super) fn new(credentials: Credentials) -> Self {
        Self {
            credentials,
            state: Mutex::new(SessionState {
                phase: SessionPhase::SignedOut,
                generation: 0,
                refusals: 0,
            }),
        }
    }

    /// Returns the credentials for a request, after signing in if necessary.
    pub(super) async fn authorise(
        &self,
        wire: &impl SignIn,
    ) -> Result<Authorisation, ProxmoxError> {
        let mut state = self.state.lock().await;
        let stale = match &state.phase {
            SessionPhase::SignedIn {
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
            SessionPhase::Failed { error, until } if Instant::now() < *until => {
                let left = until.saturating_duration_since(Instant::now());
                return Err(with_pause(error.clone(), left));
            }
            SessionPhase::SignedOut | SessionPhase::Failed { .. } => None,
        };
        match self.sign_in(wire, stale).await {
            Ok(signed_in) => {
                state.generation += 1;
                state.refusals = 0;
                let SignedInTicket {
                    headers,
                    csrf,
                    ticket,
                } = signed_in;
                let authorisation = Authorisation {
                    headers: headers.clone(),
                    csrf: csrf.clone(),
                    generation: state.generation,
                };
                state.phase = SessionPhase::SignedIn {
                    headers,
                    csrf,
                    ticket,
                };
                Ok(authorisation)
            }
            Err(error) => Err(state.fail(error)),
        }
    }

    /// Handles a 401 to an authorised request; returns whether to retry it after a new sign-in.
    pub(super) async fn renew(&self, authorisation: &Authorisation) -> bool {
        let mut state = self.state.lock().await;
        if state.generation != authorisation.generation {
            return true;
        }
        match (&self.credentials, &state.phase) {
            (_, SessionPhase::SignedOut) => true,
            // A ticket is invalidated early when the password or the cluster's key changes.
            (Credentials::Password { .. }, SessionPhase::SignedIn { .. }) => {
                state.phase = SessionPhase::SignedOut;
                true
            }
            _ => false,
        }
    }

    /// Handles a final 401 to an authorised request: all requests fail for a while.
    pub(super) async fn give_up(
        &self,
        authorisation: &Authorisation,
        error: ProxmoxError,
    ) -> ProxmoxError {
        let mut state = self.state.lock().await;
        match &state.phase {
            SessionPhase::Failed { error, until } => with_pause(
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
    ) -> Result<SignedInTicket, ProxmoxError> {
        match &self.credentials {
            Credentials::Token { id, secret } => {
                let value = format!("PVEAPIToken={id}={}", secret.expose());
                let headers = header(AUTHORIZATION, &value)?;
                wire.probe(headers.clone()).await?;
                Ok(SignedInTicket {
                    headers,
                    csrf: None,
                    ticket: None,
                })
            }
            Credentials::Password { username, password } => {
                let data = match stale_ticket {
                    Some(ticket) => match wire.ticket(username, &ticket).await {
                        Err(ProxmoxError::Unauthorised { .. }) => {
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
                Ok(SignedInTicket {
                    headers,
                    csrf,
                    ticket: Some(Ticket { text, since }),
                })
            }
        }
    }

    /// The caller as written in UPIDs.
    pub(super) fn caller(&self) -> &str {
        match &self.credentials {
            Credentials::Token { id, .. } => id,
            Credentials::Password { username, .. } => username,
        }
    }
}

impl SessionState {
    fn fail(&mut self, error: ProxmoxError) -> ProxmoxError {
        let pause = if matches!(error, ProxmoxError::Unauthorised { .. }) {
            let pause = FIRST_PAUSE * 2_u32.saturating_pow(self.refusals.min(10));
            self.refusals = self.refusals.saturating_add(1);
            pause.min(LONGEST_PAUSE)
        } else {
            SHARE_FAILURE
        };
        self.phase = SessionPhase::Failed {
            error: error.clone(),
            until: Instant::now() + pause,
        };
        with_pause(error, pause)
    }
}

fn with_pause(error: ProxmoxError, pause: Duration) -> ProxmoxError {
    match error {
        ProxmoxError::Unauthorised { message, .. } => ProxmoxError::Unauthorised {
            message,
            retry_after: pause,
        },
        other => other,
    }
}

fn header(name: HeaderName, value: &str) -> Result<HeaderMap, ProxmoxError> {
    Ok(HeaderMap::from_iter([(name, secret(value)?)]))
}

fn secret(value: &str) -> Result<HeaderValue, ProxmoxError> {
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| sign_in_failed(texts::client::UNUSABLE_CHARACTERS))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Percent-encodes the ticket, because nodes decode the cookie's value.
fn encoded(ticket: &str) -> String {
    utf8_percent_encode(ticket, ENCODED).to_string()
}

fn ticket_of(data: &Value) -> Result<String, ProxmoxError> {
    let needs_second_factor = match data.get("NeedTFA") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(other) => other != 0,
    };
    if needs_second_factor {
        return Err(sign_in_failed(texts::client::SECOND_FACTOR_REQUIRED));
    }
    data.get("ticket")
        .and_then(Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| sign_in_failed(texts::client::NO_TICKET_IN_ANSWER))
}

fn sign_in_failed(message: &str) -> ProxmoxError {
    ProxmoxError::Unauthorised {
        message: message.to_owned(),
        retry_after: Duration::ZERO,
    }
}

#[cfg(test)]
mod tests;
