//! HTTP routes of domains, and who may use each.

mod events;

use axum::{
    handler::Handler,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::MethodRouter,
};
use protocol::{CommandId, Role, Timestamp};
use serde_json::{Map, Value};

pub(crate) use events::EVENT_STREAM;
pub use events::{EventStream, LastEvent, SentEvent};

/// The largest body of a route that names no other limit, in bytes.
const USUAL_BODY: usize = 256 * 1024;

/// A route that a domain adds, for programs and downloads. What acts on a system is no route but a
/// tool, so that the gate decides on it and the audit chain has it: a route can only begin its call.
pub struct Route {
    right: RouteRight,
    answer: RouteAnswer,
    /// The largest body, in bytes.
    limit: usize,
    is_feed: bool,
    is_recorded: bool,
    handler: MethodRouter,
}

impl Route {
    /// A route at `path` below the domain's own prefix, such as `/readings` or `/lamps/{name}`, that
    /// answers `GET` and changes nothing. People and tokens need this role or a higher one.
    pub fn get<H, T>(path: &'static str, least: Role, handler: H) -> Self
    where
        H: Handler<T, ()>,
        T: 'static,
    {
        Self::new("GET", path, least, axum::routing::get(handler))
    }

    /// A route that streams what happens to a thing. The handler finds a [`LastEvent`] among the
    /// extensions and answers with an [`EventStream`]. It takes a place like a tab's socket, as long.
    pub fn stream<H, T>(path: &'static str, least: Role, handler: H) -> Self
    where
        H: Handler<T, ()>,
        T: 'static,
    {
        Self {
            answer: RouteAnswer::Stream,
            ..Self::get(path, least, handler)
        }
    }

    /// A route that begins a call of a tool: the handler answers with an [`OrderedCall`], or refuses. The
    /// call is the person's own, as if the program had begun it at `/api/v1/runs`, and its state is there.
    pub fn call<H, T>(path: &'static str, least: Role, handler: H) -> Self
    where
        H: Handler<T, ()>,
        T: 'static,
    {
        let route = Self {
            answer: RouteAnswer::Call,
            ..Self::post(path, least, handler)
        };
        route.status(201)
    }

    /// A route that takes in what a program sends, such as readings, and keeps it with the domain. A
    /// token that only reads may not send. A request with an `Idempotency-Key` is carried out once; the
    /// handler finds its [`Attempt`] among the extensions.
    pub fn post<H, T>(path: &'static str, least: Role, handler: H) -> Self
    where
        H: Handler<T, ()>,
        T: 'static,
    {
        Self::new("POST", path, least, axum::routing::post(handler))
    }

    fn new(method: &'static str, path: &'static str, least: Role, handler: MethodRouter) -> Self {
        Self {
            right: RouteRight {
                toolset: "",
                method,
                address: path.to_owned(),
                example: path.to_owned(),
                body: "",
                status: 200,
                least,
            },
            answer: RouteAnswer::Plain,
            limit: USUAL_BODY,
            is_feed: false,
            is_recorded: false,
            handler,
        }
    }

    /// A path for the matrix of rights, which it answers with success; by default its own.
    #[must_use]
    pub fn example(mut self, example: &'static str) -> Self {
        example.clone_into(&mut self.right.example);
        self
    }

    /// JSON that it takes at that path, for the matrix of rights.
    #[must_use]
    pub fn body(mut self, body: &'static str) -> Self {
        self.right.body = body;
        self
    }

    /// The status of its answer there, if what a path has to name is not known before the server runs.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.right.status = status;
        self
    }

    /// The largest body that it takes, in bytes.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// A route of a feed: its requests come all the time, and each replaces what the one before said,
    /// in memory alone. They use a quota of their own, so that a feed holds up nothing else of its owner.
    #[must_use]
    pub fn feed(self) -> Self {
        Self {
            is_feed: true,
            ..self
        }
    }

    /// A route whose requests each leave a record that stays, such as looks at hidden values: they count as
    /// changes, also if they read.
    #[must_use]
    pub fn recorded(self) -> Self {
        Self {
            is_recorded: true,
            ..self
        }
    }

    /// The same below the prefix of its domain.
    pub(crate) fn of(self, toolset: &'static str) -> DomainRoute {
        let below = |path: &str| format!("/api/v1/{toolset}{path}");
        DomainRoute {
            right: RouteRight {
                toolset,
                address: below(&self.right.address),
                example: below(&self.right.example),
                ..self.right
            },
            answer: self.answer,
            limit: self.limit,
            is_feed: self.is_feed,
            is_recorded: self.is_recorded,
            handler: self.handler,
        }
    }
}

/// The kind of a route's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RouteAnswer {
    Plain,
    /// See [`Route::stream`].
    Stream,
    /// See [`Route::call`].
    Call,
}

/// A route of a domain of this server.
pub(crate) struct DomainRoute {
    pub(crate) right: RouteRight,
    pub(crate) answer: RouteAnswer,
    pub(crate) limit: usize,
    pub(crate) is_feed: bool,
    pub(crate) is_recorded: bool,
    pub(crate) handler: MethodRouter,
}

/// The right that a route of a domain needs, as the matrix of rights has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteRight {
    /// The toolset that a token has to cover.
    pub toolset: &'static str,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// With its placeholders.
    pub address: String,
    /// An address that it answers with [`Self::status`].
    pub example: String,
    /// A body that it takes there; empty for `GET`.
    pub body: &'static str,
    pub status: u16,
    pub least: Role,
}

/// A call of a tool, as the answer of a handler of [`Route::call`]: the server begins it for whoever asks.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderedCall {
    /// The name of the tool.
    pub tool: String,
    pub input: Map<String, Value>,
}

impl IntoResponse for OrderedCall {
    /// Carries the call. On a route that is none of these it is an error, for nothing would begin.
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// A request that makes something, however often it arrives: an extension of each. What it makes takes
/// its identifiers from here, so that it is the same thing each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Time at which it arrived first.
    pub began: Timestamp,
    /// Random, and the same each time.
    pub seed: u128,
}

impl Attempt {
    /// Returns the command that it is.
    pub(crate) fn command(&self) -> CommandId {
        CommandId::new(self.began, self.seed)
    }
}
