//! Steps in words, as pages show them and people write them: one a line, such as `ping ip-s1-n1.1 count 4`.

use field_package::steps::{ProbeStep, RowName, StepSlot, row};

use crate::texts::scripts as say;

/// Writes a step.
pub(crate) fn step_words(step: &ProbeStep) -> String {
    let slots = StepSlot::ALL.iter();
    let values = slots.filter_map(|slot| {
        let value = step.value(*slot)?;
        Some(match slot {
            // A host may have the name of a slot.
            StepSlot::Target | StepSlot::Name | StepSlot::Url | StepSlot::Network
                if StepSlot::from_word(&value).is_none() =>
            {
                value
            }
            slot => format!("{} {value}", slot.word()),
        })
    });
    let row = step.run.word().replace('_', " ");
    [row]
        .into_iter()
        .chain(values)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Reads steps. Empty lines do not count.
///
/// # Errors
/// One sentence about the first step that cannot be read, counted from 1.
pub(crate) fn read_steps(text: &str) -> Result<Vec<ProbeStep>, String> {
    let mut steps = Vec::new();
    for line in text.lines() {
        let words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        let words: Vec<_> = words.collect();
        if !words.is_empty() {
            let at = steps.len() + 1;
            steps.push(read_step(&words).map_err(|why| say::step(at, &why))?);
        }
    }
    Ok(steps)
}

/// Reads a step. Its row checks the values afterwards; nothing of a line is passed over.
fn read_step(words: &[&str]) -> Result<ProbeStep, String> {
    let Some((run, mut rest)) = read_row(words) else {
        return Err(say::no_such_row(words.first().copied().unwrap_or_default()));
    };
    let mut step = ProbeStep::new(run);
    while let Some((word, after)) = rest.split_first() {
        let (slot, value, left) = match StepSlot::from_word(word) {
            Some(slot) => {
                let (value, left) = after.split_first().ok_or_else(|| say::no_value(word))?;
                (slot, value, left)
            }
            None => (unnamed(run), word, after),
        };
        if step.value(slot).is_some() {
            return Err(say::two_values(slot.word()));
        }
        step = step.with(slot, value);
        // The slot's type may have no such value, and a row would then take its default.
        if step.value(slot).as_deref() != Some(*value) {
            let form = row(run).form();
            return Err(say::value(run.word(), slot.word(), value, &form));
        }
        rest = left;
    }
    Ok(step)
}

/// The row that words begin with, and the words behind it. `link info` is one name, and no name of one
/// word begins such a name.
fn read_row<'a>(words: &'a [&'a str]) -> Option<(RowName, &'a [&'a str])> {
    let mut counts = (1..=words.len().min(2)).rev();
    counts.find_map(|count| {
        let (name, rest) = words.split_at(count);
        Some((RowName::from_word(&name.join("_"))?, rest))
    })
}

/// The slot of a value without a name.
const fn unnamed(run: RowName) -> StepSlot {
    match run {
        RowName::Dig => StepSlot::Name,
        RowName::HttpTiming | RowName::DownloadRate => StepSlot::Url,
        RowName::Sweep => StepSlot::Network,
        _ => StepSlot::Target,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn step(json: Value) -> ProbeStep {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn steps_are_read_as_they_are_written() {
        let steps = [
            json!({ "run": "ping", "target": "ip-s1-n1.1", "count": 4, "size": 1472, "family": "4" }),
            json!({ "run": "ping", "target": "count", "count": 4 }),
            json!({ "run": "dig", "name": "example.org", "type": "AAAA", "server": "ip-s1-n1.1" }),
            json!({ "run": "link_info", "interface": "eth0" }),
            json!({ "run": "http_timing", "url": "https://example.org/a?b=c" }),
            json!({ "run": "throughput", "target": "host-s1-2", "port": 5201, "reverse": true }),
            json!({ "run": "sweep", "interface": "eth0", "network": "net-s1-1" }),
            json!({ "run": "capture", "interface": "eth0", "filter": "tcp_syn", "seconds": 20 }),
            json!({ "run": "dns_config" }),
        ];
        let steps: Vec<_> = steps.into_iter().map(step).collect();
        let lines: Vec<_> = steps.iter().map(step_words).collect();
        let text = format!("\n  {}\t\n", lines.join("  \n\n"));
        assert_eq!(read_steps(&text), Ok(steps));
        assert_eq!(lines[0], "ping ip-s1-n1.1 count 4 size 1472 family 4");
        assert_eq!(read_steps(" \n"), Ok(Vec::new()));
        for run in RowName::ALL {
            let bare = ProbeStep::new(*run);
            assert_eq!(read_steps(&step_words(&bare)), Ok(vec![bare]));
        }
    }

    #[test]
    fn nothing_of_a_line_is_passed_over() {
        for (text, says) in [
            ("routes\nreboot now", "Step 2: \"reboot\""),
            ("sh -c id", "Step 1: \"sh\""),
            ("ping a count", "count"),
            ("ping a b", "target"),
            ("ping a; id", "target"),
            ("ping a count 4 count 5", "count"),
            ("ping a count four", "\"four\""),
            ("ping a count +4", "\"+4\""),
            ("ping a count 4294967296", "\"4294967296\""),
            ("throughput a reverse false", "\"false\""),
            ("# a comment", "\"#\""),
            ("ping\u{a0}a", "ping\\u{a0}a"),
            ("pi\0ng a", "pi\\0ng"),
        ] {
            let refusal = read_steps(text).unwrap_err();
            assert!(refusal.contains(says), "{text:?}: {refusal}");
            assert!(!refusal.contains(char::is_control), "{refusal:?}");
        }
    }
}
