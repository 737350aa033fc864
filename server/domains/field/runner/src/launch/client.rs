//! The runner's way to the launcher.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::PathBuf,
    time::Duration,
};

use super::ask::{LaunchAnswer, LaunchAsk, MOST_LINE};
use crate::error::RunnerError;

/// Longest time for an answer: probes start sandboxes.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client of the socket. Each request is a connection of its own, so that nothing is out of step.
#[derive(Debug, Clone)]
pub struct LauncherClient {
    socket: PathBuf,
}

impl LauncherClient {
    pub fn new(socket: PathBuf) -> Self {
        Self { socket }
    }

    /// Asks, and waits for the answer. A refusal is an error.
    ///
    /// # Errors
    /// If the launcher refuses, or does not answer.
    pub fn ask(&self, ask: &LaunchAsk) -> Result<LaunchAnswer, RunnerError> {
        match self
            .exchange(ask)
            .map_err(|error| RunnerError::Launcher(error.to_string()))?
        {
            LaunchAnswer::Refused { code, message } => Err(RunnerError::Refused { code, message }),
            answer => Ok(answer),
        }
    }

    fn exchange(&self, ask: &LaunchAsk) -> std::io::Result<LaunchAnswer> {
        let mut stream = UnixStream::connect(&self.socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut line = serde_json::to_vec(ask)?;
        line.push(b'\n');
        stream.write_all(&line)?;
        let mut answer = Vec::new();
        BufReader::new(stream)
            .take(MOST_LINE)
            .read_until(b'\n', &mut answer)?;
        Ok(serde_json::from_slice(&answer)?)
    }
}
