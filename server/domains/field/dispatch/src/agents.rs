//! Versions of runners, as devices name them in each request.

use std::fmt;

/// Version of a runner: three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunnerVersion(pub u32, pub u32, pub u32);

impl RunnerVersion {
    /// Reads `jarvis-runner/1.2.3`, with anything behind a space or a dash. None for other programs,
    /// the simulated fleet among them: they are as new as the server.
    pub fn of_agent(agent: &str) -> Option<Self> {
        let rest = agent.strip_prefix("jarvis-runner/")?;
        let word = rest.split([' ', '-', '+']).next()?;
        let numbers: Option<Vec<u32>> = word.split('.').map(|it| it.parse().ok()).collect();
        match numbers?.as_slice() {
            [major, minor, patch] => Some(Self(*major, *minor, *patch)),
            _ => None,
        }
    }
}

impl fmt::Display for RunnerVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::RunnerVersion;

    #[test]
    fn versions_are_read_and_compared_as_numbers() {
        let read = RunnerVersion::of_agent;
        assert_eq!(read("jarvis-runner/1.10.2"), Some(RunnerVersion(1, 10, 2)));
        assert_eq!(
            read("jarvis-runner/0.1.0-rc.1 (arm64)"),
            Some(RunnerVersion(0, 1, 0))
        );
        assert!(read("jarvis-runner/1.10.0") > read("jarvis-runner/1.9.9"));
        for agent in [
            "jarvis-simfleet/0.1.0 (simulated)",
            "curl/8",
            "jarvis-runner/1.2",
            "",
        ] {
            assert_eq!(read(agent), None, "{agent}");
        }
    }
}
