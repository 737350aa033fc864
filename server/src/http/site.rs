//! The site that is built into the binary: script, WASM, style and public files.
//!
//! The binary passes it to this library, so that another site only needs a new link, no
//! compilation.

use std::{
    collections::HashMap,
    io::{Read, Write},
    sync::OnceLock,
};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use brotli_decompressor::Decompressor;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};

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

/// The buffer of the decoder, in bytes.
const STEP: usize = 64 * 1024;

/// One file of the site.
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
    /// Its content.
    pub content: SiteContent,
}

/// The content of a file of the site: the binary has one copy, and makes others where a client wants
/// them.
#[derive(Debug, Clone, Copy)]
pub enum SiteContent {
    /// As it is, where compression does not pay off.
    Plain(&'static [u8]),
    /// Compressed by brotli.
    Brotli(&'static [u8]),
}

/// A file that is served, with the copy for browsers that take brotli only from `https` and from
/// their own machine: all of them, in a network without certificates.
struct ServedFile {
    file: &'static SiteFile,
    gzip: OnceLock<Bytes>,
}

impl ServedFile {
    /// Returns the content in a form that the client takes, and its coding.
    fn body(
        &self,
        accepts: impl Fn(&str) -> bool,
    ) -> std::io::Result<(Bytes, Option<&'static str>)> {
        let packed = match self.file.content {
            SiteContent::Plain(plain) => return Ok((Bytes::from_static(plain), None)),
            SiteContent::Brotli(packed) => packed,
        };
        if accepts("br") {
            return Ok((Bytes::from_static(packed), Some("br")));
        }
        if !accepts("gzip") {
            return Ok((unpacked(packed)?.into(), None));
        }
        if let Some(gzip) = self.gzip.get() {
            return Ok((gzip.clone(), Some("gzip")));
        }
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&unpacked(packed)?)?;
        let gzip = Bytes::from(gzip.finish()?);
        Ok((self.gzip.get_or_init(|| gzip).clone(), Some("gzip")))
    }
}

fn unpacked(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    Decompressor::new(packed, STEP).read_to_end(&mut plain)?;
    Ok(plain)
}

/// The files of the site.
pub(crate) struct Site {
    files: &'static [SiteFile],
    by_path: HashMap<&'static str, ServedFile>,
}

impl Site {
    /// Creates the site of these files; there are none if the binary was built without.
    pub(crate) fn new(files: &'static [SiteFile]) -> Self {
        Self {
            files,
            by_path: files.iter().map(served).collect(),
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
        let served = self.by_path.get(path)?;
        let file = served.file;
        let accepts = |coding: &str| {
            let header = request
                .get(header::ACCEPT_ENCODING)
                .and_then(|value| value.to_str().ok());
            header.is_some_and(|header| accepts_coding(header, coding))
        };
        let (body, coding) = match served.body(accepts) {
            Ok(body) => body,
            Err(error) => {
                tracing::error!(%error, path, "file of the site cannot be unpacked");
                return None;
            }
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
        if matches!(file.content, SiteContent::Brotli(_)) {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        Some(response)
    }
}

fn served(file: &'static SiteFile) -> (&'static str, ServedFile) {
    let gzip = OnceLock::new();
    (file.path, ServedFile { file, gzip })
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
            content: SiteContent::Plain(b""),
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
    fn a_packed_file_is_packed_otherwise_for_who_wants_it_so() {
        // `plain text`.
        const PACKED: &[u8] = b"\x8b\x04\x80\x70\x6c\x61\x69\x6e\x20\x74\x65\x78\x74\x03";
        static FILES: [SiteFile; 1] = [SiteFile {
            content: SiteContent::Brotli(PACKED),
            ..file("a.js", "/a.js", false)
        }];
        let site = Site::new(&FILES);
        let body = |accepted: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            let answer = site.get("/a.js", &headers).unwrap();
            assert_eq!(answer.headers()[header::VARY], "accept-encoding");
            let coding = answer.headers().get(header::CONTENT_ENCODING);
            let coding = coding.map(|coding| coding.to_str().unwrap().to_owned());
            let body = to_bytes(answer.into_body(), 1_000).now_or_never().unwrap();
            (coding, body.unwrap())
        };
        let plain = Bytes::from_static(b"plain text");
        assert_eq!(body("identity"), (None, plain.clone()));
        let brotli = (Some("br".to_owned()), Bytes::from_static(PACKED));
        assert_eq!(body("gzip, br"), brotli);
        for _ in 0..2 {
            let (coding, gzip) = body("gzip, deflate");
            assert_eq!(coding.as_deref(), Some("gzip"));
            let mut unpacked = Vec::new();
            let mut reader = flate2::read::GzDecoder::new(&*gzip);
            reader.read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, plain);
        }
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
