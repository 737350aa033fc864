//! Actions offered on guests and nodes: the acting tools, with the states in which each makes
//! sense. The gate decides on an offered call as on every other.

use std::sync::Arc;

use homelab_wire::{Barred, OffersPart};
use protocol::Offer;

use crate::{
    Config,
    cluster_access::{ClusterAccess, protection},
    tools,
};

pub(in crate::board) fn part(access: &Arc<ClusterAccess>) -> OffersPart {
    OffersPart {
        offers: offers(access),
        barred: barred(&access.config),
    }
}

/// The tools' offers, sorted by kind of entity and label.
fn offers(access: &Arc<ClusterAccess>) -> Vec<Offer> {
    let tools = tools::all(access);
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
