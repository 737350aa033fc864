//! `mtr --json`.

use serde_json::{Value, json};

use super::{OfficeRun, ProgramOutput, family};
use crate::office::names;
use crate::office::route::{ProbeEnd, RouteHop};
use crate::step::OfficeStep;

/// Hops that mtr goes on to look for behind one that does not answer.
const BEYOND: usize = 5;

pub(super) fn run(run: &mut OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let target = step.target.as_deref().unwrap_or_default();
    let cycles = step.count.unwrap_or(5);
    let output = ProgramOutput::of("/usr/bin/mtr -n -r -j -c").words(&[
        &cycles.to_string(),
        "-m",
        "30",
        family(step),
        target,
    ]);
    let lookup = run.resolver_time(target, run.at_ms);
    let (Some(to), Some(lookup)) = (names::address(run, target), lookup) else {
        let message = format!("mtr: Failed to resolve host: {target}: Name or service not known\n");
        return output.failed(1, &message).took(lookup.unwrap_or(20_000.0));
    };
    if step.family.as_deref() == Some("6") {
        return output.failed(
            1,
            "mtr: udp socket connect failed: Network is unreachable\n",
        );
    }
    run.touched.insert(run.segment().gateway());
    let from_ms = run.at_ms + lookup as u64;
    let hops = run.hops(to);
    let mut hubs = Vec::new();
    let mut lost_at_end = 0;
    for (at, hop) in hops.iter().enumerate() {
        let times = times(run, hop, at, cycles, from_ms);
        lost_at_end = cycles as usize - times.len();
        hubs.push(hub(at + 1, hop, &times, cycles));
    }
    if lost_at_end == cycles as usize {
        // It cannot know that this was the last one.
        let unknown = |at| {
            hub(
                at + 1,
                &RouteHop {
                    silent: true,
                    ..hops[0]
                },
                &[],
                cycles,
            )
        };
        hubs.extend((hops.len()..hops.len() + BEYOND).map(unknown));
    }
    let report = json!({ "report": {
        "mtr": {
            "src": run.device.name(),
            "dst": target,
            "tos": 0,
            "tests": cycles,
            "psize": "64",
            "bitpattern": "0x00",
        },
        "hubs": hubs,
    }});
    let took = lookup + f64::from(cycles) * 1000.0 + 5000.0;
    output.printed(indented(&report, b"    ")).took(took)
}

fn times(run: &OfficeRun, hop: &RouteHop, at: usize, cycles: u32, from_ms: u64) -> Vec<f64> {
    let cycles = (0..cycles).filter(|_| !hop.silent);
    let sent = cycles.map(|cycle| from_ms + u64::from(cycle) * 1000 + at as u64 * 33);
    sent.filter_map(|at_ms| match run.probe(hop.address, 64, at_ms, at as u64) {
        ProbeEnd::Answer(time) | ProbeEnd::Twice(time, _) => Some(time),
        _ => None,
    })
    .collect()
}

fn hub(count: usize, hop: &RouteHop, times: &[f64], sent: u32) -> Value {
    let round = |it: f64| (it * 1000.0).round() / 1000.0;
    let number = times.len() as f64;
    let mean = if times.is_empty() {
        0.0
    } else {
        times.iter().sum::<f64>() / number
    };
    let square = times
        .iter()
        .map(|it| (it - mean) * (it - mean))
        .sum::<f64>();
    let host = if times.is_empty() {
        "???".to_owned()
    } else {
        hop.address.to_string()
    };
    let best = times.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let worst = times.iter().copied().fold(0.0, f64::max);
    json!({
        "count": count,
        "host": host,
        "Loss%": round(100.0 - number * 100.0 / f64::from(sent)),
        "Snt": sent,
        "Last": round(times.last().copied().unwrap_or(0.0)),
        "Avg": round(mean),
        "Best": round(best),
        "Wrst": round(worst),
        "StDev": round((square / number.max(1.0)).sqrt()),
    })
}

/// JSON over many lines, with an indent of one's own.
pub(super) fn indented(value: &Value, indent: &[u8]) -> String {
    use serde::Serialize as _;
    let mut bytes = Vec::new();
    let style = serde_json::ser::PrettyFormatter::with_indent(indent);
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, style);
    // Writing a value to memory does not fail.
    _ = value.serialize(&mut writer);
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}
