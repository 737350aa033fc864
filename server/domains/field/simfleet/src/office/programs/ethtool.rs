//! `ethtool IF`.

use super::{OfficeRun, ProgramOutput};
use crate::office::OfficeDevice;
use crate::step::OfficeStep;

pub(super) fn run(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let name = step.interface.as_deref().unwrap_or_default();
    let output = ProgramOutput::of("/usr/sbin/ethtool").words(&[name]);
    if !run.has_interface(name) {
        let message = "netlink error: no device matches name (offset 24)\n\
                       netlink error: No such device\nNo data available\n";
        return output.failed(75, message);
    }
    let up = name == run.device.uplink() || name == "lo";
    let link = if up { "yes" } else { "no" };
    if name != "eth0" {
        return output.printed(format!("Settings for {name}:\n\tLink detected: {link}\n"));
    }
    let speed = match (up, run.device) {
        (false, _) => "Unknown!",
        // The board has a gigabit port on a bus of a third of that.
        (true, OfficeDevice::Archive) => "300Mb/s",
        (true, _) => "1000Mb/s",
    };
    let duplex = if up { "Full" } else { "Unknown! (255)" };
    output.printed(format!(
        "Settings for eth0:\n\tSupported ports: [ TP\t MII ]\n\
         \tSupported link modes:   10baseT/Half 10baseT/Full\n\
         \t                        100baseT/Half 100baseT/Full\n\
         \t                        1000baseT/Half 1000baseT/Full\n\
         \tSupported pause frame use: Symmetric Receive-only\n\tSupports auto-negotiation: Yes\n\
         \tAdvertised auto-negotiation: Yes\n\tSpeed: {speed}\n\tDuplex: {duplex}\n\
         \tAuto-negotiation: on\n\tPort: Twisted Pair\n\tPHYAD: 1\n\tTransceiver: external\n\
         \tMDI-X: Unknown\n\tLink detected: {link}\n"
    ))
}
