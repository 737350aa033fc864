//! `Idempotency-Key`: a request that is sent again has one effect and one answer.
//!
//! What a request makes gets its identifiers from a seed that is stored with the key before anything is
//! done. So a request whose answer was lost, also with the server, is carried out again under the same
//! identifiers, and the engine knows that it was.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use agent::ports::Via;
use axum::{
    Extension,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};
use sha2::{Digest, Sha256};
use sign_in::SignedIn;
use store::{Error, KeptAnswer, KeyedRequest};

use super::{body::whole, refusal::RequestRefusal};
use crate::{http::Http, routes::Attempt, texts};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Marks an answer that was given before.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// The longest key, in bytes.
const MAX_KEY: usize = 255;
/// The longest answer that is kept, in bytes.
const MAX_ANSWER: usize = 64 * 1024;

/// The requests with a key that are being carried out by this process.
#[derive(Debug, Clone, Default)]
pub(in crate::http) struct Underway(Arc<Mutex<HashSet<KeyedRequest>>>);

/// A place among them, until it is dropped.
struct UnderwayPlace {
    underway: Underway,
    keyed: KeyedRequest,
}

impl Underway {
    fn enter(&self, keyed: &KeyedRequest) -> Option<UnderwayPlace> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(keyed.clone()).then(|| UnderwayPlace {
            underway: self.clone(),
            keyed: keyed.clone(),
        })
    }
}

impl Drop for UnderwayPlace {
    fn drop(&mut self) {
        let all = &self.underway.0;
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&self.keyed);
    }
}

/// Carries out a request, once for each of its keys. Without a key it is a new one.
pub(in crate::http) async fn once(
    State((http, underway)): State<(Http, Underway)>,
    Extension(signed_in): Extension<SignedIn>,
    mut request: Request,
    next: Next,
) -> Response {
    match key(request.headers()) {
        Ok(Some(key)) => {
            let keyed = keyed(&signed_in, key, request).await;
            match keyed {
                Ok((keyed, request)) => carry_out(&http, &underway, &keyed, request, next)
                    .await
                    .unwrap_or_else(IntoResponse::into_response),
                Err(refused) => refused.into_response(),
            }
        }
        Ok(None) => {
            request.extensions_mut().insert(Attempt {
                began: http.now(),
                seed: http.env.random(),
            });
            next.run(request).await
        }
        Err(refused) => refused.into_response(),
    }
}

/// Returns the hash of the key.
fn key(headers: &HeaderMap) -> Result<Option<[u8; 32]>, RequestRefusal> {
    let mut keys = headers.get_all(KEY).iter();
    let Some(key) = keys.next() else {
        return Ok(None);
    };
    let bytes = key.as_bytes();
    let is_word = (1..=MAX_KEY).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic);
    if !is_word || keys.next().is_some() {
        let refused = RequestRefusal::new(
            StatusCode::BAD_REQUEST,
            "idempotency_key_invalid",
            texts::api::KEY_INVALID,
        );
        return Err(refused.with_help(texts::api::key_length(MAX_KEY)));
    }
    Ok(Some(Sha256::digest(bytes).into()))
}

/// Reads a request, and returns it with its name.
async fn keyed(
    signed_in: &SignedIn,
    key: [u8; 32],
    request: Request,
) -> Result<(KeyedRequest, Request), RequestRefusal> {
    let (parts, body) = request.into_parts();
    let mut limited = Request::new(body);
    *limited.extensions_mut() = parts.extensions.clone();
    let body: Bytes = whole(limited).await?;
    let mut hash = Sha256::new();
    let kind = parts.headers.get(header::CONTENT_TYPE);
    let kind = kind.map(HeaderValue::as_bytes).unwrap_or_default();
    let target = parts.uri.path_and_query().map_or("", |it| it.as_str());
    for part in [parts.method.as_str().as_bytes(), target.as_bytes(), kind] {
        // Each with its length, so that no two requests run together into the same bytes.
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.update(&body);
    let keyed = KeyedRequest {
        principal: match &signed_in.via {
            Via::Token { id, .. } => id.to_string(),
            Via::Session { .. } | Via::Inside => signed_in.user.id.to_string(),
        },
        key,
        request: hash.finalize().into(),
    };
    Ok((keyed, Request::from_parts(parts, Body::from(body))))
}

async fn carry_out(
    http: &Http,
    underway: &Underway,
    keyed: &KeyedRequest,
    mut request: Request,
    next: Next,
) -> Result<Response, RequestRefusal> {
    let Some(_place) = underway.enter(keyed) else {
        let refused = RequestRefusal::new(
            StatusCode::CONFLICT,
            "request_underway",
            texts::api::STILL_RUNNING,
        );
        let refused = refused.with_help(texts::http::TRY_AGAIN_IN_MOMENT);
        return Err(refused.again_after(Duration::ZERO));
    };
    let begun = http
        .store
        .begin_request(keyed, http.env.random(), http.now());
    let begun = begun.await.map_err(not_begun)?;
    if let Some(answer) = begun.answer {
        return Ok(replayed(answer));
    }
    request.extensions_mut().insert(Attempt {
        began: begun.began,
        seed: begun.seed,
    });
    let response = next.run(request).await;
    let status = response.status();
    if status.is_success() {
        return Ok(keep(http, keyed, response).await);
    }
    // After a fault of the server it is not known what was done: the seed stays.
    if !status.is_server_error()
        && let Err(error) = http.store.forget_request(keyed).await
    {
        tracing::warn!(%error, "the key of a refused request was not freed");
    }
    Ok(response)
}

fn not_begun(error: Error) -> RequestRefusal {
    match error {
        Error::Stale => RequestRefusal::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "idempotency_key_reused",
            texts::api::KEY_REUSED,
        )
        .with_help(texts::api::TAKE_ANOTHER_KEY),
        error => {
            tracing::error!(%error, "a request with a key could not be begun");
            ErrorBody::new(ErrorCode::StorageFailed, texts::api::REQUEST_NOT_KEPT)
                .with_help(texts::http::TRY_AGAIN_LATER)
                .into()
        }
    }
}

/// Keeps the answer of a request. If that fails, the next time makes it again.
async fn keep(http: &Http, keyed: &KeyedRequest, response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, MAX_ANSWER).await else {
        tracing::error!("the answer to a request with a key is too long");
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let location = parts.headers.get(header::LOCATION);
    let answer = KeptAnswer {
        status: parts.status.as_u16(),
        location: location.and_then(|location| Some(location.to_str().ok()?.to_owned())),
        body: body.to_vec(),
    };
    if let Err(error) = http.store.answer_request(keyed, &answer).await {
        tracing::warn!(%error, "the answer to a request with a key was not kept");
    }
    Response::from_parts(parts, Body::from(body))
}

fn replayed(answer: KeptAnswer) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    let location = answer.location.as_deref().map(HeaderValue::from_str);
    if let Some(Ok(location)) = location {
        headers.insert(header::LOCATION, location);
    }
    response
}
