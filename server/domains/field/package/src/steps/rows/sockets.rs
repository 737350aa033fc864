//! Open sockets of the device.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Sockets,
    about: "Open TCP and UDP sockets of the device",
    before: &[],
    program: "/usr/bin/ss",
    parts: &[Words("-H -tuan")],
    slots: &[],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: sockets::read,
};
