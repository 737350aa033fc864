//! Routes of the device.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Routes,
    about: "Routes of the device",
    before: &[],
    program: "/usr/sbin/ip",
    parts: &[
        Words("-j"),
        Choice(StepSlot::Family, FAMILY_WORDS),
        Words("route show"),
    ],
    slots: &[may(StepSlot::Family, FAMILY)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: routes::read,
};
