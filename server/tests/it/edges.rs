//! Hosts, origins, headers, sizes and paths.

use std::{fs::Permissions, os::unix::fs::PermissionsExt, sync::Arc};

use protocol::ErrorCode;
use reqwest::{
    Method, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, ORIGIN},
};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_rustls::TlsConnector;

use crate::{
    client::{refusal, send},
    harness::{Folder, QUIET, Server, soon},
};

const FORBIDDEN: (StatusCode, ErrorCode) = (StatusCode::FORBIDDEN, ErrorCode::Forbidden);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_sites_are_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let own = server.url().to_owned();
    let port = own.rsplit(':').next().unwrap();

    // A name that an attacker has pointed at this machine.
    for (method, path) in [
        (Method::GET, "/"),
        (Method::GET, "/healthz"),
        (Method::POST, "/api/frame"),
    ] {
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:80",
        ] {
            let request = browser.request(method.clone(), path).header("host", host);
            assert_eq!(refusal(request).await, FORBIDDEN, "{method} {path} {host}");
        }
    }
    let request = browser.request(Method::GET, "/readyz");
    let local = send(request.header("host", format!("localhost:{port}"))).await;
    assert_eq!(local.status(), StatusCode::OK);

    let post = |origin: &str, site: Option<&str>| {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, "application/json".parse().unwrap());
        headers.insert(ORIGIN, origin.parse().unwrap());
        if let Some(site) = site {
            headers.insert("sec-fetch-site", site.parse().unwrap());
        }
        let request = browser.request(Method::POST, "/api/status");
        request.headers(headers).body("{}")
    };
    let elsewhere = format!("http://127.0.0.1:{}", u16::MAX);
    for (origin, site) in [
        ("http://evil.example", None),
        ("null", None),
        (elsewhere.as_str(), None),
        (own.as_str(), Some("cross-site")),
        (own.as_str(), Some("same-site")),
    ] {
        let answer = refusal(post(origin, site)).await;
        assert_eq!(answer, FORBIDDEN, "{origin} {site:?}");
        if origin != own {
            let upgrade = browser.upgrade().header(ORIGIN, origin);
            assert_eq!(refusal(upgrade).await, FORBIDDEN, "/ws {origin}");
        }
    }
    let allowed = send(post(&own, Some("same-origin"))).await;
    assert_eq!(allowed.status(), StatusCode::OK);
    assert_eq!(
        refusal(browser.upgrade()).await,
        FORBIDDEN,
        "/ws without an origin"
    );
    let upgrade = browser.upgrade().header(ORIGIN, &own);
    assert_eq!(
        send(upgrade).await.status(),
        StatusCode::SWITCHING_PROTOCOLS
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_has_its_headers() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;

    let mut nonces = Vec::new();
    for (path, status, page) in [
        ("/", StatusCode::OK, true),
        ("/", StatusCode::OK, true),
        ("/nowhere", StatusCode::NOT_FOUND, true),
        ("/chat/nonsense", StatusCode::NOT_FOUND, true),
        (
            "/chat/cnv_01HF7YAT0004HMASW9NF6YY093",
            StatusCode::NOT_FOUND,
            true,
        ),
        ("/healthz", StatusCode::OK, false),
        ("/sign-in", StatusCode::OK, false),
        ("/sign-in?token=0", StatusCode::FORBIDDEN, false),
        ("/settings", StatusCode::OK, false),
    ] {
        let response = browser.get(path).await;
        assert_eq!(response.status(), status, "{path}");
        let headers = response.headers().clone();
        let text = response.text().await.unwrap();
        for (name, expect) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(headers[name], expect, "{path}");
        }
        assert!(headers.contains_key("x-request-id"), "{path}");
        // Over plain HTTP it would have no effect, and lock people out of a host that has no TLS.
        assert!(!headers.contains_key("strict-transport-security"), "{path}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        for part in ["default-src 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
        if !page {
            // The sign-in page has one script, from its own host, and none inline.
            let scripted = path == "/sign-in";
            assert_eq!(policy.contains("script-src"), scripted, "{path}: {policy}");
            assert_eq!(text.contains("<script"), scripted, "{path}");
            if scripted {
                assert!(policy.contains("script-src 'self'; connect-src 'self'"));
                assert!(text.contains("<script src=\"/passkeys.js\" defer>"));
            }
            continue;
        }
        assert_eq!(headers["cache-control"], "no-store", "{path}");
        // The page is installable with these.
        assert!(policy.contains("manifest-src 'self'; worker-src 'self'"));
        let (_, rest) = policy.split_once("'nonce-").unwrap();
        let (nonce, _) = rest.split_once('\'').unwrap();
        assert!(nonce.len() >= 16, "{nonce}");
        nonces.push(nonce.to_owned());
        let scripts: Vec<_> = text.split("<script").skip(1).collect();
        assert!(!scripts.is_empty(), "{path}");
        for script in scripts {
            let (tag, _) = script.split_once('>').unwrap();
            assert!(
                tag.contains(&format!("nonce=\"{nonce}\"")),
                "{path}: <script{tag}>"
            );
        }
        assert!(
            !text.contains(" style=\""),
            "{path}: the policy refuses inline style"
        );
    }
    nonces.sort();
    let count = nonces.len();
    nonces.dedup();
    assert_eq!(nonces.len(), count, "a nonce is used once");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_and_sizes() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;

    let head = send(browser.request(Method::HEAD, "/")).await;
    assert_eq!(head.status(), StatusCode::OK);
    assert!(head.headers().contains_key("content-security-policy"));
    assert!(head.bytes().await.unwrap().is_empty());

    for (method, path, status) in [
        (Method::POST, "/", StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, "/sign-out", StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, "/api/frame", StatusCode::METHOD_NOT_ALLOWED),
        (Method::POST, "/healthz", StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let response = send(browser.request(method.clone(), path)).await;
        assert_eq!(response.status(), status, "{method} {path}");
    }

    // Refused before it is sent: a client that keeps sending may find the connection closed.
    let mut tcp = TcpStream::connect(server.url().trim_start_matches("http://"))
        .await
        .unwrap();
    let head = format!(
        "POST /api/rename HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\n\
         cookie: {}\r\ncontent-length: {}\r\n\r\n",
        browser.cookie().unwrap(),
        300 * 1024
    );
    tcp.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    soon("an answer", tcp.read_exact(&mut status))
        .await
        .unwrap();
    assert_eq!(status.as_slice(), b"HTTP/1.1 413");
    server.stop().await;
}

/// Files are served from the binary by their names: no address reaches the disk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_path_leads_to_the_disk() {
    let folder = Folder::new();
    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let address = server.url().trim_start_matches("http://");
    for path in [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/..\\..\\etc\\passwd",
        "/pkg/../../data/jarvis.db",
        "/jarvis.db",
        "/api/../jarvis.db",
        "/etc/passwd%00.css",
    ] {
        let mut tcp = TcpStream::connect(address).await.unwrap();
        // Unchanged: other clients would normalise it.
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {}\r\nconnection: close\r\n\r\n",
            browser.cookie().unwrap()
        );
        tcp.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        soon("an answer", tcp.read_to_end(&mut answer))
            .await
            .unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert!(!answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        assert!(
            !answer.contains("root:") && !answer.contains("SQLite format"),
            "{path}: {answer}"
        );
    }
    server.stop().await;
}

/// Behind a proxy with TLS browsers are told to use TLS only, and a request with another scheme or
/// two hosts is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_is_for_good_and_a_request_names_one_host() {
    let folder = Folder::new();
    let public = "[server]\npublic_url = \"https://jarvis.example\"\n";
    let server = Server::start_with(&folder, &format!("{QUIET}{public}")).await;
    let address = server.address();
    let ask = async |head: &str| {
        let mut tcp = TcpStream::connect(&address).await.unwrap();
        tcp.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        soon("an answer", tcp.read_to_string(&mut answer))
            .await
            .unwrap();
        answer
    };
    let get = "GET /healthz HTTP/1.1\r\nconnection: close\r\n";
    let one = ask(&format!("{get}host: jarvis.example\r\n\r\n")).await;
    assert!(one.starts_with("HTTP/1.1 200"), "{one}");
    assert!(one.contains("strict-transport-security: max-age=31536000\r\n"));
    for hosts in [
        "host: jarvis.example\r\nhost: jarvis.example",
        "host: jarvis.example\r\nhost: evil.example",
    ] {
        let two = ask(&format!("{get}{hosts}\r\n\r\n")).await;
        assert!(
            two.starts_with("HTTP/1.1 403") || two.starts_with("HTTP/1.1 400"),
            "{two}"
        );
    }
    let post = "POST /sign-in HTTP/1.1\r\nhost: jarvis.example\r\nconnection: close\r\n\
                content-length: 0\r\n";
    for (origin, refused) in [
        ("https://jarvis.example", false),
        ("http://jarvis.example", true),
    ] {
        let answer = ask(&format!("{post}origin: {origin}\r\n\r\n")).await;
        let found = answer.contains("The request comes from another site.");
        assert_eq!(found, refused, "{origin}: {answer}");
    }
    server.stop().await;
}

/// Made for `jarvis.example`, and used for nothing else.
const CERTIFICATE: &str = include_str!("../../src/http/security/tests/certificate.pem");
const KEY: &str = include_str!("../../src/http/security/tests/key.pem");

/// A server with a certificate of its own, from the handshake on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_certificate_the_server_answers_to_its_names_alone() {
    let folder = Folder::new();
    let certificate = folder.path().join("certificate.pem");
    let key = folder.path().join("key.pem");
    std::fs::write(&certificate, CERTIFICATE).unwrap();
    std::fs::write(&key, KEY).unwrap();
    let mode = |mode| std::fs::set_permissions(&key, Permissions::from_mode(mode)).unwrap();
    let tls = format!("{QUIET}[server]\ntls_cert = {certificate:?}\ntls_key = {key:?}\n");
    mode(0o644);
    let refused = Server::try_start(&folder, &tls).await;
    let why = format!(
        "{:#}",
        refused.err().expect("a key for everybody is refused")
    );
    assert!(why.contains("every user of this machine can read"), "{why}");
    mode(0o640);
    let server = Server::start_with(&folder, &tls).await;

    let mut roots = RootCertStore::empty();
    let own = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap();
    roots.add(own).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = TlsConnector::from(Arc::new(config));
    let ask = async |host: &str| {
        let tcp = TcpStream::connect(server.address()).await.unwrap();
        let name = ServerName::try_from("jarvis.example").unwrap();
        let mut tls = soon("a handshake", connector.connect(name, tcp))
            .await
            .unwrap();
        let head = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        tls.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        soon("an answer", tls.read_to_string(&mut answer))
            .await
            .unwrap();
        answer
    };
    let address = server.address();
    for (host, status) in [
        ("jarvis.example", "200"),
        ("pve.lab.example", "200"),
        ("evil.example", "403"),
        ("localhost", "403"),
        (address.as_str(), "403"),
    ] {
        let answer = ask(host).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{host}: {answer}"
        );
        let lasting = "strict-transport-security: max-age=31536000\r\n";
        assert!(answer.contains(lasting), "{host}: {answer}");
    }
    // It says nothing to who does not speak TLS.
    let mut plain = TcpStream::connect(server.address()).await.unwrap();
    let head = b"GET /healthz HTTP/1.1\r\nhost: jarvis.example\r\nconnection: close\r\n\r\n";
    plain.write_all(head).await.unwrap();
    let mut answer = Vec::new();
    soon("the end", plain.read_to_end(&mut answer)).await.ok();
    assert!(!answer.starts_with(b"HTTP/"), "{answer:?}");
    server.stop().await;
}
