//! Creation, change and removal of drawings: from one version of a record to the next.

use markets_wire::Life;
use serde_json::Value;

use super::{
    Actor, CHANGES, Change, Content, Drawing, FieldChange, Invalid, Shape,
    diff::{diff, lay},
    name,
    shape::{self, snapped, text_fits},
};
use crate::{
    Symbol, Time,
    maths::life::{self, Event, Refused},
    texts,
};

/// Fields of a new drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDrawing {
    pub id: String,
    pub owner: String,
    pub symbol: Symbol,
    pub content: Content<Time>,
    pub reason: String,
    pub actor: Actor,
    /// Name of the person who makes it, or for whom the assistant does.
    pub person: Option<String>,
    pub call: Option<String>,
    pub conversation: Option<String>,
    pub message: Option<String>,
    pub group: Option<String>,
    pub candles: Vec<Time>,
}

/// A requested change.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// The changed fields of the content as JSON; nested objects are merged.
    pub patch: Value,
    pub reason: String,
    /// The version on which the request is based.
    pub expected_version: u64,
    pub actor: Actor,
    /// Name of the person who requests it, or for whom the assistant does.
    pub person: Option<String>,
    pub call: Option<String>,
    pub conversation: Option<String>,
    pub message: Option<String>,
    pub group: Option<String>,
}

impl Update {
    /// The change as the record keeps it, for this checked reason.
    fn change(&self, at: Time, reason: String, changes: Vec<FieldChange>) -> Change<Time> {
        Change {
            time: at,
            actor: self.actor,
            person: self.person.clone(),
            reason,
            changes,
            call: self.call.clone(),
            group: self.group.clone(),
            conversation: self.conversation.clone(),
            message: self.message.clone(),
        }
    }
}

/// Reason that a drawing is not created or changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// It has changed since; this is its current version.
    #[error("the drawing has changed since: it is at version {}", .0.version)]
    Conflict(Box<Drawing>),
    #[error("the drawing was removed")]
    Removed,
    #[error("a person has locked the drawing")]
    Locked,
    #[error(transparent)]
    Life(#[from] Refused),
    #[error("it is no position")]
    NoPosition,
}

/// Limit on supporting candles.
const CANDLES: usize = 50;

fn reason(text: &str) -> Result<String, Invalid> {
    let text = text.trim();
    if text.chars().count() < 3 {
        return Err(Invalid::new("reason", texts::drawings::REASON_IS_TOO_SHORT));
    }
    text_fits("reason", text, 500)?;
    Ok(text.to_owned())
}

fn check(content: &Content<Time>, symbol: Symbol) -> Result<(), Invalid> {
    shape::check(&content.shape, symbol)?;
    text_fits("label", &content.label, name::LABEL)?;
    text_fits("note", &content.note, 2_000)?;
    if content.tags.len() > 10 {
        return Err(Invalid::new(
            "tags",
            texts::drawings::THERE_ARE_MORE_THAN_10,
        ));
    }
    for tag in &content.tags {
        text_fits("tags", tag, 30)?;
    }
    match content.style.width {
        0..=4 => Ok(()),
        _ => Err(Invalid::new(
            "style.width",
            texts::drawings::WIDER_THAN_4_PIXELS,
        )),
    }
}

pub(super) fn json(content: &Content<Time>) -> Result<Value, Invalid> {
    serde_json::to_value(content).map_err(|error| Invalid::new("content", error.to_string()))
}

/// Creates a drawing.
///
/// # Errors
/// Names the first invalid field.
pub fn create(new: NewDrawing, at: Time) -> Result<Drawing, Refusal> {
    let reason = reason(&new.reason)?;
    check(&new.content, new.symbol)?;
    if new.candles.len() > CANDLES {
        return Err(Invalid::new("candles", texts::drawings::more_than(CANDLES)).into());
    }
    if new.actor == Actor::Model && (new.content.locked || new.content.hidden) {
        return Err(Invalid::new("locked", texts::drawings::ONLY_PEOPLE_LOCK_AND_HIDE).into());
    }
    let is_position = matches!(new.content.shape, Shape::Position { .. });
    Ok(Drawing {
        id: new.id,
        owner: new.owner,
        symbol: new.symbol,
        content: new.content,
        reason,
        actor: new.actor,
        person: new.person,
        call: new.call,
        conversation: new.conversation,
        message: new.message,
        group: new.group,
        candles: new.candles,
        created_at: at,
        known_at: None,
        life: is_position.then(|| life::signal(at)),
        version: 1,
        removed: false,
        changes: Vec::new(),
        dropped: 0,
    })
}

/// The drawing after a change, or `None` if nothing would change; then nothing is written.
///
/// # Errors
/// It has changed since, is locked, removed or over, or would become invalid.
pub fn update(drawing: &Drawing, update: &Update, at: Time) -> Result<Option<Drawing>, Refusal> {
    check_version(drawing, update.expected_version)?;
    let reason = reason(&update.reason)?;
    let before = json(&drawing.content)?;
    let mut after = before.clone();
    // Percent and money are exclusive: one replaces the other.
    if let Some(risk) = after.pointer_mut("/shape/risk")
        && update.patch.pointer("/shape/risk").is_some()
    {
        *risk = Value::Null;
    }
    lay(&mut after, &update.patch);
    let mut content: Content<Time> = serde_json::from_value(after)
        .map_err(|error| Invalid::new("changes", error.to_string()))?;
    // Dragging by hand ends between ticks.
    if update.actor == Actor::User {
        content.shape = snapped(content.shape, drawing.symbol);
    }
    if content.shape.kind() != drawing.content.shape.kind() {
        return Err(Invalid::new("shape.kind", texts::drawings::DRAWING_STAYS_WHAT_IT_IS).into());
    }
    let mut changes = diff(&before, &json(&content)?);
    if content.label == drawing.content.label
        && let Some(label) = name::after_move(drawing, &changes)
    {
        content.label = label;
        changes = diff(&before, &json(&content)?);
    }
    if changes.is_empty() {
        return Ok(None);
    }
    check_may(drawing, update.actor, &changes)?;
    check(&content, drawing.symbol)?;
    let mut next = Drawing {
        content,
        ..drawing.clone()
    };
    note(&mut next, update.change(at, reason, changes));
    Ok(Some(next))
}

/// The drawing after a person's drag: prices snap to ticks, and a mere click writes nothing.
///
/// # Errors
/// Same as [`update`].
pub fn dragged(
    drawing: &Drawing,
    shape: Shape<Time>,
    expected_version: u64,
    at: Time,
) -> Result<Option<Drawing>, Refusal> {
    let shape = serde_json::to_value(snapped(shape, drawing.symbol))
        .map_err(|error| Invalid::new("shape", error.to_string()))?;
    let drag = Update {
        patch: serde_json::json!({ "shape": shape }),
        reason: "dragged".to_owned(),
        expected_version,
        actor: Actor::User,
        person: None,
        call: None,
        conversation: None,
        message: None,
        group: None,
    };
    update(drawing, &drag, at)
}

/// The drawing after its removal. The record stays, so that it can be restored.
///
/// # Errors
/// Same as [`update`]; the `patch` is ignored.
pub fn remove(drawing: &Drawing, by: &Update, at: Time) -> Result<Drawing, Refusal> {
    check_version(drawing, by.expected_version)?;
    let reason = reason(&by.reason)?;
    if by.actor == Actor::Model && drawing.content.locked {
        return Err(Refusal::Locked);
    }
    let mut next = Drawing {
        removed: true,
        ..drawing.clone()
    };
    let changes = vec![field("removed", false, true)];
    note(&mut next, by.change(at, reason, changes));
    Ok(next)
}

/// The position after an event. `market` is the market's time, which a simulation and a late source
/// tell apart from the time `at` of the record.
///
/// # Errors
/// It is not a position, or the event is not possible now.
pub fn happens(
    drawing: &Drawing,
    event: Event,
    by: &Update,
    at: Time,
    market: Time,
) -> Result<Drawing, Refusal> {
    check_version(drawing, by.expected_version)?;
    let reason = reason(&by.reason)?;
    let before = drawing.life.as_ref().ok_or(Refusal::NoPosition)?;
    // A life never goes back, whatever the clock of a source does.
    let after = life::after(before, event, market.max(before.since))?;
    let json = |life: &Life<Time>| {
        serde_json::to_value(life).map_err(|error| Invalid::new("life", error.to_string()))
    };
    let mut changes = diff(&json(before)?, &json(&after)?);
    for change in &mut changes {
        change.field.insert_str(0, "life.");
    }
    let mut next = Drawing {
        life: Some(after),
        known_at: Some(market),
        ..drawing.clone()
    };
    note(&mut next, by.change(at, reason, changes));
    Ok(next)
}

fn check_version(drawing: &Drawing, expected: u64) -> Result<(), Refusal> {
    if drawing.version != expected {
        return Err(Refusal::Conflict(Box::new(drawing.clone())));
    }
    if drawing.removed {
        Err(Refusal::Removed)
    } else {
        Ok(())
    }
}

fn check_may(drawing: &Drawing, actor: Actor, changes: &[FieldChange]) -> Result<(), Refusal> {
    let keeps = |field: &str| field == "locked" || field == "hidden";
    if actor == Actor::Model && changes.iter().any(|change| keeps(&change.field)) {
        return Err(Invalid::new("locked", texts::drawings::ONLY_PEOPLE_LOCK_AND_HIDE).into());
    }
    if drawing.content.locked && !changes.iter().all(|change| keeps(&change.field)) {
        return Err(Refusal::Locked);
    }
    // The plan of a closed position is final; notes may still be added.
    let is_plan = |change: &FieldChange| change.field.starts_with("shape.");
    match &drawing.life {
        Some(life) if changes.iter().any(is_plan) => Ok(life::check_editable(life)?),
        _ => Ok(()),
    }
}

pub(super) fn field(name: &str, from: impl Into<Value>, to: impl Into<Value>) -> FieldChange {
    FieldChange {
        field: name.to_owned(),
        from: from.into(),
        to: to.into(),
    }
}

/// Increments the version and keeps the change; drops the oldest one beyond the limit.
pub(super) fn note(drawing: &mut Drawing, change: Change<Time>) {
    drawing.version += 1;
    drawing.changes.push(change);
    let surplus = drawing.changes.len().saturating_sub(CHANGES);
    drawing.changes.drain(..surplus);
    drawing.dropped += surplus as u64;
}
