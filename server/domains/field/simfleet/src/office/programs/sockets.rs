//! `ss` of iproute2.

use std::fmt::Write as _;

use super::{OfficeRun, ProgramOutput};

pub(super) fn run(run: &OfficeRun) -> ProgramOutput {
    let own = run.device.address();
    let port = 32_768 + run.noise.named("port").whole(run.at_ms / 60_000) % 20_000;
    let mut text = String::new();
    for [protocol, state, local, peer] in [
        ["udp", "UNCONN", "0.0.0.0:68", "0.0.0.0:*"],
        ["udp", "UNCONN", "0.0.0.0:5353", "0.0.0.0:*"],
        ["udp", "UNCONN", "[::]:5353", "[::]:*"],
        ["tcp", "LISTEN", "0.0.0.0:22", "0.0.0.0:*"],
        ["tcp", "LISTEN", "[::]:22", "[::]:*"],
        [
            "tcp",
            "ESTAB",
            format!("{own}:{port}").as_str(),
            "198.18.7.10:443",
        ],
    ] {
        let queue = if state == "LISTEN" { 128 } else { 0 };
        _ = writeln!(
            text,
            "{protocol:<3} {state:<6} 0      {queue:<4} {local:>22} {peer:>22}"
        );
    }
    ProgramOutput::of("/usr/bin/ss -H -tuan").printed(text)
}
