//! The way of packets, with loss on each hop.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Mtr,
    about: "Loss and round trips on each hop to a host",
    before: &[],
    program: "/usr/bin/mtr",
    parts: &[
        Words("-n -r -j -c"),
        Value(StepSlot::Count),
        Words("-m 30"),
        Choice(StepSlot::Family, FAMILY_WORDS),
        Value(StepSlot::Target),
    ],
    slots: &[
        needs(StepSlot::Target, ValueKind::Host),
        defaults(StepSlot::Count, ValueKind::Range(1, 10), "5"),
        may(StepSlot::Family, FAMILY),
    ],
    class: RowClass::Look,
    seconds: |step| step.number(StepSlot::Count) * 6 + 6,
    bytes: |step| u64::from(step.number(StepSlot::Count)) * 30 * 2 * 100,
    contacts: |step| to(step, StepSlot::Target, ContactProtocol::Icmp, None),
    parse: mtr::read,
};
