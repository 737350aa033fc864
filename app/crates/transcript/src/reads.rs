//! Calls that only read: consecutive ones are one line for people.

use std::ops::Range;

use protocol::Tier;

use crate::{ToolRow, ToolState};

/// The progress of a run of calls that only read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadProgress {
    /// Calls that the gate has not decided yet.
    pub preparing: usize,
    pub running: usize,
    pub done: usize,
    /// Time during which at least one of them ran, in milliseconds. Unknown while one still does.
    pub took_ms: Option<u64>,
}

impl ReadProgress {
    pub fn of<'a>(tools: impl IntoIterator<Item = &'a ToolRow>) -> Self {
        let mut progress = Self::default();
        let mut spans = Vec::new();
        let mut unplaced = 0_u64;
        for tool in tools {
            match (&tool.state, tool.started, tool.elapsed_ms) {
                (ToolState::Running, ..) => progress.running += 1,
                (ToolState::Succeeded(_), started, elapsed) => {
                    progress.done += 1;
                    let elapsed = elapsed.unwrap_or_default();
                    match started {
                        Some(from) => {
                            let until = i64::try_from(elapsed).unwrap_or(i64::MAX);
                            spans.push((from.0, from.0.saturating_add(until)));
                        }
                        None => unplaced = unplaced.saturating_add(elapsed),
                    }
                }
                _ => progress.preparing += 1,
            }
        }
        if progress.preparing == 0 && progress.running == 0 && progress.done > 0 {
            progress.took_ms = Some(covered(spans).saturating_add(unplaced));
        }
        progress
    }
}

/// Returns the length of the union of spans: concurrent calls count once.
pub(crate) fn covered(mut spans: Vec<(i64, i64)>) -> u64 {
    spans.sort_unstable();
    let mut sum = 0u64;
    let mut end = i64::MIN;
    for (from, until) in spans {
        let from = from.max(end);
        if until > from {
            sum = sum.saturating_add(until.abs_diff(from));
            end = until;
        }
    }
    sum
}

impl ToolRow {
    /// Returns whether people see the call in a line with its neighbours: it only reads, and it
    /// succeeded or is under way. A call that the gate has not decided counts until it is known to
    /// do more.
    pub fn is_quiet(&self) -> bool {
        let reads = match self.tier {
            Some(tier) => tier == Tier::Green,
            None => matches!(self.state, ToolState::Writing | ToolState::Proposed),
        };
        let goes_well = matches!(
            self.state,
            ToolState::Writing | ToolState::Proposed | ToolState::Running | ToolState::Succeeded(_)
        );
        reads && goes_well && self.asked.is_none() && self.grant.is_none()
    }
}

/// Splits rows into what is drawn as one: a run of quiet rows, or any other row alone.
pub fn quiet_runs(quiet: impl IntoIterator<Item = bool>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut grows = false;
    for (at, quiet) in quiet.into_iter().enumerate() {
        match runs.last_mut() {
            Some(run) if grows && quiet => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
        grows = quiet;
    }
    runs
}

#[cfg(test)]
mod tests {
    use protocol::{ErrorBody, ErrorCode, GrantId, Timestamp, ToolOutput};
    use serde_json::Value;

    use super::*;

    fn tool(tier: Option<Tier>, state: ToolState) -> ToolRow {
        let input = Some(Value::Null);
        let mut row = ToolRow::new(None, "get_vms".to_owned(), input, state);
        row.tier = tier;
        row
    }

    fn done() -> ToolState {
        ToolState::Succeeded(ToolOutput {
            summary: String::new(),
            data: Value::Null,
            images: Vec::new(),
        })
    }

    #[test]
    fn only_reads_that_go_well_are_quiet() {
        let green = Some(Tier::Green);
        let error = ErrorBody::new(ErrorCode::Internal, "no");
        for (tier, state, expect) in [
            (green, ToolState::Running, true),
            (green, done(), true),
            (None, ToolState::Writing, true),
            (None, ToolState::Proposed, true),
            (None, done(), false),
            (green, ToolState::Queued, false),
            (green, ToolState::Waiting, false),
            (green, ToolState::Failed(error), false),
            (green, ToolState::Cancelled, false),
            (green, ToolState::Abandoned, false),
            (green, ToolState::OutcomeUnknown { known: None }, false),
            (Some(Tier::Yellow), ToolState::Running, false),
            (Some(Tier::Yellow), done(), false),
            (Some(Tier::Red), ToolState::Proposed, false),
            (Some(Tier::Red), done(), false),
        ] {
            let row = tool(tier, state);
            assert_eq!(row.is_quiet(), expect, "{tier:?} {:?}", row.state);
        }
        let mut granted = tool(green, done());
        granted.grant = Some(GrantId::new(Timestamp(1), 1));
        assert!(!granted.is_quiet());
    }

    #[test]
    fn runs_are_as_long_as_they_can_be_and_keep_the_order() {
        let runs = |rows: &str| quiet_runs(rows.chars().map(|row| row == 'q'));
        assert_eq!(runs(""), []);
        assert_eq!(runs("xq"), [0..1, 1..2]);
        assert_eq!(runs("xx"), [0..1, 1..2]);
        assert_eq!(
            runs("xqqqxqxxqq"),
            [0..1, 1..4, 4..5, 5..6, 6..7, 7..8, 8..10]
        );
    }

    #[test]
    fn concurrent_calls_take_their_time_once() {
        let ran = |from: i64, ms: u64| {
            let mut row = tool(Some(Tier::Green), done());
            row.started = Some(Timestamp(from));
            row.elapsed_ms = Some(ms);
            row
        };
        let took = |rows: &[ToolRow]| ReadProgress::of(rows).took_ms;
        assert_eq!(took(&[]), None);
        assert_eq!(took(&[ran(0, 10), ran(2, 10)]), Some(12));
        // The time between two steps is the model's.
        assert_eq!(took(&[ran(0, 10), ran(9_000, 5), ran(0, 3)]), Some(15));
        assert_eq!(
            took(&[ran(i64::MAX, 10), ran(0, u64::MAX)]),
            Some(i64::MAX as u64)
        );
        let rows = [
            ran(0, 10),
            tool(Some(Tier::Green), ToolState::Running),
            tool(None, ToolState::Writing),
        ];
        let expect = ReadProgress {
            preparing: 1,
            running: 1,
            done: 1,
            took_ms: None,
        };
        assert_eq!(ReadProgress::of(&rows), expect);
    }
}
