//! Sessions of devices: one at a time, and two that take turns.

use field_tables::{NewDeviceSession, SessionCheck, SessionOpened};

use crate::home::{ANN, Home, SITE, T};

fn session(nonce: &str, instance: &str) -> NewDeviceSession {
    NewDeviceSession {
        device: "dev".to_owned(),
        nonce: nonce.to_owned(),
        token_hash: format!("token for {nonce}").into_bytes(),
        instance: instance.to_owned(),
        expires_ms: T + 900_000,
    }
}

async fn opened(home: &Home, nonce: &str, instance: &str) -> SessionOpened {
    home.tables
        .challenge("dev", nonce, T + 60_000)
        .await
        .unwrap();
    let session = session(nonce, instance);
    home.tables.open_session(&session, T).await.unwrap()
}

async fn check(home: &Home, nonce: &str, at_ms: i64) -> SessionCheck {
    let token = session(nonce, "").token_hash;
    home.tables.session(&token, at_ms).await.unwrap()
}

#[tokio::test]
async fn a_challenge_is_answered_once_and_in_time() {
    let home = Home::open().await;
    home.waiting(SITE, "dev").await;
    let tables = &home.tables;
    let bad = SessionOpened::BadChallenge;
    let invented = tables.open_session(&session("invented", "i"), T).await;
    assert_eq!(invented.unwrap(), bad);
    tables.challenge("dev", "late", T).await.unwrap();
    let late = tables.open_session(&session("late", "i"), T).await;
    assert_eq!(late.unwrap(), bad);
    // A stranger who asks for challenges in the device's name does not lock it out.
    tables.challenge("dev", "mine", T + 60_000).await.unwrap();
    for number in 0..31 {
        let nonce = format!("theirs {number}");
        tables.challenge("dev", &nonce, T + 60_000).await.unwrap();
    }
    let first = SessionOpened::Opened {
        displaced: false,
        returns: 0,
    };
    let mine = session("mine", "i");
    assert_eq!(tables.open_session(&mine, T).await.unwrap(), first);
    assert_eq!(tables.open_session(&mine, T).await.unwrap(), bad);
    assert!(tables.challenge("nobody", "n", T).await.is_err());
}

#[tokio::test]
async fn a_new_session_ends_the_one_before() {
    let home = Home::open().await;
    home.adopted("dev").await;
    opened(&home, "1", "a").await;
    assert!(matches!(check(&home, "1", T).await, SessionCheck::Live(_)));
    assert_eq!(check(&home, "0", T).await, SessionCheck::Unknown);
    assert_eq!(check(&home, "1", T + 900_000).await, SessionCheck::Expired);
    let second = opened(&home, "2", "a").await;
    let displaced = SessionOpened::Opened {
        displaced: true,
        returns: 0,
    };
    assert_eq!(second, displaced);
    assert_eq!(check(&home, "1", T).await, SessionCheck::Ended);
    // A runner that starts anew is another instance, and nothing to worry about.
    assert_eq!(opened(&home, "3", "b").await, displaced);
    // A suspended device is signed out and cannot come back.
    home.tables
        .suspend_device("dev", "clone", ANN, T)
        .await
        .unwrap();
    assert_eq!(check(&home, "3", T).await, SessionCheck::Ended);
    let refused = SessionOpened::Refused(field_tables::DeviceState::Suspended);
    assert_eq!(opened(&home, "4", "b").await, refused);
}

#[tokio::test]
async fn two_that_take_turns_are_reported() {
    let home = Home::open().await;
    home.adopted("dev").await;
    let mut returns = Vec::new();
    for number in 0..40 {
        let instance = ["original", "clone"][number % 2];
        let nonce = number.to_string();
        match opened(&home, &nonce, instance).await {
            SessionOpened::Opened { returns: seen, .. } => returns.push(seen),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(returns[..4], [0, 0, 1, 2]);
    // What is kept to see that is bounded.
    let kept = home.number("SELECT count(*) FROM field_sessions").await;
    assert_eq!(kept, 16);
    let open = home
        .number("SELECT count(*) FROM field_sessions WHERE ended_ms IS NULL")
        .await;
    assert_eq!(open, 1);
    let acts = home.tables.history(Some("dev"), None, 500).await.unwrap();
    let returned = field_tables::HistoryAction::SessionReturned;
    let noted = acts.iter().filter(|act| act.action == returned).count();
    assert_eq!(noted, 38);
}
