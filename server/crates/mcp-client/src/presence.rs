//! The presence of a server, and the notice while it is away.

use std::{collections::BTreeSet, time::Duration};

use agent::ports::{Board, Condition, Picture, Screen, Survey};
use async_trait::async_trait;
use protocol::Timestamp;
use serde_json::{Value, json};
use tokio::{sync::watch, time::sleep};

use crate::texts;

/// The kind of notice for a server that is away.
pub const AWAY_NOTICE: &str = "mcp_server";

/// Interval of pictures without a change: the time that a condition persists is counted from one to the next.
const PACE: Duration = Duration::from_secs(15);

/// The picture's only part.
const CONNECTION: &str = "connection";

/// The presence of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It was not tried yet.
    Unknown,
    Connected,
    /// Its calls fail at once.
    Away,
}

impl Presence {
    const fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Connected => "connected",
            Self::Away => "away",
        }
    }
}

/// Board of one server. It asks the server for nothing.
pub(crate) struct PresenceBoard {
    pub(crate) server: &'static str,
    pub(crate) presence: watch::Receiver<Presence>,
}

#[async_trait]
impl Board for PresenceBoard {
    async fn watch(&self, screen: Screen) {
        let mut presence = self.presence.clone();
        loop {
            let now = *presence.borrow_and_update();
            screen.show(picture(now));
            tokio::select! {
                Ok(()) = presence.changed() => {}
                () = sleep(PACE) => {}
            }
        }
    }

    fn is_guarded(&self) -> bool {
        true
    }

    fn survey(&self, picture: &Picture, known: &BTreeSet<String>, _now: Timestamp) -> Survey {
        survey(self.server, picture, known)
    }
}

fn picture(presence: Presence) -> Picture {
    Picture::from([(CONNECTION.to_owned(), json!(presence.word()))])
}

/// The condition of a server that is away. A fault's own words are a stranger's, and stay out of it: it says the
/// same for as long as it persists.
fn survey(server: &str, picture: &Picture, known: &BTreeSet<String>) -> Survey {
    let word = picture.get(CONNECTION).and_then(Value::as_str);
    if word == Some(Presence::Connected.word()) {
        return Survey::default();
    }
    if word != Some(Presence::Away.word()) {
        // Not tried since the start, which neither raises nor resolves anything.
        return Survey {
            unknown: known.clone(),
            ..Survey::default()
        };
    }
    let away = Condition {
        key: "server/away".to_owned(),
        kind: AWAY_NOTICE,
        grave: false,
        about: texts::mcp_server(server),
        text: texts::is_away(server),
        happened: None,
    };
    Survey {
        holds: vec![away],
        ..Survey::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_away_is_a_condition_and_one_that_was_not_tried_is_unknown() {
        let known = BTreeSet::from(["server/away".to_owned()]);
        let keys = |picture: &Picture| {
            let survey = survey("files", picture, &known);
            let holds = survey.holds.into_iter().map(|it| it.key);
            (holds.collect::<BTreeSet<_>>(), survey.unknown)
        };
        let none = BTreeSet::new;
        assert_eq!(keys(&picture(Presence::Away)), (known.clone(), none()));
        assert_eq!(keys(&picture(Presence::Connected)), (none(), none()));
        assert_eq!(keys(&picture(Presence::Unknown)), (none(), known.clone()));
        assert_eq!(keys(&Picture::new()), (none(), known.clone()));
    }
}
