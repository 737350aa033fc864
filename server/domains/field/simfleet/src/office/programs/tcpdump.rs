//! `tcpdump -nn -q -l`, under a limit of time.

use std::fmt::Write as _;

use super::clock_text::packet_time;
use super::{OfficeRun, ProgramOutput};
use crate::office::plan;
use crate::step::OfficeStep;

/// Exit code of `timeout` when time was up.
const TIME_UP: i32 = 124;

/// Mean milliseconds between two packets of each filter.
const PACES: [(&str, u64); 6] = [
    ("arp", 1_900),
    ("icmp", 5_000),
    ("dhcp", 9_000),
    ("dns", 2_500),
    ("tcp_syn", 3_100),
    ("all_headers", 400),
];

pub(super) fn run(run: &OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let interface = step.interface.as_deref().unwrap_or_default();
    let filter = step.filter.as_deref().unwrap_or("all_headers");
    let count = u64::from(step.count.unwrap_or(50));
    let seconds = u64::from(step.seconds.unwrap_or(20));
    let output = ProgramOutput::of("/usr/bin/timeout --signal=INT")
        .words(&[&seconds.to_string(), "/usr/bin/tcpdump", "-i", interface])
        .words(&[
            "-nn",
            "-q",
            "-p",
            "-l",
            "-s",
            "64",
            "-c",
            &count.to_string(),
            expression(filter),
        ]);
    if !run.has_interface(interface) {
        let message =
            format!("tcpdump: {interface}: No such device exists\n(No such device exists)\n");
        return output.failed(1, &message);
    }
    let pace = PACES
        .iter()
        .find(|(name, _)| *name == filter)
        .map_or(400, |(_, pace)| *pace);
    let busy = interface == run.device.uplink();
    let noise = run.noise.named("capture").named(filter);
    let (mut text, mut seen, mut at, mut turn) = (String::new(), 0, 0, 0);
    while seen < count && busy {
        at += 1 + noise.whole(run.at_ms / 1000 + seen) % (2 * pace);
        if at >= seconds * 1000 {
            break;
        }
        let at_ms = run.at_ms + at;
        let kind = if filter == "all_headers" {
            ["arp", "dns", "tcp_syn"][turn % 3]
        } else {
            filter
        };
        turn += 1;
        let left = usize::try_from(count - seen).unwrap_or(usize::MAX);
        for packet in packets(run, kind, at_ms, seen).into_iter().take(left) {
            let time = packet_time(at_ms, noise.whole(at_ms) % 1000 + seen);
            _ = writeln!(text, "{time} {packet}");
            seen += 1;
        }
    }
    let full = seen >= count;
    let notice = format!(
        "tcpdump: verbose output suppressed, use -v[v]... for full protocol decode\n\
         listening on {interface}, link-type EN10MB (Ethernet), snapshot length 64 bytes\n\
         {seen} packets captured\n{seen} packets received by filter\n0 packets dropped by kernel\n"
    );
    let took = if full { at } else { seconds * 1000 };
    let exit = if full { 0 } else { TIME_UP };
    output.printed(text).failed(exit, &notice).took(took as f64)
}

fn expression(filter: &str) -> &'static str {
    match filter {
        "arp" => "arp",
        "icmp" => "icmp or icmp6",
        "dhcp" => "udp and (port 67 or port 68)",
        "dns" => "port 53",
        "tcp_syn" => "tcp[tcpflags] & tcp-syn != 0",
        _ => "",
    }
}

/// Packets about one thing: a question and its answers.
fn packets(run: &OfficeRun, kind: &str, at_ms: u64, which: u64) -> Vec<String> {
    let own = run.device.address();
    let gateway = run.segment().gateway();
    let server = run.device.servers()[0];
    let port = 40_000 + which;
    match kind {
        "arp" => {
            let mut packets = vec![format!(
                "ARP, Request who-has {gateway} tell {own}, length 28"
            )];
            // Both answer where there are two.
            let holders = run.holders(gateway, at_ms).into_iter();
            packets
                .extend(holders.map(|mac| format!("ARP, Reply {gateway} is-at {mac}, length 46")));
            packets
        }
        "icmp" => vec![
            format!("IP {own} > {gateway}: ICMP echo request, id {port}, seq {which}, length 64"),
            format!("IP {gateway} > {own}: ICMP echo reply, id {port}, seq {which}, length 64"),
        ],
        "dhcp" => {
            let mut packets = vec![
                "IP 0.0.0.0.68 > 255.255.255.255.67: UDP, length 300".to_owned(),
                format!("IP {gateway}.67 > {own}.68: UDP, length 300"),
            ];
            if run.is_doubled(gateway) {
                // The other box gives out addresses, too.
                let offered = plan::ROOM.at(112);
                packets.push(format!("IP {gateway}.67 > {offered}.68: UDP, length 286"));
            }
            packets
        }
        "dns" => vec![
            format!("IP {own}.{port} > {server}.53: UDP, length 52"),
            format!("IP {server}.53 > {own}.{port}: UDP, length 68"),
        ],
        _ => vec![
            format!("IP {own}.{port} > 198.18.7.10.443: tcp 0"),
            format!("IP 198.18.7.10.443 > {own}.{port}: tcp 0"),
        ],
    }
}
