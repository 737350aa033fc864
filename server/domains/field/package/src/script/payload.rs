//! Steps as the bytes that a package carries.

use serde::{Deserialize, Serialize};

use super::{ProbeScript, ScriptRefusal};
use crate::{
    steps::ProbeStep,
    strict::{self, StrictError},
};

/// Type of a payload that is a list of steps.
pub const STEPS_TYPE: &str = "application/vnd.jarvis.steps+json";
/// Largest list of steps in bytes.
const MAX_PAYLOAD: usize = 32 * 1024;

/// A list of steps in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepsPayload {
    pub steps: Vec<ProbeStep>,
    pub stop_on_failure: bool,
}

impl StepsPayload {
    /// The bytes of a script, which are the same for the same script.
    pub fn bytes(script: &ProbeScript) -> Vec<u8> {
        strict::write(&Self {
            steps: script.steps().iter().map(|it| it.step().clone()).collect(),
            stop_on_failure: script.stops_on_failure(),
        })
    }

    /// Reads a script. Values that its rows would fill in have to be there: what was signed is whole.
    ///
    /// # Errors
    /// If it is not the one form of its JSON, or no script.
    pub fn read(bytes: &[u8]) -> Result<ProbeScript, PayloadError> {
        let payload: Self = strict::read(bytes, MAX_PAYLOAD)?;
        let script = ProbeScript::new(&payload.steps, payload.stop_on_failure)?;
        if Self::bytes(&script) != bytes {
            return Err(PayloadError::Form(StrictError::Form));
        }
        Ok(script)
    }
}

/// Reason that bytes are no script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadError {
    #[error(transparent)]
    Form(#[from] StrictError),
    #[error(transparent)]
    Script(#[from] ScriptRefusal),
}
