//! Progress and results of steps: their names, durations and outcomes.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Numbers of tests that a step ran.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

/// The outcome of a step that did not fail.
pub(crate) enum Done {
    /// A check that counts as no test.
    Checked,
    Tested(Counts),
    /// Not run, with the reason why that is no failure.
    Skipped(String),
}

enum Outcome {
    Done(Done),
    Failed,
}

/// The steps of one command.
pub(crate) struct Report {
    rows: Vec<(String, Outcome, Duration)>,
    started: Instant,
}

impl Report {
    pub(crate) fn start() -> Self {
        Self {
            rows: Vec::new(),
            started: Instant::now(),
        }
    }

    /// Runs a step; its error is printed and remembered, so that the next step can run.
    pub(crate) fn step(&mut self, name: &str, work: impl FnOnce() -> Result<Done>) -> bool {
        self.step_with(name, || Ok((work()?, ()))).is_some()
    }

    /// Runs a step like `step`, if the following ones need its result.
    pub(crate) fn step_with<T>(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<(Done, T)>,
    ) -> Option<T> {
        eprintln!("\n==> {name}");
        let started = Instant::now();
        let (outcome, value) = match work() {
            Ok((done, value)) => (Outcome::Done(done), Some(value)),
            Err(error) => {
                eprintln!("error: {error:#}");
                (Outcome::Failed, None)
            }
        };
        let failed = is_failure(&outcome);
        self.rows
            .push((name.to_owned(), outcome, started.elapsed()));
        value.filter(|_| !failed)
    }

    /// Prints the table and the line of totals; returns whether everything passed.
    pub(crate) fn finish(self) -> bool {
        println!();
        let width = self.rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        for (name, outcome, time) in &self.rows {
            println!(
                "{name:width$}  {:>7}  {}",
                seconds(*time),
                describe(outcome)
            );
        }
        println!("{:width$}  {:>7}", "total", seconds(self.started.elapsed()));
        let total = total(self.rows.iter().map(|row| &row.1));
        println!("\n{} passed, {} failed", total.passed, total.failed);
        total.failed == 0
    }
}

/// Runs a step of a build, which ends at the first error.
pub(crate) fn timed<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("==> {name}");
    let started = Instant::now();
    let value = work()?;
    eprintln!("    {name}: {}", seconds(started.elapsed()));
    Ok(value)
}

pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn is_failure(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed => true,
        Outcome::Done(Done::Tested(counts)) => counts.failed > 0,
        Outcome::Done(_) => false,
    }
}

fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed => "FAILED".to_owned(),
        Outcome::Done(Done::Checked) => "ok".to_owned(),
        Outcome::Done(Done::Skipped(why)) => format!("skipped: {why}"),
        Outcome::Done(Done::Tested(Counts { passed, failed: 0 })) => format!("{passed} passed"),
        Outcome::Done(Done::Tested(Counts { passed, failed })) => {
            format!("FAILED: {passed} passed, {failed} failed")
        }
    }
}

/// Sums the counts. A step that failed counts as one failed test: the totals must never look better
/// than the exit code.
fn total<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Counts {
    outcomes.fold(Counts::default(), |mut sum, outcome| {
        match outcome {
            Outcome::Failed => sum.failed += 1,
            Outcome::Done(Done::Tested(counts)) => {
                sum.passed += counts.passed;
                sum.failed += counts.failed;
            }
            Outcome::Done(_) => {}
        }
        sum
    })
}
