//! Sign-in by a reverse proxy.
//!
//! The proxy is trusted by the address that it connects from, and by nothing in a request. Its
//! sign-in is a session like any other: listed, ended, on record. It lasts while every request
//! comes with the same user.

use std::net::IpAddr;

use agent::ports::SignInWay;
use app::plain_pages::sign_in;
use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode},
    response::{IntoResponse, Response},
};
use protocol::{ErrorBody, ErrorCode, Role, Timestamp, UserId};
use store::{ByProxy, NewSession, SystemEvent, User};

use super::{
    Http, SignedIn,
    auth::{ABSOLUTE, Auth, IDLE, SEEN_STEP, earlier, new_secret, of_session},
    client::Client,
    plain_page::{self, no_store, with_status},
    settings::bad_name,
    tally::Row,
};
use crate::config::ProxySignIn;

/// The proxy's statement about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// None, or the peer is not the proxy.
    None,
    /// The user, and the role from their groups, if groups matter.
    User { name: String, role: Option<Role> },
    /// None of the groups of this user may sign in.
    NotLetIn { name: String },
    /// The reason why it is rejected.
    Refused(&'static str),
}

/// The person behind a request.
pub(super) enum Found {
    Nobody,
    /// With the cookie of a session that has just begun.
    User(Box<SignedIn>, Option<HeaderValue>),
    Refused(&'static str),
}

/// Reads the proxy's statement.
pub(super) fn word(proxy: Option<&ProxySignIn>, peer: Option<IpAddr>, headers: &HeaderMap) -> Word {
    let Some((proxy, peer)) = proxy.zip(peer) else {
        return Word::None;
    };
    if !proxy.addresses.contains(peer) {
        return Word::None;
    }
    let name = match only(headers, &proxy.user_header) {
        Ok(Some(name)) => name,
        Ok(None) => return Word::None,
        Err(why) => return Word::Refused(why),
    };
    // A header value joined from two on the way contains a comma.
    if bad_name(name).is_some() || name.contains(',') {
        return Word::Refused("The reverse proxy sent an invalid user name.");
    }
    let groups = match proxy.groups_header.as_ref() {
        Some(header) => match only(headers, header) {
            Ok(groups) => groups.unwrap_or_default(),
            Err(why) => return Word::Refused(why),
        },
        None => "",
    };
    match proxy.role(groups.split(',').map(str::trim)) {
        Ok(role) => Word::User {
            name: name.to_owned(),
            role,
        },
        Err(_) => Word::NotLetIn {
            name: name.to_owned(),
        },
    }
}

/// Returns the only value of a header. Two values are refused: one of them may be the client's own.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, &'static str> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err("The reverse proxy sent a header twice.");
    }
    let value = std::str::from_utf8(value.as_bytes());
    let value = value.map_err(|_| "The reverse proxy sent an unreadable header.")?;
    Ok(Some(value.trim()))
}

impl Auth {
    /// Returns the person behind a request with a statement of the proxy: from the session in the
    /// request, if that is the same user's, else from a new one.
    pub(super) async fn by_proxy(
        &self,
        proxy: &ProxySignIn,
        name: &str,
        role: Option<Role>,
        client: Client,
        headers: &HeaderMap,
    ) -> Result<Found, store::Error> {
        let now = self.env.now();
        if let Some(mut signed_in) = self.signed_in(headers).await?
            && self.store.is_called(&signed_in.as_user(), name).await?
        {
            // A person who signed in otherwise keeps that identity; the proxy's groups do not apply
            // to them, unless an admin linked them.
            let Some(word) = self.store.proxy_word(signed_in.user.id).await? else {
                return Ok(if needs_word(&signed_in) {
                    Found::Refused(NOT_LINKED)
                } else {
                    Found::User(Box::new(signed_in), None)
                });
            };
            let user = signed_in.user.id;
            if let Some(role) = role.filter(|role| *role != signed_in.user.role) {
                match self.store.set_role_by_proxy(user, role, now).await {
                    Ok(()) => signed_in.user.role = role,
                    Err(store::Error::LastAdmin) => return Ok(Found::Refused(LAST_ADMIN)),
                    Err(error) => return Err(error),
                }
                self.changed(user);
            }
            if word < earlier(now, SEEN_STEP) {
                self.store.touch_proxy(user, now).await?;
            }
            return Ok(Found::User(Box::new(signed_in), None));
        }
        let cookie = new_secret();
        let address = client.address;
        let session = self.new_session(&cookie, client, headers, now);
        let id = UserId::new(now, self.env.random());
        let new = proxy.new_users.map(|least| (id, role.unwrap_or(least)));
        let record = |user: &User| self.record_sign_in(user, &session, now);
        let begun = self
            .store
            .sign_in_by_proxy(name, role, new, &session, now, record);
        let user = match begun.await {
            Ok(ByProxy::In(user)) => user,
            Ok(refused) => {
                tracing::warn!(?address, "the reverse proxy named nobody who may sign in");
                self.failed(None, address, now).await?;
                return Ok(Found::Refused(match refused {
                    ByProxy::NotLinked => NOT_LINKED,
                    _ => NOBODY,
                }));
            }
            Err(store::Error::LastAdmin) => return Ok(Found::Refused(LAST_ADMIN)),
            Err(error) => return Err(error),
        };
        tracing::info!(user = %user.id, "signed in by the reverse proxy");
        self.replaced(&session);
        self.changed(user.id);
        let secret = session.secret;
        let begun = self.store.session(secret, now, earlier(now, IDLE)).await?;
        Ok(match begun {
            Some(begun) => {
                let begun = Box::new(of_session(secret, begun));
                Found::User(begun, self.set_cookie(&cookie, ABSOLUTE))
            }
            None => Found::Nobody,
        })
    }

    /// Records a sign-in by the proxy.
    fn record_sign_in(
        &self,
        user: &User,
        session: &NewSession,
        now: Timestamp,
    ) -> Vec<SystemEvent> {
        let rows = self.proxied.record(user.id, now).into_iter();
        let events = rows.map(|row| match row {
            Row::Each => SystemEvent::SignedInByProxy {
                user: user.id,
                by: user.name.clone(),
                address: session.address.clone(),
            },
            Row::Count { count, since } => SystemEvent::SignedInManyTimesByProxy {
                user: user.id,
                count,
                since,
                by: user.name.clone(),
            },
        });
        events.collect()
    }

    /// Shuts out a user whose groups at the proxy do not allow a sign-in: their open sessions end.
    pub(super) async fn not_let_in(&self, name: &str) -> Result<Found, store::Error> {
        tracing::warn!("the reverse proxy named a user of no group that may sign in");
        if let Some(user) = self.store.end_by_proxy(name, self.env.now()).await? {
            self.changed(user);
        }
        Ok(Found::Refused("None of your groups may sign in here."))
    }
}

/// The refusal of users that the proxy names but that do not exist here.
const NOBODY: &str =
    "The reverse proxy signed you in, but you have no account here. An admin can add you.";
const NOT_LINKED: &str = "An account with this name exists but is not linked to the reverse \
proxy. An admin can link it in Settings, Users; whoever runs the server can sign in with jarvis \
sign-in-link.";
const LAST_ADMIN: &str = "Your groups would change your role, but you are the only admin. Add \
another admin first, or add yourself to an admin group.";

/// Returns whether a session depends on the proxy alone.
pub(super) fn needs_word(signed_in: &SignedIn) -> bool {
    matches!(signed_in.began, Some((_, SignInWay::Proxy)))
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
