//! The check of a step against its row.

use super::{ContactTarget, ProbeStep, StepContact, StepRow, StepSlot, row, row::SlotNeed};
use crate::{fields::StepFields, readers::ReadError, texts, values::host};

/// A step that its row takes, with the row's defaults filled in.
#[derive(Debug, Clone)]
pub struct AcceptedStep {
    step: ProbeStep,
    row: &'static StepRow,
}

/// Reason that a step is not possible, with the form of its row. It quotes values with control
/// characters escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepRefusal {
    #[error("{}", texts::steps::not_taken(row, slot.word(), form))]
    NotTaken {
        row: &'static str,
        slot: StepSlot,
        form: String,
    },
    #[error("{}", texts::steps::missing(row, slot.word(), form))]
    Missing {
        row: &'static str,
        slot: StepSlot,
        form: String,
    },
    #[error("{}", texts::steps::value(row, slot.word(), value, form))]
    Value {
        row: &'static str,
        slot: StepSlot,
        value: String,
        form: String,
    },
}

/// Checks a step, and fills in the defaults of its row.
///
/// # Errors
/// A slot that the row does not take, one that it needs, or a value outside the row's bounds.
pub fn accept(step: &ProbeStep) -> Result<AcceptedStep, StepRefusal> {
    let row = row(step.run);
    let mut accepted = ProbeStep::new(step.run);
    for slot in StepSlot::ALL.iter().copied() {
        let given = step.value(slot);
        let rule = row.slots.iter().find(|rule| rule.slot == slot);
        let (rule, text) = match (rule, given) {
            (None, None) => continue,
            (None, Some(_)) => {
                return Err(StepRefusal::NotTaken {
                    row: row.name.word(),
                    slot,
                    form: row.form(),
                });
            }
            (Some(rule), Some(text)) => (rule, text),
            (Some(rule), None) => match rule.need {
                SlotNeed::Optional => continue,
                SlotNeed::Default(text) => (rule, text.to_owned()),
                SlotNeed::Required => {
                    return Err(StepRefusal::Missing {
                        row: row.name.word(),
                        slot,
                        form: row.form(),
                    });
                }
            },
        };
        if !rule.kind.accepts(&text) {
            return Err(StepRefusal::Value {
                row: row.name.word(),
                slot,
                value: text,
                form: row.form(),
            });
        }
        accepted = accepted.with(slot, &text);
    }
    Ok(AcceptedStep {
        step: accepted,
        row,
    })
}

impl AcceptedStep {
    /// The step with all defaults of its row, which is what is approved and signed.
    pub fn step(&self) -> &ProbeStep {
        &self.step
    }

    pub fn row(&self) -> &'static StepRow {
        self.row
    }

    /// Longest run in seconds.
    pub fn seconds(&self) -> u32 {
        (self.row.seconds)(self)
    }

    /// Bytes on the network at most, both ways.
    pub fn bytes(&self) -> u64 {
        (self.row.bytes)(self)
    }

    pub fn contacts(&self) -> Vec<StepContact> {
        (self.row.contacts)(self)
    }

    /// Reads the standard output of the program.
    ///
    /// # Errors
    /// If it has not the form that the program documents.
    pub fn parse(&self, output: &str) -> Result<StepFields, ReadError> {
        (self.row.parse)(output)
    }

    /// A number, 0 if the slot is empty.
    pub(super) fn number(&self, slot: StepSlot) -> u32 {
        let text = self.step.value(slot);
        text.and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// The host in a slot.
    pub(super) fn host(&self, slot: StepSlot) -> Option<ContactTarget> {
        let text = self.step.value(slot)?;
        host(&text).map(ContactTarget::from)
    }
}

impl PartialEq for AcceptedStep {
    fn eq(&self, other: &Self) -> bool {
        self.step == other.step
    }
}

impl Eq for AcceptedStep {}
