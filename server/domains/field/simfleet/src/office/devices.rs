//! The six devices of the office, each with its fault.

use std::net::Ipv4Addr;

use super::plan::{self, OfficeSegment};

/// A device of "Nordlicht office".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfficeDevice {
    /// Nothing is wrong.
    GatewayProbe,
    /// Another box answers for the address of its gateway.
    MeetingRoom,
    /// Weak Wi-Fi between two access points.
    Warehouse,
    /// The first of its DNS servers is slow.
    Reception,
    /// Behind two NATs; large packets come back over a smaller MTU and are lost.
    Branch,
    /// Offline for three days.
    Archive,
}

impl OfficeDevice {
    pub const ALL: [Self; 6] = [
        Self::GatewayProbe,
        Self::MeetingRoom,
        Self::Warehouse,
        Self::Reception,
        Self::Branch,
        Self::Archive,
    ];

    /// Host name.
    pub fn name(self) -> &'static str {
        match self {
            Self::GatewayProbe => "gateway-probe",
            Self::MeetingRoom => "meeting-room",
            Self::Warehouse => "warehouse",
            Self::Reception => "reception",
            Self::Branch => "branch",
            Self::Archive => "archive",
        }
    }

    /// True for the device that is not there.
    pub fn is_offline(self) -> bool {
        self == Self::Archive
    }

    /// The interface that it is connected by.
    pub fn uplink(self) -> &'static str {
        match self {
            Self::Warehouse => "wlan0",
            _ => "eth0",
        }
    }

    /// Model of the board.
    pub fn model(self) -> &'static str {
        match self {
            Self::GatewayProbe => "Raspberry Pi 5 Model B Rev 1.0",
            Self::Warehouse | Self::Archive => "Raspberry Pi 3 Model B Plus Rev 1.3",
            _ => "Raspberry Pi 4 Model B Rev 1.5",
        }
    }

    pub(super) fn segment(self) -> &'static OfficeSegment {
        match self {
            Self::MeetingRoom => &plan::ROOM,
            Self::Branch => &plan::BRANCH,
            Self::Archive => &plan::CELLAR,
            Self::GatewayProbe | Self::Warehouse | Self::Reception => &plan::OFFICE,
        }
    }

    pub(super) fn address(self) -> Ipv4Addr {
        let last = match self {
            Self::GatewayProbe => 10,
            Self::MeetingRoom => 23,
            Self::Warehouse => 77,
            Self::Reception => 15,
            Self::Branch => 20,
            Self::Archive => 31,
        };
        self.segment().at(last)
    }

    /// Hardware address of an interface.
    pub(super) fn mac(self, interface: &str) -> &'static str {
        let wired = interface != "wlan0";
        match (self, wired) {
            (Self::GatewayProbe, true) => "2c:cf:67:40:10:a0",
            (Self::GatewayProbe, false) => "2c:cf:67:40:10:a1",
            (Self::MeetingRoom, true) => "dc:a6:32:41:23:b0",
            (Self::MeetingRoom, false) => "dc:a6:32:41:23:b1",
            (Self::Warehouse, true) => "b8:27:eb:40:77:c0",
            (Self::Warehouse, false) => "b8:27:eb:40:77:c1",
            (Self::Reception, true) => "dc:a6:32:40:15:d0",
            (Self::Reception, false) => "dc:a6:32:40:15:d1",
            (Self::Branch, true) => "d8:3a:dd:08:20:e0",
            (Self::Branch, false) => "d8:3a:dd:08:20:e1",
            (Self::Archive, true) => "b8:27:eb:42:31:f0",
            (Self::Archive, false) => "b8:27:eb:42:31:f1",
        }
    }

    /// DNS servers in the order of its configuration.
    pub(super) fn servers(self) -> Vec<Ipv4Addr> {
        match self {
            Self::Reception => vec![plan::SLOW_SERVER, plan::OFFICE.at(1)],
            _ => vec![self.segment().at(1)],
        }
    }

    /// The word of `vcgencmd get_throttled`.
    pub(super) fn throttled(self) -> u32 {
        match self {
            // Undervoltage now and before, throttled now and before.
            Self::Warehouse => 0x5_0005,
            // Undervoltage at some time.
            Self::Branch => 0x1_0000,
            _ => 0,
        }
    }
}
