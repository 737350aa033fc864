//! Notes below the figures of a report.

pub(crate) fn too_few(name: &str) -> String {
    format!("Below the goal: {name} per second.")
}

pub(crate) fn adds_too_much(name: &str) -> String {
    format!("Above the goal: added time {name}.")
}

/// `goal`: milliseconds.
pub(crate) fn too_far_above_websocket(name: &str, goal: f64) -> String {
    format!("Above the goal: {name} over AG-UI is more than {goal} ms above the websocket's.")
}

/// `more` and `goal`: per cent.
pub(crate) fn cost_of_monitoring(name: &str, more: f64, goal: f64) -> String {
    let outcome = if more < goal { "met" } else { "missed" };
    format!("More processor time per token with {name}: wanted below {goal} %, {outcome}.")
}

pub(crate) fn without_example(tool: &str) -> String {
    format!("{tool} has no example to measure.")
}

pub(crate) fn left_out(reason: &str) -> String {
    format!("An example is left out: {}.", reason.trim_end_matches('.'))
}

pub(crate) fn too_slow(name: &str) -> String {
    format!("{name} is slower than its goal.")
}

pub(crate) fn goal_of_core(percent: f64) -> String {
    format!("The goal is at most {percent} % of a core.")
}

pub(crate) fn too_few_files(connections: usize, files: u64) -> String {
    format!("{connections} connections need more than {files} open files: raise `ulimit -n`.")
}

/// `full`: the process on the busier core.
pub(crate) fn too_many_sessions(sessions: usize, p99: f64, rate: f64, full: &str) -> String {
    format!(
        "{sessions} sessions were too many: p99 {p99:.0} ms, {rate:.0} tokens/s; the busier core ran \
         {full}."
    )
}

pub(crate) const MODEL_AND_CLIENT: &str = "the fake model and the client";
pub(crate) const SERVER: &str = "the server";
pub(crate) const SMALLEST_TOO_MANY: &str = "Even the smallest number of sessions was too many.";

pub(crate) const OF_PEERS: &str = "The reference server keeps a pending approval in memory only, and its \
     tools answer without a system. Ratios are its figures to ours: above 1 we are better, except in \
     rates.";

pub(crate) fn before_on_own_machine(figures: &str) -> String {
    format!("Measured before, on its own machine:\n{figures}")
}

pub(crate) fn measured_in_two_ways(group: &str, name: &str) -> String {
    format!("{group}: {name} was measured in two ways.")
}

pub(crate) fn no_samples(group: &str, name: &str) -> String {
    format!("{group}: {name} has no samples.")
}
