//! Counters of an interface.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::LinkStats,
    about: "Packets, errors and drops of an interface",
    before: &[],
    program: "/usr/sbin/ip",
    parts: &[Words("-j -s link show dev"), Value(StepSlot::Interface)],
    slots: &[needs(StepSlot::Interface, ValueKind::Interface)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: link_stats::read,
};
