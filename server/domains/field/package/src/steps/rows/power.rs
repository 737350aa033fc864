//! Power and temperature limits of a Raspberry Pi.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Power,
    about: "Undervoltage and throttling since the start",
    before: &[],
    program: "/usr/bin/vcgencmd",
    parts: &[Words("get_throttled")],
    slots: &[],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: power::read,
};
