//! `[server]`: where the server listens, keeps its data and is reached.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use axum::http::Uri;

use super::{
    network::Networks,
    reader::Reader,
    settings::Flags,
    source::{Setting, Source},
    value::is_web_address,
};
use crate::texts;

/// Addresses of the server, and the folder of its data.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    pub listen: Setting<SocketAddr>,
    pub data_dir: Setting<PathBuf>,
    /// Address at which browsers reach the server, such as `https://jarvis.example`.
    pub public_url: Option<Setting<String>>,
    /// PEM files of the certificate chain and its key.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Addresses of reverse proxies that end TLS.
    pub trusted_proxies: Networks,
    /// Other web pages that may use `/agui`, `/api/v1` and `/mcp`, such as `https://front.lan`.
    pub allowed_origins: Vec<String>,
}

/// `home`: the data folder unless one is named; none without a home folder.
pub(super) fn read(r: &mut Reader<'_>, flags: &Flags, home: Option<PathBuf>) -> ServerSettings {
    r.section("server", "");
    let listen = r
        .key("server.listen", "address and port")
        .env("JARVIS_LISTEN")
        .flag("--listen", flags.listen)
        .or(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 7340));
    let data_dir = r
        .key::<PathBuf>(
            "server.data_dir",
            "folder of the database; default $XDG_DATA_HOME/jarvis",
        )
        .env("JARVIS_DATA_DIR")
        .flag("--data-dir", flags.data_dir.clone())
        .optional("\"/var/lib/jarvis\"");
    let data_dir = data_dir.unwrap_or_else(|| {
        if home.is_none() {
            r.refuse(&Source::Default, texts::config::NO_HOME_FOLDER);
        }
        Setting {
            value: home.unwrap_or_default(),
            source: Source::Default,
        }
    });
    let public_url = r
        .key::<String>("server.public_url", "how browsers reach it")
        .env("JARVIS_PUBLIC_URL")
        .optional("\"https://jarvis.lan\"");
    let tls_cert = r
        .key::<PathBuf>("server.tls_cert", "certificate chain, PEM")
        .env("JARVIS_TLS_CERT")
        .under("An address that other machines can reach needs TLS, either here …")
        .optional("\"/etc/jarvis/cert.pem\"");
    let tls_key = r
        .key::<PathBuf>("server.tls_key", "private key, PEM")
        .env("JARVIS_TLS_KEY")
        .optional("\"/etc/jarvis/key.pem\"");
    let proxies = r
        .key::<Networks>(
            "server.trusted_proxies",
            "addresses whose X-Forwarded-For is accepted; also list a proxy on this machine",
        )
        .env("JARVIS_TRUSTED_PROXIES")
        .under("… or in a reverse proxy:")
        .optional("[\"192.168.1.2\", \"10.0.0.0/24\"]");

    let origins = r
        .key::<Vec<String>>(
            "server.allowed_origins",
            "origins of other web pages that may use /agui, /api/v1 and /mcp with a token",
        )
        .env("JARVIS_ALLOWED_ORIGINS")
        .under("Front ends on other addresses:")
        .optional("[\"https://front.lan\"]");

    let tls = match (tls_cert, tls_key) {
        (Some(cert), Some(key)) => Some((cert.value, key.value)),
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => {
            r.refuse(&one.source, texts::config::CERT_AND_KEY_GO_TOGETHER);
            None
        }
    };
    let trusted_proxies = proxies.map(|proxies| proxies.value).unwrap_or_default();
    if let Some(url) = &public_url
        && !is_web_address(url)
    {
        r.refuse(&url.source, texts::config::PUBLIC_URL_IS_NO_ADDRESS);
    }
    if let Some(origins) = &origins
        && !origins.iter().all(|origin| is_origin(origin))
    {
        r.refuse(&origins.source, texts::config::ORIGINS_ARE_NO_ORIGINS);
    }
    if !listen.ip().is_loopback() && tls.is_none() && trusted_proxies.is_empty() {
        r.refuse(
            &listen.source,
            texts::config::listens_without_tls(&listen.value),
        );
    }
    ServerSettings {
        listen,
        data_dir,
        public_url,
        tls,
        trusted_proxies,
        allowed_origins: origins.map(|origins| origins.value).unwrap_or_default(),
    }
}

/// True for an origin as browsers send it: scheme, host in small letters, and a port that is not the
/// usual one of the scheme.
fn is_origin(text: &str) -> bool {
    let Ok(url) = text.parse::<Uri>() else {
        return false;
    };
    let (Some(scheme), Some(authority)) = (url.scheme_str(), url.authority()) else {
        return false;
    };
    let usual = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return false,
    };
    let is_plain = !authority.as_str().contains('@') && authority.port_u16() != Some(usual);
    is_plain && text == format!("{scheme}://{authority}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::is_origin;

    #[test]
    fn an_origin_is_what_browsers_send() {
        for (text, expect) in [
            ("https://front.lan", true),
            ("http://localhost:3000", true),
            ("http://[::1]:3000", true),
            ("https://front.lan/", false),
            ("https://front.lan/chat", false),
            ("https://front.lan:443", false),
            ("https://Front.lan", false),
            ("https://ada@front.lan", false),
            ("front.lan", false),
            ("ftp://front.lan", false),
            ("null", false),
            ("*", false),
        ] {
            assert_eq!(is_origin(text), expect, "{text}");
        }
    }
}
