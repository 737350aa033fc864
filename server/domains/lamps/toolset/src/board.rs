//! Board of the lamps: the state of each, and the notice of one that has failed.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use agent::ports::{Board, Condition, Picture, Screen, Survey};
use async_trait::async_trait;
use lamps_wire::{HousePart, LampPart};
use protocol::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::{
    house::{House, State},
    ports::StoreError,
    texts, tools,
};

/// The kind of notice for a lamp that has failed.
pub const NOTICE: &str = "lamp";

/// Delay before the lamps are read again after an error.
const RETRY: Duration = Duration::from_secs(1);

/// Conditions that are raised, by the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Notices {
    /// False: the house is watched only while a page is open.
    pub(crate) are_enabled: bool,
    pub(crate) of_lamps: bool,
}

pub(crate) struct LampBoard {
    pub(crate) house: Arc<House>,
    pub(crate) notices: Notices,
}

#[async_trait]
impl Board for LampBoard {
    async fn watch(&self, screen: Screen) {
        let mut switches = self.house.switches();
        loop {
            // Marked as seen before the read, so that a switch meanwhile triggers another one.
            switches.mark_unchanged();
            let wait = match self.picture().await {
                Ok(picture) => {
                    screen.show(picture);
                    Duration::MAX
                }
                Err(error) => {
                    tracing::warn!(%error, "lamps not read, retrying");
                    RETRY
                }
            };
            tokio::select! {
                Ok(()) = switches.changed() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    fn is_guarded(&self) -> bool {
        self.notices.are_enabled
    }

    fn survey(&self, picture: &Picture, known: &BTreeSet<String>, _now: Timestamp) -> Survey {
        survey(self.notices, picture, known)
    }
}

impl LampBoard {
    async fn picture(&self) -> Result<Picture, StoreError> {
        let tools = tools::all(&self.house);
        let house = HousePart {
            offers: tools.iter().flat_map(|tool| tool.offers()).collect(),
        };
        let mut picture = Picture::from([("house".to_owned(), part(&house)?)]);
        for lamp in self.house.lamps().await? {
            let lamp = LampPart {
                name: lamp.name.to_owned(),
                state: lamp.state.word().to_owned(),
                switched: lamp.switched,
            };
            picture.insert(format!("lamp/{}", lamp.name), part(&lamp)?);
        }
        Ok(picture)
    }
}

fn part(part: &impl Serialize) -> Result<Value, StoreError> {
    serde_json::to_value(part).map_err(|error| StoreError(error.to_string()))
}

/// The lamps in a picture that have failed.
fn survey(notices: Notices, picture: &Picture, known: &BTreeSet<String>) -> Survey {
    if picture.is_empty() {
        // Not read yet, which neither raises nor resolves anything.
        return Survey {
            unknown: known.clone(),
            ..Survey::default()
        };
    }
    let failed = picture.iter().filter_map(|(key, part)| {
        let name = key.strip_prefix("lamp/")?;
        let has_failed = part["state"] == State::Failed.word();
        (notices.of_lamps && has_failed).then(|| Condition {
            key: format!("{key}/failed"),
            kind: NOTICE,
            grave: false,
            about: format!("lamp {name}"),
            text: texts::lamp_has_failed(name),
            happened: None,
        })
    });
    Survey {
        holds: failed.collect(),
        ..Survey::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_failed_lamp_is_raised_resolved_and_unknown() {
        let on = Notices {
            are_enabled: true,
            of_lamps: true,
        };
        let off = Notices {
            of_lamps: false,
            ..on
        };
        let known = BTreeSet::from(["lamp/hall/failed".to_owned()]);
        let with = |state: &str| Picture::from([("lamp/hall".to_owned(), json!({"state": state}))]);
        let keys = |notices, picture: &Picture| {
            let survey = survey(notices, picture, &known);
            let holds = survey.holds.into_iter().map(|it| it.key);
            (holds.collect::<BTreeSet<_>>(), survey.unknown)
        };
        let none = BTreeSet::new;
        assert_eq!(keys(on, &with("failed")), (known.clone(), none()));
        assert_eq!(keys(on, &with("on")), (none(), none()));
        assert_eq!(keys(off, &with("failed")), (none(), none()));
        assert_eq!(keys(on, &Picture::new()), (none(), known.clone()));
    }
}
