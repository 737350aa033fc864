//! The report.

use std::time::Duration;

use crate::cycle::Survived;

/// A scenario's line.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: usize,
    pub(crate) kills: usize,
    /// The number of points at which a check failed.
    pub(crate) failures: usize,
    unknown: usize,
    not_done: usize,
    recoveries: Vec<Duration>,
}

impl Line {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            points: 0,
            kills: 0,
            failures: 0,
            unknown: 0,
            not_done: 0,
            recoveries: Vec::new(),
        }
    }

    /// Counts a kill that passed all checks.
    pub(crate) fn add(&mut self, survived: Survived) {
        self.kills += survived.kills;
        self.unknown += survived.told.unknown;
        self.not_done += survived.told.not_done;
        self.recoveries.push(survived.recovery);
    }
}

/// Prints all lines and their sum.
pub(crate) fn print(lines: &[Line], took: Duration) {
    println!();
    println!(
        "{:30} {:>6} {:>6} {:>6} {:>8} {:>9} {:>9} {:>9}",
        "scenario", "points", "kills", "failed", "unknown", "not done", "p50", "p99"
    );
    let mut sum = Line::new("all");
    for line in lines {
        row(line);
        sum.points += line.points;
        sum.kills += line.kills;
        sum.failures += line.failures;
        sum.unknown += line.unknown;
        sum.not_done += line.not_done;
        sum.recoveries.extend(&line.recoveries);
    }
    row(&sum);
    println!();
    println!("unknown: calls whose outcome is told as unknown. not done: calls that were cut off");
    println!("before they did anything, and are told so. p50, p99: from the start of the next");
    println!(
        "process until the tab had all it missed. {} s in all.",
        took.as_secs()
    );
}

fn row(line: &Line) {
    let mut sorted = line.recoveries.clone();
    sorted.sort_unstable();
    let percentile = |percent: usize| {
        let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted
            .get(at)
            .map_or_else(String::new, |time| format!("{} ms", time.as_millis()))
    };
    println!(
        "{:30} {:>6} {:>6} {:>6} {:>8} {:>9} {:>9} {:>9}",
        line.name,
        line.points,
        line.kills,
        line.failures,
        line.unknown,
        line.not_done,
        percentile(50),
        percentile(99)
    );
}
