//! The Wi-Fi link of an interface.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::WifiLink,
    about: "The Wi-Fi network that an interface is connected to",
    before: &[],
    program: "/usr/sbin/iw",
    parts: &[Words("dev"), Value(StepSlot::Interface), Words("link")],
    slots: &[needs(StepSlot::Interface, ValueKind::Interface)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: wifi_link::read,
};
