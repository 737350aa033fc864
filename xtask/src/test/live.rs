//! `cargo xtask test live`: a small suite against the real API of the model's vendor.

use std::process::ExitCode;

use anyhow::Result;

use super::counted;
use crate::report::{DoneStep, TestReport};
use crate::texts;
use crate::workspace::Workspace;

/// The consent to requests that cost money.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LiveCost {
    Refused,
    Allowed,
}

/// Runs the suite if there are a key and consent, and otherwise says loudly that it did not.
pub(crate) fn live(workspace: &Workspace, cost: LiveCost) -> Result<ExitCode> {
    let mut report = TestReport::start();
    report.step("the vendor's real API", || {
        let has_key = std::env::var("ANTHROPIC_API_KEY").is_ok_and(|key| !key.trim().is_empty());
        if let Some(lack) = lack(has_key, cost) {
            eprintln!("{}", texts::real_api_skipped(lack));
            return Ok(DoneStep::Skipped(lack.to_owned()));
        }
        let mut command = workspace.cargo("test");
        command.args(["--package", "model", "--test", "live"]);
        command.args(["--", "--ignored", "--nocapture"]);
        counted(command.env("JARVIS_LIVE", "1"))
    });
    Ok(if report.finish() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn lack(has_key: bool, cost: LiveCost) -> Option<&'static str> {
    if !has_key {
        Some(texts::NO_KEY)
    } else if cost == LiveCost::Refused {
        Some(texts::COSTS_MONEY)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_without_a_key_and_consent() {
        assert!(lack(false, LiveCost::Refused).is_some());
        assert!(lack(false, LiveCost::Allowed).is_some());
        assert!(lack(true, LiveCost::Refused).is_some());
        assert_eq!(lack(true, LiveCost::Allowed), None);
    }
}
