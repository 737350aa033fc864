//! The summary that goes with messages, and texts of things.

pub(crate) const SIMULATED: &str = "some of these devices are simulated: nothing of them is real";
pub(crate) const NO_SUCH_THING: &str = "there is no such thing here";
pub(crate) const CUT: &str = "[cut: read the rest with get_diagnostics]";

pub(crate) fn bundle(id: &str, received: &str, simulated: bool) -> String {
    let simulated = if simulated { ", simulated" } else { "" };
    format!("Diagnostics {id}, received {received}{simulated}")
}

pub(crate) const LEGEND: &str = "Legend of the tokens:";

pub(crate) fn section(name: &str, lines: u64) -> String {
    format!("=== section {name}, {lines} lines ===")
}

pub(crate) fn left_out(name: &str, why: &str) -> String {
    format!("=== section {name}: left out, {why} ===")
}

pub(crate) fn run(id: &str, phase: &str) -> String {
    format!("Run {id}: {phase}")
}

pub(crate) fn step(number: u32, row: &str) -> String {
    format!("=== step {number}, {row} ===")
}

pub(crate) fn place(kind: &str, id: &str) -> String {
    format!("{kind} {id}")
}
