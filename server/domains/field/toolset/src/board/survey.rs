//! Conditions on the board that a person should know of.

use std::collections::BTreeSet;

use agent::ports::{Condition, Picture, Survey};
use protocol::Timestamp;
use serde_json::Value;

use crate::{
    config::{FieldNoticeKind, FieldNotices},
    parts::seconds_since,
    texts::board as say,
};

/// The end of the key of a condition about a run whose outcome nobody knows.
const UNKNOWN: &str = "/unknown";

pub(super) fn survey(
    notices: &FieldNotices,
    picture: &Picture,
    known: &BTreeSet<String>,
    now: Timestamp,
) -> Survey {
    let unread = picture
        .get("field")
        .is_none_or(|part| !part["unread"].is_null());
    if unread {
        // Not read, which neither raises nor resolves anything.
        return Survey {
            unknown: known.clone(),
            ..Survey::default()
        };
    }
    let is_on = |kind| !notices.off.contains(&kind);
    let mut holds = Vec::new();
    for (key, part) in picture {
        if key.starts_with("device/") {
            let silent = silent(key, part, notices, now);
            holds.extend(silent.filter(|_| is_on(FieldNoticeKind::Silent)));
            let attention = part["attention"].as_array();
            let attention = attention.into_iter().flatten();
            let attention = attention.filter_map(|it| attention_of(key, part, it));
            holds.extend(attention.filter_map(|(kind, it)| is_on(kind).then_some(it)));
        } else if key.starts_with("run/") && is_on(FieldNoticeKind::RunUnknown) {
            holds.extend(unknown(key, part));
        }
    }
    Survey {
        holds,
        settled: settled(picture, known),
        ..Survey::default()
    }
}

/// The known questions about runs that a person has answered since: no run is unknown again.
fn settled(picture: &Picture, known: &BTreeSet<String>) -> BTreeSet<String> {
    let is_answered = |key: &&String| {
        let run = key.strip_suffix(UNKNOWN).and_then(|it| picture.get(it));
        run.is_some_and(|run| run["unresolved"] == false)
    };
    known.iter().filter(is_answered).cloned().collect()
}

fn text<'a>(part: &'a Value, name: &str) -> &'a str {
    part[name].as_str().unwrap_or_default()
}

fn silent(key: &str, part: &Value, notices: &FieldNotices, now: Timestamp) -> Option<Condition> {
    let is_gone = part["online"] == false && text(part, "standing") == "adopted";
    // One that was never seen waits for its first contact.
    let seen = part["last_seen"].as_i64().map(Timestamp)?;
    let seconds = seconds_since(seen, now);
    (is_gone && seconds >= u64::from(notices.silent_minutes) * 60).then(|| Condition {
        key: format!("{key}/silent"),
        kind: FieldNoticeKind::Silent.word(),
        grave: true,
        about: say::device(text(part, "name")),
        // Without a number that grows: another text would be another notice each minute.
        text: say::silent(text(part, "name"), &crate::parts::time(seen)),
        happened: None,
    })
}

fn attention_of(key: &str, part: &Value, it: &Value) -> Option<(FieldNoticeKind, Condition)> {
    let kind = match text(it, "kind") {
        "wrong_clock" => FieldNoticeKind::WrongClock,
        "capability_lost" => FieldNoticeKind::CapabilityLost,
        "old_runner" => FieldNoticeKind::OldRunner,
        "update_failed" => FieldNoticeKind::UpdateFailed,
        "clone_suspected" => FieldNoticeKind::CloneSuspected,
        _ => return None,
    };
    let condition = Condition {
        key: format!("{key}/{}", kind.word()),
        kind: kind.word(),
        grave: kind == FieldNoticeKind::CloneSuspected,
        about: say::device(text(part, "name")),
        text: text(it, "text").to_owned(),
        happened: None,
    };
    Some((kind, condition))
}

fn unknown(key: &str, part: &Value) -> Option<Condition> {
    (part["unresolved"] == true).then(|| Condition {
        key: format!("{key}{UNKNOWN}"),
        kind: FieldNoticeKind::RunUnknown.word(),
        grave: true,
        about: say::run(text(part, "id")),
        text: say::run_unknown(text(part, "title")),
        happened: part["ended"].as_i64().map(Timestamp),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn conditions_are_raised_resolved_and_unknown() {
        let minute = 60_000;
        let now = Timestamp(100 * minute);
        let device = |online: bool, seen: i64, kind: &str| {
            json!({
                "name": "attic", "standing": "adopted", "online": online, "last_seen": seen * minute,
                "attention": [{ "kind": kind, "text": "Look." }],
            })
        };
        let known = BTreeSet::from(["device/a/silent".to_owned()]);
        let keys = |off: Vec<FieldNoticeKind>, part: Value, unread: Value| {
            let notices = FieldNotices {
                off,
                ..FieldNotices::default()
            };
            let run = json!({ "id": "r", "title": "t", "unresolved": true, "ended": 1 });
            let picture = Picture::from([
                ("field".to_owned(), json!({ "unread": unread })),
                ("device/a".to_owned(), part),
                ("run/r".to_owned(), run),
            ]);
            let survey = survey(&notices, &picture, &known, now);
            let holds = survey.holds.into_iter().map(|it| it.key);
            (holds.collect::<Vec<_>>(), survey.unknown)
        };
        let none = BTreeSet::new;
        let all = ["device/a/silent", "device/a/old_runner", "run/r/unknown"];
        let all = all.map(str::to_owned).to_vec();
        let old = device(false, 70, "old_runner");
        assert_eq!(
            keys(vec![], old.clone(), Value::Null),
            (all.clone(), none())
        );
        let failed = keys(vec![], device(true, 99, "update_failed"), Value::Null);
        let raised = ["device/a/update_failed", "run/r/unknown"];
        assert_eq!(failed, (raised.map(str::to_owned).to_vec(), none()));
        assert_eq!(
            keys(vec![], device(false, 71, "x"), Value::Null),
            (vec![all[2].clone()], none())
        );
        assert_eq!(
            keys(vec![], device(true, 0, "x"), Value::Null),
            (vec![all[2].clone()], none())
        );
        assert_eq!(
            keys(FieldNoticeKind::ALL.to_vec(), old.clone(), Value::Null),
            (vec![], none())
        );
        assert_eq!(keys(vec![], old, json!("down")), (vec![], known.clone()));
    }

    #[test]
    fn the_question_about_a_run_ends_with_a_persons_word() {
        let key = "run/r/unknown".to_owned();
        let known = BTreeSet::from([key.clone(), "device/a/silent".to_owned()]);
        let look = |runs: Picture, unread: Value| {
            let mut picture = Picture::from([("field".to_owned(), json!({ "unread": unread }))]);
            picture.extend(runs);
            let survey = survey(&FieldNotices::default(), &picture, &known, Timestamp(9));
            (survey.holds.len(), survey.settled)
        };
        let run = |unresolved: bool| {
            let run = json!({ "id": "r", "title": "t", "unresolved": unresolved, "ended": 1 });
            Picture::from([("run/r".to_owned(), run)])
        };
        assert_eq!(look(run(true), Value::Null), (1, BTreeSet::new()));
        assert_eq!(look(run(false), Value::Null), (0, BTreeSet::from([key])));
        // A run that is not shown may be unknown still.
        assert_eq!(look(Picture::new(), Value::Null), (0, BTreeSet::new()));
        assert_eq!(look(run(false), json!("down")), (0, BTreeSet::new()));
    }
}
