//! One span for each request that may bring something about.

use std::time::SystemTime;

use axum::{
    extract::{MatchedPath, Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};

use super::{Http, trace::RequestId};
use crate::telemetry::TracedRequest;

/// Addresses at which people and programs start something. Devices call all the time, at others.
const TRACED: [&str; 3] = ["/api/", "/agui", "/mcp"];

/// Methods that may change something. Whoever makes up another one does not name a span.
const ACTING: [&str; 4] = ["POST", "PUT", "PATCH", "DELETE"];

/// Records a request with its status, if there are traces. Reads, and what strangers try, are left out.
pub(super) async fn request(State(http): State<Http>, request: Request, next: Next) -> Response {
    let traced = http.telemetry.as_ref().and_then(|telemetry| {
        let RequestId(id) = request.extensions().get()?;
        let route = request.extensions().get::<MatchedPath>()?.as_str();
        let acts = ACTING.contains(&request.method().as_str());
        let is_traced = acts && TRACED.iter().any(|start| route.starts_with(start));
        is_traced.then(|| {
            (
                telemetry,
                id.clone(),
                format!("{} {route}", request.method()),
            )
        })
    });
    let Some((telemetry, id, name)) = traced else {
        return next.run(request).await;
    };
    let begun = SystemTime::now();
    let response = next.run(request).await;
    let status = response.status();
    if status != StatusCode::UNAUTHORIZED {
        telemetry.request(TracedRequest {
            id: &id,
            name,
            begun,
            status: Some(status.as_u16()),
            failed: status.is_server_error(),
        });
    }
    response
}
