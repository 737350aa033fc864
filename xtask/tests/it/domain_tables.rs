//! A domain has tables of its own in the one database, and no way to those of the engine or of another domain.

use std::collections::BTreeSet;

use crate::domains::code;
use crate::texts::domains;
use crate::tree::{files_ending, is_test, read, rust_files};

/// Tables that the engine's migrations made for a domain before domains had migrations of their own.
const MADE_FOR: [(&str, &str); 3] = [
    ("candles", "markets"),
    ("drawings", "markets"),
    ("market_records", "markets"),
];

/// Words of SQL after which the name of a table stands.
const BEFORE_A_TABLE: [&str; 8] = [
    "EXISTS",
    "FROM",
    "INTO",
    "JOIN",
    "ON",
    "REFERENCES",
    "TABLE",
    "UPDATE",
];

/// Ways around the text of a statement: what is put together at run time, and the schema itself.
const WAYS_AROUND: [&str; 7] = [
    "AssertSqlSafe",
    "ATTACH",
    "PRAGMA",
    "QueryBuilder",
    "sqlite_master",
    "sqlite_schema",
    "writable_schema",
];

#[test]
fn a_domains_sql_names_its_own_tables_only() {
    for (text, expect) in [
        ("SELECT text FROM events", "events"),
        ("select text from \"Events\"", "events"),
        ("FROM own_rows, events AS e", "events own_rows"),
        ("\"DELETE \\\n   FROM audit\"", "audit"),
        ("BEFORE DELETE ON audit BEGIN", "audit"),
        ("DROP TABLE IF EXISTS users", "if users"),
        ("INSERT OR REPLACE INTO main.users", "main users"),
        ("let events = audit(users);", ""),
    ] {
        let named = named_tables(text).into_iter().collect::<Vec<_>>();
        assert_eq!(named.join(" "), expect, "{text}");
    }
    let engine = made_in("server/crates/store/migrations");
    for table in ["events", "audit", "users", "said"] {
        assert!(engine.contains(table), "{table} was not found");
    }
    for (table, _) in MADE_FOR {
        assert!(engine.contains(table), "{table} is not the engine's");
    }
    let owners: Vec<_> = domains()
        .into_iter()
        .map(|domain| {
            let own = made_in(&format!("server/domains/{domain}/tables/migrations"));
            (domain, own)
        })
        .filter(|(_, own)| !own.is_empty())
        .collect();
    assert!(owners.len() > 1, "the domains' tables were not found");
    for (domain, own) in &owners {
        let others = owners.iter().filter(|(other, _)| other != domain);
        let mut foreign: BTreeSet<_> = others.flat_map(|(_, tables)| tables).collect();
        foreign.extend(&engine);
        foreign.retain(|table| !MADE_FOR.contains(&(table.as_str(), domain.as_str())));
        let twice: Vec<_> = own.iter().filter(|table| foreign.contains(table)).collect();
        assert!(twice.is_empty(), "{domain} makes {twice:?} of others");
        for (file, text) in statements(domain) {
            let named = named_tables(&text);
            let named: Vec<_> = named.iter().filter(|name| foreign.contains(name)).collect();
            assert!(named.is_empty(), "{file} names {named:?} of others");
            for way in WAYS_AROUND {
                assert!(!text.contains(way), "{file} has {way}");
            }
        }
    }
}

/// The whole database is the server's: a domain gets a `DomainDatabase`, also for its commands.
#[test]
fn a_domain_never_has_the_whole_database() {
    for (text, expect) in [
        ("use store::{Error, Store};", true),
        ("use store::Store as Database;", true),
        ("fn open(store: &store::Store)", true),
        ("use store::{DomainDatabase, TablesVersion};", false),
        ("markets::alert_store::Store", false),
        ("use store::*;", true),
    ] {
        assert_eq!(takes_the_store(text), expect, "{text}");
    }
    let mut folders = vec!["server/src/domains".to_owned()];
    let domains = domains().into_iter();
    folders.extend(domains.map(|domain| format!("server/domains/{domain}/tables/src")));
    let files = folders.iter().flat_map(|folder| rust_files(folder));
    let mut files: Vec<_> = files.collect();
    files.retain(|file| !is_test(file));
    assert!(!files.is_empty(), "the domains were not found");
    files.retain(|file| takes_the_store(&code(file)));
    assert!(files.is_empty(), "{files:?} have the whole database");
}

/// True for code that takes `Store`, or everything, out of the crate `store`.
fn takes_the_store(code: &str) -> bool {
    let takes = code.match_indices("store::").any(|(at, mark)| {
        let before = code[..at].chars().next_back();
        let is_inner = before.is_some_and(|sign| sign.is_alphanumeric() || "_:".contains(sign));
        let rest = &code[at + mark.len()..];
        let taken = if let Some(list) = rest.strip_prefix('{') {
            list.split('}').next()
        } else {
            rest.split([';', ' ', '>', ')', ',', '\n']).next()
        };
        let taken = taken.unwrap_or_default();
        let mut names = taken.split(|sign: char| !sign.is_alphanumeric() && !"_*".contains(sign));
        !is_inner && names.any(|name| name == "Store" || name == "*")
    });
    takes || code.contains("use store as ")
}

/// The words in places where SQL names a table, in lower case; a qualified name is two.
fn named_tables(text: &str) -> BTreeSet<String> {
    let apart = text.replace(',', " , ");
    let words = apart.split(|sign: char| !sign.is_alphanumeric() && !"_.,".contains(sign));
    let mut named = BTreeSet::new();
    let mut is_next = false;
    let mut was_table = false;
    for word in words.filter(|word| !word.is_empty()) {
        if word == "," {
            is_next = was_table;
            continue;
        }
        if is_next {
            let names = word.split('.').filter(|name| !name.is_empty());
            named.extend(names.map(str::to_ascii_lowercase));
        }
        was_table = is_next;
        is_next = BEFORE_A_TABLE.contains(&&*word.to_ascii_uppercase());
    }
    named
}

/// The files of a domain's tables by their text without comments and tests.
fn statements(domain: &str) -> Vec<(String, String)> {
    let folder = format!("server/domains/{domain}/tables/");
    let mut files = files_ending(&[".rs", ".sql"]);
    files.retain(|file| file.starts_with(&folder) && !is_test(file));
    let statements = files.into_iter().map(|file| {
        let text = if file.ends_with(".sql") {
            without_notes(&file)
        } else {
            code(&file)
        };
        (file, text)
    });
    let statements: Vec<_> = statements.collect();
    assert!(!statements.is_empty(), "{folder} has no files");
    statements
}

/// A file of SQL without its comments.
fn without_notes(file: &str) -> String {
    let text = read(file);
    let lines = text.lines().filter_map(|line| line.split("--").next());
    lines.collect::<Vec<_>>().join("\n")
}

/// The tables that the migrations of a folder make.
fn made_in(folder: &str) -> BTreeSet<String> {
    let mut files = files_ending(&[".sql"]);
    files.retain(|file| file.starts_with(&format!("{folder}/")));
    let mut made = BTreeSet::new();
    for file in files {
        let text = without_notes(&file);
        for mark in ["CREATE TABLE ", "CREATE VIRTUAL TABLE "] {
            for rest in text.split(mark).skip(1) {
                let name = rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
                made.extend(name.take(1).map(str::to_owned));
            }
        }
    }
    made
}
