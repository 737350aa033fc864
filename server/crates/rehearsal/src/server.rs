//! HTTP server: routes, and the path of a request from its headers to its answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::{
    Router,
    body::Body,
    extract::{Path, Request as HttpRequest, State},
    http::{HeaderMap, Response, header},
    routing::{get, post},
};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::{
    answer,
    cache::Bill,
    catalogue, control,
    fault::Fault,
    pace::Pace,
    planner,
    prefix::{self, Chain, Prefix},
    refusal::{Refusal, json_response},
    reply::{Message, Stop},
    request::Request,
    respond,
    script::{Outcome, Scripted, Seen},
    shared::Shared,
    stream::{body, events, pieces},
    validate::{self, Endpoint, headers},
};

/// Limit on a request body: 32 MB.
const BODY_LIMIT: usize = 32 * 1024 * 1024;

/// Locks a mutex. Its state is valid even after a panic of another thread: each change is one call.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new()
        .route("/v1/messages", post(messages))
        .route("/v1/messages/count_tokens", post(count_tokens))
        .route("/v1/models", get(models))
        .route("/v1/models/{id}", get(model));
    if shared.control {
        router = router.merge(control::routes());
    }
    router.fallback(not_found).with_state(shared)
}

async fn not_found(State(shared): State<Arc<Shared>>) -> Response<Body> {
    Refusal::new(404, "Not found").into_response(&shared.ids.next("req"))
}

async fn models(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response<Body> {
    let id = shared.ids.next("req");
    if let Err(refusal) = admit(&shared, &headers) {
        return refusal.into_response(&id);
    }
    let data: Vec<Value> = catalogue::models(shared.control)
        .map(|model| model.to_json())
        .collect();
    let page = json!({
        "first_id": data.first().map(|model| &model["id"]),
        "last_id": data.last().map(|model| &model["id"]),
        "has_more": false,
        "data": data,
    });
    json_response(200, &page, &id)
}

async fn model(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response<Body> {
    let id = shared.ids.next("req");
    if let Err(refusal) = admit(&shared, &headers) {
        return refusal.into_response(&id);
    }
    match catalogue::find(&name, shared.control) {
        Some(model) => json_response(200, &model.to_json(), &id),
        None => Refusal::new(404, format!("model: {name}")).into_response(&id),
    }
}

fn admit(shared: &Shared, headers: &HeaderMap) -> Result<headers::Version, Refusal> {
    headers::auth(headers, &shared.key)?;
    headers::version(headers)
}

async fn count_tokens(State(shared): State<Arc<Shared>>, http: HttpRequest) -> Response<Body> {
    let id = shared.ids.next("req");
    match receive(&shared, http, Endpoint::CountTokens, &id).await {
        Ok(received) => {
            respond::settle(&shared, received.number, 200, None);
            let tokens = received.prefix.tokens();
            json_response(200, &json!({ "input_tokens": tokens }), &id)
        }
        Err(refusal) => refusal.into_response(&id),
    }
}

/// A request that passed all checks.
struct Received {
    number: u64,
    request: Request,
    prefix: Prefix,
}

/// Reads, checks and records a request.
async fn receive(
    shared: &Shared,
    http: HttpRequest,
    endpoint: Endpoint,
    id: &str,
) -> Result<Received, Refusal> {
    let (head, body) = http.into_parts();
    let text = |name: &str| {
        let value = head.headers.get(name)?;
        Some(value.to_str().ok()?.to_owned())
    };
    let auth = headers::auth(&head.headers, &shared.key);
    let number = shared.script.record(Seen {
        number: 0,
        request_id: id.to_owned(),
        path: head.uri.path().to_owned(),
        auth: auth.as_ref().ok().map(|auth| match auth {
            headers::Auth::ApiKey => "x-api-key",
            headers::Auth::Bearer => "bearer",
        }),
        version: text("anthropic-version"),
        beta: text("anthropic-beta"),
        body: Value::Null,
        status: 0,
        error: None,
        usage: None,
        outcome: Outcome::Answering,
    });
    let checked = async {
        // The body is read first, so that a client that is still sending receives the refusal.
        let bytes = read_body(body).await;
        auth?;
        let version = headers::version(&head.headers)?;
        headers::content_type(&head.headers)?;
        let value: Value = serde_json::from_slice(&bytes?).map_err(|error| {
            Refusal::invalid(format!("The request body is not valid JSON: {error}"))
        })?;
        shared
            .script
            .update(number, |seen| seen.body = value.clone());
        let request = validate::body(&value, endpoint, version, shared.control)?;
        let prefix = prefix::of(&request);
        validate::thinking::check(&request, &prefix, &lock(&shared.made))?;
        let context = request.model.context;
        if prefix.tokens() > context {
            return Err(Refusal::invalid(format!(
                "prompt is too long: {} tokens > {context} maximum",
                prefix.tokens()
            )));
        }
        Ok((request, prefix))
    }
    .await;
    match checked {
        Ok((request, prefix)) => Ok(Received {
            number,
            request,
            prefix,
        }),
        Err(refusal) => {
            respond::settle(shared, number, refusal.status, Some(&refusal.message));
            Err(refusal)
        }
    }
}

async fn read_body(body: Body) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut size = 0_usize;
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk
            .map_err(|error| Refusal::invalid(format!("The request body broke off: {error}")))?;
        size += chunk.len();
        if size <= BODY_LIMIT {
            bytes.extend_from_slice(&chunk);
        } else {
            bytes = Vec::new();
        }
        if size > 4 * BODY_LIMIT {
            break;
        }
    }
    if size > BODY_LIMIT {
        return Err(Refusal::new(413, "Request exceeds the maximum size"));
    }
    Ok(bytes)
}

async fn messages(State(shared): State<Arc<Shared>>, http: HttpRequest) -> Response<Body> {
    let id = shared.ids.next("req");
    let received = match receive(&shared, http, Endpoint::Messages, &id).await {
        Ok(received) => received,
        Err(refusal) => return refusal.into_response(&id),
    };
    let Received {
        number,
        request,
        prefix,
    } = received;
    let mut scripted = script_for(&shared, &request);
    let faults = std::mem::take(&mut scripted.faults);
    for fault in &faults {
        if let Fault::SlowHeaders { ms } = fault {
            let slow = std::time::Duration::from_millis(*ms);
            let mut stop = shared.stop.clone();
            tokio::select! {
                () = tokio::time::sleep(slow) => {}
                _ = stop.wait_for(|stop| *stop) => {}
            }
        }
    }
    if let Some(response) = respond::instead(&shared, &faults, number, &id) {
        return response;
    }
    let bill =
        lock(&shared.cache).look_up(&prefix, request.model.cache_minimum, shared.clock.now());
    let blocks = match scripted.blocks {
        Some(blocks) => blocks,
        None => planner::answer(&request, &shared.areas),
    };
    let stop = scripted.stop_reason.as_deref().map(Stop::because);
    let message = answer::message(&request, &prefix, &bill, blocks, stop, &faults, &shared.ids);
    let natural = shared.pace.hurried(request.model.hurry);
    let pace = scripted.pace.unwrap_or(natural);
    let usage = message.usage.to_json();
    shared.script.update(number, |seen| {
        seen.status = 200;
        seen.usage = Some(usage);
    });
    let witness = Witness {
        bill,
        before: prefix.end,
        message,
        number,
        completed: false,
        shared,
    };
    if request.stream {
        streamed(witness, pace, &faults, &id)
    } else {
        whole(witness, pace, &id).await
    }
}

/// The script for a request, with the markers in the user's words applied.
fn script_for(shared: &Shared, request: &Request) -> Scripted {
    let words = planner::newest_words(request);
    let mut scripted = shared
        .script
        .take(&words, planner::steps(request))
        .unwrap_or_default();
    if shared.control {
        control::markers(&words, shared.pace, &mut scripted);
    }
    scripted
}

fn streamed(witness: Witness, pace: Pace, faults: &[Fault], id: &str) -> Response<Body> {
    let pieces = pieces::of(events::of(&witness.message, faults), faults);
    let shared = Arc::clone(&witness.shared);
    let stream = body::body(pieces, pace, shared.stop.clone(), witness);
    let mut response = Response::new(Body::from_stream(stream));
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("text/event-stream; charset=utf-8"),
    );
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-cache"),
    );
    respond::finish(&shared, response, id)
}

async fn whole(mut witness: Witness, pace: Pace, id: &str) -> Response<Body> {
    use body::Witness as _;
    let mut stop = witness.shared.stop.clone();
    tokio::select! {
        () = tokio::time::sleep(pace.until(witness.message.usage.output)) => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
    witness.began();
    witness.completed();
    let response = json_response(200, &witness.message.to_json(), id);
    respond::finish(&witness.shared, response, id)
}

/// Keeps cache, memory and log consistent with the bytes really sent.
struct Witness {
    shared: Arc<Shared>,
    bill: Bill,
    before: Chain,
    message: Message,
    number: u64,
    completed: bool,
}

impl body::Witness for Witness {
    fn began(&mut self) {
        lock(&self.shared.cache).commit(&self.bill, self.shared.clock.now());
    }

    fn completed(&mut self) {
        self.completed = true;
        let blocks = self.message.blocks.iter().map(|sent| &sent.block);
        lock(&self.shared.made).note(&self.before, blocks);
        self.shared
            .script
            .update(self.number, |seen| seen.outcome = Outcome::Completed);
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        if !self.completed {
            self.shared
                .script
                .update(self.number, |seen| seen.outcome = Outcome::Broken);
        }
    }
}
