//! The system journal: events that belong to no conversation.

use agent::ports::{Controls, Correlation, Durability, JournalError, Person};
use async_trait::async_trait;
use protocol::{
    CommandId, ConversationId, DecidedVia, KillSwitch, NoticeId, Role, Timestamp, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{
    Error, Store, asking::asking, audit::AuditRows, batch::WriteBatch, commands::take_command,
    database::commit,
};

/// An event outside of conversations. Variants are added, never changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SystemEvent {
    /// The server began to run.
    Started {
        version: String,
    },
    /// Somebody used a sign-in link.
    SignedIn {
        user: UserId,
        /// The user's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// The name of the link's maker.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        link_by: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// Somebody made a link that signs a user in.
    LinkMade {
        user: UserId,
        /// The user's name.
        name: String,
        /// The user who made it; none for whoever runs the server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maker: Option<UserId>,
        /// The maker's name.
        by: String,
        /// The address of the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    SignedOut {
        user: UserId,
    },
    /// Everything but reading was stopped, or that was lifted.
    KillSwitchSet {
        on: bool,
        user: UserId,
        /// The person's name.
        by: String,
        /// The sign-in of that person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
    },
    /// A person deleted a conversation. Its text is gone soon; its actions are in the audit chain.
    ConversationDeleted {
        conversation: ConversationId,
        user: UserId,
        /// The person's name.
        by: String,
    },
    /// A person undid that in time.
    ConversationRestored {
        conversation: ConversationId,
        user: UserId,
        /// The person's name.
        by: String,
    },
    /// A user imported a conversation from a file. It is closed history.
    ConversationImported {
        conversation: ConversationId,
        /// The number of its events.
        events: u64,
        user: UserId,
        /// The user's name.
        by: String,
    },
    /// A user made a link under which others read a conversation.
    ConversationShared {
        conversation: ConversationId,
        /// The link's name here; it does not open the conversation.
        share: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires: Option<Timestamp>,
        user: UserId,
        /// The user's name.
        by: String,
    },
    /// Somebody read a conversation under a link.
    ShareOpened {
        conversation: ConversationId,
        share: String,
        owner: UserId,
        /// The reader.
        user: UserId,
        /// The reader's name.
        by: String,
    },
    /// Its owner ended a link.
    ShareEnded {
        conversation: ConversationId,
        share: String,
        user: UserId,
        /// The user's name.
        by: String,
    },
    /// An admin made a user.
    UserAdded {
        user: UserId,
        name: String,
        role: Role,
        /// The admin's name.
        by: String,
    },
    /// An admin let the reverse proxy sign a user in, or no longer.
    ProxyLinked {
        user: UserId,
        name: String,
        linked: bool,
        by: String,
    },
    /// An admin gave a user another role.
    RoleSet {
        user: UserId,
        name: String,
        role: Role,
        by: String,
    },
    /// An admin disabled or enabled a user.
    UserDisabled {
        user: UserId,
        name: String,
        disabled: bool,
        by: String,
    },
    SignedInByPassword {
        user: UserId,
        /// The user's name.
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    SignedInByPasskey {
        user: UserId,
        /// The passkey's name.
        passkey: String,
        /// True if a password was checked before.
        password: bool,
        /// The user's name.
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// A user added a passkey.
    PasskeyAdded {
        user: UserId,
        passkey: String,
        name: String,
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    PasskeyRenamed {
        user: UserId,
        passkey: String,
        name: String,
        by: String,
    },
    PasskeyRemoved {
        user: UserId,
        passkey: String,
        name: String,
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    /// The demand for a passkey after the password was turned on or off.
    SecondFactorSet {
        user: UserId,
        on: bool,
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    /// A reverse proxy named the user.
    SignedInByProxy {
        user: UserId,
        /// The user's name.
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// The proxy began this many sessions of a user since then, more than are recorded one by one.
    SignedInManyTimesByProxy {
        user: UserId,
        count: u32,
        since: Timestamp,
        /// The user's name.
        by: String,
    },
    /// A password was wrong. The typed name is not recorded: it may be a password.
    SignInFailed {
        /// The user with that name, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<UserId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// This many sign-ins failed since then, more than are recorded one by one.
    SignInsFailed {
        count: u32,
        since: Timestamp,
    },
    /// A user whose role does not allow acting asked for it; no call was made.
    ActRefused {
        user: UserId,
        tool: String,
        /// The number of others like it since the last recorded one.
        #[serde(default, skip_serializing_if = "is_zero")]
        unrecorded: u32,
        by: String,
    },
    /// A user has a new password, and all other sessions of the user have ended.
    PasswordSet {
        user: UserId,
        /// The name of the person who set it.
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    /// A user ended their own sessions elsewhere.
    SessionsEnded {
        user: UserId,
        count: u64,
        /// The user's name.
        by: String,
    },
    /// A user made a token for a program.
    TokenAdded {
        user: UserId,
        token: String,
        name: String,
        role: Role,
        /// None for all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        toolsets: Option<Vec<String>>,
        /// True if it may decide on cards that take one press.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        decides: bool,
        expires: Timestamp,
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    TokenRevoked {
        user: UserId,
        token: String,
        name: String,
        by: String,
    },
    /// A user entered an own key of a system.
    OwnKeySet {
        user: UserId,
        /// The system's name.
        system: String,
        /// The account that the key opens there.
        account: String,
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    OwnKeyRemoved {
        user: UserId,
        system: String,
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    /// An admin accepted the definition of another program's tool, or took that back.
    ToolReviewed {
        server: String,
        tool: String,
        /// Of the definition that was accepted.
        digest: String,
        accepted: bool,
        /// None for whoever may run commands beside the server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<UserId>,
        by: String,
    },
    /// A condition of a system was raised.
    NoticeRaised {
        notice: NoticeId,
        system: String,
        kind: String,
        grave: bool,
        about: String,
        text: String,
    },
    /// A person acknowledged it.
    NoticeAcknowledged {
        notice: NoticeId,
        about: String,
        text: String,
        user: UserId,
        by: String,
        /// The sign-in of that person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<DecidedVia>,
    },
    /// The condition was resolved.
    NoticeEnded {
        notice: NoticeId,
        about: String,
        text: String,
    },
    /// Settings changed at run time: an admin's, or a person's own persona.
    SettingsChanged {
        /// `policy`, `model`, `persona`, or `persona of` with a user's id.
        kind: String,
        version: u64,
        user: UserId,
        by: String,
        /// The settings before; null if there were none.
        before: Value,
        after: Value,
    },
    /// An event that this build does not know.
    #[serde(other)]
    Unknown,
}

/// The sign-in with which a way to sign in was set up: a password, a passkey, a token.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HowSet {
    /// The way in which that session began; a word of `SignInWay`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<String>,
    /// The maker of the link with which that session began, who may have been this person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_by: Option<String>,
    /// The address of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[async_trait]
impl Controls for Store {
    async fn kill_switch(&self) -> Result<KillSwitch, JournalError> {
        let row = sqlx::query(
            "SELECT at, body FROM system_events \
             WHERE json_extract(body, '$.type') = 'kill_switch_set' ORDER BY seq DESC LIMIT 1",
        )
        .fetch_optional(self.readers())
        .await
        .map_err(Error::from)?;
        let Some(row) = row else {
            return Ok(KillSwitch::default());
        };
        match read(&row)? {
            (at, SystemEvent::KillSwitchSet { on, by, .. }) => Ok(KillSwitch {
                on,
                by: Some(by),
                at: Some(at),
            }),
            (_, other) => Err(Error::Damaged(format!("{other:?} is no kill switch")).into()),
        }
    }

    async fn set_kill_switch(
        &self,
        state: KillSwitch,
        by: &Person,
        command: CommandId,
    ) -> Result<(), JournalError> {
        let at = state.at.unwrap_or_default();
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Power).await?;
        take_command(&mut transaction, by.id, command, at).await?;
        let event = SystemEvent::KillSwitchSet {
            on: state.on,
            user: by.id,
            by: state.by.unwrap_or_default(),
            via: by.via.record(),
        };
        append_by(&mut transaction, at, &event, by).await?;
        commit(transaction, || "the kill switch".to_owned()).await?;
        Ok(())
    }

    async fn note_refusal(
        &self,
        by: &Person,
        tool: &str,
        unrecorded: u32,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let event = SystemEvent::ActRefused {
            user: by.id,
            tool: tool.to_owned(),
            unrecorded,
            by: by.name.clone(),
        };
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        append_by(&mut transaction, at, &event, by).await?;
        Ok(commit(transaction, || "a refusal".to_owned()).await?)
    }
}

impl Store {
    /// Writes an event at the end of the system journal.
    pub async fn record(&self, at: Timestamp, event: &SystemEvent) -> Result<(), Error> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin(Durability::Process).await?;
        append(&mut transaction, at, event).await?;
        commit(transaction, || format!("{event:?}")).await
    }

    /// The newest events of the system journal, newest first.
    pub async fn system_events(
        &self,
        limit: usize,
    ) -> Result<Vec<(Timestamp, SystemEvent)>, Error> {
        let rows = sqlx::query("SELECT at, body FROM system_events ORDER BY seq DESC LIMIT ?")
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(self.readers())
            .await?;
        rows.iter().map(read).collect()
    }
}

fn read(row: &SqliteRow) -> Result<(Timestamp, SystemEvent), Error> {
    let body: &str = row.try_get("body")?;
    let event = serde_json::from_str(body).map_err(|error| Error::Damaged(error.to_string()))?;
    Ok((Timestamp(row.try_get("at")?), event))
}

/// Writes an event with the next number, and its audit row, as part of a transaction.
pub(crate) async fn append(
    connection: &mut SqliteConnection,
    at: Timestamp,
    event: &SystemEvent,
) -> Result<(), Error> {
    write(connection, at, event, asking().as_ref()).await
}

/// The same for what somebody asks of the engine, which may do it in a task of its own.
pub(crate) async fn append_by(
    connection: &mut SqliteConnection,
    at: Timestamp,
    event: &SystemEvent,
    by: &Person,
) -> Result<(), Error> {
    write(connection, at, event, by.correlation.as_ref()).await
}

async fn write(
    connection: &mut SqliteConnection,
    at: Timestamp,
    event: &SystemEvent,
    correlation: Option<&Correlation>,
) -> Result<(), Error> {
    let body = serde_json::to_string(event).map_err(|error| Error::Damaged(error.to_string()))?;
    let mut batch = WriteBatch::default();
    batch
        .add(
            "INSERT INTO system_events (seq, at, body) \
             SELECT coalesce(max(seq), 0) + 1, ?, ? FROM system_events",
        )
        .bind(at.0)?
        .bind(body.clone())?;
    let about = match event {
        SystemEvent::ConversationDeleted { conversation, .. }
        | SystemEvent::ConversationRestored { conversation, .. }
        | SystemEvent::ConversationImported { conversation, .. }
        | SystemEvent::ConversationShared { conversation, .. }
        | SystemEvent::ShareOpened { conversation, .. }
        | SystemEvent::ShareEnded { conversation, .. } => Some(conversation.to_string()),
        _ => None,
    };
    let mut audit = AuditRows::default();
    let detail = correlation.map_or(Value::Null, |id| json!({ "correlation": id.as_str() }));
    audit.add(at, about.as_deref(), &body, &detail)?;
    audit.finish(connection, &mut batch).await?;
    batch.run(connection).await
}
