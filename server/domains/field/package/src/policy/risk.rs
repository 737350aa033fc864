//! Risk of a script: reasons, their sum, the level and the number of persons it takes.

use serde::{Deserialize, Serialize};

use super::{
    contacts::{ContactFact, ContactPlace, ValueOrigin},
    facts::{ScriptFacts, ScriptForm},
    refusals::{PolicyRefusal, refusals},
    rules::{RiskRule, RuleWeight},
    settings::FieldPolicy,
    surroundings::ScriptSurroundings,
};
use crate::script::ScriptSpan;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    Low,
    Medium,
    High,
}

/// A rule that applies, with the places in the rendered script that it applies to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskFinding {
    pub rule: RiskRule,
    pub weight: RuleWeight,
    pub spans: Vec<ScriptSpan>,
}

/// The judgement of one policy on one script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskReport {
    pub level: RiskLevel,
    /// Sum of the points of all findings, each rule once.
    pub score: u32,
    pub findings: Vec<RiskFinding>,
    /// Not empty: the script is refused, whoever asks.
    pub refusals: Vec<PolicyRefusal>,
    pub policy_version: u32,
    pub policy_hash: String,
}

impl RiskReport {
    pub fn new(facts: &ScriptFacts, around: &ScriptSurroundings, policy: &FieldPolicy) -> Self {
        let findings = findings(facts, around, policy);
        let mut score = 0;
        let mut level = RiskLevel::Low;
        for finding in &findings {
            match finding.weight {
                RuleWeight::Points(points) => score += u32::from(points),
                RuleWeight::High => level = RiskLevel::High,
            }
        }
        // Two forms have a least level that no sum falls below.
        level = level.max(match facts.form {
            ScriptForm::Steps => RiskLevel::Low,
            ScriptForm::Remedy => RiskLevel::Medium,
            ScriptForm::Sh => RiskLevel::High,
        });
        if score >= u32::from(policy.high()) {
            level = RiskLevel::High;
        } else if score >= u32::from(policy.medium()) {
            level = level.max(RiskLevel::Medium);
        }
        Self {
            level,
            score,
            findings,
            refusals: refusals(facts, around, policy),
            policy_version: policy.version(),
            policy_hash: policy.hash(),
        }
    }

    pub fn is_refused(&self) -> bool {
        !self.refusals.is_empty()
    }

    /// Persons who have to agree.
    pub fn persons(&self) -> usize {
        match self.level {
            RiskLevel::Low | RiskLevel::Medium => 1,
            RiskLevel::High => 2,
        }
    }

    /// True if an approval that was given on `approved` still covers this later judgement: it is not
    /// refused, not higher, and has no reason that nobody saw.
    pub fn is_covered_by(&self, approved: &Self) -> bool {
        let seen = |finding: &RiskFinding| {
            let mut before = approved.findings.iter();
            before.any(|it| it.rule == finding.rule && it.weight >= finding.weight)
        };
        !self.is_refused()
            && self.level <= approved.level
            && self.score <= approved.score
            && self.findings.iter().all(seen)
    }
}

fn findings(
    facts: &ScriptFacts,
    around: &ScriptSurroundings,
    policy: &FieldPolicy,
) -> Vec<RiskFinding> {
    let mut found = Vec::new();
    let mut apply = |rule: RiskRule, spans: Vec<ScriptSpan>| {
        if !spans.is_empty() {
            found.push(RiskFinding {
                rule,
                weight: policy.weight(rule),
                spans,
            });
        }
    };
    let whole =
        |applies: bool| -> Vec<ScriptSpan> { applies.then(|| facts.whole()).into_iter().collect() };
    let contacts = |fits: &dyn Fn(&ContactFact) -> bool| -> Vec<ScriptSpan> {
        let fitting = facts.contacts.iter().filter(|it| fits(it));
        fitting.map(|contact| contact.span.clone()).collect()
    };
    apply(RiskRule::FreeText, whole(facts.form == ScriptForm::Sh));
    apply(RiskRule::Remedy, whole(facts.form == ScriptForm::Remedy));
    apply(
        RiskRule::UnaskedDestination,
        contacts(&|it| it.is_unasked() && it.protocol.is_some()),
    );
    apply(
        RiskRule::UnaskedName,
        contacts(&|it| it.is_unasked() && it.protocol.is_none()),
    );
    apply(
        RiskRule::PublicDestination,
        contacts(&|it| {
            it.place == ContactPlace::Public
                && it.origin != ValueOrigin::Configuration
                && it.protocol.is_some()
        }),
    );
    apply(RiskRule::RawSockets, facts.raw.clone());
    let swept: u32 = facts.sweeps.iter().map(|(_, addresses)| addresses).sum();
    let size = match swept {
        0..=32 => RiskRule::SweepSmall,
        33..=254 => RiskRule::SweepMedium,
        _ => RiskRule::SweepLarge,
    };
    apply(
        size,
        facts.sweeps.iter().map(|(span, _)| span.clone()).collect(),
    );
    let test = if around.device.metered {
        RiskRule::LineTestMetered
    } else {
        RiskRule::LineTest
    };
    apply(test, facts.line_tests.clone());
    let long = if facts.seconds > 180 {
        RiskRule::OverThreeMinutes
    } else {
        RiskRule::OverMinute
    };
    apply(long, whole(facts.seconds > 60));
    apply(RiskRule::ManySteps, whole(facts.steps > 10));
    apply(RiskRule::CriticalDevice, whole(around.device.critical));
    apply(RiskRule::FirstRun, whole(around.device.first_run));
    found
}
