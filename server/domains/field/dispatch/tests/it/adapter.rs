//! Routes of the device API onto the dispatch: thin, for the server has the same.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use field_dispatch::messages::LogPiece;
use field_dispatch::{DeviceSession, Dispatch, DispatchRefusal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// Answers that are lost once the request has had its effect: ends of paths, and how often.
pub(crate) type Losses = Arc<Mutex<BTreeMap<&'static str, u32>>>;

#[derive(Clone)]
struct Api {
    dispatch: Dispatch,
    losses: Losses,
    /// Paths as they came, in their order.
    seen: Arc<Mutex<Vec<String>>>,
}

pub(crate) struct Served {
    pub(crate) url: String,
    pub(crate) losses: Losses,
    pub(crate) seen: Arc<Mutex<Vec<String>>>,
    stop: tokio::sync::oneshot::Sender<()>,
    task: tokio::task::JoinHandle<()>,
}

impl Served {
    /// Stops it, connections included, so that nothing holds the database open. Its address is free.
    pub(crate) async fn stop(self) -> SocketAddr {
        let address = self.url.trim_start_matches("http://").parse().unwrap();
        self.stop.send(()).unwrap();
        self.task.await.unwrap();
        address
    }
}

/// Serves the API, on a port of its own unless there is an address to go on with.
pub(crate) async fn serve(dispatch: &Dispatch, address: Option<SocketAddr>) -> Served {
    let (losses, seen) = (Losses::default(), Arc::default());
    let api = Api {
        dispatch: dispatch.clone(),
        losses: Arc::clone(&losses),
        seen: Arc::clone(&seen),
    };
    let routes = Router::new()
        .route("/enrol", post(enrol))
        .route("/session", post(challenge).put(open_session))
        .route("/hello", post(hello))
        .route("/claim", post(claim))
        .route("/jobs/{id}/{call}", post(job))
        .route("/jobs/{id}/log/{stream}", put(log))
        .route("/bundles", post(bundle))
        .route("/bundles/{id}/sections/{name}", put(section))
        .route("/root/{version}", get(root))
        .layer(DefaultBodyLimit::max(256 * 1024))
        .with_state(api.clone());
    let app = Router::new()
        .nest("/api/v1/device", routes)
        .layer(axum::middleware::from_fn_with_state(api, lose));
    let address = address.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0)));
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(async move {
        let served = axum::serve(listener, app).with_graceful_shutdown(async move {
            // Also if the test has ended without stopping it.
            stopped.await.ok();
        });
        served.await.unwrap();
    });
    Served {
        stop,
        url,
        losses,
        seen,
        task,
    }
}

/// Adds the server's time, and loses answers.
async fn lose(
    State(api): State<Api>,
    uri: Uri,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> Response {
    let path = uri.path().to_owned();
    api.seen.lock().unwrap().push(path.clone());
    let mut response = next.run(request).await;
    let lost = {
        let mut losses = api.losses.lock().unwrap();
        let found = losses
            .iter_mut()
            .find(|(end, left)| path.ends_with(**end) && **left > 0);
        found.map(|(_, left)| *left -= 1).is_some()
    };
    if lost {
        response = StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let now = api.dispatch.now_ms().to_string().parse().unwrap();
    response.headers_mut().insert("jarvis-time", now);
    response
}

type Answer = Result<Response, Refused>;

struct Refused(DispatchRefusal);

impl From<DispatchRefusal> for Refused {
    fn from(refusal: DispatchRefusal) -> Self {
        Self(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let DispatchRefusal {
            class,
            code,
            message,
            help,
            right,
        } = self.0;
        let mut body = json!({ "code": code, "message": message, "help": help, "request_id": "r" });
        if let Some(offset) = right {
            body["right"] = json!({ "offset": offset });
        }
        let status = StatusCode::from_u16(class.status()).unwrap();
        (status, body.to_string()).into_response()
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

fn ok(answer: &impl Serialize) -> Answer {
    Ok(serde_json::to_string(answer).unwrap().into_response())
}

async fn session(api: &Api, headers: &HeaderMap) -> Result<DeviceSession, Refused> {
    let header = |name: &str| {
        headers
            .get(name)
            .and_then(|it| it.to_str().ok())
            .unwrap_or("")
    };
    api.dispatch.check_agent(header("user-agent"))?;
    let token = header("authorization")
        .strip_prefix("Device ")
        .unwrap_or("");
    Ok(api.dispatch.authenticate(token).await?)
}

macro_rules! message {
    ($body:expr) => {
        match read($body) {
            Some(message) => message,
            None => return Ok(StatusCode::BAD_REQUEST.into_response()),
        }
    };
}

async fn enrol(State(api): State<Api>, body: Bytes) -> Answer {
    ok(&api.dispatch.enrol(&message!(&body)).await?)
}

async fn challenge(State(api): State<Api>, body: Bytes) -> Answer {
    ok(&api.dispatch.challenge(&message!(&body)).await?)
}

async fn open_session(State(api): State<Api>, body: Bytes) -> Answer {
    ok(&api.dispatch.open_session(&message!(&body)).await?)
}

async fn hello(State(api): State<Api>, headers: HeaderMap, body: Bytes) -> Answer {
    let session = session(&api, &headers).await?;
    ok(&api.dispatch.hello(&session, &message!(&body)).await?)
}

async fn claim(State(api): State<Api>, headers: HeaderMap, body: Bytes) -> Answer {
    let session = session(&api, &headers).await?;
    match api.dispatch.claim(&session, &message!(&body)).await? {
        Some(work) => ok(&work),
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

async fn job(
    State(api): State<Api>,
    Path((id, call)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let session = session(&api, &headers).await?;
    let dispatch = &api.dispatch;
    ok(&match call.as_str() {
        "start" => dispatch.start_job(&session, &id, &message!(&body)).await?,
        "renew" => dispatch.renew_job(&session, &id, &message!(&body)).await?,
        "refuse" => dispatch.refuse_job(&session, &id, &message!(&body)).await?,
        "end" => dispatch.end_job(&session, &id, &message!(&body)).await?,
        _ => return Ok(StatusCode::NOT_FOUND.into_response()),
    })
}

async fn log(
    State(api): State<Api>,
    Path((id, stream)): Path<(String, String)>,
    Query(query): Query<BTreeMap<String, u64>>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let session = session(&api, &headers).await?;
    let claim = headers.get("jarvis-claim").and_then(|it| it.to_str().ok());
    let piece = LogPiece {
        epoch: u32::try_from(query["epoch"]).unwrap(),
        claim: claim.unwrap_or(""),
        stream: &stream,
        offset: query["offset"],
        bytes: &body,
    };
    ok(&api.dispatch.append_log(&session, &id, piece).await?)
}

async fn bundle(State(api): State<Api>, headers: HeaderMap, body: Bytes) -> Answer {
    let session = session(&api, &headers).await?;
    ok(&api
        .dispatch
        .begin_bundle(&session, &message!(&body))
        .await?)
}

async fn section(
    State(api): State<Api>,
    Path((id, name)): Path<(String, String)>,
    Query(query): Query<BTreeMap<String, u64>>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let session = session(&api, &headers).await?;
    let put = api
        .dispatch
        .put_section(&session, &id, &name, query["offset"], &body);
    ok(&put.await?)
}

async fn root(State(api): State<Api>, Path(version): Path<u64>, headers: HeaderMap) -> Answer {
    session(&api, &headers).await?;
    Ok(api.dispatch.root_document(version)?.into_response())
}
