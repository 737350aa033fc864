//! HTTP routes of domains, and who may use each.

use axum::{handler::Handler, routing::MethodRouter};
use protocol::Role;

/// A route that a domain adds, for programs and downloads. It answers `GET` and changes nothing: what
/// acts is a tool, so that the gate decides on it and the audit chain has it.
pub struct Route {
    path: &'static str,
    example: &'static str,
    least: Role,
    handler: MethodRouter,
}

impl Route {
    /// A route at `path` below the domain's own prefix, such as `/readings` or `/lamps/{name}`. People
    /// and tokens need this role or a higher one.
    pub fn get<H, T>(path: &'static str, least: Role, handler: H) -> Self
    where
        H: Handler<T, ()>,
        T: 'static,
    {
        Self {
            path,
            example: path,
            least,
            handler: axum::routing::get(handler),
        }
    }

    /// A path that it answers with success, for the matrix of rights; by default its own.
    #[must_use]
    pub fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// The same below the prefix of its domain.
    pub(crate) fn of(self, toolset: &'static str) -> DomainRoute {
        let below = |path: &str| format!("/api/v1/{toolset}{path}");
        DomainRoute {
            right: RouteRight {
                toolset,
                address: below(self.path),
                example: below(self.example),
                least: self.least,
            },
            handler: self.handler,
        }
    }
}

/// A route of a domain of this server.
pub(crate) struct DomainRoute {
    pub(crate) right: RouteRight,
    pub(crate) handler: MethodRouter,
}

/// The right that a route of a domain needs, as the matrix of rights has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteRight {
    /// The toolset that a token has to cover.
    pub toolset: &'static str,
    /// With its placeholders.
    pub address: String,
    /// An address that it answers with success.
    pub example: String,
    pub least: Role,
}
