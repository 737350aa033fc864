//! `iperf3 -J`.

use serde_json::{Value, json};

use super::mtr::indented;
use super::{OfficeRun, ProgramOutput};
use crate::office::names;
use crate::step::OfficeStep;

/// The port that the office's server listens on.
const PORT: u16 = 5201;

pub(super) fn run(run: &mut OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let target = step.target.as_deref().unwrap_or_default();
    let port = step.port.unwrap_or(PORT);
    let seconds = step.seconds.unwrap_or(5);
    let reverse = step.reverse == Some(true);
    let output = ProgramOutput::of("/usr/bin/iperf3 -J -c").words(&[
        target,
        "-p",
        &port.to_string(),
        "-t",
        &seconds.to_string(),
        if reverse { "-R" } else { "" },
    ]);
    let head = json!({
        "connected": [],
        "version": "iperf 3.12",
        "system_info": format!("Linux {} 6.12.47+rpt-rpi-v8 aarch64", run.device.name()),
    });
    let failed = |error: &str| {
        let report = json!({ "start": head, "intervals": [], "end": {}, "error": error });
        indented(&report, b"\t")
    };
    let to = names::address(run, target);
    // One host of the office serves.
    let served = to.is_some_and(|to| run.is_server(to)) && port == PORT;
    let Some(to) = to.filter(|to| run.reaches(*to, run.at_ms)) else {
        let text = failed("unable to connect to server: No route to host");
        return output.printed(text).failed(1, "").took(3050.0);
    };
    if !served {
        let text = failed("unable to connect to server: Connection refused");
        return output.printed(text).failed(1, "");
    }
    run.touched.insert(to);
    let measured = measure(run, seconds);
    let total: f64 = measured.iter().sum();
    let report = json!({
        "start": {
            "connected": [{
                "socket": 5, "local_host": run.device.address().to_string(), "local_port": 41_230,
                "remote_host": to.to_string(), "remote_port": port,
            }],
            "version": head["version"], "system_info": head["system_info"],
            "timestamp": { "timesecs": run.at_ms / 1000 },
            "connecting_to": { "host": target, "port": port },
            "test_start": {
                "protocol": "TCP", "num_streams": 1, "blksize": 131_072, "omit": 0,
                "duration": seconds, "bytes": 0, "blocks": 0, "reverse": u8::from(reverse),
            },
        },
        "intervals": intervals(&measured),
        "end": {
            "streams": [],
            "sum_sent": sum(total, 0.0, f64::from(seconds), Some(measured.len() * 3)),
            "sum_received": sum(total * 0.998, 0.0, f64::from(seconds), None),
            "cpu_utilization_percent": { "host_total": 6.1, "remote_total": 2.4 },
        },
    });
    let took = f64::from(seconds) * 1000.0 + 60.0;
    output.printed(indented(&report, b"\t")).took(took)
}

/// Bytes of each second.
fn measure(run: &OfficeRun, seconds: u32) -> Vec<f64> {
    let second = |at: u32| {
        let at_ms = run.at_ms + u64::from(at) * 1000;
        let astray = run.goes_astray(at_ms) || run.is_roaming(at_ms);
        if astray {
            0.0
        } else {
            run.bytes_per_second(at_ms).round()
        }
    };
    (0..seconds).map(second).collect()
}

fn intervals(measured: &[f64]) -> Vec<Value> {
    let interval = |(at, bytes): (usize, &f64)| {
        let start = at as f64;
        let sum = sum(*bytes, start, start + 1.0, Some(3));
        json!({ "streams": [], "sum": sum })
    };
    measured.iter().enumerate().map(interval).collect()
}

fn sum(bytes: f64, start: f64, end: f64, retransmits: Option<usize>) -> Value {
    let seconds = end - start;
    let mut sum = json!({
        "start": start, "end": end, "seconds": seconds, "bytes": bytes.round() as u64,
        "bits_per_second": bytes * 8.0 / seconds, "sender": retransmits.is_some(),
    });
    if let Some(retransmits) = retransmits {
        sum["retransmits"] = retransmits.into();
    }
    sum
}

impl OfficeRun {
    fn is_server(&self, address: std::net::Ipv4Addr) -> bool {
        let plan = &crate::office::plan::OFFICE;
        plan.host(address).is_some_and(|it| it.name == "nas")
    }
}
