//! Addresses of the device.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Addresses,
    about: "Addresses of the device",
    before: &[],
    program: "/usr/sbin/ip",
    parts: &[
        Words("-j"),
        Choice(StepSlot::Family, FAMILY_WORDS),
        Words("addr show"),
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
    parse: addresses::read,
};
