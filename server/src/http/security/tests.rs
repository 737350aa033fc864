use rustls::pki_types::pem::PemObject;

use super::*;

/// Made for `jarvis.example`, `*.lab.example` and 192.0.2.7, and used for nothing else.
const CERTIFICATE: &str = include_str!("tests/certificate.pem");

fn hosts(listen: &str, public: Option<&str>, tls: bool, proxies: &str) -> Hosts {
    let certificate = tls.then(|| CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap());
    let listen = listen.parse().unwrap();
    Hosts::new(listen, public, certificate, proxies.parse().unwrap())
}

#[test]
fn the_certificate_says_under_which_names_the_server_may_be_asked() {
    let tls = hosts("0.0.0.0:443", None, true, "");
    for (host, expect) in [
        ("jarvis.example", true),
        ("JARVIS.example:443", true),
        ("pve.lab.example", true),
        ("192.0.2.7", true),
        ("a.pve.lab.example", false),
        ("lab.example", false),
        ("evil.example", false),
        ("jarvis.example.evil.example", false),
        ("192.0.2.8", false),
        ("localhost", false),
        ("", false),
        ("jarvis.example@evil.example", false),
    ] {
        assert_eq!(tls.allow(host), expect, "{host}");
    }
    // Listening on this machine alone changes nothing: browsers would not accept the name either.
    let local = hosts("127.0.0.1:443", None, true, "");
    assert!(local.allow("jarvis.example") && !local.allow("localhost"));
    // The operator's URL takes precedence over the certificate.
    let told = hosts("0.0.0.0:443", Some("https://other.example"), true, "");
    assert!(told.allow("other.example") && !told.allow("jarvis.example"));
}

#[test]
fn a_page_is_ours_by_scheme_and_host() {
    let plain = hosts("127.0.0.1:7340", None, false, "");
    let tls = hosts("0.0.0.0:443", None, true, "");
    let behind = hosts(
        "127.0.0.1:7340",
        Some("https://jarvis.example"),
        false,
        "127.0.0.1",
    );
    let untold = hosts("10.0.0.2:7340", None, false, "10.0.0.1");
    for (hosts, origin, host, expect) in [
        (&plain, "http://localhost:7340", "localhost:7340", true),
        (&plain, "https://localhost:7340", "localhost:7340", false),
        (&plain, "http://localhost:9999", "localhost:7340", false),
        (&plain, "null", "localhost:7340", false),
        (&tls, "https://jarvis.example", "jarvis.example", true),
        (&tls, "http://jarvis.example", "jarvis.example", false),
        (&tls, "ftp://jarvis.example", "jarvis.example", false),
        (&behind, "https://jarvis.example", "127.0.0.1:7340", true),
        (&behind, "https://jarvis.example", "jarvis.example", true),
        (&behind, "http://jarvis.example", "jarvis.example", false),
        (&behind, "http://127.0.0.1:7340", "127.0.0.1:7340", true),
        (&untold, "https://jarvis.example", "jarvis.example", true),
        (&untold, "http://jarvis.example", "jarvis.example", true),
        (&untold, "app://jarvis.example", "jarvis.example", false),
    ] {
        assert_eq!(hosts.is_ours(origin, host), expect, "{origin} {host}");
    }
}

#[test]
fn a_request_names_one_host() {
    for (lines, target, expect) in [
        (&["a.example"][..], "/", Some("a.example")),
        (&["a.example", "a.example"], "/", None),
        (&["a.example", "b.example"], "/", None),
        (&["a.example"], "http://a.example/", Some("a.example")),
        (&["a.example"], "http://b.example/", None),
        (&[], "http://b.example/", Some("b.example")),
        (&[], "/", None),
    ] {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::HOST, line.parse().unwrap());
        }
        let found = request_host(&headers, &target.parse().unwrap());
        assert_eq!(found.as_deref(), expect, "{lines:?} {target}");
    }
}

#[test]
fn an_unlisted_program_that_speaks_for_others_is_named_once() {
    let mut headers = HeaderMap::new();
    headers.insert(FORWARDED_FOR, HeaderValue::from_static("198.51.100.1"));
    let local: IpAddr = "127.0.0.1".parse().unwrap();
    let unlisted = hosts("127.0.0.1:7340", None, false, "");
    let other = "192.0.2.1".parse().unwrap();
    assert!(!unlisted.is_first_unlisted(local, &HeaderMap::new()));
    assert!(!unlisted.is_first_unlisted(other, &headers));
    let named = (0..100).filter(|_| unlisted.is_first_unlisted(local, &headers));
    assert_eq!(named.count(), 1);
    let listed = hosts("127.0.0.1:7340", None, false, "127.0.0.1");
    assert!(!listed.is_first_unlisted(local, &headers));
}
