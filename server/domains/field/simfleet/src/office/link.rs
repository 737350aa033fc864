//! The link of a device: its neighbours, and the box that answers for the gateway's address.

use std::net::Ipv4Addr;

use super::plan::{self, OfficeSegment};
use super::{OfficeDevice, OfficeRun};

/// Seconds for which one of two boxes holds a doubled address.
const HOLD: u64 = 5;

/// Share of that time in which it is the wrong one.
const WRONG: f64 = 0.4;

impl OfficeRun {
    pub(super) fn segment(&self) -> &'static OfficeSegment {
        self.device.segment()
    }

    /// True if two boxes answer for this address.
    pub(super) fn is_doubled(&self, address: Ipv4Addr) -> bool {
        self.device == OfficeDevice::MeetingRoom && address == plan::ROOM.gateway()
    }

    /// True while packets for the gateway go to the box that leads nowhere.
    pub(super) fn goes_astray(&self, at_ms: u64) -> bool {
        let turn = at_ms / (HOLD * 1000);
        self.device == OfficeDevice::MeetingRoom && self.noise.named("holder").happens(turn, WRONG)
    }

    /// The hardware addresses that answer for an address, the present holder first.
    pub(super) fn holders(&self, address: Ipv4Addr, at_ms: u64) -> Vec<&'static str> {
        let Some(host) = self.segment().host(address) else {
            return Vec::new();
        };
        match (self.is_doubled(address), self.goes_astray(at_ms)) {
            (false, _) => vec![host.mac],
            (true, false) => vec![host.mac, plan::ROGUE_MAC],
            (true, true) => vec![plan::ROGUE_MAC, host.mac],
        }
    }

    /// Mean round trip on the link in milliseconds, and its spread.
    pub(super) fn link_delay(&self) -> LinkDelay {
        match self.device {
            OfficeDevice::Warehouse => LinkDelay {
                base: 6.0,
                spread: 160.0,
            },
            _ => LinkDelay {
                base: 0.35,
                spread: 0.7,
            },
        }
    }

    /// True if a packet is lost on the link at this time.
    pub(super) fn lost_on_link(&self, at_ms: u64, which: u64) -> bool {
        match self.device {
            OfficeDevice::Warehouse => {
                let noise = self.noise.named("air");
                let share = if self.is_roaming(at_ms) { 0.8 } else { 0.09 };
                noise.happens(at_ms / 100 + which * 7919, share)
            }
            _ => false,
        }
    }
}

/// Delay of a link in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkDelay {
    pub(super) base: f64,
    pub(super) spread: f64,
}
