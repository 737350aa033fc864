//! A pause between two steps.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Wait,
    about: "Waits",
    before: &[],
    program: "/usr/bin/sleep",
    parts: &[Value(StepSlot::Seconds)],
    slots: &[needs(StepSlot::Seconds, ValueKind::Range(1, 60))],
    class: RowClass::Look,
    seconds: |step| step.number(StepSlot::Seconds) + 1,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: nothing,
};
