//! Parts of a journal: whole turns, folded without those before them.

use protocol::{Before, Event, EventBody, HistoryPage, Seq};

use crate::fold::{Gap, RowChange, Transcript};

impl Transcript {
    /// Folds the newest turns of a journal, with the summary of those before. It continues as the
    /// fold of the whole does, and differs from that only in the rows that it lacks.
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

    /// Folds older turns: only the rows are meaningful, and they equal those of the fold of the
    /// whole. Turns that begin after the event `until` are left out.
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

    /// Returns the event before the first one here; zero if that is the first of all.
    pub fn after(&self) -> Seq {
        self.after
    }

    /// Applies an event from after its end, if it concerns calls here.
    pub fn apply_late(&mut self, event: &Event) -> Vec<RowChange> {
        let mut changes = Vec::new();
        match event.body {
            EventBody::OutcomeResolved { .. } => self.apply_body(event, &mut changes),
            EventBody::Branched { .. } => self.cut_off(&mut changes),
            _ => {}
        }
        changes
    }

    /// Drops the oldest turns if there are more than `most`, so that `least` remain. Returns the
    /// number of rows dropped, all from the start.
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

/// Moves an index up; returns whether it is still valid.
fn move_up(place: &mut usize, by: usize) -> bool {
    match place.checked_sub(by) {
        Some(moved) => {
            *place = moved;
            true
        }
        None => false,
    }
}
