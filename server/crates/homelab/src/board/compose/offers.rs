//! What a person may have done to guests and nodes: the tools that act, with the state in which
//! each makes sense. What is offered is asked of the gate like every other call.

use std::collections::BTreeSet;

use protocol::{Barred, Offer, OffersPart};
use serde_json::{Value, json};

use crate::{
    Config,
    guest_state::{PAUSED, RUNNING, STOPPED},
    lab::protection,
};

pub(super) fn part(config: &Config) -> OffersPart {
    OffersPart {
        offers: offers(config),
        barred: barred(config),
    }
}

fn offers(config: &Config) -> Vec<Offer> {
    let offer = |tool: &str, label: &str, on: &str, when: &str| Offer {
        tool: tool.to_owned(),
        label: label.to_owned(),
        on: on.to_owned(),
        when: when.to_owned(),
        only: Vec::new(),
        with: Value::Null,
    };
    let mut offers = Vec::new();
    for (on, noun) in [("VM", "vm"), ("CT", "container")] {
        for (verb, label, when) in [
            ("start", "Start", STOPPED),
            ("restart", "Restart", RUNNING),
            ("stop", "Shut down", RUNNING),
        ] {
            offers.push(offer(&format!("{verb}_{noun}"), label, on, when));
        }
    }
    // A paused VM reacts to nothing but force.
    offers.push(Offer {
        with: json!({ "hard": true }),
        ..offer("stop_vm", "Force off", "VM", PAUSED)
    });
    let wakeable = config.node_macs.keys();
    let wakeable: Vec<_> = wakeable.filter(|name| config.mac(name).is_ok()).collect();
    if !wakeable.is_empty() {
        offers.push(Offer {
            only: wakeable.into_iter().cloned().collect(),
            ..offer("wake_node", "Wake", "node", "offline")
        });
    }
    for (node, services) in &config.services {
        for service in services.iter().collect::<BTreeSet<_>>() {
            let label = format!("Restart {service}");
            offers.push(Offer {
                only: vec![node.clone()],
                with: json!({ "service": service }),
                ..offer("restart_service", &label, "node", "online")
            });
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paused_vm_can_only_be_forced_off() {
        let all = offers(&Config::default());
        let fits = |on: &str, when: &str| {
            let mine = all.iter().filter(|it| it.on == on && it.when == when);
            mine.map(|it| (it.tool.as_str(), it.with.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(fits("VM", PAUSED), [("stop_vm", json!({ "hard": true }))]);
        let running = [("restart_vm", Value::Null), ("stop_vm", Value::Null)];
        assert_eq!(fits("VM", RUNNING), running);
        assert!(fits("CT", PAUSED).is_empty());
    }
}
