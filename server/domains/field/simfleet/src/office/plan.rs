//! Networks of the office and the hosts in them.

use std::net::Ipv4Addr;

use super::hostile;

/// A network of 256 addresses; its gateway is the first one.
#[derive(Debug)]
pub(super) struct OfficeSegment {
    base: [u8; 3],
    pub(super) hosts: &'static [SegmentHost],
    /// Routers between the gateway and the internet, the nearest first.
    pub(super) behind: &'static [Ipv4Addr],
}

/// A host that answers on its network.
#[derive(Debug)]
pub(super) struct SegmentHost {
    pub(super) last: u8,
    pub(super) mac: &'static str,
    pub(super) name: &'static str,
    /// The name came with a DHCP request, and anybody may choose one.
    pub(super) leased: bool,
}

/// The name server that answers after seconds.
pub(super) const SLOW_SERVER: Ipv4Addr = Ipv4Addr::new(192, 168, 40, 53);
/// The box in the meeting room that answers for its gateway's address, too.
pub(super) const ROGUE_MAC: &str = "7c:10:c9:5e:77:02";
/// The second NAT of the branch, and the MTU of its line.
pub(super) const SECOND_NAT: Ipv4Addr = Ipv4Addr::new(192, 168, 178, 1);
pub(super) const BRANCH_MTU: u32 = 1452;
/// The largest packet that finds its way back to the branch.
pub(super) const BRANCH_MTU_BACK: u32 = 1400;

const ISP: [Ipv4Addr; 3] = [
    Ipv4Addr::new(198, 18, 0, 1),
    Ipv4Addr::new(198, 18, 4, 17),
    Ipv4Addr::new(198, 18, 9, 129),
];

pub(super) static OFFICE: OfficeSegment = OfficeSegment {
    base: [192, 168, 40],
    hosts: &[
        host(1, "2c:91:ab:40:00:01", "gateway"),
        host(10, "2c:cf:67:40:10:a0", "gateway-probe"),
        host(15, "dc:a6:32:40:15:d0", "reception"),
        leased(20, "00:1b:a9:20:44:10", "printer"),
        host(53, "00:11:32:53:70:01", "ns2"),
        host(60, "00:11:32:60:70:02", "nas"),
        host(77, "b8:27:eb:40:77:c1", "warehouse"),
        leased(112, "3c:22:fb:91:0a:5e", "Annas-MacBook"),
        leased(118, "9a:5f:20:7d:31:04", hostile::LEASED_NAME),
    ],
    behind: &ISP,
};

pub(super) static ROOM: OfficeSegment = OfficeSegment {
    base: [192, 168, 41],
    hosts: &[
        host(1, "2c:91:ab:41:00:01", "gateway"),
        host(23, "dc:a6:32:41:23:b0", "meeting-room"),
        leased(40, "c0:48:e6:1d:90:33", "room-display"),
        leased(57, "7c:10:c9:5e:77:01", "TRAVEL-AP"),
        leased(61, "9a:5f:20:7d:31:88", hostile::LEASED_NAME),
    ],
    behind: &ISP,
};

pub(super) static BRANCH: OfficeSegment = OfficeSegment {
    base: [192, 168, 8],
    hosts: &[
        host(1, "50:c7:bf:08:00:01", "gateway"),
        host(20, "d8:3a:dd:08:20:e0", "branch"),
        leased(34, "a4:cf:12:77:01:9b", "till-2"),
    ],
    behind: &[SECOND_NAT, ISP[1], ISP[2]],
};

pub(super) static CELLAR: OfficeSegment = OfficeSegment {
    base: [192, 168, 42],
    hosts: &[
        host(1, "2c:91:ab:42:00:01", "gateway"),
        host(31, "b8:27:eb:42:31:f0", "archive"),
    ],
    behind: &ISP,
};

const fn host(last: u8, mac: &'static str, name: &'static str) -> SegmentHost {
    SegmentHost {
        last,
        mac,
        name,
        leased: false,
    }
}

const fn leased(last: u8, mac: &'static str, name: &'static str) -> SegmentHost {
    SegmentHost {
        last,
        mac,
        name,
        leased: true,
    }
}

impl OfficeSegment {
    pub(super) fn at(&self, last: u8) -> Ipv4Addr {
        let [a, b, c] = self.base;
        Ipv4Addr::new(a, b, c, last)
    }

    pub(super) fn gateway(&self) -> Ipv4Addr {
        self.at(1)
    }

    pub(super) fn contains(&self, address: Ipv4Addr) -> bool {
        address.octets()[..3] == self.base
    }

    pub(super) fn host(&self, address: Ipv4Addr) -> Option<&'static SegmentHost> {
        let last = address.octets()[3];
        let mut hosts = self.hosts.iter();
        hosts.find(|host| self.contains(address) && host.last == last)
    }

    /// The network as `ip` and `arp-scan` write it.
    pub(super) fn network(&self) -> String {
        format!("{}/24", self.at(0))
    }
}
