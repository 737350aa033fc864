//! The door of field devices: a route for each function of the dispatch.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use axum::{
    Extension,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware,
    response::IntoResponse,
    routing::{MethodRouter, get, post, put},
};
use field_dispatch::{
    DeviceSession, Dispatch,
    messages::{
        BundleMessage, ClaimMessage, EndMessage, HelloMessage, LogPiece, RefuseMessage,
        RenewMessage, StartMessage,
    },
};

use super::answers::{self, DeviceAnswer, answered, bytes_of, message_of, number_of};
use crate::doors::{AdmittedDevice, DeviceCheck, DeviceDoor, DeviceRoute, NoDevice};

/// Begins the credential of a session.
const SCHEME: &str = "Device ";
/// The header with the secret of a claim, beside bytes of a log.
const CLAIM: &str = "jarvis-claim";
/// The largest bodies in bytes: of strangers, of what has a few members, and of a piece of a text.
const STRANGER: usize = 64 * 1024;
const SMALL: usize = 16 * 1024;
const PIECE: usize = 64 * 1024;

/// Begin the paths of routes on which a runner that is too old gets its update.
const FOR_OUTDATED: [&str; 2] = ["/api/v1/device/update", "/api/v1/device/root/"];

/// The door.
pub(super) fn door(dispatch: &Dispatch) -> DeviceDoor {
    let of = |route: MethodRouter<Dispatch>| -> MethodRouter {
        let timed = middleware::from_fn_with_state(dispatch.clone(), answers::with_time);
        route.layer(timed).with_state(dispatch.clone())
    };
    DeviceDoor {
        name: "device",
        check: Arc::new(DoorCheck(dispatch.clone())),
        routes: vec![
            DeviceRoute::open("/enrol", of(post(enrol))).limit(STRANGER),
            DeviceRoute::open("/session", of(post(challenge).put(open_session))).limit(SMALL),
            DeviceRoute::new("/hello", of(post(hello))),
            DeviceRoute::new("/claim", of(post(claim))).limit(SMALL),
            DeviceRoute::new("/jobs/{id}/start", of(post(start))).limit(SMALL),
            DeviceRoute::new("/jobs/{id}/renew", of(post(renew))).limit(SMALL),
            DeviceRoute::new("/jobs/{id}/refuse", of(post(refuse))).limit(SMALL),
            DeviceRoute::new("/jobs/{id}/end", of(post(end))).limit(SMALL),
            DeviceRoute::new("/jobs/{id}/log/{stream}", of(put(log))).limit(PIECE),
            DeviceRoute::new("/bundles", of(post(bundle))).limit(STRANGER),
            DeviceRoute::new("/bundles/{id}/sections/{name}", of(put(section))).limit(PIECE),
            DeviceRoute::new("/root/{version}", of(get(root))),
            DeviceRoute::new("/update", of(get(update))),
            DeviceRoute::new("/update/{sha256}", of(get(program))),
        ],
    }
}

/// The check of a session's token, and of the version of the runner.
struct DoorCheck(Dispatch);

#[async_trait]
impl DeviceCheck for DoorCheck {
    async fn device(&self, head: &mut Parts) -> Result<AdmittedDevice, NoDevice> {
        let path = head.uri.path();
        let is_update = FOR_OUTDATED.iter().any(|it| path.starts_with(it));
        let session = self.session(&head.headers, is_update).await;
        let session = session.map_err(|refused| {
            let response = answers::timed(&self.0, refused.into_response());
            NoDevice::Refused(Box::new(response))
        })?;
        let id = session.device.id.clone();
        head.extensions.insert(session);
        Ok(AdmittedDevice { id })
    }
}

impl DoorCheck {
    async fn session(
        &self,
        headers: &HeaderMap,
        is_update: bool,
    ) -> Result<DeviceSession, DeviceAnswer> {
        let text = |name: &header::HeaderName| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default()
        };
        if !is_update {
            self.0.check_agent(text(&header::USER_AGENT))?;
        }
        let token = text(&header::AUTHORIZATION).strip_prefix(SCHEME);
        Ok(self.0.authenticate(token.unwrap_or_default()).await?)
    }
}

type DoorAnswer = Result<DeviceAnswer, DeviceAnswer>;
type DoorSession = Extension<DeviceSession>;

async fn enrol(State(it): State<Dispatch>, headers: HeaderMap, body: Bytes) -> DoorAnswer {
    answered(&Box::pin(it.enrol(&message_of(&headers, &body)?)).await?)
}

async fn challenge(State(it): State<Dispatch>, headers: HeaderMap, body: Bytes) -> DoorAnswer {
    answered(&it.challenge(&message_of(&headers, &body)?).await?)
}

async fn open_session(State(it): State<Dispatch>, headers: HeaderMap, body: Bytes) -> DoorAnswer {
    answered(&Box::pin(it.open_session(&message_of(&headers, &body)?)).await?)
}

async fn hello(
    State(it): State<Dispatch>,
    Extension(session): DoorSession,
    headers: HeaderMap,
    body: Bytes,
) -> DoorAnswer {
    let message: HelloMessage = message_of(&headers, &body)?;
    answered(&Box::pin(it.hello(&session, &message)).await?)
}

async fn claim(
    State(it): State<Dispatch>,
    Extension(session): DoorSession,
    headers: HeaderMap,
    body: Bytes,
) -> DoorAnswer {
    let message: ClaimMessage = message_of(&headers, &body)?;
    match Box::pin(it.claim(&session, &message)).await? {
        Some(work) => answered(&work),
        None => Ok(StatusCode::NO_CONTENT.into()),
    }
}

/// Defines the handler of a device's message about a job of its own.
macro_rules! about_job {
    ($name:ident, $message:ty, $does:ident) => {
        async fn $name(
            State(it): State<Dispatch>,
            Extension(session): DoorSession,
            Path(job): Path<String>,
            headers: HeaderMap,
            body: Bytes,
        ) -> DoorAnswer {
            let message: $message = message_of(&headers, &body)?;
            answered(&Box::pin(it.$does(&session, &job, &message)).await?)
        }
    };
}

about_job!(start, StartMessage, start_job);
about_job!(renew, RenewMessage, renew_job);
about_job!(refuse, RefuseMessage, refuse_job);
about_job!(end, EndMessage, end_job);

async fn log(
    State(it): State<Dispatch>,
    Extension(session): DoorSession,
    Path((job, stream)): Path<(String, String)>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
    body: Bytes,
) -> DoorAnswer {
    let claim = headers.get(CLAIM).and_then(|it| it.to_str().ok());
    let piece = LogPiece {
        epoch: number_of(&query, "epoch")?,
        claim: claim.unwrap_or_default(),
        stream: &stream,
        offset: number_of(&query, "offset")?,
        bytes: bytes_of(&headers, &body)?,
    };
    answered(&Box::pin(it.append_log(&session, &job, piece)).await?)
}

async fn bundle(
    State(it): State<Dispatch>,
    Extension(session): DoorSession,
    headers: HeaderMap,
    body: Bytes,
) -> DoorAnswer {
    let message: BundleMessage = message_of(&headers, &body)?;
    answered(&Box::pin(it.begin_bundle(&session, &message)).await?)
}

async fn section(
    State(it): State<Dispatch>,
    Extension(session): DoorSession,
    Path((bundle, name)): Path<(String, String)>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
    body: Bytes,
) -> DoorAnswer {
    let offset = number_of(&query, "offset")?;
    let bytes = bytes_of(&headers, &body)?;
    let put = it.put_section(&session, &bundle, &name, offset, bytes);
    answered(&Box::pin(put).await?)
}

async fn root(State(it): State<Dispatch>, Path(version): Path<u64>) -> DoorAnswer {
    let document = it.root_document(version)?;
    Ok(DeviceAnswer::json(StatusCode::OK, document))
}

/// The newest release for the architecture in the query. There is none for a device that names none.
async fn update(
    State(it): State<Dispatch>,
    Query(query): Query<HashMap<String, String>>,
) -> DoorAnswer {
    let architecture = query.get("architecture").map(String::as_str);
    let release = it.release(architecture.unwrap_or_default()).await?;
    Ok(DeviceAnswer::json(StatusCode::OK, release))
}

/// A piece of the program of a release.
async fn program(
    State(it): State<Dispatch>,
    Path(sha256): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> DoorAnswer {
    let piece = it.program_piece(&sha256, number_of(&query, "offset")?);
    Ok(DeviceAnswer::bytes(piece.await?))
}
