//! Replay: the decisions of another policy on recorded calls. The gate itself is asked twice, and
//! nothing is done.
//!
//! A record says what was called and what the gate knew then; older ones say less. A missing fact
//! is tried both ways: if the answer depends on it, it is unknown, and the reason is given.

use std::{
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
};

use protocol::{Mode, Origin, OriginSource, Role, Timestamp};
use serde_json::Value;

use crate::{
    Engine, Policy,
    gate::{self, GateQuestion, GateVerdict},
    output::clean_line,
    ports::ToolSpec,
    texts,
    tools::{KnownTool, Tools},
};

/// The most differences that are listed; the rest is counted.
const SHOWN: usize = 200;

/// A recorded call.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    pub at: Timestamp,
    pub tool: String,
    pub input: Value,
    pub target: Option<String>,
    /// True if a person may have set the tool's switches in the input.
    pub by_person: bool,
    /// The user's role at the time; none if it was not recorded.
    pub role: Option<Role>,
    /// True if a value came out of untrusted text; none if that was not recorded.
    pub tainted: Option<bool>,
    /// True if it was asked for again because a person had just denied it.
    pub denied: bool,
    /// True if its card said that it cannot be undone; none if there was no card.
    pub irreversible: Option<bool>,
    /// True if it ran under a standing grant.
    pub granted: bool,
}

/// The gate's answer to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReplayOutcome {
    Runs,
    Acts,
    /// A standing grant takes the place of a decision.
    Granted,
    Asked,
    /// Another person than the one who asked decides.
    AskedOfTwo,
    Blocked,
}

impl ReplayOutcome {
    /// The outcome in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Acts => texts::replay::RUNS_PROMINENTLY_RECORDED,
            Self::Granted => texts::replay::RUNS_UNDER_GRANT,
            Self::Asked => texts::replay::ASKED_FOR,
            Self::AskedOfTwo => texts::replay::ASKED_FOR_TWO_PERSONS,
            Self::Blocked => "blocked",
        }
    }
}

/// One call on which the policies differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub at: Timestamp,
    pub tool: String,
    pub target: Option<String>,
    pub was: ReplayOutcome,
    pub would: ReplayOutcome,
}

/// The result of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replay {
    /// Calls that were judged.
    pub calls: usize,
    pub same: usize,
    /// The number of calls for each change, from and to.
    pub changed: BTreeMap<(ReplayOutcome, ReplayOutcome), usize>,
    /// The newest changes.
    pub differences: Vec<Difference>,
    /// The number of calls that cannot be judged, by the reason.
    pub unknown: BTreeMap<&'static str, usize>,
    /// True if the time was up before all were judged.
    pub cut: bool,
}

/// The facts that a record may lack.
#[derive(Clone, Copy)]
struct ReplayFacts {
    role: Role,
    tainted: bool,
    denied: bool,
    irreversible: bool,
    /// True if a grant still covers the call under the proposed policy.
    holds: bool,
}

impl Engine {
    /// All tools, in their order.
    pub fn tools(&self) -> Vec<ToolSpec> {
        let tools = self.shared.tools.iter();
        tools.map(|tool| tool.spec.clone()).collect()
    }

    /// Returns the same by toolset, in its order.
    pub fn tools_by_toolset(&self) -> Vec<(&'static str, Vec<ToolSpec>)> {
        let mut found: Vec<(&'static str, Vec<ToolSpec>)> = Vec::new();
        for tool in self.shared.tools.iter() {
            let spec = tool.spec.clone();
            match found.iter_mut().find(|(name, _)| *name == tool.toolset) {
                Some((_, specs)) => specs.push(spec),
                None => found.push((tool.toolset, vec![spec])),
            }
        }
        found
    }

    /// Asks the gate about recorded calls, under two policies. `goes_on` returns true while there
    /// is time for another call. It takes a processor as long as it runs.
    pub fn replay(
        &self,
        calls: &[Recorded],
        current: &Policy,
        proposed: &Policy,
        goes_on: impl FnMut() -> bool,
    ) -> Replay {
        replay(&self.shared.tools, calls, current, proposed, goes_on)
    }
}

fn replay(
    tools: &Tools,
    calls: &[Recorded],
    current: &Policy,
    proposed: &Policy,
    mut goes_on: impl FnMut() -> bool,
) -> Replay {
    let mut sum = Replay::default();
    for call in calls {
        if !goes_on() {
            sum.cut = true;
            break;
        }
        sum.calls += 1;
        let judged =
            panic::catch_unwind(AssertUnwindSafe(|| judge(tools, call, current, proposed)));
        match judged.unwrap_or(Err(texts::replay::GATE_COULD_NOT_DECIDE)) {
            Ok((was, would)) if was == would => sum.same += 1,
            Ok((was, would)) => {
                *sum.changed.entry((was, would)).or_default() += 1;
                if sum.differences.len() < SHOWN {
                    sum.differences.push(Difference {
                        at: call.at,
                        tool: clean_line(&call.tool),
                        target: call.target.as_deref().map(clean_line),
                        was,
                        would,
                    });
                }
            }
            Err(why) => *sum.unknown.entry(why).or_default() += 1,
        }
    }
    sum
}

/// The outcomes under both policies, or the reason why they are not known.
fn judge(
    tools: &Tools,
    call: &Recorded,
    current: &Policy,
    proposed: &Policy,
) -> Result<(ReplayOutcome, ReplayOutcome), &'static str> {
    let tool = tools.get(&call.tool);
    let tool = tool.as_deref();
    let both = |facts: ReplayFacts| {
        let was = outcome(
            tool,
            call,
            current,
            ReplayFacts {
                holds: true,
                ..facts
            },
        );
        (was, outcome(tool, call, proposed, facts))
    };
    let (old, new) = (current.grants.limit(), proposed.grants.limit());
    let shorter = new.uses < old.uses || new.minutes < old.minutes;
    let known = ReplayFacts {
        role: call.role.unwrap_or(Role::Operator),
        tainted: call.tainted.unwrap_or(false),
        denied: call.denied,
        irreversible: call.irreversible.unwrap_or(false),
        holds: true,
    };
    // A missing fact must not be guessed: if the other value changes the comparison, the call
    // counts as unknown. Each is tried alone and then all together, since only several at once may
    // make a difference.
    // Each missing fact, the other way.
    let missing = [
        (
            call.role.is_none(),
            ReplayFacts {
                role: Role::Viewer,
                ..known
            },
            texts::replay::ROLE_NOT_ON_RECORD,
        ),
        (
            call.tainted.is_none(),
            ReplayFacts {
                tainted: true,
                ..known
            },
            texts::replay::VALUES_NOT_ON_RECORD,
        ),
        (
            call.irreversible.is_none(),
            ReplayFacts {
                irreversible: true,
                ..known
            },
            texts::replay::REVERSIBILITY_NOT_ON_RECORD,
        ),
        (
            call.granted && shorter,
            ReplayFacts {
                holds: false,
                ..known
            },
            texts::replay::AGE_OF_GRANT_NOT_ON_RECORD,
        ),
    ];
    let plain = both(known);
    let mut worst = known;
    for (is_missing, other, why) in missing {
        if !is_missing {
            continue;
        }
        worst = ReplayFacts {
            denied: worst.denied,
            role: worst.role.min(other.role),
            tainted: worst.tainted || other.tainted,
            irreversible: worst.irreversible || other.irreversible,
            holds: worst.holds && other.holds,
        };
        // Another value may change both outcomes alike: then the policies still agree on the call.
        let answer = both(other);
        if answer != plain && (answer.0 != answer.1 || plain.0 != plain.1) {
            return Err(why);
        }
    }
    let answer = both(worst);
    if answer != plain && (answer.0 != answer.1 || plain.0 != plain.1) {
        return Err(texts::replay::SEVERAL_FACTS_NOT_ON_RECORD);
    }
    Ok(plain)
}

fn outcome(
    tool: Option<&KnownTool>,
    call: &Recorded,
    policy: &Policy,
    facts: ReplayFacts,
) -> ReplayOutcome {
    let assessment = tool.map(|tool| gate::assess(tool, &call.input, policy));
    let origins = if facts.tainted {
        vec![Origin {
            path: String::new(),
            value: String::new(),
            source: OriginSource::Unknown,
        }]
    } else {
        Vec::new()
    };
    let verdict = gate::decide(&GateQuestion {
        name: &call.tool,
        tool,
        input: &call.input,
        by_person: call.by_person,
        // The record does not say who made the call; people's own tools must be known here too.
        own: true,
        mode: Mode::Default,
        allowed: std::slice::from_ref(&call.tool),
        redefined: false,
        role: Some(facts.role),
        kill_switch: Some(false),
        assessment: assessment.as_ref(),
        origins: &origins,
        ordered: &[],
        has_outside: true,
        has_image: false,
        denied: facts.denied,
    });
    let second = tool.is_some_and(|tool| {
        let unsafe_tool = tool.spec.recovery == crate::ports::Recovery::Unsafe;
        policy
            .second(&tool.spec, facts.irreversible || unsafe_tool)
            .is_some()
    });
    match verdict {
        GateVerdict::Run => ReplayOutcome::Runs,
        GateVerdict::Act => ReplayOutcome::Acts,
        GateVerdict::Block { .. } => ReplayOutcome::Blocked,
        GateVerdict::Confirm { .. } if second => ReplayOutcome::AskedOfTwo,
        GateVerdict::Confirm { .. } if call.granted && policy.grants.allowed && facts.holds => {
            ReplayOutcome::Granted
        }
        GateVerdict::Confirm { .. } => ReplayOutcome::Asked,
    }
}

#[cfg(test)]
mod tests;
