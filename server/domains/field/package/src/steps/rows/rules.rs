//! Routing policy of the device.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Rules,
    about: "Rules that choose a routing table",
    before: &[],
    program: "/usr/sbin/ip",
    parts: &[
        Words("-j"),
        Choice(StepSlot::Family, FAMILY_WORDS),
        Words("rule show"),
    ],
    slots: &[may(StepSlot::Family, FAMILY)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: rules::read,
};
