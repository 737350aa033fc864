//! The vault: numbers without gaps and doubles, and looks that are recorded.

use std::collections::BTreeMap;

use field_tables::{FieldTables, FieldTablesError, LookRequest, VaultRow, VaultWrite};
use tokio::task::JoinSet;

use crate::home::{ANN, Home, SITE, T};

fn row(hash: &str, number: usize) -> VaultRow {
    VaultRow {
        class: "host".to_owned(),
        hash: hash.to_owned(),
        token: format!("host-{number}"),
        sealed: format!("sealed {hash}").into_bytes(),
        first_seen_ms: T,
        last_seen_ms: T,
    }
}

/// Gives a value its token, as whoever covers a text does it: the next number after all that it
/// knows, and again from what it gets if others were quicker.
async fn token(tables: &FieldTables, known: &mut (u64, Vec<VaultRow>), hash: &str) -> String {
    loop {
        if let Some(there) = known.1.iter().find(|it| it.hash == hash) {
            return there.token.clone();
        }
        let new = row(hash, known.1.len() + 1);
        let write = tables.keep_values(SITE, known.0, std::slice::from_ref(&new));
        match write.await.unwrap() {
            VaultWrite::Kept(revision) => {
                known.0 = revision;
                known.1.push(new.clone());
                return new.token;
            }
            VaultWrite::Behind(since) => {
                known.0 = since.revision;
                known.1.extend(since.entries);
            }
            VaultWrite::Clash(token) => panic!("{token} twice"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn numbers_have_neither_gaps_nor_doubles_when_many_cover_at_once() {
    const TASKS: usize = 16;
    const VALUES: usize = 12;
    let home = Home::open().await;
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let tables = home.tables.clone();
        tasks.spawn(async move {
            let mut known = (0, Vec::new());
            let mut tokens = Vec::new();
            for value in 0..VALUES {
                // Every third value is one that all of them find.
                let hash = if value % 3 == 0 {
                    format!("shared {value}")
                } else {
                    format!("own {task} {value}")
                };
                let token = token(&tables, &mut known, &hash).await;
                tokens.push((hash, token));
            }
            tokens
        });
    }
    let mut all = BTreeMap::new();
    for (hash, token) in tasks.join_all().await.into_iter().flatten() {
        let one = all.entry(hash).or_insert_with(|| token.clone());
        assert_eq!(*one, token, "one value has one token");
    }
    let mut numbers: Vec<usize> = all
        .values()
        .map(|token| token.trim_start_matches("host-").parse().unwrap())
        .collect();
    numbers.sort_unstable();
    let expected = VALUES / 3 + TASKS * (VALUES - VALUES / 3);
    assert_eq!(numbers, (1..=expected).collect::<Vec<_>>());
    let stored = home.tables.vault(SITE).await.unwrap();
    assert_eq!(stored.entries.len(), expected);
    assert_eq!(stored.revision, expected as u64);
}

#[tokio::test]
async fn a_write_is_whole_or_not_at_all() {
    let home = Home::open().await;
    let tables = &home.tables;
    let kept = tables
        .keep_values(SITE, 0, &[row("a", 1), row("b", 2)])
        .await;
    assert_eq!(kept.unwrap(), VaultWrite::Kept(1));
    for clash in [row("c", 1), row("a", 3)] {
        let both = [row("d", 4), clash.clone()];
        let refused = tables.keep_values(SITE, 1, &both).await.unwrap();
        assert_eq!(refused, VaultWrite::Clash(clash.token));
    }
    let vault = tables.vault(SITE).await.unwrap();
    assert_eq!(vault.entries, [row("a", 1), row("b", 2)]);
    // The value of a token may be sealed anew, with another note.
    let anew = VaultRow {
        sealed: b"with a note".to_vec(),
        first_seen_ms: T + 5,
        last_seen_ms: T + 5,
        ..row("a", 1)
    };
    let kept = tables.keep_values(SITE, 1, std::slice::from_ref(&anew));
    assert_eq!(kept.await.unwrap(), VaultWrite::Kept(2));
    let VaultWrite::Behind(since) = tables.keep_values(SITE, 1, &[]).await.unwrap() else {
        panic!("not behind");
    };
    let expected = VaultRow {
        first_seen_ms: T,
        ..anew
    };
    assert_eq!((since.revision, since.entries), (2, vec![expected]));
    let large = VaultRow {
        sealed: vec![0; 9_000],
        ..row("e", 5)
    };
    let refused = tables.keep_values(SITE, 2, &[large]).await;
    assert!(matches!(refused, Err(FieldTablesError::TooLarge { .. })));
    let seen = ["host-1".to_owned(), "host-2".to_owned(), "mac-9".to_owned()];
    assert_eq!(tables.values_seen(SITE, &seen, T + 3).await.unwrap(), 1);
}

#[tokio::test]
async fn values_are_given_out_with_a_record() {
    let home = Home::open().await;
    home.site("other").await;
    let tables = &home.tables;
    tables
        .keep_values(SITE, 0, &[row("a", 1), row("b", 2)])
        .await
        .unwrap();
    let look = |site: &str, tokens: &[&str]| LookRequest {
        site: site.to_owned(),
        tokens: tokens.iter().map(|it| (*it).to_owned()).collect(),
        person: ANN.to_owned(),
        place: "bun_1".to_owned(),
    };
    let found = tables
        .reveal(&look(SITE, &["host-2", "host-7", "' OR 1"]), T)
        .await
        .unwrap();
    assert_eq!(found, [row("b", 2)]);
    // A token of another site opens nothing, and the attempt is seen.
    let found = tables.reveal(&look("other", &["host-1"]), T).await.unwrap();
    assert_eq!(found, []);
    let looks = tables.looks(None, None, 9).await.unwrap();
    let looks: Vec<_> = looks.iter().map(|it| (&*it.site, it.shown)).collect();
    assert_eq!(looks, [("other", 0), (SITE, 1)]);
    let many = LookRequest {
        tokens: vec!["host-1".to_owned(); 501],
        ..look(SITE, &[])
    };
    assert!(tables.reveal(&many, T).await.is_err());
    assert_eq!(tables.looks(Some(SITE), None, 9).await.unwrap().len(), 1);
    let erased = home.sql("DELETE FROM field_looks".to_owned()).await;
    assert!(erased.is_err());
}
