//! `ping` of iputils.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use super::{OfficeRun, ProgramOutput, family};
use crate::office::names;
use crate::office::route::ProbeEnd;
use crate::step::OfficeStep;

/// Bytes of the headers of IPv4 and ICMP.
const HEADERS: u32 = 28;
/// Bytes of an echo request without a size of its own.
const USUAL: u32 = 56;

pub(super) fn run(run: &mut OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let target = step.target.as_deref().unwrap_or_default();
    let count = step.count.unwrap_or(4);
    let size = step.size.map(|it| it.to_string());
    let mut output = ProgramOutput::of("/usr/bin/ping -n -c").words(&[
        &count.to_string(),
        "-i",
        "1",
        "-W",
        "2",
        family(step),
    ]);
    if let Some(size) = &size {
        output = output.words(&["-M", "do", "-s", size]);
    }
    output = output.words(&["--", target]);
    if step.family.as_deref() == Some("6") || target.contains(':') {
        return output.failed(2, "ping: connect: Network is unreachable\n");
    }
    let Some(to) = names::address(run, target) else {
        let waited = run.resolver_time(target, run.at_ms);
        let message = format!("ping: {target}: Name or service not known\n");
        return output.failed(2, &message).took(waited.unwrap_or(20_000.0));
    };
    let Some(lookup) = run.resolver_time(target, run.at_ms) else {
        let message = format!("ping: {target}: Temporary failure in name resolution\n");
        return output.failed(2, &message).took(20_000.0);
    };
    run.asked.insert(target.to_owned());
    run.touched.insert(to);
    let mut report = EchoReport::new(run, target, to, step.size.unwrap_or(USUAL));
    report.send_all(run, count, run.at_ms + lookup as u64);
    let EchoReport { text, errors, .. } = &report;
    let exit = i32::from(report.received == 0);
    let (text, errors) = (text.clone() + &report.summary(count), errors.clone());
    output
        .printed(text)
        .failed(exit, &errors)
        .took(lookup + report.lasts(count))
}

/// Replies to echo requests so far.
struct EchoReport {
    to: Ipv4Addr,
    target: String,
    own: Ipv4Addr,
    size: u32,
    text: String,
    errors: String,
    received: u32,
    doubled: u32,
    failed: u32,
    times: Vec<f64>,
    /// The MTU of the way, as the kernel remembers it from the first message about it.
    known_mtu: Option<u32>,
    last_lost: bool,
}

impl EchoReport {
    fn new(run: &OfficeRun, target: &str, to: Ipv4Addr, size: u32) -> Self {
        let whole = size + HEADERS;
        Self {
            to,
            target: target.to_owned(),
            own: run.device.address(),
            size,
            text: format!("PING {target} ({to}) {size}({whole}) bytes of data.\n"),
            errors: String::new(),
            received: 0,
            doubled: 0,
            failed: 0,
            times: Vec::new(),
            known_mtu: None,
            last_lost: false,
        }
    }

    fn send_all(&mut self, run: &OfficeRun, count: u32, from_ms: u64) {
        for seq in 1..=count {
            let at_ms = from_ms + u64::from(seq - 1) * 1000;
            self.last_lost = false;
            if let Some(mtu) = self.known_mtu {
                self.failed += 1;
                self.errors
                    .push_str(&format!("ping: local error: message too long, mtu={mtu}\n"));
                continue;
            }
            match run.probe(self.to, self.size + HEADERS, at_ms, 0) {
                ProbeEnd::Answer(time) => self.reply(run, seq, time),
                ProbeEnd::Twice(first, second) => {
                    self.reply(run, seq, first);
                    self.double(seq, second);
                }
                ProbeEnd::Lost => self.last_lost = true,
                ProbeEnd::Unreachable => {
                    self.failed += 1;
                    let own = self.own;
                    _ = writeln!(
                        self.text,
                        "From {own} icmp_seq={seq} Destination Host Unreachable"
                    );
                }
                ProbeEnd::TooLarge { by, mtu } => {
                    self.failed += 1;
                    self.known_mtu = Some(mtu);
                    _ = writeln!(
                        self.text,
                        "From {by} icmp_seq={seq} Frag needed and DF set (mtu = {mtu})"
                    );
                }
            }
        }
    }

    fn reply(&mut self, run: &OfficeRun, seq: u32, time: f64) {
        self.received += 1;
        self.times.push(time);
        self.line(seq, 65 - run.hops(self.to).len() as u32, time, "");
    }

    fn double(&mut self, seq: u32, time: f64) {
        self.doubled += 1;
        self.times.push(time);
        self.line(seq, 64, time, " (DUP!)");
    }

    fn line(&mut self, seq: u32, ttl: u32, time: f64, mark: &str) {
        let (bytes, to, time) = (self.size + 8, self.to, digits(time));
        _ = writeln!(
            self.text,
            "{bytes} bytes from {to}: icmp_seq={seq} ttl={ttl} time={time} ms{mark}"
        );
    }

    fn summary(&self, count: u32) -> String {
        let mut parts = vec![
            format!("{count} packets transmitted"),
            format!("{} received", self.received),
        ];
        for (number, what) in [(self.doubled, "duplicates"), (self.failed, "errors")] {
            if number > 0 {
                parts.push(format!("+{number} {what}"));
            }
        }
        let loss = f64::from(count - self.received) * 100.0 / f64::from(count);
        let loss = (loss * 10_000.0).round() / 10_000.0;
        parts.push(format!("{loss}% packet loss"));
        parts.push(format!("time {}ms", self.lasts(count).round()));
        let head = format!("\n--- {} ping statistics ---\n", self.target);
        format!("{head}{}\n{}\n", parts.join(", "), self.times_line())
    }

    fn times_line(&self) -> String {
        if self.received == 0 {
            return String::new();
        }
        let count = self.times.len() as f64;
        let mean = self.times.iter().sum::<f64>() / count;
        let square = self.times.iter().map(|it| it * it).sum::<f64>() / count;
        let deviation = (square - mean * mean).max(0.0).sqrt();
        let least = self.times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.times.iter().copied().fold(0.0, f64::max);
        format!("rtt min/avg/max/mdev = {least:.3}/{mean:.3}/{most:.3}/{deviation:.3} ms")
    }

    /// Milliseconds from the first request to the end.
    fn lasts(&self, count: u32) -> f64 {
        let last = match (self.last_lost, self.times.last()) {
            (true, _) => 2000.0,
            (false, time) => time.copied().unwrap_or(1.0),
        };
        f64::from(count - 1) * 1001.3 + last
    }
}

/// A time with as many digits as `ping` prints.
pub(super) fn digits(milliseconds: f64) -> String {
    match milliseconds {
        it if it >= 100.0 => format!("{it:.0}"),
        it if it >= 10.0 => format!("{it:.1}"),
        it if it >= 1.0 => format!("{it:.2}"),
        it => format!("{it:.3}"),
    }
}
