//! The routes that domains add, each behind its right.

use std::mem;

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, Request, State},
    middleware::{self, Next},
    response::Response,
    routing::MethodRouter,
};
use protocol::Role;
use sign_in::SignedIn;
use tower_http::limit::RequestBodyLimitLayer;

use super::{
    Http, allowances,
    api::{Underway, followed, once_per_key, ordered},
    bearer,
};
use crate::{
    routes::{DomainRoute, RouteAnswer, RouteRight},
    texts,
};

/// Returns the routes; a session or token is required in front of them.
pub(super) fn all(http: &Http, underway: &Underway, routes: Vec<DomainRoute>) -> Router<Http> {
    let (mut router, mut feeds) = (Router::new(), Router::new());
    for route in routes {
        let once = middleware::from_fn_with_state((http.clone(), underway.clone()), once_per_key);
        let admit = middleware::from_fn_with_state(route.right.clone(), admit);
        let mut handler: MethodRouter<Http> = route.handler.with_state(());
        handler = match route.answer {
            RouteAnswer::Plain => handler,
            RouteAnswer::Stream => {
                handler.layer(middleware::from_fn_with_state(http.clone(), followed))
            }
            // Within the keys: what is kept with a key is the answer that names the call.
            RouteAnswer::Call => {
                handler.layer(middleware::from_fn_with_state(http.clone(), ordered))
            }
        };
        if route.right.method == "POST" {
            handler = handler.layer(once);
        }
        if route.is_feed {
            // Within its right: nobody else uses up a feed's quota.
            handler = handler.layer(middleware::from_fn_with_state(
                http.clone(),
                allowances::charge_feed,
            ));
        }
        if route.is_recorded {
            handler = handler.layer(middleware::from_fn_with_state(
                http.clone(),
                allowances::charge_record,
            ));
        }
        handler = handler.layer(admit);
        handler = limited(handler, route.limit);
        let group = if route.is_feed {
            &mut feeds
        } else {
            &mut router
        };
        *group = mem::take(group).route(&route.right.address, handler);
    }
    let charge = middleware::from_fn_with_state(http.clone(), allowances::charge);
    router.layer(charge).merge(feeds)
}

/// Limits the body of a route's requests, in bytes.
pub(super) fn limited(handler: MethodRouter<Http>, limit: usize) -> MethodRouter<Http> {
    let handler: MethodRouter<Http> = handler.layer(DefaultBodyLimit::max(limit));
    handler.layer(RequestBodyLimitLayer::new(limit))
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
    // One that only reads is given to programs that nobody watches.
    if right.method == "POST" && signed_in.is_program() && signed_in.limit < Role::Operator {
        return bearer::refuse_reader();
    }
    next.run(request).await
}
