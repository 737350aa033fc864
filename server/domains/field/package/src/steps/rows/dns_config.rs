//! DNS servers of the device.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::DnsConfig,
    about: "DNS servers that the device is configured with",
    before: &[],
    program: "/usr/bin/cat",
    parts: &[Words("-- /etc/resolv.conf")],
    slots: &[],
    class: RowClass::Collector,
    seconds: local_seconds,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: dns_config::read,
};
