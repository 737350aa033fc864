//! The gate: the one place that decides whether a tool call runs.
//!
//! Everything that could go wrong while it decides ends in [`Verdict::Block`].

use protocol::{BlockedReason, Mode, Origin, OriginSource, Role, Tier};
use serde_json::Value;

use crate::{
    Policy,
    output::clean_line,
    ports::{Assessment, Audience},
    taint::vouched,
    texts,
    tools::KnownTool,
};

/// The facts on which the gate decides.
pub(crate) struct GateQuestion<'a> {
    /// As the model wrote it.
    pub(crate) name: &'a str,
    /// The tool of exactly this name, if there is one.
    pub(crate) tool: Option<&'a KnownTool>,
    /// As the model wrote it, or as a person changed it.
    pub(crate) input: &'a Value,
    /// True if a person may have changed it, and so may have set the tool's switches.
    pub(crate) by_person: bool,
    /// True for a person's own call, false for one of the model.
    pub(crate) own: bool,
    pub(crate) mode: Mode,
    /// The tools that the conversation began with.
    pub(crate) allowed: &'a [String],
    /// True if the conversation began with another definition of this tool.
    pub(crate) redefined: bool,
    /// The current role of the conversation's user; none if it is not known.
    pub(crate) role: Option<Role>,
    /// True while the kill switch is on; none if that is not known.
    pub(crate) kill_switch: Option<bool>,
    /// The tool's assessment of the input; none if there is no tool.
    pub(crate) assessment: Option<&'a Assessment>,
    /// The sources of the values in the input.
    pub(crate) origins: &'a [Origin],
    /// Paths of values that the person's words seem to exclude by nothing but the verb of this call. Only
    /// the sentences of a card depend on it.
    pub(crate) ordered: &'a [String],
    /// True if the conversation has any text from outside.
    pub(crate) has_outside: bool,
    /// True if the model reads an image, which may contain any value.
    pub(crate) has_image: bool,
    /// True if a person has denied this very call since they spoke last.
    pub(crate) denied: bool,
}

/// The gate's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GateVerdict {
    /// The call runs at once, beside others.
    Run,
    /// The call acts: it runs once the actions before it have ended.
    Act,
    /// A person decides. The sentences say why.
    Confirm { risks: Vec<String> },
    /// The call never runs.
    Block {
        reason: BlockedReason,
        /// One sentence for a person and for the model.
        message: String,
    },
}

/// The assessment of a call: the tool's own, with the policy laid over it.
pub(crate) fn assess(tool: &KnownTool, input: &Value, policy: &Policy) -> Assessment {
    let assessment = tool.tool.assess(input);
    let objects = tool.tool.objects(input);
    policy.tighten(&tool.spec.name, &objects, assessment)
}

/// Decides on a call.
pub(crate) fn decide(question: &GateQuestion<'_>) -> GateVerdict {
    // The order is part of the rules. What nothing can allow comes first: mode, tool, frozen set,
    // BLACK, input. Then GREEN runs: reading needs no role, and the kill switch does not stop it.
    // What acts has to pass role, protection and kill switch, where unknown means no. Only what is
    // left is worth a person's attention: no card ever shows a call that could not run.
    match question.mode {
        Mode::Default => {}
        Mode::Plan => {
            return block(BlockedReason::Mode, texts::gate::PLAN_MODE);
        }
        Mode::Unknown => {
            return block(BlockedReason::Mode, texts::gate::MODE_IS_UNKNOWN);
        }
    }
    let tool = question
        .tool
        .filter(|tool| question.own || tool.spec.audience == Audience::Everyone);
    let (Some(tool), Some(assessment)) = (tool, question.assessment) else {
        let name = clean_line(question.name);
        return block(BlockedReason::UnknownTool, texts::gate::no_such_tool(&name));
    };
    if !question.allowed.contains(&tool.spec.name) {
        return block(BlockedReason::NotAllowed, texts::gate::TOOL_IS_NOT_PART);
    }
    if question.redefined {
        return block(BlockedReason::NotAllowed, texts::gate::TOOL_IS_REDEFINED);
    }
    let tier = tier(tool, assessment);
    if tier == Tier::Black {
        return block(BlockedReason::Tier, texts::gate::BLACK_NEVER_RUNS);
    }
    if let Some(message) = misfit(tool, question.input, question.by_person) {
        return block(BlockedReason::InvalidInput, message);
    }
    if let Some(message) = &assessment.refused {
        return block(BlockedReason::InvalidInput, clean_line(message));
    }
    if tier == Tier::Green {
        return GateVerdict::Run;
    }
    match question.role {
        Some(Role::Operator | Role::Admin) => {}
        Some(Role::Viewer | Role::Unknown) => {
            return block(BlockedReason::Role, texts::gate::ROLE_IS_READ_ONLY);
        }
        None => {
            return block(BlockedReason::Role, texts::gate::ROLE_COULD_NOT_BE_READ);
        }
    }
    if let Some(message) = &assessment.protected {
        return block(BlockedReason::Protected, clean_line(message));
    }
    match question.kill_switch {
        Some(false) => {}
        Some(true) => {
            return block(BlockedReason::KillSwitch, texts::gate::KILL_SWITCH_IS_ON);
        }
        None => {
            return block(
                BlockedReason::KillSwitch,
                texts::gate::KILL_SWITCH_COULD_NOT_BE_READ,
            );
        }
    }
    let mut risks: Vec<_> = assessment
        .risks
        .iter()
        .map(|risk| clean_line(risk))
        .collect();
    let open = |origin: &&Origin| !vouched(origin, tool.spec.impact, question.has_outside);
    let open: Vec<&Origin> = question.origins.iter().filter(open).collect();
    // YELLOW acts unasked only if every value is vouched for and the person has not just denied the
    // call.
    if tier == Tier::Yellow && open.is_empty() && !question.denied {
        return GateVerdict::Act;
    }
    if question.denied {
        risks.push(texts::gate::WAS_DENIED_BEFORE.to_owned());
    }
    let risk = |origin| taint_risk(origin, question.has_image);
    let is_doubtful = |origin: &&Origin| !question.ordered.contains(&origin.path);
    risks.extend(open.into_iter().filter(is_doubtful).map(risk));
    GateVerdict::Confirm { risks }
}

/// The tier of this very call: never below the tool's own.
pub(crate) fn tier(tool: &KnownTool, assessment: &Assessment) -> Tier {
    tool.spec.tier.max(assessment.tier)
}

fn taint_risk(origin: &Origin, has_image: bool) -> String {
    let value = clean_line(&origin.value);
    let from = match &origin.source {
        // Nobody but the model knows what an image says.
        OriginSource::Tool { name } if has_image => {
            texts::gate::maybe_in_result_of(&clean_line(name))
        }
        OriginSource::File if has_image => texts::gate::MAYBE_IN_FILE.to_owned(),
        OriginSource::Tool { name } => texts::gate::in_result_of(&clean_line(name)),
        OriginSource::Context => texts::gate::IN_SUMMARY_OF_SYSTEMS.to_owned(),
        OriginSource::File => texts::gate::IN_FILE.to_owned(),
        OriginSource::Plan => texts::gate::IN_PLAN.to_owned(),
        OriginSource::Refusal { name } => texts::gate::when_refused(&clean_line(name)),
        OriginSource::Configuration => texts::gate::ONLY_IN_CONFIGURATION.to_owned(),
        OriginSource::Excluded => {
            return texts::gate::leave_it_alone(&value);
        }
        OriginSource::Model
        | OriginSource::User
        | OriginSource::Person
        | OriginSource::Mapped { .. } => texts::gate::CHOSEN_BY_MODEL.to_owned(),
        OriginSource::Unknown => texts::gate::SOURCE_IS_UNKNOWN.to_owned(),
    };
    texts::gate::is_not_in_your_words(&value, &from)
}

/// The misfit of an input with its schema; none if it fits. Switches that only a person may set are
/// checked apart: the schema that the model knows does not name them.
fn misfit(tool: &KnownTool, input: &Value, by_person: bool) -> Option<String> {
    let mut plain = input.clone();
    if by_person && let Some(fields) = plain.as_object_mut() {
        for choice in &tool.spec.choices {
            match fields.remove(&choice.name) {
                None | Some(Value::Bool(true)) => {}
                Some(_) => return Some(texts::gate::is_true_or_left_out(&choice.name)),
            }
        }
    }
    let problems: Vec<_> = tool
        .validator
        .iter_errors(&plain)
        .take(3)
        .map(|error| {
            let path = error.instance_path().to_string();
            if path.is_empty() {
                error.to_string()
            } else {
                format!("{path}: {error}")
            }
        })
        .collect();
    if problems.is_empty() {
        return None;
    }
    Some(clean_line(&texts::gate::input_is_invalid(
        &problems.join("; "),
    )))
}

fn block(reason: BlockedReason, message: impl Into<String>) -> GateVerdict {
    GateVerdict::Block {
        reason,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests;
