//! `[webhooks.NAME]`: endpoints that get messages about what happens.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};
use toml::Spanned;
use webhooks::{EndpointUrl, SigningSecrets};

use super::{
    reader::Reader,
    source::{Setting, Source},
};
use crate::texts;

/// The most endpoints: each has connections and a queue of its own.
const MOST: usize = 16;
/// The longest name of an endpoint.
const LONGEST_NAME: usize = 32;

/// An endpoint as it is configured.
#[derive(Debug, Clone)]
pub struct WebhookSettings {
    pub name: String,
    pub url: EndpointUrl,
    pub secret: WebhookSecret,
    /// The messages that it gets.
    pub events: Vec<WebhookKind>,
}

/// Where the secrets of an endpoint are.
#[derive(Debug, Clone)]
pub enum WebhookSecret {
    Written(SigningSecrets),
    /// Read at the start.
    File(Setting<PathBuf>),
}

/// The kinds of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookKind {
    ConfirmationWaiting,
    ConfirmationDecided,
    TurnEnded,
    NoticeRaised,
    NoticeResolved,
}

impl WebhookKind {
    pub(crate) const ALL: [Self; 5] = [
        Self::ConfirmationWaiting,
        Self::ConfirmationDecided,
        Self::TurnEnded,
        Self::NoticeRaised,
        Self::NoticeResolved,
    ];

    /// The word for it in the configuration and in messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::ConfirmationWaiting => "confirmation.waiting",
            Self::ConfirmationDecided => "confirmation.decided",
            Self::TurnEnded => "turn.ended",
            Self::NoticeRaised => "notice.raised",
            Self::NoticeResolved => "notice.resolved",
        }
    }
}

/// A table of the file. Its debug form could have a secret, so there is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WebhookTable {
    url: Spanned<String>,
    secret: Option<Spanned<String>>,
    secret_file: Option<Spanned<PathBuf>>,
    events: Option<Spanned<Vec<String>>>,
}

/// The value of one name in the file. A plain text has a case of its own: it may be a secret that lacks
/// its table, and serde's error would show it.
enum WebhookEntry {
    Table(Box<WebhookTable>),
    Text,
}

impl<'de> Deserialize<'de> for WebhookEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = WebhookEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WebhookEntry, A::Error> {
        let table = WebhookTable::deserialize(MapAccessDeserializer::new(map))?;
        Ok(WebhookEntry::Table(Box::new(table)))
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<WebhookEntry, E> {
        Ok(WebhookEntry::Text)
    }
}

pub(super) fn read(r: &mut Reader<'_>) -> Vec<WebhookSettings> {
    r.section(
        "webhooks",
        "Webhooks: signed messages to other programs about confirmations, turns and notices, of all \
         users. docs/webhooks.md describes them.",
    );
    let tables: BTreeMap<String, Spanned<WebhookEntry>> = r.table(
        "webhooks",
        "One table for each endpoint, under a name of your choice. Without events it gets all kinds: \
         confirmation.waiting, confirmation.decided, turn.ended, notice.raised and notice.resolved. \
         Instead of secret_file, which only Jarvis should be able to read, `secret` has the secret \
         itself.",
        "[webhooks.pager]\n\
         url = \"https://pager.lan/hooks/jarvis\"\n\
         # Made with: echo whsec_$(openssl rand -base64 32)\n\
         secret_file = \"/etc/jarvis/webhook_pager\"\n\
         events = [\"confirmation.waiting\", \"notice.raised\"]",
    );
    let mut endpoints = Vec::new();
    for (index, (name, entry)) in tables.into_iter().enumerate() {
        let source = r.source_at(entry.span().start);
        if index == MOST {
            r.refuse(&source, texts::config::too_many_webhooks(MOST));
        }
        match entry.into_inner() {
            WebhookEntry::Table(table) => endpoints.extend(endpoint(r, name, &source, *table)),
            WebhookEntry::Text => r.refuse(&source, texts::config::webhook_is_no_table(&name)),
        }
    }
    endpoints
}

/// The endpoint of a table; none if something is wrong, which is reported.
fn endpoint(
    r: &mut Reader<'_>,
    name: String,
    source: &Source,
    table: WebhookTable,
) -> Option<WebhookSettings> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_part) {
        r.refuse(source, texts::config::no_name_of_webhook(LONGEST_NAME));
        return None;
    }
    let url = match EndpointUrl::parse(table.url.get_ref()) {
        Ok(url) => Some(url),
        Err(fault) => {
            let source = r.source_at(table.url.span().start);
            let key = format!("webhooks.{name}.url");
            r.refuse(&source, texts::config::is_wrong(&key, &fault));
            None
        }
    };
    let secret = match (table.secret, table.secret_file) {
        (Some(secret), None) => written(r, &name, &secret),
        (None, Some(file)) => Some(WebhookSecret::File(Setting {
            source: r.source_at(file.span().start),
            value: file.into_inner(),
        })),
        (Some(_), Some(_)) | (None, None) => {
            r.refuse(source, texts::config::webhook_needs_secret(&name));
            None
        }
    };
    let events = match table.events {
        Some(words) => kinds(r, &name, &words),
        None => Some(WebhookKind::ALL.to_vec()),
    };
    Some(WebhookSettings {
        name,
        url: url?,
        secret: secret?,
        events: events?,
    })
}

fn written(r: &mut Reader<'_>, name: &str, secret: &Spanned<String>) -> Option<WebhookSecret> {
    let source = r.source_at(secret.span().start);
    let key = format!("webhooks.{name}.secret");
    if let Some(message) = r.exposure(&key, texts::config::OR_NAME_SECRET_FILE) {
        r.refuse(&source, message);
        return None;
    }
    match SigningSecrets::parse(secret.get_ref()) {
        Ok(secrets) => Some(WebhookSecret::Written(secrets)),
        Err(fault) => {
            r.refuse(&source, texts::config::is_wrong(&key, &fault));
            None
        }
    }
}

fn kinds(r: &mut Reader<'_>, name: &str, words: &Spanned<Vec<String>>) -> Option<Vec<WebhookKind>> {
    let all = WebhookKind::ALL;
    let kind = |word: &String| all.into_iter().find(|kind| kind.word() == word);
    let kinds: Option<Vec<_>> = words.get_ref().iter().map(kind).collect();
    let kinds = kinds.filter(|kinds| !kinds.is_empty());
    if kinds.is_none() {
        let source = r.source_at(words.span().start);
        let key = format!("webhooks.{name}.events");
        let known = all.map(WebhookKind::word).join(", ");
        r.refuse(&source, texts::config::no_kinds_of_messages(&key, &known));
    }
    kinds
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::{Config, Flags, file};

    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    fn read(text: &str, exposed: bool) -> Result<Vec<WebhookSettings>, Vec<String>> {
        let flags = Flags {
            data_dir: Some("/data".into()),
            ..Flags::default()
        };
        let found = file::Found {
            text: text.to_owned(),
            exposed,
        };
        let config = Config::from_parts(&flags, Path::new("jarvis.toml"), &found, [], &[]);
        let config = config.map(|config| config.webhooks);
        config.map_err(|problems| problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn endpoints_are_tables_with_names() {
        assert!(read("", false).unwrap().is_empty());
        let text = format!(
            "[webhooks.chat]\nurl = \"http://192.168.1.20:8123/hook\"\nsecret = \"{SECRET}\"\n\
             events = [\"turn.ended\"]\n[webhooks.pager_2]\nurl = \"https://pager.lan/\"\n\
             secret_file = \"/etc/jarvis/webhook\"\n"
        );
        let found = read(&text, false).unwrap();
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["chat", "pager_2"]);
        assert_eq!(found[0].events, [WebhookKind::TurnEnded]);
        assert_eq!(found[1].events, WebhookKind::ALL);
        let WebhookSecret::File(file) = &found[1].secret else {
            panic!("{found:?}");
        };
        assert_eq!(**file, Path::new("/etc/jarvis/webhook"));
        assert_eq!(file.source.to_string(), "jarvis.toml, line 7");
        let shown = format!("{found:?}");
        assert!(
            !shown.contains("MfKQ") && !shown.contains("8123"),
            "{shown}"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_without_the_secret() {
        let url = "url = \"https://pager.lan/\"\n";
        let secret = format!("secret = \"{SECRET}\"\n");
        let good = format!("{url}{secret}");
        for (text, expect) in [
            (
                format!("[webhooks.a]\nurl = \"pager.lan\"\n{secret}"),
                "line 2: webhooks.a.url: expected http://",
            ),
            (
                format!("[webhooks.a]\n{secret}url = \"https://u:hunter2@pager.lan/\"\n"),
                "line 3: webhooks.a.url: expected an address without a user name",
            ),
            (format!("[webhooks.a]\n{secret}"), "missing field `url`"),
            (
                format!("[webhooks.a]\n{url}"),
                "webhooks.a: set secret or secret_file",
            ),
            (
                format!("[webhooks.a]\n{good}secret_file = \"/x\"\n"),
                "webhooks.a: set secret or secret_file",
            ),
            (
                format!("[webhooks.a]\n{url}secret = \"hunter2\"\n"),
                "line 3: webhooks.a.secret: expected whsec_",
            ),
            (
                format!("[webhooks.a]\n{url}secret = \"whsec_aHVudGVyMg==\"\n"),
                "line 3: webhooks.a.secret: expected 24 to 64 bytes",
            ),
            (
                format!("[webhooks.a]\n{good}events = [\"turn.ended\", \"turn.began\"]\n"),
                "line 4: webhooks.a.events: expected a list of kinds, which are \
                 confirmation.waiting, confirmation.decided, turn.ended, notice.raised, \
                 notice.resolved",
            ),
            (
                format!("[webhooks.a]\n{good}events = []\n"),
                "line 4: webhooks.a.events: expected a list of kinds",
            ),
            (
                format!("[webhooks.a]\n{good}method = \"PUT\"\n"),
                "unknown field `method`",
            ),
            (
                format!("[webhooks.\"A b\"]\n{good}"),
                "webhooks: a name has 1 to 32 small letters",
            ),
            (
                format!("[webhooks]\n{good}"),
                "line 3: webhooks.secret: expected a table",
            ),
        ] {
            let problems = read(&text, false).unwrap_err();
            let all = problems.join("\n");
            assert!(
                problems.iter().any(|it| it.contains(expect)),
                "{text}: {all}"
            );
            for hidden in ["hunter2", "MfKQ", "aHVudGVyMg"] {
                assert!(!all.contains(hidden), "{text}: {all}");
            }
        }
        let many: String = (0..=MOST)
            .map(|n| format!("[webhooks.a{n}]\n{good}"))
            .collect();
        let problems = read(&many, false).unwrap_err();
        assert!(problems[0].contains("at most 16"), "{problems:?}");
        // A secret in a file that everybody can read is none.
        let problems = read(&format!("[webhooks.a]\n{good}"), true).unwrap_err();
        assert_eq!(
            problems,
            [
                "jarvis.toml, line 3: webhooks.a.secret: every user of this machine can read it \
                 here; run chmod 600 jarvis.toml, or name another file with secret_file"
            ]
        );
        let file = format!("[webhooks.a]\n{url}secret_file = \"/x\"\n");
        assert!(read(&file, true).is_ok());
    }
}
