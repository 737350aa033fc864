//! Wake-on-LAN: hardware addresses and the magic packet.

use std::{
    fmt,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
};

use tokio::net::UdpSocket;

use crate::texts;

/// The hardware address of a single machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mac([u8; 6]);

impl Mac {
    /// Parses six hexadecimal bytes, separated by colons, hyphens or nothing. Rejects group and
    /// other invalid addresses.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let parts: Vec<&str> = match text.split([':', '-']).collect::<Vec<_>>() {
            parts if parts.len() == 6 => parts,
            _ if text.len() == 12 && text.is_ascii() => {
                (0..6).map(|at| &text[at * 2..at * 2 + 2]).collect()
            }
            _ => return Err(texts::config::NOT_SIX_BYTES),
        };
        let mut bytes = [0; 6];
        for (byte, part) in bytes.iter_mut().zip(parts) {
            let digits = part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
            *byte = match (digits, u8::from_str_radix(part, 16)) {
                (true, Ok(value)) => value,
                _ => return Err(texts::config::NOT_SIX_BYTES),
            };
        }
        match bytes {
            [0, 0, 0, 0, 0, 0] => Err(texts::config::IS_ALL_ZEROS),
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff] => Err(texts::config::ADDRESS_OF_ALL_MACHINES),
            // The lowest bit of the first byte marks a group address.
            [first, ..] if first & 1 == 1 => Err(texts::config::ADDRESS_OF_A_GROUP),
            bytes => Ok(Self(bytes)),
        }
    }

    /// The magic packet: six bytes of ones, then the address sixteen times.
    pub(crate) fn packet(self) -> [u8; 102] {
        let mut packet = [0xff; 102];
        for (at, byte) in packet.iter_mut().enumerate().skip(6) {
            *byte = self.0[at % 6];
        }
        packet
    }
}

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02X}:{b:02X}:{c:02X}:{d:02X}:{e:02X}:{g:02X}")
    }
}

/// Sends the magic packet to an address, usually the network's broadcast address.
pub(crate) async fn send(mac: Mac, to: SocketAddr) -> std::io::Result<()> {
    let any: SocketAddr = match to {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(any).await?;
    if to.is_ipv4() {
        socket.set_broadcast(true)?;
    }
    socket.send_to(&mac.packet(), to).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let form = "is not six hexadecimal bytes such as 9C:6B:00:1A:42:14";
        for (text, expect) in [
            ("9C:6B:00:1A:42:14", Ok("9C:6B:00:1A:42:14")),
            ("9c-6b-00-1a-42-14", Ok("9C:6B:00:1A:42:14")),
            ("9c6b001a4214", Ok("9C:6B:00:1A:42:14")),
            ("00:00:00:00:00:00", Err("is all zeros")),
            ("FF:FF:FF:FF:FF:FF", Err("is the address of all machines")),
            (
                "01:00:5E:00:00:01",
                Err("is the address of a group of machines"),
            ),
            (
                "33:33:00:00:00:01",
                Err("is the address of a group of machines"),
            ),
            ("9C:6B:00:1A:42", Err(form)),
            ("9C:6B:00:1A:42:14:15", Err(form)),
            ("9C:6B:00:1A:42:1G", Err(form)),
            ("+C:6B:00:1A:42:14", Err(form)),
            ("9C:6B:00:1A:42:", Err(form)),
            ("9c6b001a421é", Err(form)),
            ("", Err(form)),
        ] {
            let found = Mac::parse(text).map(|mac| mac.to_string());
            assert_eq!(found.as_deref().map_err(|error| *error), expect, "{text}");
        }
    }

    #[test]
    fn the_packet_is_102_bytes() {
        let packet = Mac::parse("02:01:02:03:04:05").unwrap().packet();
        assert_eq!(packet[..6], [0xff; 6]);
        for copy in packet[6..].chunks(6) {
            assert_eq!(copy, [2, 1, 2, 3, 4, 5]);
        }
    }
}
