//! Users whom a reverse proxy vouches for: those that it created, and those that an admin linked.

use agent::ports::{Durability, SignInWay};
use protocol::{Role, Timestamp, UserId};
use sqlx::SqliteConnection;

use crate::{
    Error, LinkMaker, NewSession, Store,
    database::commit,
    names,
    people::begin,
    system::{self, SystemEvent},
    user_rows::{User, keep_an_admin},
};

/// The name in records for changes that the proxy caused.
const PROXY: &str = "the reverse proxy";
/// The most sessions that the proxy keeps for a user: this many that came back after they began,
/// and as many that did not. A health check or a script that keeps no cookie begins one with each
/// request, and pushes out none that a browser uses.
const MAX_SESSIONS: i64 = 16;

/// The outcome of a sign-in by the proxy's word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ByProxy {
    In(User),
    /// No user has the name, or a disabled one.
    Nobody,
    /// A user has the name and is not linked to the proxy: it may be somebody else's.
    NotLinked,
}

impl Store {
    /// Begins a session of the user of a name, in any case, who gets the role that the proxy's
    /// groups give. A name that nobody has becomes a user under `new`, if that is given. The user's
    /// oldest sessions by the proxy end when there are too many. `record` returns the sign-in to be
    /// recorded: nothing, if there are very many.
    ///
    /// The role would leave no admin.
    pub async fn sign_in_by_proxy(
        &self,
        name: &str,
        role: Option<Role>,
        new: Option<(UserId, Role)>,
        session: &NewSession,
        now: Timestamp,
        record: impl FnOnce(&User) -> Vec<SystemEvent> + Send,
    ) -> Result<ByProxy, Error> {
        let mut roles = self.roles().write().await;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let found = names::find(&mut transaction, name).await?;
        let user = match (found, new) {
            (Some(found), _) if found.disabled.is_some() => return Ok(ByProxy::Nobody),
            (Some(found), _) if !found.proxy => return Ok(ByProxy::NotLinked),
            (Some(found), _) => {
                let mut user = found.user;
                if let Some(role) = role.filter(|role| *role != user.role) {
                    *roles = None;
                    user.role = role;
                    set_role(&mut transaction, &user, now).await?;
                }
                user
            }
            // Several users have it: it is unclear who is meant.
            (None, _) if names::is_taken(&mut transaction, name).await? => {
                return Ok(ByProxy::NotLinked);
            }
            (None, None) => return Ok(ByProxy::Nobody),
            (None, Some((id, role))) => {
                *roles = None;
                sqlx::query(
                    "INSERT INTO users (id, name, role, created, proxy) VALUES (?, ?, ?, ?, 1)",
                )
                .bind(id.to_string())
                .bind(name)
                .bind(role.word())
                .bind(now.0)
                .execute(&mut *transaction)
                .await?;
                let name = name.to_owned();
                let event = SystemEvent::UserAdded {
                    user: id,
                    name: name.clone(),
                    role,
                    by: PROXY.to_owned(),
                };
                system::append(&mut transaction, now, &event).await?;
                User { id, name, role }
            }
        };
        sqlx::query("UPDATE users SET proxy_seen = ? WHERE id = ?")
            .bind(now.0)
            .bind(user.id.to_string())
            .execute(&mut *transaction)
            .await?;
        begin(&mut transaction, &user, session, SignInWay::Proxy, now).await?;
        end_oldest(&mut transaction, user.id, session).await?;
        for event in record(&user) {
            system::append(&mut transaction, now, &event).await?;
        }
        commit(transaction, || "a sign-in".to_owned()).await?;
        Ok(ByProxy::In(user))
    }

    /// Gives a user the role that the proxy's groups give.
    ///
    /// # Errors
    /// No admin would be left.
    pub async fn set_role_by_proxy(
        &self,
        id: UserId,
        role: Role,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.set_role(id, role, PROXY, now).await
    }

    /// Allows the proxy to sign a user in, or ends that together with the sessions that it began.
    ///
    /// For a day, `by` and the user count as one person: see `two_persons.rs`.
    ///
    /// # Errors
    /// There is no such user.
    pub async fn link_to_proxy(
        &self,
        id: UserId,
        linked: bool,
        by: &LinkMaker,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let name = sqlx::query_scalar(
            "UPDATE users SET proxy = ?, proxy_seen = ? WHERE id = ? RETURNING name",
        )
        .bind(linked)
        .bind(linked.then_some(now.0))
        .bind(id.to_string())
        .fetch_one(&mut *transaction)
        .await?;
        if let Some(admin) = by.user {
            sqlx::query(
                "INSERT INTO proxy_linkers (user, made_by, created) VALUES (?, ?, ?) \
                 ON CONFLICT DO UPDATE SET created = excluded.created",
            )
            .bind(id.to_string())
            .bind(admin.to_string())
            .bind(now.0)
            .execute(&mut *transaction)
            .await?;
        }
        if !linked {
            sqlx::query("DELETE FROM sessions WHERE user = ? AND how = 'proxy'")
                .bind(id.to_string())
                .execute(&mut *transaction)
                .await?;
        }
        let event = SystemEvent::ProxyLinked {
            user: id,
            name,
            linked,
            by: by.name.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a link to the proxy".to_owned()).await
    }

    /// Notes that the proxy vouched for a user.
    pub async fn touch_proxy(&self, id: UserId, now: Timestamp) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query("UPDATE users SET proxy_seen = max(coalesce(proxy_seen, 0), ?) WHERE id = ?")
            .bind(now.0)
            .bind(id.to_string())
            .execute(&mut *transaction)
            .await?;
        commit(transaction, || "a sign of life".to_owned()).await
    }

    /// True if a name is this user's, by the rule that finds the user of a name for a sign-in: a user
    /// with exactly that name comes before those who differ in case.
    ///
    /// # Errors
    /// The database failed.
    pub async fn is_called(&self, user: &User, name: &str) -> Result<bool, Error> {
        if user.name == name {
            return Ok(true);
        }
        if !names::same_name(&user.name, name) {
            return Ok(false);
        }
        let mut reader = self.readers().acquire().await?;
        let found = names::find(&mut reader, name).await?;
        Ok(found.is_some_and(|found| found.user.id == user.id))
    }

    /// Time at which the proxy last vouched for a user who is linked to it; none for all others.
    pub async fn proxy_word(&self, id: UserId) -> Result<Option<Timestamp>, Error> {
        let seen: Option<Option<i64>> =
            sqlx::query_scalar("SELECT proxy_seen FROM users WHERE id = ? AND proxy = 1")
                .bind(id.to_string())
                .fetch_optional(self.readers())
                .await?;
        Ok(seen.map(|seen| Timestamp(seen.unwrap_or_default())))
    }

    /// Ends all sessions and tokens of the linked user of a name, and forgets that the proxy
    /// vouched for them, because its groups no longer let the user in. Returns the user, if
    /// anything has ended.
    ///
    /// With the first such refusal the open sign-in links end too. One that an admin makes later is
    /// meant for this user, and works.
    pub async fn end_by_proxy(&self, name: &str, now: Timestamp) -> Result<Option<UserId>, Error> {
        let mut reader = self.readers().acquire().await?;
        let found = names::find(&mut reader, name).await?;
        drop(reader);
        let Some(found) = found.filter(|found| found.proxy) else {
            return Ok(None);
        };
        let user = found.user.id;
        // Each of their requests comes here: only the first one is worth a write. Links are part of
        // it as long as the proxy's older word is not forgotten.
        let open: bool = sqlx::query_scalar(
            "SELECT proxy_seen IS NOT NULL \
                 OR EXISTS (SELECT 1 FROM sessions WHERE user = users.id) \
                 OR EXISTS (SELECT 1 FROM api_tokens WHERE user = users.id) \
             FROM users WHERE id = ?",
        )
        .bind(user.to_string())
        .fetch_one(self.readers())
        .await?;
        if !open {
            return Ok(None);
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        sqlx::query(
            "UPDATE sign_in_links SET expires = 0 WHERE user = ?1 \
             AND (SELECT proxy_seen FROM users WHERE id = ?1) IS NOT NULL",
        )
        .bind(user.to_string())
        .execute(&mut *transaction)
        .await?;
        sqlx::query("UPDATE users SET proxy_seen = NULL WHERE id = ?")
            .bind(user.to_string())
            .execute(&mut *transaction)
            .await?;
        let sessions = sqlx::query("DELETE FROM sessions WHERE user = ?")
            .bind(user.to_string())
            .execute(&mut *transaction)
            .await?
            .rows_affected();
        let tokens = end_tokens(&mut transaction, user, PROXY, now).await?;
        if sessions > 0 {
            let event = SystemEvent::SessionsEnded {
                user,
                count: sessions,
                by: PROXY.to_owned(),
            };
            system::append(&mut transaction, now, &event).await?;
        }
        commit(transaction, || "the end of sessions".to_owned()).await?;
        Ok((sessions + tokens > 0).then_some(user))
    }
}

/// Ends a user's sessions by the proxy beyond the most allowed, but not the one that begins.
async fn end_oldest(
    connection: &mut SqliteConnection,
    user: UserId,
    new: &NewSession,
) -> Result<(), Error> {
    sqlx::query(
        "DELETE FROM sessions WHERE hash IN (SELECT hash FROM (\
         SELECT hash, row_number() OVER (PARTITION BY seen > created \
         ORDER BY hash = ?1 DESC, seen DESC, created DESC) AS place \
         FROM sessions WHERE user = ?2 AND how = 'proxy') WHERE place > ?3)",
    )
    .bind(new.secret.0.as_slice())
    .bind(user.to_string())
    .bind(MAX_SESSIONS)
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends all tokens of a user as part of a transaction. Returns their number.
pub(crate) async fn end_tokens(
    connection: &mut SqliteConnection,
    user: UserId,
    by: &str,
    now: Timestamp,
) -> Result<u64, Error> {
    let ended: Vec<(String, String)> =
        sqlx::query_as("DELETE FROM api_tokens WHERE user = ? RETURNING id, name")
            .bind(user.to_string())
            .fetch_all(&mut *connection)
            .await?;
    let mut count = 0;
    for (token, name) in ended {
        count += 1;
        let event = SystemEvent::TokenRevoked {
            user,
            token,
            name,
            by: by.to_owned(),
        };
        system::append(connection, now, &event).await?;
    }
    Ok(count)
}

async fn set_role(
    connection: &mut SqliteConnection,
    user: &User,
    now: Timestamp,
) -> Result<(), Error> {
    sqlx::query("UPDATE users SET role = ? WHERE id = ?")
        .bind(user.role.word())
        .bind(user.id.to_string())
        .execute(&mut *connection)
        .await?;
    keep_an_admin(connection).await?;
    let event = SystemEvent::RoleSet {
        user: user.id,
        name: user.name.clone(),
        role: user.role,
        by: PROXY.to_owned(),
    };
    system::append(connection, now, &event).await
}
