//! `arp-scan -q -x`.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use super::{OfficeRun, ProgramOutput};
use crate::step::OfficeStep;

pub(super) fn run(run: &mut OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let interface = step.interface.as_deref().unwrap_or_default();
    let network = step.network.as_deref().unwrap_or_default();
    let output = ProgramOutput::of("/usr/sbin/arp-scan -q -x -r 1 --bandwidth=64000 -I")
        .words(&[interface, network]);
    if interface != run.device.uplink() {
        let message = format!("ERROR: Could not obtain IP address for interface {interface}\n");
        return output.failed(1, &message);
    }
    let Some(range) = AddressRange::read(network) else {
        return output.failed(1, "ERROR: Could not understand the address range\n");
    };
    let own = run.device.address();
    let found = run
        .segment()
        .hosts
        .iter()
        .map(|host| run.segment().at(host.last));
    let found: Vec<_> = found
        .filter(|it| *it != own && range.contains(*it))
        .collect();
    let mut text = String::new();
    for address in found {
        // Each answer of one address counts, the present holder's first.
        for (at, mac) in run.holders(address, run.at_ms).into_iter().enumerate() {
            let mark = if at > 0 {
                format!(" (DUP: {})", at + 1)
            } else {
                String::new()
            };
            _ = writeln!(text, "{address}\t{mac}{mark}");
        }
        run.touched.insert(address);
    }
    output
        .printed(text)
        .took(500.0 + f64::from(range.size()) * 7.0)
}

/// A network as first address and length of its prefix.
struct AddressRange {
    first: u32,
    prefix: u32,
}

impl AddressRange {
    fn read(text: &str) -> Option<Self> {
        let (address, prefix) = text.split_once('/')?;
        let address: Ipv4Addr = address.parse().ok()?;
        let prefix = prefix.parse().ok().filter(|it| (22..=32).contains(it))?;
        Some(Self {
            first: u32::from(address),
            prefix,
        })
    }

    fn size(&self) -> u32 {
        1 << (32 - self.prefix)
    }

    fn contains(&self, address: Ipv4Addr) -> bool {
        u32::from(address).wrapping_sub(self.first) < self.size()
    }
}
