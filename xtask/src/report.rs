//! Progress and results of steps: their names, durations and outcomes.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Numbers of tests that a step ran.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct ReportCounts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

/// The outcome of a step that did not fail.
pub(crate) enum DoneStep {
    /// A check that counts as no test.
    Checked,
    Tested(ReportCounts),
    /// Not run, with the reason why that is no failure.
    Skipped(String),
}

enum StepOutcome {
    Done(DoneStep),
    Failed,
}

/// The steps of one command.
pub(crate) struct TestReport {
    rows: Vec<(String, StepOutcome, Duration)>,
    /// Parts that passing tests left out.
    left_out: Vec<String>,
    started: Instant,
}

impl TestReport {
    pub(crate) fn start() -> Self {
        Self {
            rows: Vec::new(),
            left_out: Vec::new(),
            started: Instant::now(),
        }
    }

    /// Runs a step; its error is printed and remembered, so that the next step can run.
    pub(crate) fn step(&mut self, name: &str, work: impl FnOnce() -> Result<DoneStep>) -> bool {
        self.step_with(name, || Ok((work()?, ()))).is_some()
    }

    /// Runs a step like `step`, if the following ones need its result.
    pub(crate) fn step_with<T>(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<(DoneStep, T)>,
    ) -> Option<T> {
        eprintln!("\n==> {name}");
        let started = Instant::now();
        let (outcome, value) = match work() {
            Ok((done, value)) => (StepOutcome::Done(done), Some(value)),
            Err(error) => {
                eprintln!("error: {error:#}");
                (StepOutcome::Failed, None)
            }
        };
        let failed = is_failure(&outcome);
        self.rows
            .push((name.to_owned(), outcome, started.elapsed()));
        value.filter(|_| !failed)
    }

    /// Notes what tests left out.
    pub(crate) fn left_out(&mut self, what: String) {
        self.left_out.push(what);
    }

    /// Prints the table, what was left out, and the line of totals; returns whether everything passed.
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
        for what in &self.left_out {
            println!("NOT TESTED HERE: {what}");
        }
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

fn is_failure(outcome: &StepOutcome) -> bool {
    match outcome {
        StepOutcome::Failed => true,
        StepOutcome::Done(DoneStep::Tested(counts)) => counts.failed > 0,
        StepOutcome::Done(_) => false,
    }
}

fn describe(outcome: &StepOutcome) -> String {
    match outcome {
        StepOutcome::Failed => "FAILED".to_owned(),
        StepOutcome::Done(DoneStep::Checked) => "ok".to_owned(),
        StepOutcome::Done(DoneStep::Skipped(why)) => format!("skipped: {why}"),
        StepOutcome::Done(DoneStep::Tested(ReportCounts { passed, failed: 0 })) => {
            format!("{passed} passed")
        }
        StepOutcome::Done(DoneStep::Tested(ReportCounts { passed, failed })) => {
            format!("FAILED: {passed} passed, {failed} failed")
        }
    }
}

/// Sums the counts. A step that failed counts as one failed test: the totals must never look better
/// than the exit code.
fn total<'a>(outcomes: impl Iterator<Item = &'a StepOutcome>) -> ReportCounts {
    outcomes.fold(ReportCounts::default(), |mut sum, outcome| {
        match outcome {
            StepOutcome::Failed => sum.failed += 1,
            StepOutcome::Done(DoneStep::Tested(counts)) => {
                sum.passed += counts.passed;
                sum.failed += counts.failed;
            }
            StepOutcome::Done(_) => {}
        }
        sum
    })
}
