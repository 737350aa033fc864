//! Wi-Fi: the networks in the air, and the access point that a device is connected to.

use super::hostile;
use super::{OfficeDevice, OfficeRun};

/// A network that a scan sees.
#[derive(Debug)]
pub(super) struct AirNetwork {
    pub(super) bssid: &'static str,
    pub(super) ssid: &'static str,
    pub(super) megahertz: u32,
    /// Mean signal in dBm.
    pub(super) signal: i32,
    pub(super) secured: bool,
}

/// The access points of the warehouse: the device roams between the first two.
pub(super) static NETWORKS: [AirNetwork; 7] = [
    AirNetwork {
        bssid: "2c:91:ab:40:20:31",
        ssid: "Nordlicht-Lager",
        megahertz: 2437,
        signal: -81,
        secured: true,
    },
    AirNetwork {
        bssid: "2c:91:ab:40:20:32",
        ssid: "Nordlicht-Lager",
        megahertz: 2462,
        signal: -84,
        secured: true,
    },
    AirNetwork {
        bssid: "7c:10:c9:5e:77:03",
        ssid: "TRAVEL-AP",
        megahertz: 2412,
        signal: -58,
        secured: true,
    },
    AirNetwork {
        bssid: "9e:20:11:07:aa:01",
        ssid: hostile::ORDER_SSID,
        megahertz: 2412,
        signal: -73,
        secured: false,
    },
    AirNetwork {
        bssid: "9e:20:11:07:aa:02",
        ssid: hostile::TOKEN_SSID,
        megahertz: 5180,
        signal: -77,
        secured: false,
    },
    AirNetwork {
        bssid: "a6:00:5e:33:10:0c",
        ssid: hostile::ODD_SSID,
        megahertz: 2462,
        signal: -88,
        secured: true,
    },
    AirNetwork {
        bssid: "d4:35:1d:aa:70:05",
        ssid: "",
        megahertz: 5500,
        signal: -90,
        secured: true,
    },
];

/// Milliseconds for which the warehouse stays with one access point.
const STAY: u64 = 40_000;
/// Milliseconds of a change between two.
const CHANGE: u64 = 4_000;

impl OfficeRun {
    /// The access point that the device is connected to.
    pub(super) fn access_point(&self, at_ms: u64) -> Option<&'static AirNetwork> {
        (self.device == OfficeDevice::Warehouse && !self.is_roaming(at_ms)).then(|| {
            let second = (at_ms / STAY).is_multiple_of(2);
            &NETWORKS[usize::from(second)]
        })
    }

    /// True while it changes from one access point to the other.
    pub(super) fn is_roaming(&self, at_ms: u64) -> bool {
        self.device == OfficeDevice::Warehouse && at_ms % STAY < CHANGE
    }

    /// Signal of a network in dBm at a time.
    pub(super) fn signal(&self, network: &AirNetwork, at_ms: u64) -> i32 {
        let noise = self.noise.named(network.bssid);
        let swing = noise.whole(at_ms / 1000) % 7;
        network.signal - 3 + i32::try_from(swing).unwrap_or(0)
    }

    /// Networks that the last scan saw, the strongest first.
    pub(super) fn seen_networks(&self) -> Vec<&'static AirNetwork> {
        let warehouse = self.device == OfficeDevice::Warehouse;
        let room = self.device == OfficeDevice::MeetingRoom;
        let mut seen: Vec<_> = NETWORKS
            .iter()
            .filter(|it| warehouse || it.ssid != "Nordlicht-Lager")
            // The box is plugged in under the table of the meeting room.
            .filter(|it| room || it.ssid != "TRAVEL-AP")
            .collect();
        seen.sort_by_key(|it| -it.signal);
        seen
    }
}
