//! The system journal: what belongs to no conversation.

use agent::ports::Durability;
use protocol::{ConversationId, DecidedVia, KillSwitch, NoticeId, Role, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use crate::{Error, Store, audit::AuditRows, batch::Batch, database::commit};

/// What happened outside of conversations. Variants are added, never changed.
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
        /// The name of who made the link.
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
        /// Where the maker was.
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
    /// A person deleted a conversation. What it said is gone soon; what was done is in the audit
    /// chain.
    ConversationDeleted {
        conversation: ConversationId,
        user: UserId,
        /// The person's name.
        by: String,
    },
    /// A person took that back in time.
    ConversationRestored {
        conversation: ConversationId,
        user: UserId,
        /// The person's name.
        by: String,
    },
    /// A user brought a conversation in as a file. It is closed history.
    ConversationImported {
        conversation: ConversationId,
        /// How many it has.
        events: u64,
        user: UserId,
        /// The user's name.
        by: String,
    },
    /// A user made a link under which others read a conversation.
    ConversationShared {
        conversation: ConversationId,
        /// What the link is called here; it does not lead there.
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
    /// An admin shut a user out, or in again.
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
        /// Whether a password went before.
        password: bool,
        /// The user's name.
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// A user made a passkey.
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
    /// Whether a password alone signs the user in.
    SecondFactorSet {
        user: UserId,
        on: bool,
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    /// A reverse proxy said who it is.
    SignedInByProxy {
        user: UserId,
        /// The user's name.
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// The proxy began so many sessions of a user since then, more than are recorded one by one.
    SignedInManyTimesByProxy {
        user: UserId,
        count: u32,
        since: Timestamp,
        /// The user's name.
        by: String,
    },
    /// A password was wrong. What was typed as a name is not told: it may be a password.
    SignInFailed {
        /// Who goes by the name, if somebody does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<UserId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        address: Option<String>,
    },
    /// So many sign-ins failed since then, more than are recorded one by one.
    SignInsFailed {
        count: u32,
        since: Timestamp,
    },
    /// A user asked to act whose role does not include that; no call was made of it.
    ActRefused {
        user: UserId,
        tool: String,
        /// How many others like it there were since the one before that is on record.
        #[serde(default, skip_serializing_if = "is_zero")]
        unrecorded: u32,
        by: String,
    },
    /// A user has another password, and all other sessions of the user have ended.
    PasswordSet {
        user: UserId,
        /// The name of who set it.
        by: String,
        #[serde(flatten)]
        how: HowSet,
    },
    /// A user ended sessions of theirs from elsewhere.
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
        /// Whether it may decide on cards that take one press.
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
    /// A condition of a system was told for the first time.
    NoticeRaised {
        notice: NoticeId,
        system: String,
        kind: String,
        grave: bool,
        about: String,
        text: String,
    },
    /// A person knows of it.
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
    /// The condition does not hold any more.
    NoticeEnded {
        notice: NoticeId,
        about: String,
        text: String,
    },
    /// An admin changed the policy or what is asked of the model, at run time.
    SettingsChanged {
        /// `policy` or `model`.
        kind: String,
        version: u64,
        user: UserId,
        by: String,
        /// What was stored before; null if nothing was.
        before: Value,
        after: Value,
    },
    /// Something that this build does not know.
    #[serde(other)]
    Unknown,
}

/// The sign-in with which a way in was set: a password, a passkey, a token.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HowSet {
    /// The way in which the session began that set it; a word of `SignInWay`.
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

impl Store {
    /// The kill switch as it was set last.
    pub async fn newest_kill_switch(&self) -> Result<KillSwitch, Error> {
        let row = sqlx::query(
            "SELECT at, body FROM system_events \
             WHERE json_extract(body, '$.type') = 'kill_switch_set' ORDER BY seq DESC LIMIT 1",
        )
        .fetch_optional(self.readers())
        .await?;
        let Some(row) = row else {
            return Ok(KillSwitch::default());
        };
        match read(&row)? {
            (at, SystemEvent::KillSwitchSet { on, by, .. }) => Ok(KillSwitch {
                on,
                by: Some(by),
                at: Some(at),
            }),
            (_, other) => Err(Error::Damaged(format!("{other:?} is no kill switch"))),
        }
    }

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

/// Writes an event and its audit row as part of a transaction; its number is one more than the
/// newest.
pub(crate) async fn append(
    connection: &mut SqliteConnection,
    at: Timestamp,
    event: &SystemEvent,
) -> Result<(), Error> {
    let body = serde_json::to_string(event).map_err(|error| Error::Damaged(error.to_string()))?;
    let mut batch = Batch::default();
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
    audit.add(at, about.as_deref(), &body, &Value::Null)?;
    audit.finish(connection, &mut batch).await?;
    batch.run(connection).await
}
