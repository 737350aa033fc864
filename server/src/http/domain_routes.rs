//! The routes that domains add, each behind its right.

use axum::{
    Extension, Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::Response,
};
use sign_in::SignedIn;

use super::{Http, bearer};
use crate::{
    routes::{DomainRoute, RouteRight},
    texts,
};

/// Returns the routes; a session or token is required in front of them.
pub(super) fn all(routes: Vec<DomainRoute>) -> Router<Http> {
    let mut router = Router::new();
    for route in routes {
        let admit = middleware::from_fn_with_state(route.right.clone(), admit);
        let handler = route.handler.with_state(()).layer(admit);
        router = router.route(&route.right.address, handler);
    }
    router
}

/// Passes a request of somebody who has the right.
async fn admit(
    State(right): State<RouteRight>,
    Extension(signed_in): Extension<SignedIn>,
    request: Request,
    next: Next,
) -> Response {
    let toolsets = signed_in.user.toolsets.as_deref();
    if toolsets.is_some_and(|toolsets| toolsets.iter().all(|it| it != right.toolset)) {
        return bearer::refuse(texts::http::TOKEN_LACKS_TOOLSETS);
    }
    if signed_in.user.role < right.least {
        return bearer::refuse(texts::http::ROLE_IS_NOT_ENOUGH);
    }
    next.run(request).await
}
