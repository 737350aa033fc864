//! Users and their roles.

use std::collections::HashMap;

use agent::{
    Persona,
    ports::{Durability, JournalError, People},
};
use async_trait::async_trait;
use protocol::{Role, Timestamp, UserId};
use sqlx::{Encode, Row, Sqlite, Type, sqlite::SqliteRow};

use crate::{
    Error, SettingsKind, Store,
    database::commit,
    names,
    proxied::end_tokens,
    system::{self, SystemEvent},
    user_rows::{User, keep_an_admin, user},
};

/// A user as admins see one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAccount {
    pub user: User,
    pub created: Timestamp,
    /// Time since which the user may not sign in.
    pub disabled: Option<Timestamp>,
    /// Time at which a session of the user was last used.
    pub seen: Option<Timestamp>,
    /// True for accounts that the reverse proxy can sign in.
    pub proxy: bool,
}

#[async_trait]
impl People for Store {
    async fn role(&self, id: UserId) -> Result<Option<Role>, JournalError> {
        if let Some(roles) = &*self.roles().read().await {
            return Ok(roles.get(&id).copied());
        }
        let mut roles = self.roles().write().await;
        let known = match roles.take() {
            Some(known) => known,
            None => self.read_roles().await?,
        };
        Ok(roles.insert(known).get(&id).copied())
    }

    async fn name(&self, user: UserId) -> Result<Option<String>, JournalError> {
        let name = sqlx::query_scalar("SELECT name FROM users WHERE id = ?")
            .bind(user.to_string())
            .fetch_optional(self.readers())
            .await
            .map_err(Error::from)?;
        Ok(name)
    }

    async fn persona(&self, user: UserId) -> Result<Persona, JournalError> {
        Ok(self.stored_persona(SettingsKind::PersonaOf(user)).await?)
    }

    async fn keep_packs(&self, user: UserId, packs: &[String]) -> Result<(), JournalError> {
        // Most conversations begin with the same choice, and a read waits for no writer.
        if self.packs(user).await?.as_deref() == Some(packs) {
            return Ok(());
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        sqlx::query("UPDATE users SET packs = ? WHERE id = ?")
            .bind(serde_json::json!(packs).to_string())
            .bind(user.to_string())
            .execute(&mut *transaction)
            .await
            .map_err(Error::from)?;
        commit(transaction, || "the chosen packs".to_owned()).await?;
        Ok(())
    }
}

impl Store {
    /// The packs that the user chose last; none if they never did.
    pub async fn packs(&self, user: UserId) -> Result<Option<Vec<String>>, Error> {
        let packs: Option<Option<String>> =
            sqlx::query_scalar("SELECT packs FROM users WHERE id = ?")
                .bind(user.to_string())
                .fetch_optional(self.readers())
                .await?;
        // What cannot be read is no choice: it must keep no page from loading.
        Ok(packs
            .flatten()
            .and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The first admin, created under this id and name if there is no user.
    pub async fn first_user(&self, id: UserId, name: &str, now: Timestamp) -> Result<User, Error> {
        let mut roles = self.roles().write().await;
        *roles = None;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        sqlx::query(
            "INSERT INTO users (id, name, role, created) SELECT ?, ?, 'admin', ? \
             WHERE NOT EXISTS (SELECT 1 FROM users)",
        )
        .bind(id.to_string())
        .bind(name)
        .bind(now.0)
        .execute(&mut *transaction)
        .await?;
        let row = sqlx::query(
            "SELECT id, name, role FROM users WHERE role = 'admin' AND disabled IS NULL \
             ORDER BY created, id LIMIT 1",
        )
        .fetch_one(&mut *transaction)
        .await?;
        commit(transaction, || "the first user".to_owned()).await?;
        user(&row)
    }

    /// Creates a user. `by` is the name of the admin who does.
    ///
    /// # Errors
    /// The name is taken, whatever its case.
    pub async fn add_user(&self, new: &User, by: &str, now: Timestamp) -> Result<(), Error> {
        self.add(new, None, by, now).await
    }

    /// The same for an admin who has an account: for a while the two count as one person.
    ///
    /// # Errors
    /// The name is taken, whatever its case.
    pub async fn add_user_of(&self, new: &User, admin: &User, now: Timestamp) -> Result<(), Error> {
        self.add(new, Some(admin.id), &admin.name, now).await
    }

    async fn add(
        &self,
        new: &User,
        maker: Option<UserId>,
        by: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut roles = self.roles().write().await;
        *roles = None;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        if names::is_taken(&mut transaction, &new.name).await? {
            return Err(Error::NameTaken);
        }
        sqlx::query("INSERT INTO users (id, name, role, created, made_by) VALUES (?, ?, ?, ?, ?)")
            .bind(new.id.to_string())
            .bind(&new.name)
            .bind(new.role.word())
            .bind(now.0)
            .bind(maker.map(|maker| maker.to_string()))
            .execute(&mut *transaction)
            .await?;
        let event = SystemEvent::UserAdded {
            user: new.id,
            name: new.name.clone(),
            role: new.role,
            by: by.to_owned(),
        };
        system::append(&mut transaction, now, &event).await?;
        commit(transaction, || "a user".to_owned()).await
    }

    /// Changes a user's role, which counts from the next decision on.
    ///
    /// # Errors
    /// There is no such user, or no admin would be left.
    pub async fn set_role(
        &self,
        id: UserId,
        role: Role,
        by: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let update = "UPDATE users SET role = ? WHERE id = ? RETURNING name";
        let event = |name| SystemEvent::RoleSet {
            user: id,
            name,
            role,
            by: by.to_owned(),
        };
        self.change(id, update, role.word(), &[], now, event).await
    }

    /// Disables a user and ends all sessions, links and tokens of the user, or enables the user
    /// again, then without any of them.
    ///
    /// # Errors
    /// There is no such user, or no admin would be left.
    pub async fn set_disabled(
        &self,
        id: UserId,
        disabled: bool,
        by: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let update = "UPDATE users SET disabled = ? WHERE id = ? RETURNING name";
        let ends = [
            "DELETE FROM sessions WHERE user = ?",
            "UPDATE sign_in_links SET expires = 0 WHERE user = ?",
        ];
        let event = |name| SystemEvent::UserDisabled {
            user: id,
            name,
            disabled,
            by: by.to_owned(),
        };
        let since = disabled.then_some(now.0);
        self.change(id, update, since, &ends, now, event).await
    }

    /// Changes a column of a user and the data that depends on it, and records the change with the
    /// user's name.
    async fn change<T>(
        &self,
        id: UserId,
        update: &'static str,
        value: T,
        then: &[&'static str],
        now: Timestamp,
        event: impl FnOnce(String) -> SystemEvent,
    ) -> Result<(), Error>
    where
        T: for<'q> Encode<'q, Sqlite> + Type<Sqlite> + Send,
    {
        let mut roles = self.roles().write().await;
        *roles = None;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        let name = sqlx::query_scalar(update)
            .bind(value)
            .bind(id.to_string())
            .fetch_one(&mut *transaction)
            .await?;
        keep_an_admin(&mut transaction).await?;
        for statement in then {
            sqlx::query(*statement)
                .bind(id.to_string())
                .execute(&mut *transaction)
                .await?;
        }
        let event = event(name);
        system::append(&mut transaction, now, &event).await?;
        if let SystemEvent::UserDisabled { by, .. } = &event {
            end_tokens(&mut transaction, id, by, now).await?;
        }
        commit(transaction, || "a user's change".to_owned()).await
    }

    /// All users, in the order of their creation.
    pub async fn accounts(&self) -> Result<Vec<UserAccount>, Error> {
        let rows = sqlx::query(
            "SELECT id, name, role, created, disabled, proxy, \
             (SELECT max(seen) FROM sessions WHERE user = users.id) AS seen \
             FROM users ORDER BY created, id",
        )
        .fetch_all(self.readers())
        .await?;
        let time = |row: &SqliteRow, name: &str| -> Result<Option<Timestamp>, Error> {
            Ok(row.try_get::<Option<i64>, _>(name)?.map(Timestamp))
        };
        rows.iter()
            .map(|row| {
                Ok(UserAccount {
                    user: user(row)?,
                    created: Timestamp(row.try_get("created")?),
                    disabled: time(row, "disabled")?,
                    seen: time(row, "seen")?,
                    proxy: row.try_get("proxy")?,
                })
            })
            .collect()
    }

    async fn read_roles(&self) -> Result<HashMap<UserId, Role>, Error> {
        let rows = sqlx::query("SELECT id, name, role FROM users WHERE disabled IS NULL")
            .fetch_all(self.readers())
            .await?;
        let users = rows.iter().map(user);
        users
            .map(|user| user.map(|user| (user.id, user.role)))
            .collect()
    }
}
