//! The doors of domains for devices.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::MethodRouter,
};
use protocol::{ErrorBody, ErrorCode};

use super::{
    Http, api::RequestRefusal, auth::presented, connections::Asking, domain_routes::limited,
};
use crate::{
    doors::{DeviceCheck, DeviceDoor, NoDevice},
    texts,
};

/// Returns the routes. No session and no token is asked for in front of them.
pub(super) fn all(doors: Vec<DeviceDoor>) -> Router<Http> {
    let mut router = Router::new();
    for door in doors {
        for route in door.routes {
            let address = format!("/api/v1/{}{}", door.name, route.path);
            let mut handler: MethodRouter<Http> = route.handler.with_state(());
            if !route.is_open {
                let admit = middleware::from_fn_with_state(Arc::clone(&door.check), admit);
                handler = handler.layer(admit);
            }
            handler = handler.layer(middleware::from_fn(devices_only));
            handler = limited(handler, route.limit);
            router = router.route(&address, handler);
        }
    }
    router
}

/// Refuses the tokens of programs, whatever a domain's check thinks of them, and takes away cookies.
async fn devices_only(mut request: Request, next: Next) -> Response {
    if sign_in::is_token(&presented(request.headers())) {
        return refused(NoDevice::Unknown);
    }
    request.headers_mut().remove(header::COOKIE);
    next.run(request).await
}

/// Passes a request of a device, and adds it.
async fn admit(
    State(check): State<Arc<dyn DeviceCheck>>,
    request: Request,
    next: Next,
) -> Response {
    let (mut head, body) = request.into_parts();
    match check.device(&mut head).await {
        Ok(device) => {
            // Strangers must not keep a connection for long; devices may.
            if let Some(asking) = head.extensions.get::<Asking>() {
                asking.is_taken();
            }
            head.extensions.insert(device);
            next.run(Request::from_parts(head, body)).await
        }
        Err(why) => refused(why),
    }
}

fn refused(why: NoDevice) -> Response {
    match why {
        NoDevice::Unknown => RequestRefusal::new(
            StatusCode::UNAUTHORIZED,
            "device_unknown",
            texts::api::DEVICE_UNKNOWN,
        ),
        NoDevice::Unavailable => {
            let message = texts::api::DEVICE_NOT_LOOKED_UP;
            let error = ErrorBody::new(ErrorCode::StorageFailed, message);
            error.with_help(texts::http::TRY_AGAIN_LATER).into()
        }
        NoDevice::Refused(response) => return *response,
    }
    .into_response()
}
