//! Prints the speed on a bundle of 1 MiB: all of `cover`, secrets alone, the search for leaks.
//!
//! `cargo run --release -p field-redaction --example throughput`

#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use std::hint::black_box;
use std::time::Instant;

use field_redaction::{PublicAddresses, SiteScope, Vault, drop_secrets};

/// Lines as diagnostics have them: logs, neighbours, scans, routes, counters.
const LINES: [&str; 12] = [
    "Nov 27 11:{m}:{s} workbench kernel: [12345.678901] brcmfmac: brcmf_cfg80211_set_power_mgmt: power save enabled",
    "Nov 27 11:{m}:{s} workbench systemd[1]: Started Daily apt download activities.",
    "10.1.2.{h} dev eth0 lladdr b8:27:eb:12:34:{x} REACHABLE",
    "    RX packets 123{h}456  bytes 98765{h}432 (941.8 MiB)  errors 0  dropped {h}  overruns 0  frame 0",
    "64 bytes from 10.1.2.{h}: icmp_seq={h} ttl=64 time=0.{h} ms",
    "tcp   ESTAB 0      0             10.1.2.5:22          10.1.2.{h}:53124",
    "BSS b8:27:eb:aa:bb:{x}(on wlan0) -- associated signal: -{h}.00 dBm SSID: Gartenhaus {h}",
    "the quick brown fox jumps over the lazy dog and then reads the manual of the switch in the cellar",
    "{\"time\":\"2026-11-27T11:{m}:{s}Z\",\"level\":\"info\",\"msg\":\"request done\",\"status\":200,\"ms\":{h}}",
    "net.ipv4.tcp_rmem = 4096 131072 6291456",
    "Filesystem      Size  Used Avail Use% Mounted on /dev/mmcblk0p2  29G  {h}G   24G  13% /",
    "11:{m}:{s}.123456 IP 10.1.2.5.53124 > 10.1.2.{h}.443: Flags [P.], seq 1:518, ack 1, win 502, length 517",
];

const MIB: usize = 1 << 20;
const ROUNDS: u32 = 10;

fn main() {
    let text = bundle();
    let site = SiteScope {
        id: "bench".to_owned(),
        number: None,
    };
    let mut vault = Vault::new(site, PublicAddresses::Cover);
    let first = Instant::now();
    let covered = vault.cover(&text);
    println!(
        "first cover of {:.2} MiB: {:.1} ms, {} entries, {} tokens",
        text.len() as f64 / MIB as f64,
        first.elapsed().as_secs_f64() * 1e3,
        vault.entries().len(),
        covered.counts.iter().map(|(_, count)| count).sum::<usize>()
    );
    measure("cover", text.len(), || {
        black_box(vault.cover(&text));
    });
    measure("drop_secrets", text.len(), || {
        black_box(drop_secrets(&text));
    });
    let request = covered.text;
    measure("leaks", request.len(), || {
        black_box(vault.leaks(request.as_bytes()));
    });
    measure("restore", request.len(), || {
        black_box(vault.restore(&request).is_ok());
    });
}

fn measure(name: &str, bytes: usize, mut run: impl FnMut()) {
    let start = Instant::now();
    for _ in 0..ROUNDS {
        run();
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(ROUNDS);
    println!(
        "{name:13} {:6.1} ms for 1 MiB, {:6.1} MB/s",
        seconds * 1e3 * MIB as f64 / bytes as f64,
        bytes as f64 / seconds / 1e6
    );
}

fn bundle() -> String {
    let mut text = String::from("    inet 10.1.2.5/24 brd 10.1.2.255 scope global eth0\n");
    let mut index: usize = 0;
    while text.len() < MIB {
        let line = LINES[index % LINES.len()];
        let line = line
            .replace("{h}", &(index % 200 + 10).to_string())
            .replace("{x}", &format!("{:02x}", index % 199))
            .replace("{m}", &format!("{:02}", index / 60 % 60))
            .replace("{s}", &format!("{:02}", index % 60));
        text.push_str(&line);
        text.push('\n');
        index += 1;
    }
    text
}
