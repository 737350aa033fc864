//! The gate's judgement of a call, with all that the conversation knows of it.

use std::{
    borrow::Cow,
    panic::{self, AssertUnwindSafe},
};

use protocol::{Origin, OriginSource, Role, Tier};
use serde_json::{Value, json};

use super::{Moment, undecided};
use crate::{
    gate::{self, GateQuestion, GateVerdict},
    machine::Call,
    output,
    ports::{Assessment, Impact},
    taint::{verb_of, vouched},
    texts,
};

/// The verdict of the gate on a call, with all that it looked at.
pub(super) struct Judgement {
    pub(super) verdict: GateVerdict,
    /// None for a tool that does not exist.
    pub(super) tier: Option<Tier>,
    pub(super) target: Option<String>,
    pub(super) origins: Vec<Origin>,
    /// Paths of values for which the person orders just this, with a verb that could also mean to leave
    /// them alone.
    pub(super) ordered: Vec<String>,
    /// The facts that the gate used and no event has, for the audit chain: a replay under another
    /// policy needs them.
    pub(super) facts: Value,
}

impl Judgement {
    /// The sources of the values, as a card shows them.
    pub(super) fn shown_origins(&self) -> Vec<Origin> {
        let mut origins = self.origins.clone();
        let ordered = |origin: &&mut Origin| self.ordered.contains(&origin.path);
        for origin in origins.iter_mut().filter(ordered) {
            origin.source = OriginSource::User;
        }
        origins
    }
}

impl Moment<'_> {
    /// Asks the gate. Whatever goes wrong while it decides ends in a refusal.
    pub(super) fn judgement(&self, call: &Call, input: &Value, by_person: bool) -> Judgement {
        let facts = self.facts;
        let tool = self.facts.tools.get(&call.name);
        let tool = tool.as_deref();
        // Code of the toolset runs in here (`assess`, `objects`, `target`), so a panic in it is a
        // refusal too, like every other error while the gate decides.
        let decided = panic::catch_unwind(AssertUnwindSafe(|| {
            let policy = self.policy();
            let assessment = tool.map(|tool| {
                let assessment = gate::assess(tool, input, policy);
                if call.relayed {
                    asked_for(gate::tier(tool, &assessment), assessment)
                } else {
                    assessment
                }
            });
            let impact = tool.map(|tool| tool.spec.impact).unwrap_or_default();
            let origins = assessment.as_ref().map_or_else(Vec::new, |assessment| {
                self.origins(call, assessment, input, impact)
            });
            let frozen = self.conversation.frozen();
            // The rules of a run take tools away from conversations that have them, and from what a
            // program relays: that is a model's.
            let is_of_person = call.own && !call.relayed;
            let allowed = if is_of_person {
                Cow::Borrowed(&*frozen.allowed)
            } else {
                facts.live.config.run.narrowed(&frozen.allowed)
            };
            let heard = self.conversation.heard();
            let has_outside = heard.has_outside();
            let denied = self.is_denied(call, input);
            let ordered = match (tool, &assessment) {
                // Below RED, the doubt is why a card asks at all.
                (Some(tool), Some(assessment)) if gate::tier(tool, assessment) == Tier::Red => {
                    self.ordered(&tool.spec.name, assessment, &origins)
                }
                _ => Vec::new(),
            };
            let verdict = gate::decide(&GateQuestion {
                name: &call.name,
                tool,
                input,
                by_person,
                own: is_of_person,
                mode: frozen.mode,
                allowed: &allowed,
                redefined: tool.is_some_and(|tool| {
                    frozen.is_redefined(&tool.spec.name, tool.digest.as_deref())
                }),
                role: facts.role,
                kill_switch: facts.kill_switch,
                assessment: assessment.as_ref(),
                origins: &origins,
                ordered: &ordered,
                has_outside,
                has_image: heard.has_image(),
                denied,
            });
            // Of a relayed call nothing is vouched for, even if it has no values.
            let is_open = |origin: &Origin| !vouched(origin, impact, has_outside);
            let tainted = call.relayed || origins.iter().any(is_open);
            let mut tier = tool
                .zip(assessment.as_ref())
                .map(|(tool, assessment)| gate::tier(tool, assessment));
            // What a person is asked is RED for them and for the records, whatever the tool's own
            // tier.
            if matches!(verdict, GateVerdict::Confirm { .. }) {
                tier = tier.map(|tier| tier.max(Tier::Red));
            }
            // A blocked input may not even fit the schema, so the tool is not asked about it.
            let target = match (&verdict, tool) {
                (GateVerdict::Block { .. }, _) | (_, None) => None,
                (_, Some(tool)) => tool.tool.target(input),
            };
            Judgement {
                verdict,
                tier,
                target: target.as_deref().map(output::clean_line),
                facts: json!({
                    "role": facts.role.map(Role::word),
                    "tainted": tainted,
                    "denied": denied,
                    "by_person": by_person,
                }),
                origins,
                ordered,
            }
        }));
        decided.unwrap_or_else(|_panic| {
            let (reason, message) = undecided();
            Judgement {
                verdict: GateVerdict::Block { reason, message },
                tier: tool.map(|tool| tool.spec.tier),
                target: None,
                origins: Vec::new(),
                ordered: Vec::new(),
                facts: Value::Null,
            }
        })
    }

    /// The paths of the excluded values for which the person orders just what a tool does.
    fn ordered(&self, tool: &str, assessment: &Assessment, origins: &[Origin]) -> Vec<String> {
        let Some(verb) = verb_of(tool) else {
            return Vec::new();
        };
        let heard = self.conversation.heard();
        let is_excluded = |path: &str| {
            let mut excluded = origins
                .iter()
                .filter(|origin| origin.source == OriginSource::Excluded);
            excluded.any(|origin| origin.path == path)
        };
        let values = assessment.values.iter();
        let ordered = values.filter(|it| is_excluded(&it.path) && heard.is_ordered(it, verb));
        ordered.map(|value| value.path.clone()).collect()
    }

    /// The sources of the values of an input; a value that a person changed is the person's.
    fn origins(
        &self,
        call: &Call,
        assessment: &Assessment,
        input: &Value,
        impact: Impact,
    ) -> Vec<Origin> {
        // A person vouches for everything in a call of their own, and for nothing in one that a program
        // relays.
        let by_person = |path: &str| {
            let is_of_person = call.own && !call.relayed;
            is_of_person || input.pointer(path) != call.input.pointer(path)
        };
        let values = &assessment.values;
        let set: Vec<String> = values
            .iter()
            .filter(|value| by_person(&value.path))
            .map(|value| value.text.clone())
            .collect();
        let mut origins = self.conversation.heard().origins(values, &set, impact);
        for origin in origins.iter_mut().filter(|origin| by_person(&origin.path)) {
            origin.source = OriginSource::Person;
        }
        origins
    }
}

/// The assessment of a call that a program relays: a person is asked before it acts, whatever its values
/// are. The tier is the one without that.
fn asked_for(tier: Tier, assessment: Assessment) -> Assessment {
    if tier < Tier::Yellow {
        return assessment;
    }
    let mut risks = assessment.risks;
    risks.push(texts::gate::RELAYED_BY_PROGRAM.to_owned());
    Assessment {
        tier: tier.max(Tier::Red),
        risks,
        ..assessment
    }
}
