//! The site that is built into the binary: script, WASM, style and public files.
//!
//! The binary passes it to this library, so that another site only needs a new link, no
//! compilation.

use std::{collections::HashMap, io::Read};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use bytes::Bytes;
use flate2::read::GzDecoder;

/// The service worker, which caches files of the site and shows [`OFFLINE`] when there is no
/// answer.
const WORKER: &str = "sw.js";
const OFFLINE: &str = "offline.html";
/// The policy of the worker: it requests files and pages from this server, and loads no code.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";
/// The policy of the offline page: one script of ours, which checks whether the server is back.
const OFFLINE_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
                              script-src 'self'; connect-src 'self'; form-action 'none'; \
                              base-uri 'none'; frame-ancestors 'none'";

/// One file of the site, with its compressed forms.
#[derive(Debug)]
pub struct SiteFile {
    /// Its name in code, such as `main.css`.
    pub name: &'static str,
    /// The path at which it is served.
    pub path: &'static str,
    /// Its media type.
    pub content_type: &'static str,
    /// True if its name has a hash of its content.
    pub immutable: bool,
    /// Its content, uncompressed. None if there is `gz`, which is unpacked for the few clients that
    /// want it plain: the copies would be a twelfth of the binary.
    pub plain: Option<&'static [u8]>,
    /// Its content, compressed by brotli.
    pub br: Option<&'static [u8]>,
    /// Its content, compressed by gzip.
    pub gz: Option<&'static [u8]>,
}

impl SiteFile {
    /// Returns the content, uncompressed. None if the build put none into the binary.
    fn unpacked(&self) -> Option<Bytes> {
        if let Some(plain) = self.plain {
            return Some(Bytes::from_static(plain));
        }
        let mut plain = Vec::new();
        match GzDecoder::new(self.gz?).read_to_end(&mut plain) {
            Ok(_) => Some(plain.into()),
            Err(error) => {
                tracing::error!(%error, path = self.path, "file of the site cannot be unpacked");
                None
            }
        }
    }
}

/// The files of the site.
pub(crate) struct Site {
    files: &'static [SiteFile],
    by_path: HashMap<&'static str, &'static SiteFile>,
}

impl Site {
    /// Creates the site of these files; there are none if the binary was built without.
    pub(crate) fn new(files: &'static [SiteFile]) -> Self {
        Self {
            files,
            by_path: files.iter().map(|file| (file.path, file)).collect(),
        }
    }

    /// Returns whether the binary was built without a site.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// Returns the path at which a file is served, by its name. Without a site, this is the path of
    /// `cargo leptos`.
    pub(crate) fn path_of(&self, name: &str) -> String {
        match self.files.iter().find(|file| file.name == name) {
            Some(file) => file.path.to_owned(),
            None => format!("/pkg/{name}"),
        }
    }

    /// Returns an identifier that changes with every build: the names of script and style have
    /// hashes of their content.
    pub(crate) fn build(&self) -> String {
        let parts = ["jarvis.js", "jarvis_bg.wasm", "main.css"].map(|name| self.path_of(name));
        format!("{}:{}", crate::VERSION, parts.join(":"))
    }

    /// Returns the response for a path, compressed as the client accepts it. None if there is no
    /// such file.
    pub(crate) fn get(&self, path: &str, request: &HeaderMap) -> Option<Response<Body>> {
        let file = self.by_path.get(path)?;
        let accepts = |coding: &str| {
            let header = request
                .get(header::ACCEPT_ENCODING)
                .and_then(|value| value.to_str().ok());
            header.is_some_and(|header| accepts_coding(header, coding))
        };
        let (body, coding) = match (file.br, file.gz) {
            (Some(br), _) if accepts("br") => (Bytes::from_static(br), Some("br")),
            (_, Some(gz)) if accepts("gzip") => (Bytes::from_static(gz), Some("gzip")),
            _ => (file.unpacked()?, None),
        };
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::OK;
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(file.content_type),
        );
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static(match file.name {
                _ if file.immutable => "public, max-age=31536000, immutable",
                // An outdated copy would keep a browser at an old build.
                WORKER | OFFLINE | "offline.js" => "no-cache",
                _ => "public, max-age=3600",
            }),
        );
        let policy = match file.name {
            WORKER => Some(WORKER_POLICY),
            OFFLINE => Some(OFFLINE_POLICY),
            _ => None,
        };
        if let Some(policy) = policy {
            let policy = HeaderValue::from_static(policy);
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        if let Some(coding) = coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        if file.br.is_some() || file.gz.is_some() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        Some(response)
    }
}

/// Returns whether an `Accept-Encoding` header accepts a coding.
fn accepts_coding(header: &str, coding: &str) -> bool {
    header.split(',').any(|part| {
        let mut part = part.split(';').map(str::trim);
        let name = part.next().unwrap_or_default();
        let refused = part.any(|parameter| {
            let weight = parameter.strip_prefix("q=");
            weight.is_some_and(|weight| weight.parse::<f32>().is_ok_and(|weight| weight <= 0.0))
        });
        name.eq_ignore_ascii_case(coding) && !refused
    })
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use futures::FutureExt;

    use super::*;

    const fn file(name: &'static str, path: &'static str, immutable: bool) -> SiteFile {
        SiteFile {
            name,
            path,
            content_type: "text/plain",
            immutable,
            plain: Some(b""),
            br: None,
            gz: None,
        }
    }

    static FILES: [SiteFile; 4] = [
        file("main.css", "/assets/main.0a.css", true),
        file("favicon.svg", "/favicon.svg", false),
        file("offline.html", "/offline.html", false),
        file("sw.js", "/sw.js", false),
    ];

    #[test]
    fn a_worker_is_never_old_and_talks_to_us_alone() {
        let site = Site::new(&FILES);
        for (path, cache, connects) in [
            (
                "/assets/main.0a.css",
                "public, max-age=31536000, immutable",
                None,
            ),
            ("/favicon.svg", "public, max-age=3600", None),
            (
                "/offline.html",
                "no-cache",
                Some("script-src 'self'; connect-src 'self'"),
            ),
            (
                "/sw.js",
                "no-cache",
                Some("default-src 'none'; connect-src 'self'"),
            ),
        ] {
            let answer = site.get(path, &HeaderMap::new()).unwrap();
            assert_eq!(answer.headers()["cache-control"], cache, "{path}");
            let policy = answer.headers().get("content-security-policy");
            let policy = policy.map(|policy| policy.to_str().unwrap());
            match connects {
                Some(part) => assert!(policy.is_some_and(|it| it.contains(part)), "{path}"),
                None => assert_eq!(policy, None, "{path}"),
            }
        }
    }

    #[test]
    fn a_packed_file_is_unpacked_for_who_wants_it_plain() {
        // `gzip -n` of "plain text".
        const GZ: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\xc8\x49\xcc\xcc\x53\x28\x49\xad\x28\x01\x00\xb8\x0f\x0b\x44\x0a\x00\x00\x00";
        static PACKED: [SiteFile; 1] = [SiteFile {
            plain: None,
            gz: Some(GZ),
            ..file("a.js", "/a.js", false)
        }];
        let site = Site::new(&PACKED);
        let mut headers = HeaderMap::new();
        let body = |headers: &HeaderMap| {
            let answer = site.get("/a.js", headers).unwrap();
            let coding = answer.headers().get(header::CONTENT_ENCODING).cloned();
            let body = to_bytes(answer.into_body(), 1_000).now_or_never().unwrap();
            (coding, body.unwrap())
        };
        assert_eq!(body(&headers), (None, Bytes::from_static(b"plain text")));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        let gzip = HeaderValue::from_static("gzip");
        assert_eq!(body(&headers), (Some(gzip), Bytes::from_static(GZ)));
    }

    #[test]
    fn reads_accept_encoding() {
        for (header, coding, expect) in [
            ("gzip, deflate, br", "br", true),
            ("gzip;q=1.0, br;q=0", "br", false),
            ("GZIP ; q=0.5", "gzip", true),
            ("identity", "br", false),
            ("", "gzip", false),
        ] {
            assert_eq!(accepts_coding(header, coding), expect, "{header} {coding}");
        }
    }
}
