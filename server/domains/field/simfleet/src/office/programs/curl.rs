//! `curl` with a line of times.

use std::net::Ipv4Addr;

use super::{OfficeRun, ProgramOutput};
use crate::office::names;
use crate::office::route::ProbeEnd;
use crate::step::{OfficeRow, OfficeStep};

/// Text that curl prints after a request. Times are in seconds since its start.
const FORMAT: &str = "code=%{http_code} name=%{time_namelookup} connect=%{time_connect} \
    tls=%{time_appconnect} first=%{time_starttransfer} total=%{time_total} bytes=%{size_download} \
    rate=%{speed_download} address=%{remote_ip} verify=%{ssl_verify_result}";

/// Seconds in which one fetch of the row for times ends.
const PATIENCE: u32 = 10;
/// Bytes of a page, and of the file behind a download.
const PAGE: f64 = 14_210.0;
const FILE: f64 = 50_000_000.0;

pub(super) fn run(run: &mut OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let url = step.url.as_deref().unwrap_or_default();
    let download = step.run == OfficeRow::DownloadRate;
    let seconds = if download {
        step.seconds.unwrap_or(10)
    } else {
        PATIENCE
    };
    let most = if download { "50000000" } else { "1048576" };
    let output = ProgramOutput::of("/usr/bin/curl -q -g -sS -o /dev/null --proto =http,https")
        .words(&[
            "--max-redirs",
            "0",
            "-m",
            &seconds.to_string(),
            "--max-filesize",
            most,
        ])
        .words(&["-w", FORMAT, "--", url]);
    let mut fetch = WebFetch {
        patience: f64::from(seconds) * 1000.0,
        download,
        ..WebFetch::default()
    };
    let failure = fetch.run(run, url);
    let output = match &failure {
        None => output,
        Some(failure) => {
            let (code, text) = (failure.code, &failure.text);
            output.failed(code, &format!("curl: ({code}) {text}\n"))
        }
    };
    output.printed(fetch.line()).took(fetch.total)
}

/// A failure of curl.
struct WebFailure {
    code: i32,
    text: String,
}

/// Times of one request in milliseconds since its start; zero for a phase that was not reached.
#[derive(Default)]
struct WebFetch {
    patience: f64,
    download: bool,
    status: u32,
    name: f64,
    connect: f64,
    tls: f64,
    first: f64,
    total: f64,
    bytes: f64,
    address: String,
}

impl WebFetch {
    fn run(&mut self, run: &mut OfficeRun, url: &str) -> Option<WebFailure> {
        let secure = url.starts_with("https://");
        let (_, rest) = url.split_once("://").unwrap_or_default();
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
        let usual = if secure { "443" } else { "80" };
        let port = if port.is_empty() { usual } else { port };
        let from_ms = run.at_ms;
        let lookup = run.resolver_time(host, from_ms);
        let Some(lookup) = lookup.filter(|it| *it < self.patience) else {
            return Some(self.timed_out("Resolving timed out"));
        };
        self.name = lookup;
        let Some(to) = names::address(run, host) else {
            self.total = lookup;
            self.name = 0.0;
            return Some(WebFailure {
                code: 6,
                text: format!("Could not resolve host: {host}"),
            });
        };
        run.asked.insert(host.to_owned());
        run.touched.insert(to);
        let Some(trip) = self.connect(run, to, from_ms) else {
            return Some(self.timed_out("Connection timed out"));
        };
        self.address = to.to_string();
        let near = run.segment().contains(to);
        if near
            && !run
                .segment()
                .host(to)
                .is_some_and(|it| ["gateway", "nas"].contains(&it.name))
        {
            self.total = self.connect;
            self.connect = 0.0;
            let text = format!(
                "Failed to connect to {host} port {port} after {:.0} ms: Couldn't connect to server",
                self.total
            );
            return Some(WebFailure { code: 7, text });
        }
        let hole = run.is_black_hole(to);
        if secure {
            if hole {
                // The certificate comes in packets that are too large for the way back.
                return Some(self.timed_out("SSL connection timeout"));
            }
            self.tls = self.connect + 2.0 * trip + 6.5;
        }
        let small = path.ends_with("204");
        if hole && !small {
            return Some(self.timed_out("Operation timed out"));
        }
        self.first = self.tls.max(self.connect) + trip + 9.0;
        self.status = if small { 204 } else { 200 };
        self.transfer(run, small)
    }

    /// The body. A link that loses packets is slow long before it fails.
    fn transfer(&mut self, run: &OfficeRun, small: bool) -> Option<WebFailure> {
        let size = match (small, self.download) {
            (true, _) => 0.0,
            (false, true) => FILE,
            (false, false) => PAGE,
        };
        let rate = run.bytes_per_second(run.at_ms) / 1000.0;
        let left = self.patience - self.first;
        let needed = size / rate;
        self.bytes = if needed <= left {
            size
        } else {
            (left * rate).floor()
        };
        self.total = self.first + needed.min(left);
        (needed > left).then(|| self.timed_out("Operation timed out"))
    }

    /// Connects, with the repeats of the kernel, and returns the round trip.
    fn connect(&mut self, run: &OfficeRun, to: Ipv4Addr, from_ms: u64) -> Option<f64> {
        for wait in [0.0, 1000.0, 3000.0, 7000.0] {
            let at = self.name + wait;
            if at >= self.patience {
                return None;
            }
            let end = run.probe(to, 60, from_ms + at as u64, 3);
            if let ProbeEnd::Answer(time) | ProbeEnd::Twice(time, _) = end {
                self.connect = at + time;
                return (self.connect < self.patience).then_some(time);
            }
        }
        None
    }

    fn timed_out(&mut self, what: &str) -> WebFailure {
        self.total = self.patience;
        let waited = self.patience;
        let text = if what.starts_with("Operation") {
            format!(
                "{what} after {waited:.0} milliseconds with {:.0} bytes received",
                self.bytes
            )
        } else {
            format!("{what} after {waited:.0} milliseconds")
        };
        WebFailure { code: 28, text }
    }

    fn line(&self) -> String {
        let second = |it: f64| it / 1000.0;
        let body = (self.total - self.first).max(1.0);
        let rate = if self.bytes > 0.0 {
            self.bytes * 1000.0 / body
        } else {
            0.0
        };
        format!(
            "code={:03} name={:.6} connect={:.6} tls={:.6} first={:.6} total={:.6} bytes={:.0} rate={rate:.0} address={} verify=0",
            self.status,
            second(self.name),
            second(self.connect),
            second(self.tls),
            second(self.first),
            second(self.total),
            self.bytes,
            self.address,
        )
    }
}

impl OfficeRun {
    /// Bytes in a second that a transfer gets through now.
    pub(super) fn bytes_per_second(&self, at_ms: u64) -> f64 {
        use crate::office::OfficeDevice as Device;
        let noise = self.noise.named("rate");
        let turn = at_ms / 10_000;
        match self.device {
            Device::GatewayProbe | Device::Reception => noise.between(turn, 10.5e6, 11.4e6),
            // Stalls each time the wrong box holds the gateway's address.
            Device::MeetingRoom => noise.between(turn, 0.12e6, 0.42e6),
            Device::Warehouse => noise.between(turn, 0.15e6, 0.6e6),
            Device::Branch | Device::Archive => noise.between(turn, 4.0e6, 5.0e6),
        }
    }
}
