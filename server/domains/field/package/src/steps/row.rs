//! The shape of a row: program, words, slots with their bounds, and costs.

use super::{AcceptedStep, RowName, StepContact, StepSlot};
use crate::{fields::StepFields, readers::ReadError, values::ValueKind};

/// Sandbox that a row needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowClass {
    /// Reads the device's own state and sends nothing.
    Collector,
    /// Sends what every program may send.
    Look,
    /// Needs packet sockets (`CAP_NET_RAW`).
    Raw,
}

/// A row of the table.
pub struct StepRow {
    pub name: RowName,
    /// The meaning, for the comment beside the command and for the forms. Without a full stop.
    pub about: &'static str,
    /// Words in front of the program, which start it under a limit.
    pub(super) before: &'static [RowPart],
    /// Absolute path.
    pub program: &'static str,
    pub(super) parts: &'static [RowPart],
    pub(super) slots: &'static [SlotRule],
    pub class: RowClass,
    /// Longest run in seconds, after which the step is ended.
    pub seconds: fn(&AcceptedStep) -> u32,
    /// Bytes on the network at most, both ways.
    pub bytes: fn(&AcceptedStep) -> u64,
    pub contacts: fn(&AcceptedStep) -> Vec<StepContact>,
    /// Reads the standard output of the program.
    pub parse: fn(&str) -> Result<StepFields, ReadError>,
}

/// A part of the words of a command, in their order.
pub(super) enum RowPart {
    /// Words with a space between two of them.
    Words(&'static str),
    /// One word, which may hold spaces.
    Word(&'static str),
    /// The value of a slot that has one.
    Value(StepSlot),
    /// Words with a space between two of them and the value, if the slot has one.
    Given(&'static str, StepSlot),
    /// One word of a prefix and the value, if the slot has one.
    Joined(&'static str, StepSlot),
    /// Words for each value of the slot.
    Choice(StepSlot, &'static [SlotChoice]),
}

/// The words for one value of a slot.
pub(super) struct SlotChoice {
    pub(super) value: &'static str,
    pub(super) words: &'static [&'static str],
}

/// A slot that a row takes.
pub(super) struct SlotRule {
    pub(super) slot: StepSlot,
    pub(super) kind: ValueKind,
    pub(super) need: SlotNeed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotNeed {
    Required,
    Optional,
    /// Used when the step has no value.
    Default(&'static str),
}

impl StepRow {
    /// The program's name without its folder.
    pub fn program_name(&self) -> &'static str {
        self.program.rsplit('/').next().unwrap_or(self.program)
    }

    /// The form that a refusal shows, such as `ping target [count 1..20, else 4]`.
    pub fn form(&self) -> String {
        let mut form = self.name.word().to_owned();
        for rule in self.slots {
            let bounds = match rule.kind {
                ValueKind::Range(min, max) => format!(" {min}..{max}"),
                ValueKind::OneOf(options) => format!(" {}", options.join("|")),
                ValueKind::Host
                | ValueKind::Address
                | ValueKind::QueryName
                | ValueKind::Interface
                | ValueKind::Url
                | ValueKind::Network => String::new(),
            };
            let slot = rule.slot.word();
            form.push_str(&match rule.need {
                SlotNeed::Required => format!(" {slot}{bounds}"),
                SlotNeed::Optional => format!(" [{slot}{bounds}]"),
                SlotNeed::Default(value) => format!(" [{slot}{bounds}, else {value}]"),
            });
        }
        form
    }
}

impl std::fmt::Debug for StepRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("StepRow").field(&self.name).finish()
    }
}
