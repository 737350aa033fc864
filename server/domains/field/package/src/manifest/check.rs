//! Checks of a manifest's fields, one by one and against each other.

use super::{ENV_NAMES, JobManifest, MANIFEST_VERSION, ManifestForm, NetworkClass, WORKDIR};
use crate::{
    levels::{LevelRefusal, SandboxLevel},
    policy::{RiskLevel, RiskRule},
    script::{FREE_SCRIPT_TYPE, MAX_SECONDS, STEPS_TYPE},
    texts,
};

/// Longest time between issue and expiry, in seconds.
const LONGEST_LIFE: u64 = 7 * 24 * 60 * 60;
/// Highest number: far more than any key signs, and exact in every reader of JSON.
const MAX_SEQUENCE: u64 = 1 << 53;
/// Bytes of a payload at most.
const MAX_PAYLOAD: u64 = 64 * 1024;
/// Seconds above those of all steps, for starts and ends.
const GRACE: u32 = 60;

/// The field that is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestRefusal {
    #[error("{}", texts::documents::bad_field(field))]
    Field { field: &'static str },
    #[error(transparent)]
    Level(#[from] LevelRefusal),
}

impl JobManifest {
    /// # Errors
    /// The first field that is outside its bounds or contradicts another one.
    pub fn check(&self) -> Result<(), ManifestRefusal> {
        let field =
            |holds: bool, field| holds.then_some(()).ok_or(ManifestRefusal::Field { field });
        field(self.v == MANIFEST_VERSION, "v")?;
        field((1..=MAX_SEQUENCE).contains(&self.seq), "seq")?;
        field(self.issued <= self.not_before, "not_before")?;
        let life = self.expires.checked_sub(self.issued);
        field(
            self.not_before < self.expires && life.is_some_and(|it| it <= LONGEST_LIFE),
            "expires",
        )?;
        let claimable = self.not_before..=self.expires;
        field(claimable.contains(&self.claim_until), "claim_until")?;
        field(
            (1..=MAX_SECONDS + GRACE).contains(&self.timeout_s),
            "timeout_s",
        )?;
        field(
            (1..=MAX_PAYLOAD).contains(&self.payload.bytes),
            "payload.bytes",
        )?;
        self.check_form()?;
        field(self.workdir == WORKDIR, "workdir")?;
        if let Some(name) = self.caps.outside().or_else(|| self.net.outside()) {
            return Err(ManifestRefusal::Field { field: name });
        }
        self.sandbox_min.offered()?;
        if self.raw {
            if self.sandbox_min != SandboxLevel::Systemd {
                return Err(LevelRefusal::RawNeedsSystemd.into());
            }
            field(self.form == ManifestForm::Steps, "raw")?;
        }
        self.check_decision()?;
        field(is_name(&self.server), "server")
    }

    fn check_form(&self) -> Result<(), ManifestRefusal> {
        let (interpreter, kind) = match self.form {
            ManifestForm::Steps => (None, STEPS_TYPE),
            ManifestForm::Sh => (Some("/bin/sh"), FREE_SCRIPT_TYPE),
        };
        let free = self.form == ManifestForm::Sh;
        let args = self.args.len() <= 16 && self.args.iter().all(|it| is_name(it));
        let env = self.env.iter().all(|(name, value)| {
            let digits = value.bytes().all(|it| it.is_ascii_digit());
            ENV_NAMES.contains(&name.as_str()) && digits && (1..=4).contains(&value.len())
        });
        for (holds, field) in [
            (self.interpreter.as_deref() == interpreter, "interpreter"),
            (self.payload.kind == kind, "payload.type"),
            (self.args.is_empty() || (free && args), "args"),
            (self.env.is_empty() || (free && env), "env"),
            // Nobody knows where free sh connects to.
            (!free || self.net.class == NetworkClass::Any, "net.class"),
        ] {
            if !holds {
                return Err(ManifestRefusal::Field { field });
            }
        }
        Ok(())
    }

    fn check_decision(&self) -> Result<(), ManifestRefusal> {
        let mut reasons = self.risk.reasons.iter();
        let known = reasons.all(|reason| RiskRule::from_id(&reason.rule).is_some());
        let persons = match self.risk.level {
            RiskLevel::Low | RiskLevel::Medium => 1,
            RiskLevel::High => 2,
        };
        let by = &self.approval.by;
        let named = (persons..=8).contains(&by.len()) && by.iter().all(|it| is_name(it));
        let free = self.form == ManifestForm::Sh;
        for (holds, field) in [
            (known && self.risk.reasons.len() <= 32, "risk.reasons"),
            (!free || self.risk.level == RiskLevel::High, "risk.level"),
            (named, "approval.by"),
            (self.approval.at <= self.issued, "approval.at"),
            (self.policy.version >= 1, "policy.version"),
        ] {
            if !holds {
                return Err(ManifestRefusal::Field { field });
            }
        }
        Ok(())
    }
}

/// One to 253 characters that are all seen.
fn is_name(text: &str) -> bool {
    !text.trim().is_empty()
        && text.chars().count() <= 253
        && !text.chars().any(crate::fields::is_hidden)
}
