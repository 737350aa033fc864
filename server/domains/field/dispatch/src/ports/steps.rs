//! The stream of steps: one line when a step begins, and one when it has ended.

use std::collections::BTreeMap;

use field::field_queue::report::JobEnding;
use serde::Deserialize;

/// A step as far as it is known. Other members of its lines are ignored.
#[derive(Debug, Deserialize)]
pub(super) struct KnownStep {
    pub(super) step: u32,
    #[serde(default)]
    pub(super) ms: Option<u64>,
    /// None in the line of its beginning.
    #[serde(default)]
    pub(super) end: Option<JobEnding>,
    #[serde(default)]
    pub(super) out: StepPlace,
    #[serde(default)]
    pub(super) err: StepPlace,
}

/// Bytes of a step in a stream.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct StepPlace {
    pub(super) from: u64,
    pub(super) bytes: u64,
}

/// The steps that have begun, in their order, with the last that is known of each. Older runners send ends alone.
pub(super) fn known_steps(stream: &[u8]) -> Vec<KnownStep> {
    let mut known: BTreeMap<u32, KnownStep> = BTreeMap::new();
    for line in stream.split(|byte| *byte == b'\n') {
        // A line that is not whole yet, or not one of ours, is no result.
        let Ok(line) = serde_json::from_slice::<KnownStep>(line) else {
            continue;
        };
        let has_ended = known.get(&line.step).is_some_and(|it| it.end.is_some());
        if !has_ended {
            known.insert(line.step, line);
        }
    }
    known.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_begun_until_it_has_ended() {
        let begin = r#"{"step":1,"run":"ping","at_ms":0}"#;
        let end = r#"{"step":1,"ms":5,"end":{"exit":0},"out":{"from":0,"bytes":9}}"#;
        let next = r#"{"step":2,"run":"links","at_ms":5}"#;
        for (stream, expected) in [
            (begin.to_owned(), vec![(1, false, 0)]),
            // Of a runner that tells ends alone.
            (format!("{end}\n"), vec![(1, true, 9)]),
            (
                format!("{begin}\n{end}\n{next}\n"),
                vec![(1, true, 9), (2, false, 0)],
            ),
            (
                format!("{end}\n{begin}\nno line\n{{\"st"),
                vec![(1, true, 9)],
            ),
        ] {
            let known = known_steps(stream.as_bytes());
            let known: Vec<_> = known
                .iter()
                .map(|it| (it.step, it.end.is_some(), it.out.bytes))
                .collect();
            assert_eq!(known, expected, "{stream}");
        }
    }
}
