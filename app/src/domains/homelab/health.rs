//! The state of the cluster in one sentence.

use kit::format::upright;
use leptos::prelude::*;
use protocol::Known;

use super::{
    board::HudBoard,
    figure::{FULL, Level, share},
    tally::HudTally,
    texts,
};

/// The most problems in the sentence; the rest is counted.
const MOST: usize = 3;

/// A part of the sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HealthPhrase {
    pub(super) text: String,
    /// True for something that is broken or about to break.
    pub(super) grave: bool,
}

/// The facts that the sentence is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct HealthFacts {
    /// The cluster does not answer.
    silent: bool,
    quorate: Option<bool>,
    /// Nodes that are not online, by name.
    not_online: Vec<String>,
    /// Storages that are almost full, and those that fill up: `local-zfs on pve`.
    full: Vec<String>,
    filling: Vec<String>,
    /// Nodes with hardly any free memory.
    short: Vec<String>,
    failed_tasks: usize,
    /// Guests without a recent backup.
    gaps: usize,
    /// Those of them without any.
    without: usize,
}

/// Returns the sentence, as it changes.
pub(super) fn health(board: &HudBoard, tally: Memo<HudTally>) -> Memo<Vec<HealthPhrase>> {
    let board = board.clone();
    Memo::new(move |_| match facts(&board, &tally.read()) {
        Some(facts) => sentence(&facts),
        None => vec![plain(texts::NO_DATA_YET)],
    })
}

fn facts(board: &HudBoard, tally: &HudTally) -> Option<HealthFacts> {
    let overview = board.reading("overview");
    let cluster = board.cluster()?;
    let mut facts = HealthFacts {
        silent: overview.is_some_and(|reading| reading.trouble.is_some()),
        quorate: cluster.quorate.value().copied(),
        gaps: tally.backups.gaps(),
        without: tally.backups.none,
        ..HealthFacts::default()
    };
    board.nodes().visit(|name, node| {
        if !matches!(&node.state, Known::Value(state) if state == "online") {
            facts.not_online.push(upright(name.to_owned()));
        } else if share(node.memory_used.value().copied(), node.memory_total) >= Some(FULL) {
            facts.short.push(upright(name.to_owned()));
        }
    });
    board.storages().visit(|_, storage| {
        let used = storage.used.value().copied();
        let full = share(used, storage.total.value().copied());
        let name = match &storage.node {
            Some(node) => texts::head::storage_on(&storage.name, node),
            None => storage.name.clone(),
        };
        match Level::of_storage(full, Some(&cluster)) {
            _ if storage.past.is_some() => {}
            Level::Full => facts.full.push(upright(name)),
            Level::High => facts.filling.push(upright(name)),
            Level::Normal => {}
        }
    });
    board.notices().visit(|_, notice| {
        facts.failed_tasks += usize::from(notice.kind == "task" && notice.is_loud());
    });
    Some(facts)
}

fn sentence(facts: &HealthFacts) -> Vec<HealthPhrase> {
    if facts.silent {
        return vec![grave(texts::head::CLUSTER_DOES_NOT_ANSWER)];
    }
    let mut problems = Vec::new();
    if facts.quorate == Some(false) {
        problems.push(grave(texts::head::NO_QUORUM));
    }
    problems.extend(named(&facts.not_online, texts::head::NOT_ONLINE).map(grave));
    problems.extend(named(&facts.full, texts::head::ALMOST_FULL).map(grave));
    problems.extend(named(&facts.short, texts::head::LOW_ON_MEMORY).map(grave));
    let runs = facts.quorate == Some(true) && facts.not_online.is_empty();
    if facts.quorate.is_none() {
        problems.push(plain(texts::head::QUORUM_IS_UNKNOWN));
    }
    problems.extend(named(&facts.filling, texts::head::FILLING_UP).map(plain));
    if facts.failed_tasks > 0 {
        problems.push(plain(texts::head::tasks_failed(facts.failed_tasks)));
    }
    let lack = if facts.without == facts.gaps {
        texts::head::NO_BACKUP
    } else {
        texts::head::NO_RECENT_BACKUP
    };
    if facts.gaps > 0 {
        problems.push(plain(texts::head::guests_have(facts.gaps, lack)));
    }
    if problems.len() > MOST {
        let over = problems.len() - (MOST - 1);
        problems.truncate(MOST - 1);
        problems.push(plain(texts::head::more_things(over)));
    }
    join(runs, problems)
}

/// Joins the problems: `All nodes are up, but a is full and 6 guests have no backup.`
fn join(runs: bool, problems: Vec<HealthPhrase>) -> Vec<HealthPhrase> {
    let Some(last) = problems.len().checked_sub(1) else {
        return vec![plain(texts::head::NODES_ARE_UP)];
    };
    let mut phrases = Vec::new();
    if runs {
        phrases.push(plain(texts::head::NODES_ARE_UP_BUT));
    }
    for (at, mut problem) in problems.into_iter().enumerate() {
        if at == 0 && !runs {
            problem.text = texts::head::capital(problem.text);
        }
        phrases.push(problem);
        if at + 1 < last {
            phrases.push(plain(", "));
        } else if at < last {
            phrases.push(plain(texts::head::AND));
        }
    }
    phrases.push(plain("."));
    phrases
}

/// Returns `pve is full` for one thing, `2 storages are full` for several.
fn named(names: &[String], [one, several]: [&str; 2]) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("{name} {one}")),
        names => Some(format!("{} {several}", names.len())),
    }
}

fn plain(text: impl Into<String>) -> HealthPhrase {
    HealthPhrase {
        text: text.into(),
        grave: false,
    }
}

fn grave(text: impl Into<String>) -> HealthPhrase {
    HealthPhrase {
        text: text.into(),
        grave: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(facts: &HealthFacts) -> String {
        let phrases = sentence(facts);
        let marked = phrases.iter().map(|phrase| {
            if phrase.grave {
                format!("[{}]", phrase.text)
            } else {
                phrase.text.clone()
            }
        });
        marked.collect()
    }

    #[test]
    fn one_sentence_says_what_matters_most() {
        let good = HealthFacts {
            quorate: Some(true),
            ..HealthFacts::default()
        };
        let names = |names: &[&str]| names.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        for (facts, expect) in [
            (good.clone(), "All nodes are up."),
            (
                HealthFacts {
                    full: names(&["local-zfs on pve"]),
                    gaps: 6,
                    without: 6,
                    ..good.clone()
                },
                "All nodes are up, but [local-zfs on pve is almost full] and 6 guests have no backup.",
            ),
            (
                HealthFacts {
                    not_online: names(&["agent1"]),
                    filling: names(&["root on pve", "nas"]),
                    gaps: 1,
                    ..good.clone()
                },
                "[agent1 is not online], 2 storages are filling up and 1 guest has no recent backup.",
            ),
            (
                HealthFacts {
                    quorate: Some(false),
                    not_online: names(&["a", "b"]),
                    full: names(&["nas"]),
                    failed_tasks: 2,
                    ..good.clone()
                },
                "[The cluster has no quorum], [2 nodes are not online] and 2 more things need attention.",
            ),
            (
                HealthFacts {
                    silent: true,
                    ..good
                },
                "[The cluster does not answer.]",
            ),
            (HealthFacts::default(), "The quorum is unknown."),
        ] {
            assert_eq!(read(&facts), expect);
        }
    }
}
