//! A copy of the database opens nothing: no value in it is a session, a token, a link, a share, or
//! the secret of another system.

use agent::ports::{Append, Durability, Epoch, Journal, NewRecord, StoredConversation};
use protocol::{ConversationId, EventBody, Mode, Role, Seq, Timestamp, UserId};
use sha2::{Digest, Sha256};
use sqlx::{Connection, Row, SqliteConnection, sqlite::SqliteConnectOptions};
use store::{
    DomainDatabase, LinkMaker, NewSession, Setter, Store, StoredSecret, StoredToken, TablesVersion,
};

const AT: Timestamp = Timestamp(1_700_000_000_000);
const END: Timestamp = Timestamp(AT.0 + 1_000_000);

/// A domain's table with a secret of another system.
const OTHER_SYSTEM: TablesVersion = TablesVersion {
    number: 1,
    name: "secrets",
    sql: "CREATE TABLE other_secrets (sealed BLOB NOT NULL) STRICT",
};

/// The part of a secret that the server keeps.
fn hash(secret: &str) -> StoredSecret {
    StoredSecret(Sha256::digest(secret.as_bytes()).into())
}

/// The names of everything that this secret opens. A link is used up by it.
async fn opens(store: &Store, secret: &str) -> Vec<&'static str> {
    let hash = hash(secret);
    let new = NewSession {
        secret: self::hash("another cookie"),
        expires: END,
        address: None,
        browser: None,
        replaces: None,
    };
    let session = store.session(hash, AT, Timestamp(0)).await.unwrap();
    let token = store.token(hash, AT).await.unwrap();
    let share = store.share_of(hash, AT).await.ok();
    let link = store.sign_in(hash, &new, AT).await.unwrap();
    [
        ("session", session.is_some()),
        ("token", token.is_some()),
        ("share", share.is_some()),
        ("link", link.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, opened)| opened.then_some(name))
    .collect()
}

/// Every value of every table, as somebody with a copy of the file could send it.
async fn values(connection: &mut SqliteConnection) -> Vec<String> {
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table'")
            .fetch_all(&mut *connection)
            .await
            .unwrap();
    let mut values = Vec::new();
    for table in tables {
        let columns = format!("SELECT name FROM pragma_table_xinfo('{table}')");
        let columns: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(columns))
            .fetch_all(&mut *connection)
            .await
            .unwrap();
        for column in columns {
            let all = format!(
                "SELECT CAST(\"{column}\" AS BLOB) FROM \"{table}\" WHERE \"{column}\" IS NOT NULL"
            );
            // A hidden column of a virtual table may not be read like this.
            let Ok(rows) = sqlx::query(sqlx::AssertSqlSafe(all))
                .fetch_all(&mut *connection)
                .await
            else {
                continue;
            };
            for row in rows {
                let bytes: Vec<u8> = row.get(0);
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                values.extend([hex.to_uppercase(), hex]);
                values.extend(String::from_utf8(bytes));
            }
        }
    }
    values
}

#[tokio::test]
async fn nothing_in_a_copy_of_the_database_opens_anything() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let owner = store.first_user(UserId::new(AT, 1), "Ada", AT).await;
    let owner = owner.unwrap();
    let conversation = ConversationId::new(AT, 1);
    let stored = StoredConversation {
        id: conversation,
        owner: owner.id,
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    let first = Append {
        conversation,
        epoch: Epoch(0),
        head: Seq(0),
        at: AT,
        records: vec![NewRecord::event(EventBody::ConversationStarted {
            title: "Shared".to_owned(),
            model: "model-1".to_owned(),
            mode: Mode::Default,
            toolsets: Vec::new(),
            from: None,
        })],
        command: None,
        durability: Durability::Process,
    };
    store.create(stored, first).await.unwrap();

    let [used, link, session, token, share] = [
        "secret of a used link",
        "secret of a link",
        "secret of a session",
        "jarvis_token_secret",
        "secret of a share",
    ];
    for link in [used, link] {
        let hash = hash(link);
        let made = store
            .add_sign_in_link(hash, owner.id, &LinkMaker::server(), AT, END)
            .await;
        made.unwrap();
    }
    let new = NewSession {
        secret: hash(session),
        expires: END,
        address: Some("192.0.2.1".to_owned()),
        browser: Some("a browser".to_owned()),
        replaces: None,
    };
    store.sign_in(hash(used), &new, AT).await.unwrap().unwrap();
    let made = StoredToken {
        id: "tok_1".to_owned(),
        name: "A program".to_owned(),
        role: Role::Admin,
        toolsets: None,
        decides: true,
        retired: false,
        created: AT,
        expires: END,
        seen: None,
    };
    store
        .add_token(&owner, &made, hash(token), &Setter::default(), AT)
        .await
        .unwrap();
    let shared = store.make_share(&owner, conversation, hash(share), None, AT);
    shared.await.unwrap();
    // The secret of another system is no hash, because it has to be sent.
    let other = "secret of another system";
    let database = DomainDatabase::from(&store);
    let tables = database.tables("other", &[OTHER_SYSTEM]).await.unwrap();
    let sealed = tables.sealing().seal(&["row"], other.as_bytes()).await;
    let mut writer = tables.writer().await;
    let mut change = writer.begin("a sealed value").await.unwrap();
    sqlx::query("INSERT INTO other_secrets (sealed) VALUES (?)")
        .bind(sealed.unwrap())
        .execute(change.connection())
        .await
        .unwrap();
    change.commit().await.unwrap();
    drop(writer);

    let options = SqliteConnectOptions::new().filename(folder.path().join("jarvis.db"));
    let mut copy = SqliteConnection::connect_with(&options).await.unwrap();
    let values = values(&mut copy).await;
    copy.close().await.unwrap();
    let kept = |secret: &str| {
        let hex: String = hash(secret).0.iter().map(|b| format!("{b:02x}")).collect();
        values.contains(&hex)
    };
    for secret in [used, link, session, token, share] {
        assert!(kept(secret), "the hash of {secret} is what is looked at");
    }
    let file = std::fs::read_to_string(folder.path().join("secrets.key")).unwrap();
    for value in &values {
        assert!(!value.contains(other), "{other} is stored as it is");
        assert!(
            !value.to_lowercase().contains(file.trim()),
            "the key file is stored"
        );
        for sent in [value.clone(), format!("jarvis_token_{value}")] {
            let opened = opens(&store, &sent).await;
            assert!(opened.is_empty(), "{sent:?} opens {opened:?}");
        }
    }
    // The sealed value opens with the file and for its row, and with nothing else.
    let sealed: Vec<u8> = sqlx::query_scalar("SELECT sealed FROM other_secrets")
        .fetch_one(tables.readers())
        .await
        .unwrap();
    let sealing = tables.sealing();
    assert_eq!(
        sealing.open(&["row"], &sealed).await.unwrap(),
        other.as_bytes()
    );
    assert!(sealing.open(&["another row"], &sealed).await.is_err());
    for at in [0, 1, 13, sealed.len() - 1] {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        assert!(sealing.open(&["row"], &changed).await.is_err(), "byte {at}");
    }
    for short in [0, 1, 12, 13, 20] {
        let cut = &sealed[..short];
        assert!(sealing.open(&["row"], cut).await.is_err(), "{short} bytes");
    }
    std::fs::remove_file(folder.path().join("secrets.key")).unwrap();
    assert!(sealing.open(&["row"], &sealed).await.is_err());
    // While the secrets themselves do.
    for (secret, what) in [
        (session, "session"),
        (token, "token"),
        (share, "share"),
        (link, "link"),
    ] {
        assert_eq!(opens(&store, secret).await, [what]);
    }
}
