//! The way of packets: hops, delays, losses and the largest packet.

use std::net::Ipv4Addr;

use super::plan;
use super::{OfficeDevice, OfficeRun};
use crate::noise::SeededNoise;

/// One router or host on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct RouteHop {
    pub(super) address: Ipv4Addr,
    /// Mean round trip in milliseconds.
    pub(super) base: f64,
    pub(super) spread: f64,
    /// Answers no probes.
    pub(super) silent: bool,
}

/// The end of one probe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ProbeEnd {
    /// The round trip in milliseconds.
    Answer(f64),
    /// Two boxes have answered.
    Twice(f64, f64),
    Lost,
    /// Nobody on the link has the address.
    Unreachable,
    /// Too large for a line behind this router.
    TooLarge {
        by: Ipv4Addr,
        mtu: u32,
    },
}

impl OfficeRun {
    /// Numbers that are the same on each device.
    pub(super) fn names(&self) -> SeededNoise {
        SeededNoise::new(0x4e6f_7264)
    }

    /// True for an address that the internet or another network of the office has.
    pub(super) fn is_routed(&self, address: Ipv4Addr) -> bool {
        let segments = [&plan::OFFICE, &plan::ROOM, &plan::CELLAR];
        if self.device == OfficeDevice::Branch && address == plan::SECOND_NAT {
            return true;
        }
        if let Some(segment) = segments.iter().find(|it| it.contains(address)) {
            let near = self.device != OfficeDevice::Branch;
            return near && segment.host(address).is_some();
        }
        let private = address.is_private() || address.is_link_local() || address.is_loopback();
        !(private
            || address.is_documentation()
            || address.is_multicast()
            || address.is_broadcast()
            || address.is_unspecified())
    }

    /// The hops to an address, the last of them the address itself.
    pub(super) fn hops(&self, to: Ipv4Addr) -> Vec<RouteHop> {
        let link = self.link_delay();
        let segment = self.segment();
        let hop = |address, more: f64, spread: f64| RouteHop {
            address,
            base: link.base + more,
            spread: link.spread + spread,
            silent: false,
        };
        if segment.contains(to) {
            return vec![hop(to, 0.0, 0.0)];
        }
        let mut hops = vec![hop(segment.gateway(), 0.0, 0.0)];
        if to.is_private() && to != plan::SECOND_NAT {
            // Another network of the office.
            hops.push(hop(to, 0.4, 0.5));
            return hops;
        }
        for (at, router) in segment.behind.iter().enumerate() {
            if *router == to {
                break;
            }
            let far = if router.is_private() {
                0.6
            } else {
                7.0 + 2.5 * at as f64
            };
            hops.push(RouteHop {
                silent: at == 2,
                ..hop(*router, far, 2.0)
            });
        }
        let far = self.names().named(&to.to_string()).between(1, 11.0, 24.0);
        let far = if to.is_private() { 0.6 } else { far };
        hops.push(hop(to, far, 3.0));
        hops
    }

    /// Sends one packet of `size` bytes with its headers to an address. `which` tells apart packets of
    /// one time.
    pub(super) fn probe(&self, to: Ipv4Addr, size: u32, at_ms: u64, which: u64) -> ProbeEnd {
        let segment = self.segment();
        if segment.contains(to) && segment.host(to).is_none() {
            return ProbeEnd::Unreachable;
        }
        if self.device == OfficeDevice::Archive || self.lost_on_link(at_ms, which) {
            return ProbeEnd::Lost;
        }
        let noise = self.noise.named("probe").named(&to.to_string());
        let place = at_ms / 10 + which * 104_729;
        let delay = |hop: &RouteHop, more| noise.delay(place + more, hop.base, hop.spread);
        if self.is_doubled(to) {
            let hop = &self.hops(to)[0];
            let first = delay(hop, 0);
            return ProbeEnd::Twice(first, first + noise.between(place, 0.9, 4.5));
        }
        let on_link = segment.contains(to);
        if !on_link && (self.goes_astray(at_ms) || !self.is_routed(to)) {
            return ProbeEnd::Lost;
        }
        let beyond = !on_link && to != plan::SECOND_NAT && self.device == OfficeDevice::Branch;
        if beyond && size > plan::BRANCH_MTU {
            return ProbeEnd::TooLarge {
                by: plan::SECOND_NAT,
                mtu: plan::BRANCH_MTU,
            };
        }
        // The line takes it, and the answer of the same size is lost without a word.
        if beyond && size > plan::BRANCH_MTU_BACK {
            return ProbeEnd::Lost;
        }
        match self.hops(to).last() {
            Some(hop) => ProbeEnd::Answer(delay(hop, 0)),
            None => ProbeEnd::Lost,
        }
    }

    /// True if large packets from an address do not get here.
    pub(super) fn is_black_hole(&self, from: Ipv4Addr) -> bool {
        let inside = self.segment().contains(from) || from == plan::SECOND_NAT;
        self.device == OfficeDevice::Branch && !inside
    }
}
