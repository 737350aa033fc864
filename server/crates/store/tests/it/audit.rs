//! The audit chain: its rows, and that every change of it shows.

use std::path::Path;

use agent::ports::{
    Append, Controls, Durability, Epoch, Journal, JournalError, NewRecord, Person, Shelves,
    StoredConversation, Via,
};
use protocol::{
    BlockedReason, CallId, CommandId, ConversationId, EventBody, GrantId, KillSwitch, Mode, Role,
    Seq, Timestamp, TurnId, UserId,
};
use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use store::{AuditHash, AuditReader, AuditRow, Broken, Error, Store, SystemEvent, Verified};
use tempfile::TempDir;

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn id() -> ConversationId {
    ConversationId::new(AT, 1)
}

fn blocked(message: &str) -> NewRecord {
    NewRecord::event(EventBody::ToolBlocked {
        turn: TurnId::new(AT, 1),
        call: CallId::new(AT, 1),
        tier: None,
        reason: BlockedReason::UnknownTool,
        message: message.to_owned(),
    })
    .audited(json!({ "tool": "rm_rf", "input": { "path": "/\u{0}é" } }))
}

fn write(head: u64, records: Vec<NewRecord>) -> Append {
    Append {
        conversation: id(),
        epoch: Epoch(1),
        head: Seq(head),
        at: AT,
        records,
        command: None,
        durability: Durability::Process,
    }
}

/// A store with five rows: of a start, three of a conversation, one of the kill switch.
async fn filled() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let version = "1.2.3".to_owned();
    let started = SystemEvent::Started { version };
    store.record(AT, &started).await.unwrap();
    let conversation = StoredConversation {
        id: id(),
        owner: UserId::new(AT, 1),
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    let title = NewRecord::event(EventBody::TitleChanged {
        title: "not for the audit".to_owned(),
    });
    let first = Append {
        epoch: Epoch(0),
        ..write(0, vec![title, blocked("first"), blocked("second")])
    };
    store.create(conversation, first).await.unwrap();
    let revoked = NewRecord::event(EventBody::GrantRevoked {
        grant: GrantId::new(AT, 1),
        by: "Ada".to_owned(),
        via: None,
    });
    store
        .append(write(3, vec![revoked.audited(json!({}))]))
        .await
        .unwrap();
    let state = KillSwitch {
        on: true,
        by: Some("Ada".to_owned()),
        at: Some(AT),
    };
    let by = Person {
        via: Via::Token {
            id: "tok_1".into(),
            decides: true,
        },
        ..UserId::new(AT, 1).into()
    };
    let command = CommandId::new(AT, 1);
    store.set_kill_switch(state, &by, command).await.unwrap();
    (folder, store)
}

async fn rows(folder: &Path) -> Vec<AuditRow> {
    let mut rows = Vec::new();
    let mut reader = AuditReader::open(folder).await.unwrap();
    let each = |row| {
        rows.push(row);
        Ok::<_, Error>(())
    };
    reader.rows(1..=i64::MAX, each).await.unwrap();
    rows
}

async fn verify(folder: &Path, expect: Option<AuditHash>) -> Verified {
    let mut reader = AuditReader::open(folder).await.unwrap();
    reader.verify(expect).await.unwrap()
}

/// Somebody with a shell, for whom triggers are no obstacle.
async fn intruder(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("jarvis.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    for trigger in [
        "audit_is_dense",
        "audit_is_not_changed",
        "audit_is_not_deleted",
    ] {
        let drop = sqlx::AssertSqlSafe(format!("DROP TRIGGER {trigger}"));
        sqlx::query(drop).execute(&mut connection).await.unwrap();
    }
    connection
}

#[tokio::test]
async fn the_end_of_the_chain_is_the_head_that_a_check_finds() {
    let folder = tempfile::tempdir().unwrap();
    let empty = Store::open(folder.path()).await.unwrap();
    assert_eq!(empty.chain_end().await.unwrap(), None);
    let (folder, store) = filled().await;
    let end = store.chain_end().await.unwrap().unwrap();
    let sound = Verified::Sound {
        rows: end.seq,
        head: end.hash,
    };
    assert_eq!(verify(folder.path(), None).await, sound);
}

#[tokio::test]
async fn what_was_done_is_in_the_chain_and_stays_there() {
    let (folder, store) = filled().await;
    let ada = Person {
        name: "Ada".to_owned(),
        role: Role::Operator,
        ..UserId::new(AT, 1).into()
    };
    store.delete(id(), &ada, AT).await.unwrap();
    // The server still runs.
    let rows = rows(folder.path()).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.seq, row.kind.as_str(), row.person.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            (1, "started", None),
            (2, "tool_blocked", None),
            (3, "tool_blocked", None),
            (4, "grant_revoked", Some("Ada")),
            (5, "kill_switch_set", Some("Ada")),
            (6, "conversation_deleted", Some("Ada")),
        ]
    );
    let conversation = id().to_string();
    assert_eq!(rows[1].conversation.as_ref(), Some(&conversation));
    assert_eq!(rows[4].conversation, None);
    assert_eq!(rows[5].conversation.as_ref(), Some(&conversation));
    let body: Value = serde_json::from_str(&rows[2].body).unwrap();
    assert_eq!(body["event"]["message"], "second");
    assert_eq!(body["detail"]["input"]["path"], "/\u{0}é");
    // A program is distinguished from its user.
    let body: Value = serde_json::from_str(&rows[4].body).unwrap();
    let by_token = json!({ "type": "token", "id": "tok_1" });
    assert_eq!(body["event"]["via"], by_token);
    let head = rows[5].hash;
    let sound = Verified::Sound { rows: 6, head };
    assert_eq!(verify(folder.path(), Some(head)).await, sound);
    // An old hash is still in it, a foreign one is not.
    assert_eq!(verify(folder.path(), Some(rows[0].hash)).await, sound);
    let other = Some(AuditHash([7; 32]));
    let (seq, why) = (7, Broken::Head);
    assert_eq!(
        verify(folder.path(), other).await,
        Verified::Broken { seq, why }
    );
    store.close().await.unwrap();
    assert_eq!(verify(folder.path(), None).await, sound);
}

/// The hashed form is part of the format: another one breaks every existing chain.
#[tokio::test]
async fn the_hash_is_of_the_documented_bytes() {
    use sha2::{Digest, Sha256};
    let (folder, _store) = filled().await;
    let row = &rows(folder.path()).await[1];
    let mut bytes = b"jarvis-audit-1".to_vec();
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 2]);
    bytes.extend(1_700_000_000_000_u64.to_be_bytes());
    let mut text = |text: &str| {
        bytes.push(1);
        bytes.extend((text.len() as u64).to_be_bytes());
        bytes.extend(text.as_bytes());
    };
    text("tool_blocked");
    text(&id().to_string());
    bytes.push(0);
    let mut text = |text: &str| {
        bytes.push(1);
        bytes.extend((text.len() as u64).to_be_bytes());
        bytes.extend(text.as_bytes());
    };
    text(&row.body);
    bytes.extend(row.prev.0);
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    assert_eq!(row.hash, AuditHash(digest));
    assert_eq!(row.hash.to_string().parse(), Ok(row.hash));
}

#[tokio::test]
async fn tampering_is_found() {
    let swap = "UPDATE audit SET seq = CASE seq WHEN 2 THEN -3 WHEN 3 THEN -2 END \
                WHERE seq IN (2, 3); UPDATE audit SET seq = -seq WHERE seq < 0";
    let cases = [
        (
            "UPDATE audit SET body = replace(body, 'first', 'other') WHERE seq = 2",
            2,
            Broken::Content,
        ),
        (
            "UPDATE audit SET person = 'Eve' WHERE seq = 4",
            4,
            Broken::Content,
        ),
        (
            "UPDATE audit SET conversation = NULL WHERE seq = 3",
            3,
            Broken::Content,
        ),
        ("UPDATE audit SET at = at + 1", 1, Broken::Content),
        ("DELETE FROM audit WHERE seq = 1", 1, Broken::Missing),
        ("DELETE FROM audit WHERE seq = 3", 3, Broken::Missing),
        (
            "DELETE FROM audit WHERE seq = 3; UPDATE audit SET seq = seq - 1 WHERE seq > 3",
            3,
            Broken::Link,
        ),
        (swap, 2, Broken::Link),
        (
            "UPDATE audit SET hash = randomblob(32) WHERE seq = 3",
            3,
            Broken::Content,
        ),
        (
            "UPDATE audit SET prev = randomblob(32) WHERE seq = 3",
            3,
            Broken::Link,
        ),
        (
            "UPDATE audit SET hash = x'' WHERE seq = 5",
            5,
            Broken::Content,
        ),
        (
            "INSERT INTO audit SELECT 0, at, kind, conversation, person, body, prev, hash \
             FROM audit WHERE seq = 1",
            0,
            Broken::Surplus,
        ),
        (
            "INSERT INTO audit SELECT 6, at, kind, conversation, person, body, prev, hash \
             FROM audit WHERE seq = 5",
            6,
            Broken::Link,
        ),
        ("DELETE FROM audit WHERE seq > 3", 4, Broken::Head),
        ("DELETE FROM audit", 1, Broken::Head),
    ];
    for (statements, seq, why) in cases {
        let (folder, store) = filled().await;
        store.close().await.unwrap();
        let head = rows(folder.path()).await[4].hash;
        let mut intruder = intruder(folder.path()).await;
        for statement in statements.split("; ") {
            let statement = sqlx::AssertSqlSafe(statement);
            let done = sqlx::query(statement).execute(&mut intruder).await;
            assert!(done.unwrap().rows_affected() > 0, "{statements}");
        }
        let found = verify(folder.path(), Some(head)).await;
        assert_eq!(found, Verified::Broken { seq, why }, "{statements}");
    }
}

/// Each bit pattern that differs in one byte from the true one is found, wherever it is.
#[tokio::test]
async fn each_changed_byte_is_found() {
    let (folder, store) = filled().await;
    store.close().await.unwrap();
    let mut intruder = intruder(folder.path()).await;
    sqlx::query("PRAGMA synchronous = OFF")
        .execute(&mut intruder)
        .await
        .unwrap();
    let mut reader = AuditReader::open(folder.path()).await.unwrap();
    let sound = reader.verify(None).await.unwrap();
    let mut changes = 0;
    for seq in 1..=5_i64 {
        for column in ["kind", "conversation", "person", "body", "prev", "hash"] {
            let select = format!("SELECT CAST({column} AS BLOB) FROM audit WHERE seq = ?");
            let bytes: Option<Vec<u8>> = sqlx::query_scalar(sqlx::AssertSqlSafe(select))
                .bind(seq)
                .fetch_one(&mut intruder)
                .await
                .unwrap();
            let bytes = bytes.unwrap_or_default();
            let cast = match column {
                "prev" | "hash" => "?",
                _ => "CAST(? AS TEXT)",
            };
            let update = format!("UPDATE audit SET {column} = {cast} WHERE seq = ?");
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                // Another mask at each place, never zero.
                changed[at] ^= 1 << (at % 8);
                for value in [&changed, &bytes] {
                    sqlx::query(sqlx::AssertSqlSafe(update.clone()))
                        .bind(value)
                        .bind(seq)
                        .execute(&mut intruder)
                        .await
                        .unwrap();
                    let found = reader.verify(None).await.unwrap();
                    assert_eq!(found == sound, value == &bytes, "{seq} {column} {at}");
                }
                changes += 1;
            }
        }
        for byte in 0..8 {
            for column in ["at", "seq"] {
                let mask = 1_i64 << (byte * 8 + byte % 7);
                let update =
                    format!("UPDATE audit SET {column} = ({column} | ?1) - ({column} & ?1)");
                for from in [seq, seq ^ mask] {
                    let key = if column == "seq" { from } else { seq };
                    let done = sqlx::query(sqlx::AssertSqlSafe(format!("{update} WHERE seq = ?2")))
                        .bind(mask)
                        .bind(key)
                        .execute(&mut intruder)
                        .await;
                    if done.is_err() {
                        assert_eq!(column, "seq", "another row has this number");
                        break;
                    }
                    let found = reader.verify(None).await.unwrap();
                    assert_eq!(found == sound, from != seq, "{seq} {column} {byte}");
                }
            }
        }
    }
    assert!(changes > 1000, "{changes}");
}

#[tokio::test]
async fn nothing_is_done_that_cannot_be_audited() {
    let (folder, store) = filled().await;
    let mut intruder = intruder(folder.path()).await;
    sqlx::query(
        "CREATE TRIGGER broken BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    .execute(&mut intruder)
    .await
    .unwrap();
    let refused = store.append(write(4, vec![blocked("third")])).await;
    assert!(
        matches!(refused, Err(JournalError::Storage(_))),
        "{refused:?}"
    );
    assert_eq!(store.head(id()).await.unwrap(), Seq(4));
    let state = KillSwitch::default();
    let (by, command) = (UserId::new(AT, 1).into(), CommandId::new(AT, 2));
    store
        .set_kill_switch(state, &by, command)
        .await
        .unwrap_err();
    assert!(store.kill_switch().await.unwrap().on);
}

#[tokio::test]
async fn the_chain_grows_at_its_end_only() {
    let (folder, _store) = filled().await;
    let options = SqliteConnectOptions::new().filename(folder.path().join("jarvis.db"));
    let mut other = SqliteConnection::connect_with(&options).await.unwrap();
    for statement in [
        "UPDATE audit SET body = '{}'",
        "DELETE FROM audit",
        "INSERT INTO audit SELECT 9, at, kind, conversation, person, body, prev, hash FROM audit",
        "REPLACE INTO audit SELECT * FROM audit WHERE seq = 5",
    ] {
        let changed = sqlx::query(statement).execute(&mut other).await;
        assert!(changed.is_err(), "{statement}");
    }
}

#[tokio::test]
async fn what_is_not_there_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let opened = AuditReader::open(folder.path()).await.map(drop);
    assert!(matches!(opened, Err(Error::Folder { .. })), "{opened:?}");
    assert!(!folder.path().join("jarvis.db").exists());
}
