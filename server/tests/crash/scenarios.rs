//! The scenarios.

mod books;
mod field;
mod wider;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use protocol::{BlockedReason, Decision, ErrorCode, GrantTerms, Timestamp, Verdict};
use rehearsal::Block;
use serde_json::json;

use crate::{
    ground::Ground,
    scenario::{Act, Card, End, Move, Sample, Scenario, approve, approve_with, deny},
};

pub(crate) async fn all(ground: &Ground) -> anyhow::Result<Vec<Scenario>> {
    let mut all = vec![
        three_reads(),
        queue_of_two(),
        start_authorised(),
        own_start(),
        stop_denied(),
        mixed("a mixed batch", false),
        two_starts(),
        mixed("a mixed batch, killed twice", true),
        over_ssh("a look and a restart over SSH", false),
        over_ssh("over SSH, killed twice", true),
        by_proxmox(),
        granted(),
        edited(),
        hard_stop(),
        switch_lifted(),
        switch_stays(),
        expired(),
        wider::wake(),
        wider::steer(),
        wider::branch(),
        wider::file(),
        wider::undo(),
        wider::alert(),
        wider::second_person(),
    ];
    all.extend(wider::disk_full());
    all.extend(books::all().await?);
    all.extend(field::all(ground).await?);
    Ok(all)
}

fn three_reads() -> Scenario {
    let scenario = Scenario {
        sample: Sample::All,
        fresh: true,
        ..Scenario::new("three reads", &["How is everything?"])
    };
    scenario
        .answer(
            "everything",
            0,
            vec![
                Block::text("Let me look."),
                Block::tool_use("get_cluster_status", json!({})),
                Block::tool_use("get_vms", json!({})),
                Block::tool_use("get_storage", json!({})),
            ],
        )
        .answer("everything", 1, vec![Block::text("All is well, sir.")])
        .short(&[
            "committed, not heard: candles",
            "committed, not heard: tool_finished",
        ])
}

fn queue_of_two() -> Scenario {
    let status = Block::tool_use("get_node_status", json!({ "node": "pve" }));
    let containers = Block::tool_use("get_containers", json!({}));
    Scenario::new(
        "a queue of two",
        &["First, the nodes.", "Second, the rest.", "Third, nothing."],
    )
    .answer("First", 0, vec![status])
    .answer("First", 1, vec![Block::text("The node is up.")])
    .answer("Second", 0, vec![containers])
    .answer("Second", 1, vec![Block::text("So are the rest.")])
    .answer("Third", 0, vec![Block::text("Very well.")])
    .short(&[
        "committed, not heard: message_queued",
        "committed, not heard: turn_started",
    ])
}

/// One message, one step with these calls, one last answer.
fn one_step(
    name: &'static str,
    says: &'static [&'static str],
    when: &str,
    acts: Vec<Act>,
) -> Scenario {
    let mut blocks = vec![Block::text("At once.")];
    blocks.extend(acts.iter().map(Act::call));
    let scenario = Scenario::new(name, says)
        .answer(when, 0, blocks)
        .answer(when, 1, vec![Block::text("That was that.")])
        .person(starts_only);
    acts.into_iter().fold(scenario, Scenario::act)
}

fn start_authorised() -> Scenario {
    one_step(
        "a start, authorised",
        &["Start windows-11, VM 113 on pve."],
        "windows-11",
        vec![start_windows(End::Authorised)],
    )
    .short(&[
        "committed, not heard: confirmation_decided",
        "ordered, not followed",
    ])
}

/// A person's own call from the HUD.
fn own_start() -> Scenario {
    let scenario = Scenario {
        own: true,
        ..Scenario::new("a start of one's own", &[""])
    };
    scenario
        .person(starts_only)
        .act(start_windows(End::Authorised))
        .short(&[
            "committed, not heard: conversation_started + action_started",
            "ordered, not followed",
        ])
}

fn stop_denied() -> Scenario {
    one_step(
        "a stop, denied",
        &["Stop build-runner, VM 112 on pve."],
        "build-runner",
        vec![Act::denied(
            "stop_vm",
            Act::guest("pve", 112),
            "qmshutdown 112",
        )],
    )
    .short(&[
        "committed, not heard: confirmation_requested",
        "recorded, not told: confirmation_decided",
    ])
}

fn two_starts() -> Scenario {
    one_step(
        "two starts, authorised",
        &["Start downloads, 213 on pve, and old-wiki, 232 on agent."],
        "downloads",
        vec![
            start_downloads(),
            Act::new(
                "start_container",
                Act::guest("agent", 232),
                "vzstart 232",
                End::Authorised,
            ),
        ],
    )
    .short(&[
        "committed, not heard: tool_started",
        "ordered, not followed",
    ])
}

/// One call that reads, one that is approved, one that is denied.
fn mixed(name: &'static str, again: bool) -> Scenario {
    let acts = [
        start_downloads(),
        Act::denied("stop_container", Act::guest("agent", 230), "vzshutdown 230"),
    ];
    let mut blocks = vec![
        Block::text("Let me look, and then act."),
        Block::tool_use("get_cluster_status", json!({})),
    ];
    blocks.extend(acts.iter().map(Act::call));
    let says = &["Start downloads, 213 on pve, and stop uptime-kuma, 230 on agent."];
    let scenario = Scenario {
        again,
        sample: if again { Sample::Some } else { Sample::All },
        ..Scenario::new(name, says)
    };
    let scenario = scenario
        .answer("downloads", 0, blocks)
        .answer("downloads", 1, vec![Block::text("That was that.")])
        .person(starts_only);
    // Killed twice it counts twice.
    let short: &[_] = if !again {
        &["committed, not heard: tool_finished", "ended, not proved"]
    } else {
        &["ordered, not followed"]
    };
    acts.into_iter().fold(scenario, Scenario::act).short(short)
}

/// YELLOW: a command that only looks, and the restart of a service that Proxmox does not know.
fn over_ssh(name: &'static str, again: bool) -> Scenario {
    let uptime = Act::new(
        "execute_ssh",
        json!({ "node": "pve", "command": "uptime" }),
        "ssh pve: /usr/bin/uptime",
        End::Runs,
    );
    let smbd = Act::new(
        "restart_service",
        json!({ "node": "pve", "service": "smbd" }),
        "ssh pve: /usr/bin/systemctl restart -- smbd.service",
        End::Runs,
    );
    let scenario = one_step(
        name,
        &["See the uptime of pve, and restart smbd there."],
        "smbd",
        vec![uptime.repeats(), smbd],
    );
    let short: &[_] = if !again {
        &[
            "before execute_ssh",
            "ordered, not followed: restart over SSH",
        ]
    } else {
        &["before the order: restart over SSH"]
    };
    Scenario { again, ..scenario }.short(short)
}

/// YELLOW: the restart of a service through the API.
fn by_proxmox() -> Scenario {
    let postfix = Act::new(
        "restart_service",
        json!({ "node": "pve", "service": "postfix" }),
        "srvrestart pve/postfix",
        End::Runs,
    );
    one_step(
        "a restart by Proxmox",
        &["Restart postfix on pve."],
        "postfix",
        vec![postfix],
    )
    .short(&["before the order", "ordered, not followed"])
}

/// A grant for one more call: the second runs under it, a card asks for the third.
fn granted() -> Scenario {
    let says = &[
        "First, restart reverse-proxy, 201 on Home.",
        "Second, once more.",
        "Third, again.",
    ];
    let mut scenario = Scenario::new("under a grant", says);
    let refused = End::Refused(Verdict::Denied { comment: None });
    for (when, end) in [
        ("First", End::Authorised),
        ("Second", End::Granted),
        ("Third", refused),
    ] {
        let input = Act::guest("Home", 201);
        let act =
            Act::new("restart_container", input, "vzreboot 201", end).followed_by(&["vzstart 201"]);
        scenario = scenario
            .answer(when, 0, vec![Block::text(when), act.call()])
            .answer(when, 1, vec![Block::text("That was that.")])
            .act(act);
    }
    scenario
        .person(|card| match card.asks.reason.as_deref() {
            Some("First") => vec![Move::Decide(Decision::Approve {
                grant: Some(GrantTerms {
                    uses: 1,
                    until: in_an_hour(),
                }),
                word: None,
            })],
            _ => vec![deny()],
        })
        .short(&[
            "committed, not heard: confirmation_decided + grant_given",
            "committed, not heard: tool_queued",
        ])
}

/// The call runs with the person's input.
fn edited() -> Scenario {
    let act = Act::new(
        "start_container",
        Act::guest("pve", 213),
        "vzstart 232",
        End::Authorised,
    );
    one_step(
        "edited, then authorised",
        &["Start downloads, 213 on pve."],
        "downloads",
        vec![act.edited(Act::guest("agent", 232))],
    )
    .person(|card| match card.asks.original {
        None => vec![Move::Edit(Act::guest("agent", 232))],
        Some(_) => vec![approve()],
    })
    .short(&[
        "committed, not heard: confirmation_decided",
        "committed, not heard: tool_started",
    ])
}

/// A switch that only the person can set.
fn hard_stop() -> Scenario {
    let hard = || json!({ "node": "pve", "vmid": 112, "hard": true });
    let act = Act::new(
        "stop_vm",
        Act::guest("pve", 112),
        "qmstop 112",
        End::Authorised,
    );
    one_step(
        "a hard stop",
        &["Stop build-runner, VM 112 on pve."],
        "build-runner",
        vec![act.edited(hard())],
    )
    .person(|card| {
        if card.asks.choices.iter().any(|choice| choice.chosen) {
            // The page asks for the guest's name to be typed.
            vec![approve_with("build-runner")]
        } else {
            let mut input = card.asks.input.clone();
            input["hard"] = true.into();
            vec![Move::Edit(input)]
        }
    })
    .short(&["ordered, not followed", "ended, not proved"])
}

/// While the kill switch is on nobody can approve anything.
fn switch_lifted() -> Scenario {
    let scenario = one_step(
        "the kill switch, lifted",
        &["Start windows-11, VM 113 on pve."],
        "windows-11",
        vec![start_windows(End::Authorised)],
    );
    let scenario = Scenario {
        switched: &[true, false],
        ..scenario
    };
    scenario
        .person(|_| {
            vec![
                Move::Switch(true),
                Move::InVain(approved(), &[ErrorCode::DecisionNotAllowed]),
                Move::Switch(false),
                approve(),
            ]
        })
        .short(&[
            "committed, not heard: the kill switch",
            "committed, not heard: tool_started",
        ])
}

/// The kill switch stops unasked calls too.
fn switch_stays() -> Scenario {
    let stop = Act::denied("stop_vm", Act::guest("pve", 112), "qmshutdown 112");
    let smbd = Act::new(
        "restart_service",
        json!({ "node": "pve", "service": "smbd" }),
        "ssh pve: /usr/bin/systemctl restart -- smbd.service",
        End::Blocked(BlockedReason::KillSwitch),
    );
    let says = &["Stop build-runner, VM 112 on pve, or else restart smbd there."];
    let scenario = Scenario {
        switched: &[true],
        ..Scenario::new("the kill switch, left on", says)
    };
    scenario
        .answer("build-runner", 0, vec![stop.call()])
        .answer("build-runner", 1, vec![smbd.call()])
        .answer("build-runner", 2, vec![Block::text("As you wish, sir.")])
        .act(stop)
        .act(smbd)
        .person(|_| vec![Move::Switch(true), deny()])
        .short(&[
            "committed, not heard: the kill switch",
            "committed, not heard: tool_blocked",
        ])
}

/// Nobody decides in time, and then it is too late.
fn expired() -> Scenario {
    let scenario = one_step(
        "nobody decides",
        &["Start windows-11, VM 113 on pve."],
        "windows-11",
        vec![start_windows(End::Refused(Verdict::Expired))],
    );
    let scenario = Scenario {
        patience: 2,
        ..scenario
    };
    scenario
        .person(|card| {
            if !card.lapsed {
                Vec::new()
            } else {
                vec![Move::InVain(approved(), &[ErrorCode::AlreadyDecided])]
            }
        })
        .short(&[
            "committed, not heard: confirmation_requested",
            "recorded, not told: confirmation_decided",
        ])
}

fn start_windows(end: End) -> Act {
    Act::new("start_vm", Act::guest("pve", 113), "qmstart 113", end)
}

fn start_downloads() -> Act {
    Act::new(
        "start_container",
        Act::guest("pve", 213),
        "vzstart 213",
        End::Authorised,
    )
}

/// Approves starts, and nothing else.
fn starts_only(card: &Card<'_>) -> Vec<Move> {
    if card.asks.sentence.starts_with("Start ") {
        vec![approve()]
    } else {
        vec![deny()]
    }
}

fn approved() -> Decision {
    Decision::Approve {
        grant: None,
        word: None,
    }
}

fn in_an_hour() -> Timestamp {
    let later = SystemTime::now() + Duration::from_secs(3600);
    let since = later.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
