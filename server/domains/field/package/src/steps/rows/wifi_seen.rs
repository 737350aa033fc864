//! Wi-Fi networks of the last scan.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::WifiSeen,
    about: "Networks that the last scan saw",
    before: &[],
    program: "/usr/sbin/iw",
    parts: &[Words("dev"), Value(StepSlot::Interface), Words("scan dump")],
    slots: &[needs(StepSlot::Interface, ValueKind::Interface)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: wifi_seen::read,
};
