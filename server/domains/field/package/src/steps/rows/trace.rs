//! The way of packets to a host.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Trace,
    about: "The hops on the way to a host",
    before: &[],
    program: "/usr/bin/traceroute",
    parts: &[
        Words("-n -q 1 -w 2 -m 30"),
        Choice(StepSlot::Family, FAMILY_WORDS),
        Words("--"),
        Value(StepSlot::Target),
    ],
    slots: &[
        needs(StepSlot::Target, ValueKind::Host),
        may(StepSlot::Family, FAMILY),
    ],
    class: RowClass::Look,
    seconds: |_| 40,
    bytes: |_| 30 * 2 * 100,
    contacts: |step| to(step, StepSlot::Target, ContactProtocol::Udp, None),
    parse: trace::read,
};
