//! Neighbours that the device knows.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Neighbours,
    about: "Addresses and hardware addresses of neighbours",
    before: &[],
    program: "/usr/sbin/ip",
    parts: &[
        Words("-j"),
        Choice(StepSlot::Family, FAMILY_WORDS),
        Words("neigh show"),
        Given("dev", StepSlot::Interface),
    ],
    slots: &[
        may(StepSlot::Interface, ValueKind::Interface),
        may(StepSlot::Family, FAMILY),
    ],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: neighbours::read,
};
