//! Limits that a device cannot enforce in any sandbox, by its own report.

use field_package::abilities::{MemoryLimit, SandboxAbilities};
use serde_json::Value;

use crate::packaging::abilities;
use crate::texts::gaps as texts;

/// A limit that no sandbox of a device enforces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LimitGap {
    /// The word of the limit in the tables, which stays the same when its text changes.
    pub(crate) word: &'static str,
    /// The gap with its remedy, as sentences.
    pub(crate) text: &'static str,
}

const NO_SANDBOX: LimitGap = LimitGap {
    word: "sandbox",
    text: texts::NO_SANDBOX,
};

/// The gaps of a device as people read them: where no sandbox works, that is the only one.
pub(crate) fn gaps(abilities: &SandboxAbilities) -> Vec<LimitGap> {
    if abilities.levels.is_empty() {
        return vec![NO_SANDBOX];
    }
    unenforced(abilities)
}

/// The words of all limits that a device does not enforce; none if it has not reported its sandboxes.
/// Without a sandbox it enforces none of them, and it does not lose them one by one when one is back.
pub(crate) fn lacking(capabilities: &Value) -> Option<Vec<String>> {
    let abilities = abilities(capabilities)?;
    let no_sandbox = abilities.levels.is_empty().then_some(NO_SANDBOX);
    let all = unenforced(&abilities).into_iter().chain(no_sandbox);
    Some(all.map(|gap| gap.word.to_owned()).collect())
}

fn unenforced(abilities: &SandboxAbilities) -> Vec<LimitGap> {
    let levels: Vec<_> = abilities.levels.values().collect();
    let gap = |word, text, lacks: bool| lacks.then_some(LimitGap { word, text });
    let gaps = [
        gap(
            "memory",
            texts::MEMORY,
            levels.iter().all(|it| it.memory == MemoryLimit::None),
        ),
        gap("cpu", texts::CPU, levels.iter().all(|it| !it.cpu)),
        gap("tasks", texts::TASKS, levels.iter().all(|it| !it.tasks)),
        gap(
            "workspace",
            texts::WORKSPACE,
            levels.iter().all(|it| !it.workspace),
        ),
        gap(
            "no_network",
            texts::NO_NETWORK,
            levels.iter().all(|it| !it.no_network),
        ),
        gap(
            "listed_network",
            texts::LISTED_NETWORK,
            levels.iter().all(|it| !it.listed_network),
        ),
        gap("raw", texts::RAW, levels.iter().all(|it| !it.raw)),
    ];
    gaps.into_iter().flatten().collect()
}
