//! The HTTP client of a connection, which signs in if that is configured.
//!
//! `rmcp` has a client of this kind, for tokens of people. Those of client credentials it never asks for again: after
//! the end of the first one it would send requests without any.

use std::{borrow::Cow, collections::HashMap, error::Error, io, sync::Arc};

use futures::StreamExt as _;
use reqwest::{
    Client,
    header::{HeaderName, HeaderValue},
};
use rmcp::{
    ServiceError,
    model::ClientJsonRpcMessage,
    transport::{
        common::client_side_sse::BoxedSseResponse,
        streamable_http_client::{
            StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
            StreamableHttpResponseLimits,
        },
    },
};
use tokio_util::sync::CancellationToken;

use crate::sign_in::{OauthSignIn, SignInFault, address::shown};

type HttpError = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// The client. Clones share the sign-in.
#[derive(Debug, Clone)]
pub(crate) struct SignedClient {
    pub(crate) client: Client,
    pub(crate) sign_in: Option<Arc<OauthSignIn>>,
    /// Cancelled when the start of the connection is given up, for whose answers `rmcp` waits on.
    pub(crate) given_up: CancellationToken,
}

impl SignedClient {
    /// Sends a request with a token, and once more with another one if the server refuses the first. It has then
    /// not carried the request out.
    async fn signed<T, F, Sent>(&self, address: &str, send: F) -> Result<T, HttpError>
    where
        F: Fn(Option<String>) -> Sent,
        Sent: Future<Output = Result<T, HttpError>>,
    {
        let Some(sign_in) = &self.sign_in else {
            return send(None).await;
        };
        if !sign_in.is_for(address) {
            return Err(stopped(SignInFault::AddressNotAllowed(shown(address))));
        }
        let first = sign_in.token().await.map_err(stopped)?;
        let answer = send(Some(first.to_string())).await;
        if status(&answer) != Some(401) {
            return judged(sign_in, answer, &first);
        }
        let second = sign_in.token_after(&first).await.map_err(stopped)?;
        let answer = send(Some(second.to_string())).await;
        if status(&answer) == Some(401) {
            return Err(stopped(sign_in.refused_again().await));
        }
        judged(sign_in, answer, &second)
    }
}

impl StreamableHttpClient for SignedClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits)
            .await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _token: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let posted = self.signed(&uri, |token| {
            self.client.post_message_with_response_limits(
                Arc::clone(&uri),
                message.clone(),
                session.clone(),
                token,
                headers.clone(),
                limits,
            )
        });
        let answer = self.given_up.run_until_cancelled(posted).await;
        let answer = answer.unwrap_or(Err(StreamableHttpError::TransportChannelClosed))?;
        Ok(match answer {
            StreamableHttpPostResponse::Sse(events, session) => {
                let events = events.take_until(self.given_up.clone().cancelled_owned());
                StreamableHttpPostResponse::Sse(events.boxed(), session)
            }
            answer => answer,
        })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _token: Option<String>,
        headers: Headers,
    ) -> Result<(), HttpError> {
        self.signed(&uri, |token| {
            self.client.delete_session(
                Arc::clone(&uri),
                Arc::clone(&session),
                token,
                headers.clone(),
            )
        })
        .await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _token: Option<String>,
        headers: Headers,
    ) -> Result<BoxedSseResponse, HttpError> {
        self.signed(&uri, |token| {
            self.client.get_stream(
                Arc::clone(&uri),
                session.clone(),
                last_event.clone(),
                token,
                headers.clone(),
            )
        })
        .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _token: Option<String>,
        headers: Headers,
        event_bytes: usize,
    ) -> Result<BoxedSseResponse, HttpError> {
        self.signed(&uri, |token| {
            self.client.get_stream_with_max_sse_event_size(
                Arc::clone(&uri),
                session.clone(),
                last_event.clone(),
                token,
                headers.clone(),
                event_bytes,
            )
        })
        .await
    }
}

/// The fault of the sign-in that kept a request from being answered, if that is the cause.
pub(crate) fn sign_in_fault(error: &ServiceError) -> Option<&SignInFault> {
    let ServiceError::TransportSend(error) = error else {
        return None;
    };
    let mut next: Option<&(dyn Error + 'static)> = Some(error.error.as_ref());
    while let Some(cause) = next {
        if let Some(stopped) = cause.downcast_ref::<io::Error>() {
            return stopped.get_ref()?.downcast_ref();
        }
        next = cause.source();
    }
    None
}

/// An error of the transport, with the fault in it.
fn stopped(fault: SignInFault) -> HttpError {
    StreamableHttpError::Io(io::Error::other(fault))
}

/// The answer to a request with a token. A refusal becomes a fault, and words of the server do not have the token.
fn judged<T>(
    sign_in: &OauthSignIn,
    answer: Result<T, HttpError>,
    token: &str,
) -> Result<T, HttpError> {
    if status(&answer) != Some(403) {
        sign_in.worked();
        return answer.map_err(|error| match error {
            StreamableHttpError::UnexpectedServerResponse(words) if words.contains(token) => {
                StreamableHttpError::UnexpectedServerResponse(words.replace(token, "…").into())
            }
            error => error,
        });
    }
    let fault = match answer {
        Err(StreamableHttpError::InsufficientScope(refusal))
            if refusal
                .www_authenticate_header
                .contains("insufficient_scope") =>
        {
            let scope = refusal.required_scope.map(|it| it.replace(token, "…"));
            SignInFault::InsufficientScope(scope.as_deref().map(shown))
        }
        _ => SignInFault::Forbidden,
    };
    Err(stopped(sign_in.failed(fault)))
}

/// The status of a refusal. Without a challenge `rmcp` has it in front of its words.
fn status<T>(answer: &Result<T, HttpError>) -> Option<u16> {
    match answer.as_ref().err()? {
        StreamableHttpError::AuthRequired(_) => Some(401),
        StreamableHttpError::InsufficientScope(_) => Some(403),
        StreamableHttpError::Client(error) => Some(error.status()?.as_u16()),
        StreamableHttpError::UnexpectedServerResponse(Cow::Owned(words)) => {
            words.strip_prefix("HTTP ")?.get(..3)?.parse().ok()
        }
        _ => None,
    }
}
