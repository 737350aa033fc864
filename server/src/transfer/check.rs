//! The checks of an imported file: every event known, none missing, none too large.
//!
//! The events are checked one by one, so that a file takes little more memory than its size on
//! disk, whatever its contents.

use std::fmt;

use protocol::{
    DecidedVia, ErrorBody, ErrorCode, Event, EventBody, FileNote, MAX_FILE_NAME, MAX_MESSAGE_BYTES,
    MAX_REFERENCE_BYTES, MAX_REFERENCES, Mode, Reference, Timestamp, Usage,
};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};
use store::PlainEvent;

use super::{FORMAT, VERSION};
use crate::texts;

/// The largest file, in bytes.
pub(crate) const MAX_FILE: usize = 16 * 1024 * 1024;
/// The largest event, in bytes.
const MAX_EVENT: usize = 2 * 1024 * 1024;
/// The most events: the journal has one writer, and others wait meanwhile.
const MAX_EVENTS: usize = 100_000;
/// The longest title, in characters; titles made here have at most 201.
const MAX_TITLE: usize = 201;
/// The longest name of a person, a model or a toolset, in characters.
const MAX_NAME: usize = 200;
/// The most tokens, or millionths of a USD, of one answer: sums of them do not overflow.
const MAX_COUNT: u64 = 1 << 40;
/// The last millisecond of the year 9999.
const MAX_TIME: i64 = 253_402_300_799_999;

/// A conversation from a file that passed the checks.
#[derive(Debug)]
pub(crate) struct Foreign {
    pub(crate) mode: Mode,
    pub(crate) model: String,
    pub(crate) toolsets: Vec<String>,
    pub(crate) events: Vec<PlainEvent>,
}

/// Fields that every version of the format has.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

/// A file of this version of the format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportedFile {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    /// The events have it too, and theirs counts.
    #[serde(rename = "title")]
    _title: String,
    #[serde(rename = "created")]
    _created: i64,
    events: Events,
}

/// The events, or the problem with one of them.
struct Events(Result<Foreign, String>);

/// Reads a file.
///
/// # Errors
/// The problem with it, in a sentence for the person who sent it.
pub(crate) fn read(file: &[u8]) -> Result<Foreign, ErrorBody> {
    let head: Head = serde_json::from_slice(file)
        .map_err(|_| refused(texts::transfer::NOT_EXPORTED_BY_JARVIS))?;
    if head.format != FORMAT {
        return Err(refused(texts::transfer::NOT_EXPORTED_AS_JSON));
    }
    if head.version != VERSION {
        return Err(refused(texts::transfer::unknown_version(
            head.version,
            VERSION,
        )));
    }
    let document: ImportedFile =
        serde_json::from_slice(file).map_err(|_| refused(texts::transfer::FIELDS_ARE_MISSING))?;
    document.events.0.map_err(refused)
}

/// Returns the error for a refused file.
pub(crate) fn refused(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::ImportRefused, message).with_help(texts::transfer::EXPORT_AGAIN)
}

impl<'de> Deserialize<'de> for Events {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EventsVisitor)
    }
}

struct EventsVisitor;

impl<'de> Visitor<'de> for EventsVisitor {
    type Value = Events;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(texts::transfer::LIST_OF_EVENTS)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<Events, A::Error> {
        let mut taken: Option<Foreign> = None;
        while let Some(text) = events.next_element::<&'de RawValue>()? {
            if let Err(problem) = take(&mut taken, text.get()) {
                while events.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(Events(Err(problem)));
            }
        }
        Ok(Events(taken.ok_or_else(|| {
            texts::transfer::FILE_HAS_NO_EVENTS.to_owned()
        })))
    }
}

/// Reads the next event.
fn take(taken: &mut Option<Foreign>, text: &str) -> Result<(), String> {
    let number = taken.as_ref().map_or(0, |taken| taken.events.len()) + 1;
    let wrong = |what: &str| Err(texts::transfer::bad_event(number, what));
    if number > MAX_EVENTS {
        return Err(texts::transfer::too_many_events(MAX_EVENTS));
    }
    if text.len() > MAX_EVENT {
        return wrong(texts::transfer::IS_LARGER_THAN_2_MIB);
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return wrong(texts::transfer::CANNOT_BE_READ);
    };
    let Ok(event) = Event::deserialize(&value) else {
        return wrong(texts::transfer::IS_OF_UNKNOWN_KIND);
    };
    if u64::try_from(number) != Ok(event.seq.0) {
        return wrong(texts::transfer::IS_NOT_THE_NEXT);
    }
    if !is_time(event.at) {
        return wrong(texts::transfer::HAS_IMPOSSIBLE_TIME);
    }
    match (&event.body, number) {
        (EventBody::Unknown, _) => return wrong(texts::transfer::IS_OF_UNKNOWN_KIND),
        (EventBody::ActionStarted { .. }, _) => {
            return wrong(texts::transfer::BELONGS_TO_NO_CONVERSATION);
        }
        (EventBody::ConversationStarted { .. }, 1) => {}
        (EventBody::ConversationStarted { .. }, _) => {
            return wrong(texts::transfer::BEGINS_ANOTHER_CONVERSATION);
        }
        (_, 1) => return wrong(texts::transfer::DOES_NOT_BEGIN_CONVERSATION),
        _ => {}
    }
    if !is_small(&event.body) {
        return wrong(texts::transfer::HAS_TOO_LARGE_VALUE);
    }
    let known = serde_json::to_value(&event);
    if !known.is_ok_and(|known| is_within(&value, &known)) {
        return wrong(texts::transfer::HAS_SOMETHING_UNKNOWN);
    }
    let Ok(body) = serde_json::to_string(&event.body) else {
        return wrong(texts::transfer::CANNOT_BE_KEPT);
    };
    let plain = PlainEvent {
        seq: event.seq,
        at: event.at,
        body,
    };
    match (taken, event.body) {
        (Some(taken), _) => taken.events.push(plain),
        (
            none,
            EventBody::ConversationStarted {
                model,
                mode,
                toolsets,
                ..
            },
        ) => {
            *none = Some(Foreign {
                mode,
                model,
                toolsets,
                events: vec![plain],
            });
        }
        (None, _) => return wrong(texts::transfer::DOES_NOT_BEGIN_CONVERSATION),
    }
    Ok(())
}

/// Returns whether another value includes everything in a value. Fields that events got later have
/// a value there and none in an older file.
fn is_within(value: &Value, known: &Value) -> bool {
    match (value, known) {
        (Value::Object(value), Value::Object(known)) => value.iter().all(|(name, value)| {
            let known = known.get(name);
            known.is_some_and(|known| is_within(value, known))
        }),
        (Value::Array(value), Value::Array(known)) => {
            value.len() == known.len()
                && value
                    .iter()
                    .zip(known)
                    .all(|(value, known)| is_within(value, known))
        }
        (value, known) => value == known,
    }
}

fn is_time(at: Timestamp) -> bool {
    (0..=MAX_TIME).contains(&at.0)
}

fn is_name(text: &str) -> bool {
    text.chars().count() <= MAX_NAME
}

fn is_usage(usage: &Usage) -> bool {
    let Usage {
        input,
        output,
        cache_read,
        cache_write,
        estimated: _,
    } = usage;
    let counts = [input, output, cache_read, cache_write];
    counts.into_iter().all(|count| *count <= MAX_COUNT)
}

/// Returns whether texts and numbers are within the limits of the server's own events.
fn is_small(body: &EventBody) -> bool {
    let is_title = |title: &str| title.chars().count() <= MAX_TITLE && !title.contains('\n');
    let small = |reference: &Reference| {
        let is_note =
            |note: &FileNote| note.name.len() <= 2 * MAX_FILE_NAME && note.bytes <= MAX_COUNT;
        reference.kind.len() + reference.id.len() <= 2 * MAX_REFERENCE_BYTES
            && reference.file.as_ref().is_none_or(is_note)
    };
    let is_message = |text: &str, references: &[Reference]| {
        text.len() <= MAX_MESSAGE_BYTES
            && references.len() <= MAX_REFERENCES
            && references.iter().all(small)
    };
    let is_by = |by: &Option<String>| by.as_deref().is_none_or(is_name);
    let is_via = |via: &Option<DecidedVia>| match via {
        Some(DecidedVia::Session { id, began, .. }) => is_name(id) && is_name(began),
        Some(DecidedVia::Token { id }) => is_name(id),
        Some(DecidedVia::Unknown) | None => true,
    };
    match body {
        EventBody::ConversationStarted {
            title,
            model,
            toolsets,
            mode,
            from: _,
        } => {
            is_title(title)
                && is_name(model)
                && *mode != Mode::Unknown
                && toolsets.len() <= MAX_NAME
                && toolsets.iter().all(|name| is_name(name))
        }
        EventBody::TitleChanged { title } => is_title(title),
        EventBody::TitleWritten { title, model, .. } => {
            title.as_deref().is_none_or(is_title) && is_name(model)
        }
        EventBody::Branched {
            title, by, effects, ..
        } => is_title(title) && is_name(by) && effects.len() <= MAX_NAME,
        EventBody::MessageQueued {
            text, references, ..
        }
        | EventBody::MessageSteered {
            text, references, ..
        }
        | EventBody::MessageRead {
            text, references, ..
        }
        | EventBody::TurnStarted {
            text, references, ..
        } => is_message(text, references),
        EventBody::AssistantMessage { usage, cost, .. }
        | EventBody::TurnFinished { usage, cost, .. } => {
            is_usage(usage) && cost.is_none_or(|cost| cost.0 <= MAX_COUNT)
        }
        EventBody::ModelChosen { model, window, .. } => {
            is_name(model) && window.is_none_or(|window| window <= MAX_COUNT)
        }
        EventBody::BudgetNear { message, .. } => message.len() <= MAX_MESSAGE_BYTES,
        EventBody::ConfirmationRequested { confirmation, .. } => is_time(confirmation.expires),
        EventBody::ConfirmationDecided { by, via, .. }
        | EventBody::OutcomeResolved { by, via, .. } => is_by(by) && is_via(via),
        EventBody::GrantGiven { grant, by, via } => {
            is_name(by) && is_via(via) && is_time(grant.terms.until)
        }
        EventBody::GrantRevoked { by, via, .. } => is_name(by) && is_via(via),
        EventBody::ToolFinished { elapsed_ms, .. } => {
            *elapsed_ms <= MAX_COUNT && body.files().all(small)
        }
        EventBody::MessageWithdrawn { .. }
        | EventBody::ActionStarted { .. }
        | EventBody::AskedByLink { .. }
        | EventBody::TurnResumed { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepInterrupted { .. }
        | EventBody::ToolQueued { .. }
        | EventBody::ToolStarted { .. }
        | EventBody::ToolBlocked { .. }
        | EventBody::StopRequested { .. }
        | EventBody::Unknown => true,
    }
}
