//! Sign-in by a reverse proxy.
//!
//! The caller has checked that the peer is the proxy (`server/src/http/by_proxy.rs`); nothing in a
//! request proves it. A sign-in by the proxy is a session like any other: listed, ended, on record.
//! It lasts while every request comes with the same user.

use protocol::{Role, Timestamp, UserId};
use store::{ByProxy, NewSession, SystemEvent, User};

use crate::{
    auth::Auth,
    lifetimes::{ABSOLUTE, IDLE, SEEN_STEP, earlier},
    presented::{Presented, ProxyRules},
    secrets::new_secret,
    signed_in::{Client, SignedIn},
    tally::Row,
    texts,
};

/// The person behind a request.
pub enum Found {
    Nobody,
    /// With the cookie of a session that has just begun.
    User(Box<SignedIn>, Option<String>),
    Refused(&'static str),
}

impl Auth {
    /// Returns the person behind a request with a statement of the proxy: from the session in the
    /// request, if that is the same user's, else from a new one.
    pub async fn by_proxy(
        &self,
        rules: &ProxyRules,
        name: &str,
        role: Option<Role>,
        client: Client,
        presented: &Presented<'_>,
    ) -> Result<Found, store::Error> {
        let now = self.env.now();
        if let Some(mut signed_in) = self.signed_in(presented).await?
            && self.store.is_called(&signed_in.as_user(), name).await?
        {
            // A person who signed in otherwise keeps that identity; the proxy's groups do not apply
            // to them, unless an admin linked them.
            let Some(word) = self.store.proxy_word(signed_in.user.id).await? else {
                return Ok(if signed_in.needs_word() {
                    Found::Refused(texts::ACCOUNT_IS_NOT_LINKED)
                } else {
                    Found::User(Box::new(signed_in), None)
                });
            };
            let user = signed_in.user.id;
            if let Some(role) = role.filter(|role| *role != signed_in.user.role) {
                match self.store.set_role_by_proxy(user, role, now).await {
                    Ok(()) => signed_in.user.role = role,
                    Err(store::Error::LastAdmin) => {
                        return Ok(Found::Refused(texts::ONLY_ADMIN_WOULD_LOSE_ROLE));
                    }
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
        let session = self.new_session(&cookie, client, presented, now);
        let id = UserId::new(now, self.env.random());
        let new = rules.new_users.map(|least| (id, role.unwrap_or(least)));
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
                    ByProxy::NotLinked => texts::ACCOUNT_IS_NOT_LINKED,
                    _ => texts::NO_ACCOUNT_HERE,
                }));
            }
            Err(store::Error::LastAdmin) => {
                return Ok(Found::Refused(texts::ONLY_ADMIN_WOULD_LOSE_ROLE));
            }
            Err(error) => return Err(error),
        };
        tracing::info!(user = %user.id, "signed in by the reverse proxy");
        self.replaced(&session);
        self.changed(user.id);
        let secret = session.secret;
        let begun = self.store.session(secret, now, earlier(now, IDLE)).await?;
        Ok(match begun {
            Some(begun) => {
                let begun = Box::new(SignedIn::of_session(secret, begun));
                Found::User(begun, Some(self.set_cookie(&cookie, ABSOLUTE)))
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
    pub async fn not_let_in(&self, name: &str) -> Result<Found, store::Error> {
        tracing::warn!("the reverse proxy named a user of no group that may sign in");
        if let Some(user) = self.store.end_by_proxy(name, self.env.now()).await? {
            self.changed(user);
        }
        Ok(Found::Refused(texts::NO_GROUP_MAY_SIGN_IN))
    }
}
