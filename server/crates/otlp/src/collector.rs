//! The receiver, as the operator configures it.

use std::fmt;

use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};

/// The path of traces, below the address of a collector.
const PATH: &str = "/v1/traces";

/// The address to which traces are sent. It may hold a secret, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct CollectorUrl(Url);

impl CollectorUrl {
    /// Reads the base address of a collector, or its address for traces.
    ///
    /// # Errors
    /// The text is no address of the web, or has a user name, a password or a query.
    pub fn parse(text: &str) -> Result<Self, CollectorUrlFault> {
        let url = Url::parse(text).map_err(|_| CollectorUrlFault::Address)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(CollectorUrlFault::Address);
        }
        let has_password = !url.username().is_empty() || url.password().is_some();
        if has_password || url.query().is_some() || url.fragment().is_some() {
            return Err(CollectorUrlFault::More);
        }
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix(PATH).unwrap_or(path);
        let path = format!("{path}{PATH}");
        let mut url = url;
        url.set_path(&path);
        Ok(Self(url))
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// True for this machine, which is reached without a proxy.
    pub(crate) fn is_local(&self) -> bool {
        let host = self.0.host_str();
        matches!(host, Some("127.0.0.1" | "[::1]" | "localhost"))
    }
}

impl fmt::Debug for CollectorUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(address)")
    }
}

/// The reason why a text is no address of a collector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CollectorUrlFault {
    #[error("expected http://… or https://…")]
    Address,
    #[error("expected an address without a user name, a password and a query")]
    More,
}

/// Headers that a collector wants, such as its token. None by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectorHeaders(pub(crate) HeaderMap);

/// Headers that are no list of names and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected name=value, separated by commas")]
pub struct HeadersFault;

impl CollectorHeaders {
    /// Reads headers as `OTEL_EXPORTER_OTLP_HEADERS` has them. In a value `%20` is a blank, which is all
    /// that tokens need of the encoding.
    ///
    /// # Errors
    /// The text is no such list.
    pub fn parse(text: &str) -> Result<Self, HeadersFault> {
        let mut headers = HeaderMap::new();
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once('=').ok_or(HeadersFault)?;
            let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| HeadersFault)?;
            let value = value.trim().replace("%20", " ");
            let mut value = HeaderValue::from_str(&value).map_err(|_| HeadersFault)?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        if headers.is_empty() {
            return Err(HeadersFault);
        }
        Ok(Self(headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_its_traces() {
        for (text, expect) in [
            (
                "http://127.0.0.1:4318",
                Ok("http://127.0.0.1:4318/v1/traces"),
            ),
            (
                "http://127.0.0.1:4318/",
                Ok("http://127.0.0.1:4318/v1/traces"),
            ),
            (
                "https://otel.lan/x/v1/traces",
                Ok("https://otel.lan/x/v1/traces"),
            ),
            ("https://otel.lan/x/", Ok("https://otel.lan/x/v1/traces")),
            (
                "https://ada:hunter2@otel.lan/",
                Err(CollectorUrlFault::More),
            ),
            (
                "https://otel.lan/?key=hunter2",
                Err(CollectorUrlFault::More),
            ),
            ("otel.lan:4318", Err(CollectorUrlFault::Address)),
            ("", Err(CollectorUrlFault::Address)),
        ] {
            let parsed = CollectorUrl::parse(text);
            let parsed = parsed.as_ref().map(|url| url.0.as_str());
            assert_eq!(parsed.map_err(|fault| *fault), expect, "{text}");
        }
    }

    #[test]
    fn headers_are_pairs() {
        let CollectorHeaders(headers) =
            CollectorHeaders::parse("authorization=Bearer%20hunter2, x-scope = lab ")
                .expect("pairs");
        assert_eq!(headers["authorization"], "Bearer hunter2");
        assert_eq!(headers["x-scope"], "lab");
        assert!(!format!("{headers:?}").contains("hunter2"));
        for wrong in ["", ",", "hunter2", "a b=c", "=x"] {
            assert_eq!(CollectorHeaders::parse(wrong), Err(HeadersFault), "{wrong}");
        }
    }
}
