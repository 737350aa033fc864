//! Sentences of the tools.

pub(crate) const ONLY_READS: &str = "It only reads.";
pub(crate) const ANOTHER_SITE: &str =
    "This conversation is about another site. Start a new conversation about this one.";
pub(crate) const HELP_ANOTHER_SITE: &str =
    "Ask about this one in a new conversation: values of two sites never meet in one.";
pub(crate) const NOT_REPORTED: &str = "the device has not reported them";
pub(crate) const NAME_THE_BUNDLE: &str =
    "Name the bundle: the device alone lists the bundles that there are.";
pub(crate) const NAME_THE_DEVICE: &str =
    "The bundle is not among the newest ones: name its device too.";
pub(crate) const NAME_DEVICE_OR_BUNDLE: &str = "Name a device or a bundle.";
pub(crate) const NOT_APPROVED: &str = "A script runs with a person's approval only.";
pub(crate) const NOT_AS_SHOWN: &str =
    "The run is not what its card showed, so nothing ran. Ask for it again.";
pub(crate) const HELP_OFFLINE: &str =
    "A proposed script can wait for it: run_script with wait_minutes.";
pub(crate) const HELP_PROBES: &str = "Gather what is left into one script: propose_script.";
/// Stands in the place of a name in the manifest of a probe that needed no card.
pub const LOW_RISK_RULE: &str = "rule: probe of low risk";
pub(crate) const NEVER_REBOOTED: &str = "Field devices are never rebooted from here.";
pub(crate) const NEVER_CHANGED: &str = "Networks of field devices are never changed from here.";

pub(crate) fn device(name: &str) -> String {
    format!("device {name}")
}

pub(crate) fn run(id: &str) -> String {
    format!("run {id}")
}

pub(crate) fn devices(count: usize) -> String {
    match count {
        1 => "1 device".to_owned(),
        count => format!("{count} devices"),
    }
}

pub(crate) fn online(count: usize, of: usize) -> String {
    format!("{} {} online", some_of(count, of), is_or_are(count))
}

pub(crate) fn offline(count: usize, of: usize) -> String {
    format!("{} {} offline", some_of(count, of), is_or_are(count))
}

pub(crate) fn want_attention(count: usize, of: usize) -> String {
    let want = if count > 1 { "want" } else { "wants" };
    format!("{} {want} attention", some_of(count, of))
}

fn some_of(count: usize, of: usize) -> String {
    match count {
        0 => format!("none of {}", devices(of)),
        _ => format!("{count} of {}", devices(of)),
    }
}

fn is_or_are(count: usize) -> &'static str {
    if count > 1 { "are" } else { "is" }
}

pub(crate) fn read_device(name: &str) -> String {
    format!("device {name}")
}

pub(crate) fn bundles(count: usize, device: &str) -> String {
    format!("{count} bundles of {device}")
}

pub(crate) fn sections(count: usize) -> String {
    format!("{count} sections")
}

pub(crate) fn section(name: &str, lines: usize) -> String {
    match lines {
        1 => format!("section {name} has 1 line"),
        lines => format!("section {name} has {lines} lines"),
    }
}

pub(crate) fn left_out(why: &str) -> String {
    let why = why.trim_end_matches('.');
    format!("The section has no text here: {why}.")
}

pub(crate) fn read_run(phase: &str) -> String {
    format!("run {phase}")
}

pub(crate) fn runs(count: usize) -> String {
    format!("{count} runs")
}

pub(crate) fn is_offline(seen: Option<u64>) -> String {
    match seen {
        Some(seconds) => format!(
            "The device is offline; it was last seen {} ago.",
            units::age(seconds)
        ),
        None => "The device is offline and was never seen.".to_owned(),
    }
}

pub(crate) fn probes_used_up(most: u32) -> String {
    format!("The device has run {most} probes and scripts in the last hour, as many as it may.")
}
