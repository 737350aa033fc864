//! Parts of a journal: whole turns, folded without those before them.

use protocol::{Before, Event, EventBody, HistoryPage, Seq};

use crate::fold::{Change, Gap, Transcript};

impl Transcript {
    /// The newest turns of a journal, with what those before left behind. It goes on as the fold of
    /// the whole does, and differs from that in the rows that it does not have.
    pub fn newest(before: Option<&Before>, events: &[Event]) -> Result<Self, Gap> {
        let mut transcript = Self::default();
        if let Some(before) = before {
            let mut changes = Vec::new();
            for event in &before.events {
                transcript.apply_body(event, &mut changes);
            }
            transcript.usage = before.usage;
            transcript.cost = before.cost;
            transcript.head = before.seq;
            transcript.after = before.seq;
        }
        for event in events {
            transcript.apply(event)?;
        }
        Ok(transcript)
    }

    /// Older turns: only the rows mean anything, and they are those of the fold of the whole. What
    /// begins after the event `until` is left out.
    pub fn older(page: &HistoryPage, until: Seq) -> Result<Self, Gap> {
        let mut transcript = Self {
            head: page.after,
            after: page.after,
            ..Self::default()
        };
        let end = page.events.partition_point(|event| event.seq <= until);
        let (events, rest) = page.events.split_at(end);
        for event in events {
            transcript.apply(event)?;
        }
        for event in rest.iter().chain(&page.late) {
            transcript.apply_late(event);
        }
        Ok(transcript)
    }

    /// The event before the first that it holds; zero if that is the first of all.
    pub fn after(&self) -> Seq {
        self.after
    }

    /// Applies an event from after its end, if it is about calls here.
    pub fn apply_late(&mut self, event: &Event) -> Vec<Change> {
        let mut changes = Vec::new();
        match event.body {
            EventBody::OutcomeResolved { .. } => self.apply_body(event, &mut changes),
            EventBody::Branched { .. } => self.cut_off(&mut changes),
            _ => {}
        }
        changes
    }

    /// Lets go of the oldest turns if it holds more than `most`, so that `least` are left. Gives how
    /// many rows went, all of them the first ones.
    pub fn let_go(&mut self, most: usize, least: usize) -> usize {
        let over = self.turns.len().saturating_sub(least);
        if self.turns.len() <= most || over == 0 {
            return 0;
        }
        let Some(&(first, after)) = self.turns.get(over) else {
            return 0;
        };
        let Some(gone) = self.rows.iter().position(|row| row.turn == first) else {
            return 0;
        };
        self.turns.drain(..over);
        self.rows.drain(..gone);
        self.after = after;
        self.calls.retain(|_, row| move_up(row, gone));
        self.live
            .retain(|_, row| row.as_mut().is_none_or(|row| move_up(row, gone)));
        gone
    }
}

/// Moves a place up by so many; gives whether it is still there.
fn move_up(place: &mut usize, by: usize) -> bool {
    match place.checked_sub(by) {
        Some(moved) => {
            *place = moved;
            true
        }
        None => false,
    }
}
