//! Echo requests: loss and round trips.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Ping,
    about: "Echo requests to a host; a size is sent in one piece",
    before: &[],
    program: "/usr/bin/ping",
    parts: &[
        Words("-n -c"),
        Value(StepSlot::Count),
        Words("-i 1 -W 2"),
        Choice(StepSlot::Family, FAMILY_WORDS),
        Given("-M do -s", StepSlot::Size),
        Words("--"),
        Value(StepSlot::Target),
    ],
    slots: &[
        needs(StepSlot::Target, ValueKind::Host),
        defaults(StepSlot::Count, ValueKind::Range(1, 20), "4"),
        may(StepSlot::Size, ValueKind::Range(16, 1472)),
        may(StepSlot::Family, FAMILY),
    ],
    class: RowClass::Look,
    seconds: |step| step.number(StepSlot::Count) + 4,
    bytes: |step| {
        u64::from(step.number(StepSlot::Count))
            * 2
            * (u64::from(step.number(StepSlot::Size).max(56)) + 48)
    },
    contacts: |step| to(step, StepSlot::Target, ContactProtocol::Icmp, None),
    parse: ping::read,
};
