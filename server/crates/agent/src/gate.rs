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
    tools::KnownTool,
};

/// What the gate knows of a call.
pub(crate) struct Question<'a> {
    /// As the model wrote it.
    pub(crate) name: &'a str,
    /// The tool of exactly this name, if there is one.
    pub(crate) tool: Option<&'a KnownTool>,
    /// As the model wrote it, or as a person changed it.
    pub(crate) input: &'a Value,
    /// Whether a person may have changed it, and so may have set the tool's switches.
    pub(crate) by_person: bool,
    /// Whether it is a person's own call, and not one of the model.
    pub(crate) own: bool,
    pub(crate) mode: Mode,
    /// The tools that the conversation began with.
    pub(crate) allowed: &'a [String],
    /// What the person whose conversation it is may do now; none if that is not known.
    pub(crate) role: Option<Role>,
    /// Whether the kill switch is on; none if that is not known.
    pub(crate) kill_switch: Option<bool>,
    /// What the tool makes of the input; none if there is no tool.
    pub(crate) assessment: Option<&'a Assessment>,
    /// Where the values of the input came from.
    pub(crate) origins: &'a [Origin],
    /// Whether the conversation holds any text from outside.
    pub(crate) has_outside: bool,
    /// The model reads an image, in which any value may stand.
    pub(crate) has_image: bool,
    /// Whether a person has denied this very call since they spoke last.
    pub(crate) denied: bool,
}

/// What the gate decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The call runs at once, beside others.
    Run,
    /// The call acts: it runs when those before it that act have ended.
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

/// What counts of a call for the gate: what the tool makes of it, with the policy laid over it.
pub(crate) fn assess(tool: &KnownTool, input: &Value, policy: &Policy) -> Assessment {
    let assessment = tool.tool.assess(input);
    let objects = tool.tool.objects(input);
    policy.tighten(&tool.spec.name, &objects, assessment)
}

/// Decides on a call.
pub(crate) fn decide(question: &Question<'_>) -> Verdict {
    match question.mode {
        Mode::Default => {}
        Mode::Plan => {
            return block(
                BlockedReason::Mode,
                "This conversation is in plan mode: nothing runs.",
            );
        }
        Mode::Unknown => {
            return block(
                BlockedReason::Mode,
                "The conversation's mode is unknown to this server: nothing runs.",
            );
        }
    }
    let tool = question
        .tool
        .filter(|tool| question.own || tool.spec.audience == Audience::Everyone);
    let (Some(tool), Some(assessment)) = (tool, question.assessment) else {
        let name = clean_line(question.name);
        return block(
            BlockedReason::UnknownTool,
            format!("There is no tool named {name:?}."),
        );
    };
    if !question.allowed.contains(&tool.spec.name) {
        return block(
            BlockedReason::NotAllowed,
            "This tool is not part of this conversation.",
        );
    }
    let tier = tier(tool, assessment);
    if tier == Tier::Black {
        return block(
            BlockedReason::Tier,
            "This is BLACK: it never runs from here, whoever asks. It has to be done by hand.",
        );
    }
    if let Some(message) = misfit(tool, question.input, question.by_person) {
        return block(BlockedReason::InvalidInput, message);
    }
    if let Some(message) = &assessment.refused {
        return block(BlockedReason::InvalidInput, clean_line(message));
    }
    if tier == Tier::Green {
        return Verdict::Run;
    }
    match question.role {
        Some(Role::Operator | Role::Admin) => {}
        Some(Role::Viewer | Role::Unknown) => {
            return block(
                BlockedReason::Role,
                "This person may only read: what acts needs an operator.",
            );
        }
        None => {
            return block(
                BlockedReason::Role,
                "The person's role could not be read, so nothing acts.",
            );
        }
    }
    if let Some(message) = &assessment.protected {
        return block(BlockedReason::Protected, clean_line(message));
    }
    match question.kill_switch {
        Some(false) => {}
        Some(true) => {
            return block(
                BlockedReason::KillSwitch,
                "The kill switch is on: only reading is possible until a person lifts it.",
            );
        }
        None => {
            return block(
                BlockedReason::KillSwitch,
                "The state of the kill switch could not be read, so nothing acts.",
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
    if tier == Tier::Yellow && open.is_empty() && !question.denied {
        return Verdict::Act;
    }
    if question.denied {
        risks.push("This very call was denied before, and no message has come since.".to_owned());
    }
    let risk = |origin| taint_risk(origin, question.has_image);
    risks.extend(open.into_iter().map(risk));
    Verdict::Confirm { risks }
}

/// The tier of this very call: never below the tool's own.
pub(crate) fn tier(tool: &KnownTool, assessment: &Assessment) -> Tier {
    tool.spec.tier.max(assessment.tier)
}

fn taint_risk(origin: &Origin, has_image: bool) -> String {
    let value = clean_line(&origin.value);
    let from = match &origin.source {
        // Nobody but the model knows what stands in an image.
        OriginSource::Tool { name } if has_image => {
            format!("it may stand in the result of {}", clean_line(name))
        }
        OriginSource::File if has_image => {
            "it may stand in a file, an image or quoted text".to_owned()
        }
        OriginSource::Tool { name } => format!("it came up in the result of {}", clean_line(name)),
        OriginSource::Context => "it came up in the summary of the systems".to_owned(),
        OriginSource::File => "it came up in a file or in quoted text".to_owned(),
        OriginSource::Plan => "it came up in the plan".to_owned(),
        OriginSource::Refusal { name } => {
            format!("it came up when {} was refused or denied", clean_line(name))
        }
        OriginSource::Configuration => "it only stands in the configuration".to_owned(),
        OriginSource::Excluded => {
            return format!("Your words name {value}, but seem to say to leave it alone.");
        }
        OriginSource::Model
        | OriginSource::User
        | OriginSource::Person
        | OriginSource::Mapped { .. } => "the model chose it".to_owned(),
        OriginSource::Unknown => "its source is unknown".to_owned(),
    };
    format!("{value} is not in your words; {from}.")
}

/// How an input misses its schema, if it does. Switches that only a person may set are looked at
/// apart: the schema that the model knows does not name them.
fn misfit(tool: &KnownTool, input: &Value, by_person: bool) -> Option<String> {
    let mut plain = input.clone();
    if by_person && let Some(fields) = plain.as_object_mut() {
        for choice in &tool.spec.choices {
            match fields.remove(&choice.name) {
                None | Some(Value::Bool(true)) => {}
                Some(_) => return Some(format!("{:?} is either true or left out.", choice.name)),
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
    Some(clean_line(&format!(
        "The input does not fit: {}.",
        problems.join("; ")
    )))
}

fn block(reason: BlockedReason, message: impl Into<String>) -> Verdict {
    Verdict::Block {
        reason,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests;
