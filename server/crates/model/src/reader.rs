//! Turns the bytes of a response into the events of an answer. No I/O.

use std::collections::VecDeque;

use agent::ports::ModelEvent;

use crate::accumulate::{Accumulator, StreamFault};
use crate::event::StreamEvent;
use crate::profile::Profile;
use crate::sse::Decoder;

/// The most bytes of one event. Results of server tools come whole in one event and may be long.
const MAX_EVENT_BYTES: usize = 16 << 20;

/// Reads one response.
#[derive(Debug)]
pub(crate) struct EventReader {
    decoder: Decoder,
    answer: Accumulator,
}

impl EventReader {
    pub(crate) fn new(profile: &'static Profile) -> Self {
        Self {
            decoder: Decoder::new(MAX_EVENT_BYTES),
            answer: Accumulator::new(profile),
        }
    }

    /// Takes the next bytes of the body.
    pub(crate) fn take(
        &mut self,
        bytes: &[u8],
        out: &mut VecDeque<ModelEvent>,
    ) -> Result<(), StreamFault> {
        let answer = &mut self.answer;
        self.decoder.push(bytes, |event| {
            if answer.is_complete() {
                return Ok(());
            }
            let event =
                StreamEvent::parse(event.name, &event.data).map_err(StreamFault::Protocol)?;
            answer.take(event, out)
        })
    }

    /// The body has ended.
    pub(crate) fn end_of_stream(
        &mut self,
        out: &mut VecDeque<ModelEvent>,
    ) -> Result<(), StreamFault> {
        self.answer.end_of_stream(out)
    }

    pub(crate) fn answer(&self) -> &Accumulator {
        &self.answer
    }

    pub(crate) fn into_answer(self) -> Accumulator {
        self.answer
    }
}

#[cfg(test)]
mod replay;
