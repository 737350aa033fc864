//! Power of the machines: shutdown, wake-up, boot.

use super::{RunState, SimWorld};
use crate::inventory::{self, NODES, SimNode};

/// Seconds from the command to the last packet.
const GOES_DOWN: f64 = 15.0;
/// Seconds from power-on to an API that answers.
const BOOT: f64 = 60.0;
/// Seconds from the node's own boot to the start of its guests.
const GUESTS_START: f64 = 20.0;

/// A period without power.
#[derive(Debug)]
pub(super) struct Outage {
    node: &'static str,
    from: f64,
    until: Option<f64>,
}

impl Outage {
    fn covers(&self, node: &str, t: f64) -> bool {
        self.node == node && self.from <= t && self.until.is_none_or(|until| t < until)
    }
}

impl SimWorld {
    /// Returns whether a node is reachable.
    pub(crate) fn online(&self, node: &str) -> bool {
        !self.faults.offline.contains(node) && self.powered(node, self.now)
    }

    /// Returns whether a node was up at a time.
    pub(crate) fn powered(&self, node: &str, t: f64) -> bool {
        !self.outages.iter().any(|outage| outage.covers(node, t))
    }

    /// The last boot of a node, in Unix seconds.
    pub(crate) fn booted(&self, node: &str) -> f64 {
        let boots = self.outages.iter().filter(|outage| outage.node == node);
        boots
            .filter_map(|outage| outage.until)
            .filter(|until| *until <= self.now)
            .max_by(f64::total_cmp)
            .or_else(|| Some(self.began - inventory::node(node)?.1.up_days * 86_400.0))
            .unwrap_or(self.began)
    }

    /// Shuts a node down after a moment, with all its guests; `again` boots it afterwards.
    pub(crate) fn power_off(&mut self, node: &'static SimNode, again: bool) {
        let from = self.now + GOES_DOWN;
        if !self.powered(node.name, from) {
            return;
        }
        for state in self
            .guests
            .iter_mut()
            .filter(|state| state.guest.node == node.name)
        {
            for run in state.runs.iter_mut().filter(|run| run.end.is_none()) {
                run.end = Some(from - 5.0);
            }
        }
        self.outages.push(Outage {
            node: node.name,
            from,
            until: None,
        });
        if again {
            self.boot(node.name, from + BOOT);
        }
    }

    /// Handles a magic packet for this address: a node without power boots.
    pub(crate) fn wake(&mut self, mac: &str) {
        let up = self.now + BOOT;
        let sleeping = NODES.iter().find(|node| node.mac.eq_ignore_ascii_case(mac));
        if let Some(node) = sleeping.filter(|node| !self.powered(node.name, self.now)) {
            self.boot(node.name, up);
        }
    }

    fn boot(&mut self, node: &'static str, at: f64) {
        let open = |outage: &&mut Outage| outage.node == node && outage.until.is_none();
        let Some(outage) = self.outages.iter_mut().find(open) else {
            return;
        };
        outage.until = Some(at);
        let guests = self
            .guests
            .iter_mut()
            .filter(|state| state.guest.node == node);
        for state in guests.filter(|state| state.guest.onboot) {
            state.runs.push(RunState {
                start: at + GUESTS_START,
                end: None,
            });
        }
    }
}
