//! Scripts: lists of typed steps, and free sh that a person wrote.

mod free;
mod payload;
mod read;
mod render;

use std::ops::Range;

pub use self::{
    free::{FREE_SCRIPT_TYPE, FreeScript, FreeScriptRefusal},
    payload::{PayloadError, STEPS_TYPE, StepsPayload},
    render::{RenderedScript, RenderedStep},
};

use crate::{
    steps::{AcceptedStep, ProbeStep, StepRefusal, accept},
    texts,
};

/// Steps of a script at most.
pub const MAX_STEPS: usize = 20;
/// Seconds that all steps of a script may take together.
pub const MAX_SECONDS: u32 = 900;

/// A list of steps that their rows take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeScript {
    steps: Vec<AcceptedStep>,
    stop_on_failure: bool,
}

/// Reason that a list of steps is no script. Steps and lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptRefusal {
    #[error("{}", texts::scripts::count(*steps, MAX_STEPS))]
    Count { steps: usize },
    #[error("{}", texts::scripts::step(*at, &refusal.to_string()))]
    Step { at: usize, refusal: StepRefusal },
    #[error("{}", texts::scripts::seconds(*seconds, MAX_SECONDS))]
    Seconds { seconds: u32 },
    #[error("{}", texts::scripts::line(*at))]
    Line { at: usize },
}

/// A range of bytes in a rendered script.
pub type ScriptSpan = Range<usize>;

impl ProbeScript {
    /// Checks all steps against their rows.
    ///
    /// # Errors
    /// If a row refuses its step, or if there are no steps, too many, or too long ones.
    pub fn new(steps: &[ProbeStep], stop_on_failure: bool) -> Result<Self, ScriptRefusal> {
        let mut accepted = Vec::with_capacity(steps.len());
        for (at, step) in steps.iter().enumerate() {
            let step = accept(step);
            accepted.push(step.map_err(|refusal| ScriptRefusal::Step {
                at: at + 1,
                refusal,
            })?);
        }
        Self::of(accepted, stop_on_failure)
    }

    fn of(steps: Vec<AcceptedStep>, stop_on_failure: bool) -> Result<Self, ScriptRefusal> {
        if !(1..=MAX_STEPS).contains(&steps.len()) {
            return Err(ScriptRefusal::Count { steps: steps.len() });
        }
        let script = Self {
            steps,
            stop_on_failure,
        };
        let seconds = script.seconds();
        if seconds > MAX_SECONDS {
            return Err(ScriptRefusal::Seconds { seconds });
        }
        Ok(script)
    }

    pub fn steps(&self) -> &[AcceptedStep] {
        &self.steps
    }

    /// True if a step that fails ends the script.
    pub fn stops_on_failure(&self) -> bool {
        self.stop_on_failure
    }

    /// Longest run of all steps together, in seconds.
    pub fn seconds(&self) -> u32 {
        self.steps.iter().map(AcceptedStep::seconds).sum()
    }

    /// Bytes on the network at most.
    pub fn bytes(&self) -> u64 {
        self.steps.iter().map(AcceptedStep::bytes).sum()
    }

    /// The script as sh, for people.
    pub fn render(&self) -> RenderedScript {
        render::render(self)
    }

    /// The script of a rendered text. Comments and empty lines do not count.
    ///
    /// # Errors
    /// If a line is anything but a step as [`Self::render`] writes it.
    pub fn parse(text: &str) -> Result<Self, ScriptRefusal> {
        read::parse(text)
    }
}

#[cfg(test)]
mod tests;
