//! The HTTP edge: routes, access control, pages.

mod agui;
mod allowances;
mod api;
mod auth;
mod bearer;
mod by_passkey;
mod by_proxy;
mod chosen_toolsets;
mod client;
mod connections;
mod device_doors;
mod domain_routes;
mod feed;
mod files;
mod follow_journal;
mod hashed_number;
mod health;
mod limited;
mod lingering;
mod mcp;
mod metrics;
mod origins;
mod pages;
mod plain_page;
mod qr;
mod rate_limit;
mod security;
mod serve;
mod settings;
mod sign_in;
mod site;
mod stalled;
mod status;
mod tls;
mod trace;
mod traced;
mod transfer;

use std::{collections::BTreeMap, ops::Deref, path::PathBuf, sync::Arc};

use agent::{Engine, ports::Env};
use axum::{
    Router, middleware,
    routing::{get, post},
};
use protocol::{SystemStatus, Timestamp};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower_http::{compression::CompressionLayer, limit::RequestBodyLimitLayer};

pub(crate) use allowances::{Allowances, SocketPlace};
pub(crate) use connections::{Connections, Limits};
pub(crate) use metrics::serve_metrics;
pub(crate) use security::Hosts;
pub(crate) use serve::{ServerStop, serve, serve_until};
pub(crate) use site::Site;
pub use site::{SiteContent, SiteFile};
pub(crate) use tls::acceptor;
pub(crate) use trace::{RequestId, log_refusal};

use crate::{
    config::{DomainKey, MetricsSettings, Networks, ProxySignIn},
    doors::{DeviceDoor, OpenToolDoor},
    mcp_servers::McpServers,
    metrics::Metrics,
    own_keys::OwnKeys,
    routes::DomainRoute,
    rules::Rules,
    telemetry::Telemetry,
    tuning::Tuning,
};

/// The largest body of a request, in bytes.
const MAX_BODY: usize = 256 * 1024;
/// The largest body of a form, in bytes.
const MAX_FORM: usize = 8 * 1024;

/// The shared state of the HTTP edge. Clones share it.
#[derive(Clone)]
pub(crate) struct Http(Arc<HttpParts>);

/// The parts of [`Http`].
pub(crate) struct HttpParts {
    pub engine: Engine,
    pub backend: Arc<dyn app::Backend>,
    pub rules: Rules,
    pub tuning: Tuning,
    /// The systems, with the keys of their configuration.
    pub configured: Vec<(SystemStatus, Vec<DomainKey>)>,
    /// The names of toolsets for people, such as `Attic · Loft`.
    pub names: BTreeMap<&'static str, String>,
    /// The systems in which each person may have a key.
    pub own_keys: Vec<(SystemStatus, Arc<dyn OwnKeys>)>,
    /// The doors of domains for models elsewhere, by their names.
    pub tool_doors: BTreeMap<&'static str, OpenToolDoor>,
    /// Servers whose tools conversations may have.
    pub mcp: McpServers,
    pub model: model::Client,
    pub store: store::Store,
    pub auth: ::sign_in::Auth,
    pub site: Site,
    pub assets: app::Assets,
    /// The address under which browsers reach the server, without a slash at the end.
    pub url: String,
    pub hosts: Hosts,
    /// Addresses of reverse proxies, which report the client behind them.
    pub proxies: Networks,
    /// Sign-in by a reverse proxy, if configured.
    pub proxy_sign_in: Option<ProxySignIn>,
    /// Other web pages that may use the interfaces for programs.
    pub allowed_origins: Vec<String>,
    pub feed: crate::feed::Feed,
    pub env: Arc<dyn Env>,
    /// Changes with every build.
    pub build: String,
    /// Cancelled when the server begins to stop.
    pub stopping: CancellationToken,
    /// Open websockets.
    pub sockets: TaskTracker,
    /// Quotas for each user.
    pub allowances: Allowances,
    /// True if browsers reach the server over TLS.
    pub secure: bool,
    pub ready: health::Ready,
    pub metrics: Metrics,
    /// None: nothing is traced.
    pub telemetry: Option<Telemetry>,
    pub metrics_access: MetricsSettings,
    /// The folder of the database.
    pub data_dir: PathBuf,
}

impl Http {
    pub(crate) fn new(parts: HttpParts) -> Self {
        Self(Arc::new(parts))
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.env.now()
    }

    /// The name of a toolset for people.
    pub(crate) fn name_of(&self, toolset: &str) -> String {
        let name = self.names.get(toolset);
        name.cloned().unwrap_or_else(|| toolset.to_owned())
    }
}

impl Deref for Http {
    type Target = HttpParts;

    fn deref(&self) -> &HttpParts {
        &self.0
    }
}

pub(crate) use health::Ready;

/// Builds all routes, with those of the websockets and of the domains. Those in `open` need no session, and
/// those of `doors` have checks of their own; all others need one.
pub(crate) fn router(
    http: Http,
    sockets: Router<Http>,
    of_domains: Vec<DomainRoute>,
    doors: Vec<DeviceDoor>,
) -> Router {
    // Rendering spawns its tasks through this executor. It can be set only once in a process; a
    // second server in the same process finds it set.
    if any_spawner::Executor::init_tokio().is_err() {
        tracing::debug!("the executor of pages is set already");
    }
    let open = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metrics::at_server))
        .route(
            "/sign-in",
            get(sign_in::page)
                .head(sign_in::look)
                .post(sign_in::enter)
                .layer(RequestBodyLimitLayer::new(MAX_FORM)),
        )
        .route(
            "/sign-in/passkey/begin",
            post(by_passkey::begin).layer(RequestBodyLimitLayer::new(MAX_FORM)),
        )
        .route(
            "/sign-in/passkey",
            post(by_passkey::finish).layer(RequestBodyLimitLayer::new(MAX_FORM)),
        );
    let packed = Router::new()
        .route(
            "/api/{*function}",
            post(pages::server_function).layer(middleware::from_fn(bearer::may_call)),
        )
        .fallback(get(pages::page))
        .layer(CompressionLayer::new());
    let people = settings::routes(&http)
        .layer(RequestBodyLimitLayer::new(MAX_FORM))
        .route("/sign-out", post(sign_in::sign_out))
        .layer(middleware::from_fn(bearer::people_only));
    let closed = Router::new()
        .merge(people)
        .merge(sockets)
        .route("/feed/export", get(feed::file))
        .route("/chat/{id}/export", get(transfer::file))
        .route("/files/{id}", get(files::give))
        .route("/qr.svg", get(qr::drawing))
        .merge(packed)
        .layer(middleware::from_fn_with_state(
            http.clone(),
            allowances::charge,
        ))
        .layer(middleware::from_fn_with_state(http.clone(), auth::require));
    // With limits of their own on bodies.
    let files = settings::files()
        .layer(middleware::from_fn(bearer::people_only))
        .route("/files", post(files::keep))
        .merge(api::routes(&http, of_domains))
        .layer(middleware::from_fn_with_state(http.clone(), auth::require));
    // Tokens alone: a page elsewhere that could use a cookie would act for whoever looks at it.
    let agents = agui::routes()
        .layer(middleware::from_fn_with_state(
            http.clone(),
            rate_limit::add_fields,
        ))
        .layer(middleware::from_fn_with_state(http.clone(), auth::require))
        .layer(middleware::from_fn(agui::tokens_only));
    let models = mcp::routes()
        .layer(middleware::from_fn_with_state(http.clone(), auth::require))
        .layer(middleware::from_fn(agui::tokens_only))
        .layer(middleware::from_fn(mcp::challenge));
    let all = open
        .merge(closed)
        .layer(middleware::from_fn_with_state(
            http.clone(),
            pages::site_file,
        ))
        .layer(RequestBodyLimitLayer::new(MAX_BODY))
        .merge(files)
        .merge(agents)
        .merge(models)
        .merge(device_doors::all(doors));
    at_the_edge(all, http)
}

/// Builds the routes of a server that stops: its health, and a refusal of all else.
pub(crate) fn router_of_stop(http: Http) -> Router {
    let health = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .fallback(health::stops);
    at_the_edge(health, http)
}

/// Adds what every request goes through.
fn at_the_edge(router: Router<Http>, http: Http) -> Router {
    router
        .layer(middleware::from_fn_with_state(
            http.clone(),
            security::check_origin,
        ))
        .layer(middleware::from_fn(serve::in_time))
        .layer(middleware::from_fn_with_state(
            http.clone(),
            security::add_headers,
        ))
        .layer(middleware::from_fn(plain_page::name_request))
        .layer(middleware::from_fn(api::one_shape))
        .layer(middleware::from_fn_with_state(
            http.clone(),
            traced::request,
        ))
        .layer(middleware::from_fn(trace::request))
        .with_state(http)
}
