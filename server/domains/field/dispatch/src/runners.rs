//! The check of the program that asks.

use crate::agents::RunnerVersion;
use crate::dispatch::Dispatch;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::texts::devices as texts;

impl Dispatch {
    /// Checks the program that asks, by its header `user-agent`.
    ///
    /// # Errors
    /// [`RefusalClass::Outdated`] for a runner that is too old.
    pub fn check_agent(&self, agent: &str) -> Result<(), DispatchRefusal> {
        let oldest = self.0.settings.oldest_runner;
        let Some((oldest, version)) = oldest.zip(RunnerVersion::of_agent(agent)) else {
            return Ok(());
        };
        if version >= oldest {
            return Ok(());
        }
        let message = texts::runner_too_old(&oldest.to_string());
        let class = RefusalClass::Outdated;
        Err(DispatchRefusal::new(
            class,
            "runner_too_old",
            message,
            texts::RUNNER_HELP,
        ))
    }
}
