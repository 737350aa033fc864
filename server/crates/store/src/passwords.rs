//! Passwords: stored as their hashes, which are opaque to this crate.

use agent::ports::{Durability, SignInWay};
use protocol::{Timestamp, UserId};

use crate::{
    Error, NewSession, Store, StoredSecret,
    database::commit,
    names,
    people::begin,
    proxied::end_tokens,
    setter::Setter,
    system::{self, SystemEvent},
    user_rows::{User, user},
};

impl Store {
    /// The user of a name, in any case, with the hash of the password if there is one. None if
    /// there is no such user, or a disabled one.
    pub async fn password(&self, name: &str) -> Result<Option<(User, Option<String>)>, Error> {
        let mut reader = self.readers().acquire().await?;
        let row = names::find(&mut reader, name).await?;
        let found = row.filter(|row| row.disabled.is_none());
        Ok(found.map(|row| (row.user, row.password)))
    }

    /// Sets a password. All sessions of the user end but `keep`, and so do the links, and the
    /// tokens if `tokens_too` is set.
    ///
    /// # Errors
    /// There is no such user.
    pub async fn set_password(
        &self,
        id: UserId,
        hash: &str,
        keep: Option<StoredSecret>,
        tokens_too: bool,
        by: &Setter<'_>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let set = sqlx::query("UPDATE users SET password = ? WHERE id = ?")
            .bind(hash)
            .bind(id.to_string())
            .execute(&mut *transaction)
            .await?;
        if set.rows_affected() == 0 {
            return Err(Error::NotFound);
        }
        sqlx::query("DELETE FROM sessions WHERE user = ? AND hash <> ?")
            .bind(id.to_string())
            .bind(keep.map_or(Vec::new(), |keep| keep.0.to_vec()))
            .execute(&mut *transaction)
            .await?;
        sqlx::query("UPDATE sign_in_links SET expires = 0 WHERE user = ?")
            .bind(id.to_string())
            .execute(&mut *transaction)
            .await?;
        let event = SystemEvent::PasswordSet {
            user: id,
            by: by.name.to_owned(),
            how: by.on_record(&mut transaction).await?,
        };
        system::append(&mut transaction, now, &event).await?;
        if tokens_too {
            end_tokens(&mut transaction, id, by.name, now).await?;
        }
        commit(transaction, || "a password".to_owned()).await
    }

    /// Begins a session of a user whose password was checked. None if the user was disabled, has
    /// another password by now, or has to present a passkey as well.
    pub async fn sign_in_by_password(
        &self,
        id: UserId,
        hash: &str,
        session: &NewSession,
        now: Timestamp,
    ) -> Result<Option<User>, Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let row = sqlx::query(
            "SELECT id, name, role FROM users WHERE id = ? AND password = ? AND disabled IS NULL \
             AND second_factor = 0",
        )
        .bind(id.to_string())
        .bind(hash)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let user = user(&row)?;
        let way = SignInWay::Password;
        begin(&mut transaction, &user, session, way, now).await?;
        let event = SystemEvent::SignedInByPassword {
            user: id,
            by: user.name.clone(),
            address: session.address.clone(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a sign-in".to_owned()).await?;
        Ok(Some(user))
    }
}
