//! Users whom a reverse proxy vouches for.

use agent::ports::{Durability, SignInWay};
use protocol::{Role, Timestamp, UserId};

use crate::{
    Error, NewSession, Store,
    database::commit,
    names,
    people::begin,
    system::{self, SystemEvent},
    users::User,
};

/// As records name who changes something because the proxy says so.
const PROXY: &str = "the reverse proxy";

impl Store {
    /// Begins a session of the user of a name, in any case. A name that nobody has becomes a user
    /// under `new`, if that is given. None if there is no such user, or a disabled one.
    pub async fn sign_in_by_proxy(
        &self,
        name: &str,
        new: Option<(UserId, Role)>,
        session: &NewSession,
        now: Timestamp,
    ) -> Result<Option<User>, Error> {
        let mut roles = self.roles().write().await;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let found = names::find(&mut transaction, name).await?;
        let user = match (found, new) {
            (Some(found), _) if found.disabled.is_some() => return Ok(None),
            (Some(found), _) => found.user,
            // Several have it: nobody can say who is meant.
            (None, _) if names::is_taken(&mut transaction, name).await? => return Ok(None),
            (None, None) => return Ok(None),
            (None, Some((id, role))) => {
                *roles = None;
                sqlx::query("INSERT INTO users (id, name, role, created) VALUES (?, ?, ?, ?)")
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
        begin(&mut transaction, &user, session, SignInWay::Proxy, now).await?;
        let event = SystemEvent::SignedInByProxy {
            user: user.id,
            by: user.name.clone(),
            address: session.address.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a sign-in".to_owned()).await?;
        Ok(Some(user))
    }

    /// Gives a user the role that the proxy's groups say. The last admin stays one.
    pub async fn set_role_by_proxy(
        &self,
        id: UserId,
        role: Role,
        now: Timestamp,
    ) -> Result<Role, Error> {
        match self.set_role(id, role, PROXY, now).await {
            Ok(()) => Ok(role),
            Err(Error::LastAdmin) => Ok(Role::Admin),
            Err(error) => Err(error),
        }
    }
}
