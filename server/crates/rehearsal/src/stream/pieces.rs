//! Framing of events into bytes, and the faults of the wire.

use std::time::Duration;

use bytes::Bytes;
use serde_json::json;

use super::events::Event;
use crate::fault::Fault;

/// A step in sending a body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// Bytes, and the tokens of the answer sent by their end.
    Bytes { bytes: Bytes, told: u64 },
    /// A pause.
    Wait(Duration),
    /// Silence from here on.
    Stall,
    /// A broken connection.
    Break,
    /// The end of a complete answer.
    Complete,
}

/// The pieces for these events.
pub(crate) fn of(mut events: Vec<Event>, faults: &[Fault]) -> Vec<Piece> {
    let mut end = vec![Piece::Complete];
    let mut tail: Option<Tail> = None;
    for fault in faults {
        let (after, how) = match fault {
            Fault::Stall { after } => (Some(*after), Tail::Stall),
            Fault::ErrorEvent { after, kind } => (
                Some(*after),
                Tail::Error(
                    kind.clone()
                        .unwrap_or_else(|| "overloaded_error".to_owned()),
                ),
            ),
            Fault::NoMessageStop { after } => (*after, Tail::End),
            Fault::CutFrame { after } => (Some(*after), Tail::HalfFrame),
            Fault::CutUtf8 { after } => (Some(*after), Tail::HalfCharacter),
            Fault::Reset { after } => (Some(*after), Tail::Break),
            _ => continue,
        };
        let cut = cut_at(&events, after);
        let next = events.get(cut).cloned();
        events.truncate(cut);
        if let (Tail::HalfCharacter | Tail::HalfFrame, Some(next)) = (&how, next) {
            events.push(next);
        }
        tail = Some(how);
        break;
    }
    if faults.contains(&Fault::Pings) {
        events = events
            .into_iter()
            .flat_map(|event| {
                let ping = event.is_delta().then(Event::ping);
                std::iter::once(event).chain(ping)
            })
            .collect();
    }
    let mut told = 0;
    let mut frames: Vec<(Vec<u8>, u64)> = events
        .iter()
        .map(|event| {
            told += event.tokens;
            (frame(event, faults), told)
        })
        .collect();
    match tail {
        None => {}
        Some(Tail::End) => end.clear(),
        Some(Tail::Stall) => end = vec![Piece::Stall],
        Some(Tail::Break) => end = vec![Piece::Break],
        Some(Tail::Error(kind)) => {
            end.clear();
            let event = Event::error(&kind, "Asked for by the rehearsal");
            frames.push((frame(&event, faults), told));
        }
        Some(Tail::HalfFrame) => {
            end.clear();
            if let Some((bytes, _)) = frames.last_mut() {
                bytes.truncate(bytes.len() * 2 / 3);
            }
        }
        Some(Tail::HalfCharacter) => {
            end.clear();
            if let (Some((bytes, _)), Some(event)) = (frames.last_mut(), events.last()) {
                *bytes = half_character(event, faults);
            }
        }
    }
    if faults.contains(&Fault::Bom)
        && let Some((bytes, _)) = frames.first_mut()
    {
        bytes.splice(0..0, *b"\xEF\xBB\xBF");
    }
    let mut pieces = Vec::new();
    for fault in faults {
        if let Fault::SlowFirstByte { ms } = fault {
            pieces.push(Piece::Wait(Duration::from_millis(*ms)));
        }
    }
    let one_byte = faults.contains(&Fault::OneByte);
    for (bytes, told) in frames {
        let bytes = Bytes::from(bytes);
        if one_byte {
            pieces.extend((0..bytes.len()).map(|at| Piece::Bytes {
                bytes: bytes.slice(at..=at),
                told,
            }));
        } else {
            pieces.push(Piece::Bytes { bytes, told });
        }
    }
    pieces.extend(end);
    pieces
}

/// Faulty end of a stream.
enum Tail {
    End,
    Stall,
    Break,
    Error(String),
    HalfFrame,
    HalfCharacter,
}

/// The number of events before the delta that follows `after` others; without a number, all but
/// `message_stop`.
fn cut_at(events: &[Event], after: Option<u32>) -> usize {
    let stop = events.len().saturating_sub(1);
    let Some(after) = after else { return stop };
    events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.is_delta())
        .map(|(at, _)| at)
        .nth(after as usize)
        .unwrap_or(stop)
}

/// The frame of an event on the wire.
pub(crate) fn frame(event: &Event, faults: &[Fault]) -> Vec<u8> {
    let line = if faults.contains(&Fault::Crlf) {
        "\r\n"
    } else {
        "\n"
    };
    let name = if faults.contains(&Fault::UnnamedEvents) {
        String::new()
    } else {
        format!("event: {}{line}", event.name)
    };
    format!("{name}data: {}{line}{line}", event.data).into_bytes()
}

/// The frame with a two-byte character in its text, cut between the two bytes.
fn half_character(event: &Event, faults: &[Fault]) -> Vec<u8> {
    let mut event = event.clone();
    for key in ["text", "thinking", "partial_json"] {
        if event.data["delta"][key].is_string() {
            event.data["delta"][key] = json!("\"é");
        }
    }
    let mut bytes = frame(&event, faults);
    let end = bytes.iter().position(|byte| *byte == 0xC3);
    bytes.truncate(end.map_or(bytes.len() / 2, |at| at + 1));
    bytes
}
