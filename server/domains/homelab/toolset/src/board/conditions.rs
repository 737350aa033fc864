//! Conditions worth a notice in a picture: nodes that are down, storages that fill up, and so on.
//!
//! Pure: from the parts of a board to conditions. A condition that cannot be checked now is
//! reported as unknown, so that it neither raises nor resolves a notice.

mod guests;
mod nodes;
mod storages;
mod tasks;

use std::collections::BTreeSet;

use agent::ports::{Condition, Picture, Survey};
use protocol::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    config::{Config, NoticeKind},
    texts,
};

/// Limit for names and errors in a sentence, which come from other systems.
const MAX_CHARS: usize = 300;

/// One survey in progress: a picture, the conditions that held before, and those found.
struct SurveyState<'a> {
    config: &'a Config,
    picture: &'a Picture,
    known: &'a BTreeSet<String>,
    now: Timestamp,
    survey: Survey,
}

pub(super) fn survey(
    config: &Config,
    picture: &Picture,
    known: &BTreeSet<String>,
    now: Timestamp,
) -> Survey {
    let mut look = SurveyState {
        config,
        picture,
        known,
        now,
        survey: Survey::default(),
    };
    if look.reaches() {
        look.quorum();
        look.nodes();
        look.storages();
        look.guests();
        look.tasks();
    }
    look.survey
}

/// True if the cluster answered when this picture was made; none if nobody has asked it.
pub(super) fn answers(picture: &Picture) -> Option<bool> {
    let overview = picture.get("reading/overview")?;
    Some(overview["trouble"].as_str().is_none())
}

impl SurveyState<'_> {
    /// Returns whether the cluster answers. If it does not, every other condition is unknown.
    fn reaches(&mut self) -> bool {
        const KEY: &str = "cluster/unreachable";
        let overview = self.picture.get("reading/overview");
        let trouble = overview.and_then(|reading| reading["trouble"].as_str());
        if overview.is_some() && trouble.is_none() {
            return true;
        }
        self.survey.unknown = self.known.clone();
        if let Some(reason) = trouble {
            self.survey.unknown.remove(KEY);
            let text = texts::conditions::cluster_does_not_answer(reason);
            self.add(
                KEY,
                NoticeKind::Cluster,
                true,
                texts::conditions::CLUSTER,
                text,
            );
        }
        false
    }

    fn quorum(&mut self) {
        const KEY: &str = "cluster/quorum";
        match self.value("cluster", "quorate") {
            Some(Value::Bool(true)) => {}
            Some(Value::Bool(false)) => self.add(
                KEY,
                NoticeKind::Quorum,
                true,
                texts::conditions::CLUSTER,
                texts::conditions::NO_QUORUM.to_owned(),
            ),
            _ => self.unsure(KEY),
        }
    }

    fn add(&mut self, key: &str, kind: NoticeKind, grave: bool, about: &str, text: String) {
        self.found(key, kind, grave, about, text, None);
    }

    fn found(
        &mut self,
        key: &str,
        kind: NoticeKind,
        grave: bool,
        about: &str,
        text: String,
        happened: Option<Timestamp>,
    ) {
        if self.config.notices.off.contains(&kind) {
            return;
        }
        self.survey.holds.push(Condition {
            key: key.to_owned(),
            kind: kind.word(),
            grave,
            about: about.chars().take(MAX_CHARS).collect(),
            text: text.chars().take(MAX_CHARS).collect(),
            happened,
        });
    }

    /// Marks a known condition as unknown.
    fn unsure(&mut self, key: &str) {
        if self.known.contains(key) {
            self.survey.unknown.insert(key.to_owned());
        }
    }

    /// Marks all known conditions with this prefix as unknown.
    fn unsure_of_all(&mut self, prefix: &str) {
        let known = self.known.iter().filter(|key| key.starts_with(prefix));
        self.survey.unknown.extend(known.cloned());
    }

    /// The parts of a kind, by name.
    fn parts(&self, kind: &str) -> impl Iterator<Item = (&str, &Value)> {
        let prefix = format!("{kind}/");
        let end = format!("{kind}0");
        let of_kind = self.picture.range(prefix.clone()..end);
        of_kind.filter_map(move |(key, part)| Some((key.strip_prefix(&prefix)?, part)))
    }

    fn value(&self, key: &str, field: &str) -> Option<&Value> {
        self.picture.get(key)?.get(field)
    }

    /// Returns whether the list of a kind of entity lacks rows.
    fn lacks(&self, field: &str) -> bool {
        let lacks = self.value("cluster", field).and_then(Value::as_array);
        lacks.is_some_and(|lacks| !lacks.is_empty())
    }
}

/// Reads a part; `None` if it is malformed.
fn read<'a, T: Deserialize<'a>>(part: &'a Value) -> Option<T> {
    T::deserialize(part).ok()
}

/// Capitalises the first letter.
fn capital(about: &str) -> String {
    let mut rest = about.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}

/// The used share of a storage or disk, in percent.
fn full(used: Option<&u64>, total: Option<u64>) -> Option<f64> {
    units::share(*used?, total?)
}

#[cfg(test)]
mod tests;
