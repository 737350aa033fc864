//! Headers of packets on an interface.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Capture,
    about: "Headers of packets, without their contents",
    before: &[
        Words("/usr/bin/timeout --signal=INT"),
        Value(StepSlot::Seconds),
    ],
    program: "/usr/bin/tcpdump",
    parts: &[
        Words("-i"),
        Value(StepSlot::Interface),
        Words("-nn -q -p -l -s 64 -c"),
        Value(StepSlot::Count),
        Choice(StepSlot::Filter, FILTERS),
    ],
    slots: &[
        needs(StepSlot::Interface, ValueKind::Interface),
        SlotRule {
            slot: StepSlot::Filter,
            kind: ValueKind::OneOf(&["arp", "icmp", "dhcp", "dns", "tcp_syn", "all_headers"]),
            need: SlotNeed::Required,
        },
        defaults(StepSlot::Count, ValueKind::Range(1, 500), "50"),
        defaults(StepSlot::Seconds, ValueKind::Range(1, 60), "20"),
    ],
    class: RowClass::Raw,
    seconds: |step| step.number(StepSlot::Seconds) + 3,
    bytes: no_bytes,
    contacts: no_contacts,
    parse: capture::read,
};

/// One word each: the filter is an expression of libpcap, and nobody can add to it.
const FILTERS: &[SlotChoice] = &[
    SlotChoice {
        value: "arp",
        words: &["arp"],
    },
    SlotChoice {
        value: "icmp",
        words: &["icmp or icmp6"],
    },
    SlotChoice {
        value: "dhcp",
        words: &["udp and (port 67 or port 68)"],
    },
    SlotChoice {
        value: "dns",
        words: &["port 53"],
    },
    SlotChoice {
        value: "tcp_syn",
        words: &["tcp[tcpflags] & tcp-syn != 0"],
    },
    SlotChoice {
        value: "all_headers",
        words: &[],
    },
];
