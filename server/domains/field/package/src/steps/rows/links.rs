//! Interfaces of the device.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Links,
    about: "Interfaces of the device",
    before: &[],
    program: "/usr/sbin/ip",
    parts: &[Words("-j link show"), Given("dev", StepSlot::Interface)],
    slots: &[may(StepSlot::Interface, ValueKind::Interface)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: links::read,
};
