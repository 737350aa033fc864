//! A network of a machine's own: a line to an office, which is a namespace inside the machine.

use std::fs;

use super::{DebianMachine, soon};

/// Addresses of the office, which answers on both in the same way.
pub const OFFICE: [&str; 2] = ["10.77.0.1", "10.77.0.9"];
/// The device's interface on the line.
pub const OFFICE_LINE: &str = "office0";

/// The program of the office, as a file: a service manager would expand its variables.
const PROGRAM: &str = "/usr/lib/office.pl";
/// Ends well once the office listens.
const HELLO: &str =
    "use IO::Socket::INET; exit !IO::Socket::INET->new(PeerAddr => '10.77.0.1:80', Timeout => 2)";

/// Commands that make the line.
const LINE: &[&str] = &[
    "ip netns add office",
    "ip link add office0 type veth peer name desk netns office",
    "ip address add 10.77.0.2/24 dev office0",
    "ip link set office0 up",
    "ip -n office link set lo up",
    "ip -n office address add 10.77.0.1/24 dev desk",
    "ip -n office address add 10.77.0.9/24 dev desk",
    "ip -n office link set desk up",
];

impl DebianMachine {
    /// Makes the office and waits for it.
    pub(super) fn open_office(&self) {
        for command in LINE {
            self.run(&command.split(' ').collect::<Vec<_>>());
        }
        // As Debian sets it, for pings without rights.
        let range = "echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range";
        self.run(&["sh", "-c", range]);
        fs::write(self.inside(PROGRAM), include_str!("office.pl")).unwrap();
        let unit = ["systemd-run", "--quiet", "--unit=office"];
        let inside = ["ip", "netns", "exec", "office", "perl", PROGRAM];
        self.run(&[&unit[..], &inside[..]].concat());
        soon("office", || {
            let asked = self.command("perl").args(["-e", HELLO]).output();
            asked.unwrap().status.success().then_some(())
        });
    }
}
