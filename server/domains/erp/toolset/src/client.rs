//! Connection to the site: one keep-alive pool, few requests at a time, token, trust, clock.

mod encoding;
mod envelope;
mod person;
mod route;
mod tls;
mod trial;
mod write;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use reqwest::{
    Response, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, DATE, HeaderMap, HeaderValue, RETRY_AFTER},
};
use tokio::{
    sync::{Semaphore, watch},
    time::sleep,
};

use self::{envelope::RawAnswer, route::DataField};
pub(crate) use self::{
    envelope::SiteAnswer,
    route::{ErpMethod, ErpRoute},
    trial::{SiteTrial, TrialVerb},
    write::{ErpWrite, OrderMethod, WriteFailure},
};
use crate::{
    config::{ErpConfig, RestVersion},
    error::{ErpError, ErpSetupError, RefusalKind},
    texts::client as say,
};

/// The metadata of a large type has some hundred kB; reports may be larger.
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;
/// The longest that a read waits because the site asks for it.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Wait where the site does not say how long.
const DEFAULT_WAIT: u64 = 1;

/// Milliseconds since 1970.
pub(crate) type ErpClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Client of one site. Clones share connections, limits and clock.
#[derive(Clone)]
pub(crate) struct ErpClient {
    base: Url,
    /// `host:port`, for messages.
    site: String,
    rest: RestVersion,
    methods: RestVersion,
    http: reqwest::Client,
    /// Opens a connection for each request: with a pooled one that has died meanwhile, it would be
    /// unknown whether a write had arrived.
    writes: reqwest::Client,
    headers: HeaderMap,
    /// True if the key is a person's own.
    is_personal: bool,
    timeout: Duration,
    permits: Arc<Semaphore>,
    clock: ErpClock,
    /// The site's clock less ours, in milliseconds.
    offset: Arc<AtomicI64>,
    /// Time of the last answer by our clock, in milliseconds since 1970; zero before the first.
    answered: Arc<AtomicI64>,
    /// The number of writes that were done or may have been, whatever the key.
    written: Arc<watch::Sender<u64>>,
}

impl fmt::Debug for ErpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErpClient")
            .field("site", &self.site)
            .finish_non_exhaustive()
    }
}

impl ErpClient {
    /// Checks the configuration and builds the client; makes no request.
    pub(crate) fn new(config: &ErpConfig, clock: ErpClock) -> Result<Self, ErpSetupError> {
        config.check()?;
        let base = config.base()?;
        let host = base.host_str().unwrap_or_default();
        let site = match base.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        let token = person::token(&config.api_key, config.api_secret.expose())
            .ok_or_else(|| ErpSetupError::config("api_secret", say::UNUSABLE_CHARACTERS))?;
        // Without the second, errors may come as HTML pages.
        let accept = HeaderValue::from_static("application/json");
        let tls = tls::trust(config)?;
        let builder = || {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .redirect(reqwest::redirect::Policy::none())
                // The configured address is the ERP's own.
                .no_proxy()
                .connect_timeout(Duration::from_millis(config.connect_timeout_ms))
        };
        Ok(Self {
            site,
            base,
            rest: config.rest,
            methods: config.methods,
            http: builder()
                .pool_idle_timeout(Duration::from_secs(60))
                .build()?,
            writes: builder()
                .pool_max_idle_per_host(0)
                .retry(reqwest::retry::never())
                .build()?,
            headers: HeaderMap::from_iter([(AUTHORIZATION, token), (ACCEPT, accept)]),
            is_personal: false,
            timeout: Duration::from_millis(config.request_timeout_ms),
            permits: Arc::new(Semaphore::new(config.max_concurrent_requests)),
            clock,
            offset: Arc::default(),
            answered: Arc::default(),
            written: Arc::new(watch::Sender::new(0)),
        })
    }

    /// `host:port` of the site.
    pub(crate) fn site(&self) -> &str {
        &self.site
    }

    /// The configured version of the REST API.
    pub(crate) const fn rest(&self) -> RestVersion {
        self.rest
    }

    /// The time by the site's clock, in milliseconds since 1970; ours before the first answer.
    pub(crate) fn now(&self) -> i64 {
        (self.clock)() + self.offset.load(Ordering::Relaxed)
    }

    /// A time of ours by the site's clock, in milliseconds since 1970.
    pub(crate) fn at_site(&self, milliseconds: i64) -> i64 {
        milliseconds + self.offset.load(Ordering::Relaxed)
    }

    /// The time by our own clock, in milliseconds since 1970: pages compare with theirs.
    pub(crate) fn own_now(&self) -> i64 {
        (self.clock)()
    }

    /// The site's clock less ours, in milliseconds, and the time of its last answer by ours; none
    /// before the first.
    pub(crate) fn last_answer(&self) -> Option<(i64, i64)> {
        let at = self.answered.load(Ordering::Relaxed);
        (at != 0).then(|| (self.offset.load(Ordering::Relaxed), at))
    }

    /// Reads. Frappe rolls a GET back, so it changes nothing. A site that asks for a short wait is
    /// asked once more.
    pub(crate) async fn get(
        &self,
        route: ErpRoute<'_>,
        query: &[(&str, String)],
    ) -> Result<SiteAnswer, ErpError> {
        let rest = route.rest(self.rest, self.methods);
        self.get_in(route, rest, query).await
    }

    /// A list with parameters that only version 1 has: `or_filters`, and `parent` for rows of tables. Where
    /// version 2 alone is used, the method behind the list of version 1 takes the same ones.
    pub(crate) async fn list_as_in_v1(
        &self,
        doctype: &str,
        query: &[(&str, String)],
    ) -> Result<SiteAnswer, ErpError> {
        if self.methods == RestVersion::V1 {
            let route = ErpRoute::List { doctype };
            return self.get_in(route, RestVersion::V1, query).await;
        }
        let mut query = query.to_vec();
        query.push(("doctype", doctype.to_owned()));
        self.get(ErpRoute::Method(ErpMethod::List), &query).await
    }

    async fn get_in(
        &self,
        route: ErpRoute<'_>,
        rest: RestVersion,
        query: &[(&str, String)],
    ) -> Result<SiteAnswer, ErpError> {
        let mut url = route.url(&self.base, rest).map_err(ErpError::input)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let first = self.send(route, url.clone()).await;
        let wait = match &first {
            Err(error) => worth_waiting(error),
            Ok(_) => None,
        };
        match wait {
            None => first,
            Some(wait) => {
                tracing::debug!(
                    site = self.site,
                    wait_ms = wait.as_millis(),
                    "site asks to wait"
                );
                sleep(wait).await;
                self.send(route, url).await
            }
        }
    }

    async fn send(&self, route: ErpRoute<'_>, url: Url) -> Result<SiteAnswer, ErpError> {
        // Held until the body is read: a site counts a request until then.
        let _permit = self.permits.acquire().await;
        let request = self.http.get(url).headers(self.headers.clone());
        let answer = request.timeout(self.timeout).send().await;
        let response = answer.map_err(|error| self.failure(&error, self.timeout))?;
        let answer = self
            .receive(response, route.data_field(), self.timeout)
            .await;
        answer.inspect_err(|error| {
            let code = error.kind().map(RefusalKind::code);
            tracing::debug!(site = self.site, ?route, code, "request refused");
        })
    }

    /// Reads an answer to its end. `timeout`: that of the request, for the error.
    async fn receive(
        &self,
        mut response: Response,
        field: DataField,
        timeout: Duration,
    ) -> Result<SiteAnswer, ErpError> {
        self.set_clock(response.headers());
        self.answered.store((self.clock)(), Ordering::Relaxed);
        let status = response.status();
        let retry_after = retry_after(status, response.headers());
        let is_encoded = encoding::is_encoded(response.headers());
        let mut body = Vec::new();
        let chunk = |error: reqwest::Error| self.failure(&error, timeout);
        while let Some(part) = response.chunk().await.map_err(chunk)? {
            if body.len() + part.len() > MAX_BODY_BYTES {
                return Err(ErpError::Unusable {
                    site: self.site.clone(),
                    cause: say::more_than_bytes(MAX_BODY_BYTES),
                });
            }
            body.extend_from_slice(&part);
        }
        let raw = RawAnswer {
            site: &self.site,
            status: status.as_u16(),
            retry_after,
            is_encoded,
            body: &body,
        };
        envelope::read(&raw, field).map_err(|error| self.attributed(error))
    }

    /// Keeps the difference of the clocks. The header has whole seconds.
    fn set_clock(&self, headers: &HeaderMap) {
        let date = headers.get(DATE).and_then(|date| date.to_str().ok());
        let date = date.and_then(|date| httpdate::parse_http_date(date).ok());
        let since = date.and_then(|date| date.duration_since(std::time::UNIX_EPOCH).ok());
        let Some(theirs) = since.and_then(|since| i64::try_from(since.as_millis()).ok()) else {
            return;
        };
        let offset = theirs - (self.clock)();
        // Below the resolution of the header, the clocks agree.
        let offset = if offset.abs() <= 1_000 { 0 } else { offset };
        self.offset.store(offset, Ordering::Relaxed);
    }

    fn failure(&self, error: &reqwest::Error, timeout: Duration) -> ErpError {
        tracing::debug!(site = self.site, ?error, "request failed");
        let site = self.site.clone();
        if let Some(cause) = tls::refusal(error) {
            tracing::warn!(site, cause, "certificate refused, nothing was sent");
            return ErpError::Untrusted { site, cause };
        }
        if error.is_timeout() && !error.is_connect() {
            return ErpError::Timeout {
                site,
                after: timeout,
            };
        }
        ErpError::Unreachable {
            site,
            cause: cause(error).to_owned(),
        }
    }
}

/// The wait after which the site may answer, if that is soon.
fn worth_waiting(error: &ErpError) -> Option<Duration> {
    let ErpError::Refused(refusal) = error else {
        return None;
    };
    let wait = match refusal.kind {
        RefusalKind::RateLimited | RefusalKind::Maintenance | RefusalKind::Busy => {
            Duration::from_secs(refusal.retry_after.unwrap_or(DEFAULT_WAIT))
        }
        RefusalKind::Deadlock => Duration::ZERO,
        _ => return None,
    };
    (wait <= LONGEST_WAIT).then_some(wait)
}

fn retry_after(status: StatusCode, headers: &HeaderMap) -> Option<u64> {
    if status.is_success() {
        return None;
    }
    let header = headers.get(RETRY_AFTER)?.to_str().ok()?;
    // Frappe writes seconds, as a whole number or with a fraction.
    let whole = header.trim().split('.').next()?;
    whole.parse().ok()
}

/// The cause of a failed connection in our words; the libraries' messages name their internals.
fn cause(error: &reqwest::Error) -> &'static str {
    if pinned_trust::is_of_tls(error) {
        return say::TLS_IS_NOT_POSSIBLE;
    }
    if let Some(cause) = agent::cause::of_connection(error) {
        return cause;
    }
    if error.is_timeout() {
        say::CONNECTION_TIMED_OUT
    } else if error.is_connect() {
        say::CONNECTION_FAILED
    } else {
        say::CLOSED_BEFORE_THE_END
    }
}
