//! What a person may have done to guests and nodes: the tools that act, with the state in which
//! each makes sense. What is offered is asked of the gate like every other call.

use std::sync::Arc;

use homelab_wire::{Barred, OffersPart};
use protocol::Offer;

use crate::{
    Config,
    lab::{Lab, protection},
    tools,
};

pub(in crate::board) fn part(lab: &Arc<Lab>) -> OffersPart {
    OffersPart {
        offers: offers(lab),
        barred: barred(&lab.config),
    }
}

/// What the tools offer, by the names that a person reads.
fn offers(lab: &Arc<Lab>) -> Vec<Offer> {
    let tools = tools::all(lab);
    let mut offers: Vec<_> = tools.iter().flat_map(|tool| tool.offers()).collect();
    offers.sort_by(|a, b| (&a.on, &a.label).cmp(&(&b.on, &b.label)));
    offers
}

fn barred(config: &Config) -> Vec<Barred> {
    let guests = config.own_guest.iter().chain(&config.protected_guests);
    let guests = guests.filter_map(|vmid| {
        Some(Barred {
            key: format!("guest/{vmid}"),
            reason: protection::guest(config, *vmid)?,
        })
    });
    let nodes = config.protected_nodes.iter().map(|node| Barred {
        key: format!("node/{node}"),
        reason: protection::node(node),
    });
    guests.chain(nodes).collect()
}
