//! Sign-in by a reverse proxy: its headers, and the pages around it.
//!
//! The proxy is trusted by the address that it connects from, and by nothing in a request.

use std::net::IpAddr;

use ::sign_in::{ProxyHeaders, Word};
use app::plain_pages::sign_in;
use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode},
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode};

use super::{
    Http,
    plain_page::{self, no_store, with_status},
};
use crate::config::ProxySignIn;

/// Reads the proxy's statement about a request.
pub(super) fn word(proxy: Option<&ProxySignIn>, peer: Option<IpAddr>, headers: &HeaderMap) -> Word {
    let Some((proxy, peer)) = proxy.zip(peer) else {
        return Word::None;
    };
    if !proxy.addresses.contains(peer) {
        return Word::None;
    }
    let all = |name: &HeaderName| {
        let values = headers.get_all(name).iter();
        values.map(HeaderValue::as_bytes).collect::<Vec<_>>()
    };
    proxy.rules.word(&ProxyHeaders {
        user: all(&proxy.user_header),
        groups: proxy.groups_header.as_ref().map(all).unwrap_or_default(),
    })
}

/// Returns the answer to a request with a rejected statement.
pub(super) fn refuse(http: &Http, headers: &HeaderMap, page: bool, why: &'static str) -> Response {
    if !page {
        let error = ErrorBody::new(ErrorCode::Forbidden, why);
        return (StatusCode::FORBIDDEN, axum::Json(error)).into_response();
    }
    let theme = plain_page::theme(headers);
    let page = plain_page::answer(http, theme, sign_in::access_denied(why));
    with_status(page, StatusCode::FORBIDDEN)
}

/// Draws the page after a sign-out: the next request signs in again through the proxy.
pub(super) fn signed_out(http: &Http, headers: &HeaderMap, proxy: &ProxySignIn) -> Response {
    let page = sign_in::signed_out(proxy.sign_out_url.clone());
    no_store(plain_page::answer(http, plain_page::theme(headers), page))
}

#[cfg(test)]
mod tests {
    use protocol::Role;

    use super::*;

    fn proxy(groups: bool) -> ProxySignIn {
        let text = "[sign_in.proxy]\naddresses = [\"10.0.0.0/24\"]\n";
        let more = "groups_header = \"Remote-Groups\"\noperator_groups = [\"ops\"]\n\
                    admin_groups = [\"root\", \"boss\"]\n";
        let text = format!("{text}{}", if groups { more } else { "" });
        let home = [("HOME".to_owned(), "/".to_owned())];
        let path = std::path::Path::new("jarvis.toml");
        let config = crate::config::Config::read(&Default::default(), path, &text, home, &[]);
        config.unwrap().proxy_sign_in.unwrap()
    }

    fn read(groups: bool, peer: &str, lines: &[(&str, &str)]) -> Word {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let name: HeaderName = name.parse().unwrap();
            headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        word(Some(&proxy(groups)), Some(peer.parse().unwrap()), &headers)
    }

    fn user(name: &str, role: Option<Role>) -> Word {
        Word::User {
            name: name.to_owned(),
            role,
        }
    }

    #[test]
    fn only_the_proxy_is_believed_and_only_if_it_is_clear() {
        let here = "10.0.0.7";
        assert_eq!(
            read(false, here, &[("Remote-User", "ada")]),
            user("ada", None)
        );
        assert_eq!(
            read(false, here, &[("remote-user", " Zoë ")]),
            user("Zoë", None)
        );
        let coat = read(false, "::ffff:10.0.0.7", &[("Remote-User", "ada")]);
        assert_eq!(coat, user("ada", None));
        for (peer, name, value) in [
            ("10.0.1.7", "Remote-User", "ada"),
            ("127.0.0.1", "Remote-User", "ada"),
            ("::1", "Remote-User", "ada"),
            (here, "Remote_User", "ada"),
            (here, "X-Remote-User", "ada"),
            (here, "X-Forwarded-User", "ada"),
        ] {
            assert_eq!(
                read(false, peer, &[(name, value)]),
                Word::None,
                "{peer} {name}"
            );
        }
        let long = "x".repeat(65);
        for lines in [
            &[("Remote-User", "ada"), ("Remote-User", "ada")][..],
            &[("Remote-User", "ada"), ("remote-user", "eve")],
            &[("Remote-User", "ada, eve")],
            &[("Remote-User", "")],
            &[("Remote-User", "a\u{202e}da")],
            &[("Remote-User", long.as_str())],
        ] {
            let found = read(false, here, lines);
            assert!(matches!(found, Word::Refused(_)), "{lines:?}: {found:?}");
        }
    }

    #[test]
    fn the_highest_group_decides() {
        let read = |groups: &[&str]| {
            let mut lines = vec![("Remote-User", "ada")];
            lines.extend(groups.iter().map(|groups| ("Remote-Groups", *groups)));
            read(true, "10.0.0.1", &lines)
        };
        assert_eq!(read(&["ops"]), user("ada", Some(Role::Operator)));
        assert_eq!(read(&["a, boss,ops"]), user("ada", Some(Role::Admin)));
        for groups in [&[][..], &["opsx"], &["Ops"], &["ops", "root"]] {
            let found = read(groups);
            let twice = groups.len() > 1;
            assert_eq!(
                matches!(found, Word::Refused(_)),
                twice,
                "{groups:?}: {found:?}"
            );
            assert_eq!(matches!(found, Word::NotLetIn { .. }), !twice, "{groups:?}");
        }
    }
}
