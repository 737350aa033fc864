//! Magic packets: wakes machines that are off.

use std::sync::Arc;

use tokio::net::UdpSocket;
use tokio::sync::watch;

use crate::control::ControlState;

/// Buffer size; more than a magic packet with the longest password.
const LONGEST: usize = 512;
const PACKETS_KEPT: usize = 1_000;

/// Wakes machines until told to stop.
pub(crate) async fn listen(
    socket: UdpSocket,
    shared: Arc<ControlState>,
    mut stop: watch::Receiver<bool>,
) {
    let mut packet = [0; LONGEST];
    loop {
        let received = tokio::select! {
            _ = stop.changed() => return,
            received = socket.recv(&mut packet) => received,
        };
        // An error concerns one packet, not the socket.
        let Ok(length) = received else { continue };
        if let Some(mac) = packet.get(..length).and_then(address) {
            let mut world = shared.world();
            world.wake(&mac);
            if world.wakes.len() < PACKETS_KEPT {
                world.wakes.push(mac);
            }
        }
    }
}

/// The hardware address in a magic packet: six bytes of ones, then the address sixteen times,
/// anywhere in the packet.
fn address(packet: &[u8]) -> Option<String> {
    let magic = packet.windows(102).find(|window| {
        let (ones, copies) = window.split_at(6);
        ones == [0xff; 6] && copies.chunks(6).all(|copy| copies.starts_with(copy))
    })?;
    let bytes: Vec<String> = magic
        .iter()
        .skip(6)
        .take(6)
        .map(|byte| format!("{byte:02X}"))
        .collect();
    Some(bytes.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_packets_count() {
        let mut packet = vec![0xff; 6];
        packet.extend([2, 1, 2, 3, 4, 5].repeat(16));
        let expect = Some("02:01:02:03:04:05".to_owned());
        assert_eq!(address(&packet), expect);
        let framed = [&[0, 1], packet.as_slice(), &[9; 6]].concat();
        assert_eq!(address(&framed), expect, "anywhere, with a password");
        assert_eq!(address(&packet[..101]), None);
        packet[50] ^= 1;
        assert_eq!(address(&packet), None);
    }
}
