//! A question to DNS.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Dig,
    about: "Looks up a name in DNS",
    before: &[],
    program: "/usr/bin/dig",
    parts: &[
        Words("-r +time=2 +tries=1 +noall +answer +comments +stats"),
        Joined("@", StepSlot::Server),
        Words("-t"),
        Value(StepSlot::Type),
        Words("-q"),
        Value(StepSlot::Name),
    ],
    slots: &[
        needs(StepSlot::Name, ValueKind::QueryName),
        SlotRule {
            slot: StepSlot::Type,
            kind: ValueKind::OneOf(&["A", "AAAA", "MX", "NS", "PTR", "SOA", "SRV", "TXT", "CAA"]),
            need: SlotNeed::Default("A"),
        },
        may(StepSlot::Server, ValueKind::Address),
    ],
    class: RowClass::Look,
    seconds: |_| 8,
    bytes: |_| 8 * 1024,
    contacts: asked,
    parse: dig::read,
};

/// Its resolver passes the question on, so the name itself leaves the site.
fn asked(step: &AcceptedStep) -> Vec<StepContact> {
    let server = step.host(StepSlot::Server);
    vec![StepContact {
        slot: server.is_some().then_some(StepSlot::Server),
        to: server.unwrap_or(ContactTarget::Resolver),
        protocol: ContactProtocol::Udp,
        port: Some(53),
    }]
}
