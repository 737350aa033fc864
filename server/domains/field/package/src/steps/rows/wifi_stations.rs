//! Stations that an interface hears.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::WifiStations,
    about: "Signal and retries of connected stations",
    before: &[],
    program: "/usr/sbin/iw",
    parts: &[
        Words("dev"),
        Value(StepSlot::Interface),
        Words("station dump"),
    ],
    slots: &[needs(StepSlot::Interface, ValueKind::Interface)],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: wifi_stations::read,
};
