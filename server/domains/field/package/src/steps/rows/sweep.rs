//! Hosts of a network that answer ARP.

use super::shared::*;

pub(super) static ROW: StepRow = StepRow {
    name: RowName::Sweep,
    about: "Asks each address of a network for its hardware address",
    before: &[],
    program: "/usr/sbin/arp-scan",
    parts: &[
        Words("-q -x -r 1 --bandwidth=64000 -I"),
        Value(StepSlot::Interface),
        Value(StepSlot::Network),
    ],
    slots: &[
        needs(StepSlot::Interface, ValueKind::Interface),
        needs(StepSlot::Network, ValueKind::Network),
    ],
    class: RowClass::Raw,
    seconds: |step| 5 + hosts(step) / 100,
    bytes: |step| u64::from(hosts(step)) * 2 * 64,
    contacts: asked,
    parse: sweep::read,
};

fn asked(step: &AcceptedStep) -> Vec<StepContact> {
    let network = step.step().network.as_deref().and_then(network);
    let to = network.map(|network| StepContact {
        to: ContactTarget::Network(network),
        protocol: ContactProtocol::Arp,
        port: None,
        slot: Some(StepSlot::Network),
    });
    to.into_iter().collect()
}

/// Addresses in its network, at most 1,024.
fn hosts(step: &AcceptedStep) -> u32 {
    let network = step.step().network.as_deref().and_then(network);
    network.map_or(0, |network| {
        1 << (32 - u32::from(network.prefix_len())).min(10)
    })
}
