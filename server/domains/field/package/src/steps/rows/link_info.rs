//! Speed and duplex of an interface.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::LinkInfo,
    about: "Speed, duplex and cable of an interface",
    before: &[],
    program: "/usr/sbin/ethtool",
    parts: &[Value(StepSlot::Interface)],
    slots: &[needs(StepSlot::Interface, ValueKind::Interface)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: ethtool::read,
};
