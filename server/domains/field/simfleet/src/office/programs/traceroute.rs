//! `traceroute` for Linux, one probe a hop.

use std::fmt::Write as _;

use super::{OfficeRun, ProgramOutput, family};
use crate::office::names;
use crate::office::route::ProbeEnd;
use crate::step::OfficeStep;

const MOST: usize = 30;
/// Milliseconds that a probe is waited for.
const PATIENCE: f64 = 2000.0;
/// Probes under way at once.
const AT_ONCE: usize = 16;

pub(super) fn run(run: &mut OfficeRun, step: &OfficeStep) -> ProgramOutput {
    let target = step.target.as_deref().unwrap_or_default();
    let output = ProgramOutput::of("/usr/bin/traceroute -n -q 1 -w 2 -m 30").words(&[
        family(step),
        "--",
        target,
    ]);
    if step.family.as_deref() == Some("6") || target.contains(':') {
        return output.failed(1, "connect: Network is unreachable\n");
    }
    let lookup = run.resolver_time(target, run.at_ms);
    let (Some(to), Some(lookup)) = (names::address(run, target), lookup) else {
        let message = format!(
            "{target}: Name or service not known\nCannot handle \"host\" cmdline arg `{target}' on position 1 (argc 9)\n"
        );
        return output.failed(2, &message).took(lookup.unwrap_or(20_000.0));
    };
    run.touched.insert(run.segment().gateway());
    let at_ms = run.at_ms + lookup as u64;
    let mut text = format!("traceroute to {target} ({to}), {MOST} hops max, 60 byte packets\n");
    let hops = run.hops(to);
    let mut silent = 0;
    for count in 1..=MOST {
        let end = match hops.get(count - 1) {
            Some(hop) if !hop.silent => run.probe(hop.address, 60, at_ms, count as u64),
            _ => ProbeEnd::Lost,
        };
        match (end, hops.get(count - 1)) {
            (ProbeEnd::Answer(time) | ProbeEnd::Twice(time, _), Some(hop)) => {
                _ = writeln!(text, "{count:2}  {}  {time:.3} ms", hop.address);
                if count >= hops.len() {
                    break;
                }
            }
            (ProbeEnd::Unreachable, _) => {
                let own = run.device.address();
                _ = writeln!(text, "{count:2}  {own}  3057.412 ms !H");
                break;
            }
            _ => {
                silent += 1;
                _ = writeln!(text, "{count:2}  *");
            }
        }
    }
    let waits = f64::from(u32::try_from(silent / AT_ONCE).unwrap_or(0));
    let took = lookup
        + if silent == 0 {
            60.0
        } else {
            PATIENCE * (1.0 + waits)
        };
    output.printed(text).took(took)
}
