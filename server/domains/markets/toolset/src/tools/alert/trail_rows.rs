//! Alerts in the trail: that one was set, has fired, was withdrawn or has lost its drawing, and by whom.

use markets_wire::{ALERT_KIND, FieldChange};
use serde_json::{Value, json};

use super::{Alert, AlertState, AlertSubject};
use crate::{
    Time,
    drawing::{
        Actor, EVERYONE,
        trail::{TrailBody, TrailPlace, TrailRow},
    },
    texts::{self, alerts::trail as words},
    tools::draw::Caller,
};

/// The row for an alert that a caller sets. `told` is its condition in words, like that of the others.
pub(super) fn of_new(alert: &Alert, by: &Caller, told: &str) -> TrailRow {
    let mut condition = json!(alert.subject);
    if let Some(condition) = condition.as_object_mut() {
        // Its other fields say as much.
        condition.remove("kind");
        if let AlertSubject::Drawing { .. } = alert.subject {
            let line = texts::alerts::line_of(told, alert.crossing);
            condition.insert("drawing".to_owned(), line.into());
        }
        condition.insert("direction".to_owned(), json!(alert.crossing));
        condition.insert("repeats".to_owned(), alert.repeats.into());
    }
    let changes = vec![change("condition", Value::Null, condition)];
    let body = TrailBody {
        reason: words::set(&alert.note),
        changes,
        ..called(by)
    };
    row(alert, alert.created_at, by.actor, body)
}

/// The row for an alert that a caller has withdrawn.
pub(super) fn of_withdrawn(before: &Alert, now: &Alert, by: &Caller, told: &str) -> TrailRow {
    let body = TrailBody {
        reason: words::of(words::WITHDRAWN, told),
        changes: vec![change_of_state(before, now)],
        ..called(by)
    };
    row(now, now.since, by.actor, body)
}

/// The row for what a look has come to; none if the value was seen on another side of its level, and no more.
pub(super) fn of_look(before: &Alert, now: &Alert, told: &str) -> Option<TrailRow> {
    let (reason, changes) = if let Some(last) = &now.last
        && now.fired > before.fired
    {
        let reason = words::fired(last.after_gap);
        let changes = vec![
            change("fired", before.fired.into(), now.fired.into()),
            change("value", Value::Null, last.value.into()),
            change("level", Value::Null, last.level.into()),
        ];
        (reason, changes)
    } else if now.state == AlertState::Lost {
        (words::LOST, vec![change_of_state(before, now)])
    } else {
        return None;
    };
    let body = TrailBody {
        reason: words::of(reason, told),
        changes,
        ..TrailBody::default()
    };
    Some(row(now, now.since, Actor::Price, body))
}

fn change_of_state(before: &Alert, now: &Alert) -> FieldChange {
    change("state", json!(before.state), json!(now.state))
}

fn change(field: &str, from: Value, to: Value) -> FieldChange {
    FieldChange {
        field: field.to_owned(),
        from,
        to,
    }
}

fn called(by: &Caller) -> TrailBody {
    TrailBody {
        person: by.person.clone(),
        call: Some(by.call.clone()),
        group: by.turn.clone(),
        conversation: by.conversation.clone(),
        message: by.message.clone(),
        ..TrailBody::default()
    }
}

fn row(alert: &Alert, time: Time, actor: Actor, body: TrailBody) -> TrailRow {
    TrailRow {
        place: TrailPlace {
            time,
            drawing: alert.id.clone(),
            version: alert.version,
            // Everybody sees all alerts.
            owner: EVERYONE.to_owned(),
        },
        symbol: alert.symbol.name().to_owned(),
        kind: ALERT_KIND.to_owned(),
        actor,
        body,
    }
}
