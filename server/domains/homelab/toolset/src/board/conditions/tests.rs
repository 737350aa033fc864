//! Tests from pictures to conditions: raised, resolved, unknown.

use serde_json::{Value, json};

use super::*;

const NOW: i64 = 1_800_000_000_000;
const HOUR: i64 = 3_600_000;

fn node(name: &str, changes: &[(&str, Value)]) -> (String, Value) {
    let mut part = json!({
        "name": name, "protected": false, "state": "online", "cpu_percent": 1.0,
        "memory_used": 1, "disk_used": 10, "disk_total": 100, "load": [0.1], "uptime": 5,
        "version": "9.1", "kernel": "6.17", "celsius": 40.0, "celsius_at": NOW - 1000,
        "source": "GET", "past": null,
    });
    for (field, value) in changes {
        part[*field] = value.clone();
    }
    (format!("node/{name}"), part)
}

fn storage(key: &str, changes: &[(&str, Value)]) -> (String, Value) {
    let (node, name) = key
        .split_once('/')
        .map_or((None, key), |(a, b)| (Some(a), b));
    let mut part = json!({
        "name": name, "node": node, "state": "available", "used": 10, "total": 100, "past": null,
    });
    for (field, value) in changes {
        part[*field] = value.clone();
    }
    (format!("storage/{key}"), part)
}

fn guest(vmid: u32, backup: Value) -> (String, Value) {
    let part = json!({ "kind": "VM", "name": "web", "backup": backup });
    (format!("guest/{vmid}"), part)
}

fn task(start: i64, about: Option<&str>, state: &str) -> (String, Value) {
    let upid = upid(start, about.unwrap_or_default());
    let part = json!({
        "upid": upid, "kind": "vzdump", "about": about, "node": "pve",
        "start": start, "end": start + 1000, "state": state,
        "error": (state == "failed").then_some("job errors"),
    });
    (format!("task/{upid}"), part)
}

fn upid(start: i64, about: &str) -> String {
    format!(
        "UPID:pve:0000C530:001C9BEC:{:08X}:vzdump:{about}:root@pam:",
        start / 1000
    )
}

fn base() -> Vec<(String, Value)> {
    vec![
        ("reading/overview".to_owned(), json!({ "trouble": null })),
        (
            "cluster".to_owned(),
            json!({ "quorate": true, "storages_lack": [], "guests_lack": [] }),
        ),
    ]
}

/// Surveys a picture and compares its conditions: `!` marks grave ones, `?` unknown ones.
fn check(parts: Vec<(String, Value)>, known: &[&str], expect: &[&str]) {
    let mut picture: Picture = base().into_iter().collect();
    picture.extend(parts);
    let config = Config::default();
    let known = known.iter().map(|key| (*key).to_owned()).collect();
    let survey = survey(&config, &picture, &known, Timestamp(NOW));
    let holds = survey.holds.iter().map(|condition| {
        let grave = if condition.grave { "!" } else { "" };
        format!("{grave}{}: {}", condition.key, condition.text)
    });
    let unknown = survey.unknown.iter().map(|key| format!("? {key}"));
    let found: Vec<String> = holds.chain(unknown).collect();
    assert_eq!(found, expect);
}

#[test]
fn a_cluster_that_does_not_answer_is_all_that_is_known() {
    let parts = vec![
        (
            "reading/overview".to_owned(),
            json!({ "trouble": "no connection to pve" }),
        ),
        node("pve", &[("state", json!("offline"))]),
    ];
    check(
        parts,
        &["node/agent/down", "cluster/unreachable"],
        &[
            "!cluster/unreachable: The cluster does not answer: no connection to pve.",
            "? node/agent/down",
        ],
    );
    // It answers again: that is resolved, and the rest is evaluated again.
    check(vec![node("pve", &[])], &["cluster/unreachable"], &[]);
}

#[test]
fn quorum() {
    let cluster = |quorate: Value| vec![("cluster".to_owned(), json!({ "quorate": quorate }))];
    let known = ["cluster/quorum"];
    check(cluster(json!(true)), &known, &[]);
    check(
        cluster(json!(false)),
        &known,
        &["!cluster/quorum: The cluster has no quorum: nothing can be started or changed."],
    );
    let unknown = json!({ "unknown": "missing privilege Sys.Audit on /" });
    check(cluster(unknown), &known, &["? cluster/quorum"]);
}

#[test]
fn nodes() {
    let silent = json!({ "unknown": "listed as online, but it does not answer" });
    let past = json!({ "at": NOW - 60_000, "reason": "node a does not answer" });
    let known = ["node/a/down", "node/a/disk", "node/a/hot"];
    let unsure = ["? node/a/disk", "? node/a/hot"];
    check(vec![node("a", &[])], &known, &[]);
    for (state, text) in [
        (json!("offline"), "!node/a/down: Node a is offline."),
        (silent, "!node/a/down: Node a does not answer."),
    ] {
        let gone = node(
            "a",
            &[
                ("state", state),
                ("past", past.clone()),
                ("celsius_at", json!(null)),
            ],
        );
        let mut expect = vec![text];
        expect.extend(unsure);
        check(vec![gone], &known, &expect);
    }
    // Its state is not reported.
    let unreported = json!({ "unknown": "the cluster does not report its state" });
    check(
        vec![node("a", &[("state", unreported)])],
        &known,
        &["? node/a/down"],
    );
    check(
        vec![node(
            "a",
            &[("celsius", json!(85.4)), ("disk_used", json!(96))],
        )],
        &[],
        &[
            "node/a/hot: The processor of node a is at 85 °C.",
            "!node/a/disk: The root disk of node a is 96 % full.",
        ],
    );
    check(
        vec![node("a", &[("unsteady", json!(3))])],
        &[],
        &["node/a/unsteady: Node a comes and goes: 3 times in the last 10 minutes."],
    );
    // An old temperature says nothing about now.
    let old = [("celsius", json!(99.0)), ("celsius_at", json!(NOW - HOUR))];
    check(vec![node("a", &old)], &known, &["? node/a/hot"]);
}

#[test]
fn storages() {
    let past = json!({ "at": null, "reason": "r" });
    let away = [("state", json!({ "unknown": "r" })), ("past", past)];
    check(
        vec![
            storage("pbs", &[("used", json!(84))]),
            storage("pve/a", &[("used", json!(85))]),
            storage("pve/b", &[("used", json!(95))]),
            storage("pve/c", &[("total", json!({ "unknown": "not reported" }))]),
        ],
        &["storage/pve/c/full", "storage/pve/gone/full"],
        &[
            "storage/pve/a/full: Storage a on pve is 85 % full.",
            "!storage/pve/b/full: Storage b on pve is 95 % full.",
            "? storage/pve/c/full",
        ],
    );
    check(
        vec![
            node("pve", &[]),
            storage("pve/a", &away),
            storage("pbs", &away),
        ],
        &["storage/pbs/full"],
        &[
            "storage/pbs/away: Storage pbs is not available.",
            "storage/pve/a/away: Storage a on pve is not available.",
            "? storage/pbs/full",
        ],
    );
    // The node is down, which already has a notice.
    check(
        vec![
            node("pve", &[("state", json!("offline"))]),
            storage("pve/a", &away),
        ],
        &["storage/pve/a/full"],
        &[
            "!node/pve/down: Node pve is offline.",
            "? storage/pve/a/full",
        ],
    );
    // A list that lacks rows does not resolve conditions of missing rows.
    let lacking = (
        "cluster".to_owned(),
        json!({ "quorate": true, "storages_lack": ["x"] }),
    );
    check(
        vec![lacking, storage("pbs", &[])],
        &["storage/pbs/full", "storage/pve/a/full"],
        &["? storage/pve/a/full"],
    );
}

#[test]
fn backups() {
    check(
        vec![
            guest(101, json!({ "at": NOW - HOUR, "gap": false })),
            guest(102, json!({ "at": NOW - 72 * HOUR, "gap": true })),
            guest(103, json!({ "at": null, "gap": true })),
            guest(
                104,
                json!({ "unknown": "missing privilege VM.Backup on /vms" }),
            ),
            guest(105, json!(null)),
        ],
        &["guest/101/backup", "guest/104/backup", "guest/105/backup"],
        &[
            "guest/102/backup: The newest backup of VM 102 (web) is 3 days old.",
            "guest/103/backup: There is no backup of VM 103 (web).",
            "? guest/104/backup",
        ],
    );
    let lacking = (
        "cluster".to_owned(),
        json!({ "quorate": true, "guests_lack": ["x"] }),
    );
    check(
        vec![
            lacking,
            guest(101, json!({ "at": NOW - HOUR, "gap": false })),
        ],
        &["guest/101/backup", "guest/102/backup"],
        &["? guest/102/backup"],
    );
}

#[test]
fn tasks() {
    let failed = |start, about| task(start, Some(about), "failed");
    let line = |start, about| {
        let upid = upid(start, about);
        format!("task/{upid}: Backup of guest {about} on pve failed: job errors.")
    };
    let lines = [line(NOW - HOUR, "101")];
    check(
        vec![
            failed(NOW - HOUR, "101"),
            // Too old.
            failed(NOW - 30 * HOUR, "102"),
            // Resolved by a later success, not by an earlier one.
            failed(NOW - 3 * HOUR, "103"),
            task(NOW - 2 * HOUR, Some("103"), "warnings"),
            task(NOW - 2 * HOUR, Some("101"), "ok"),
            task(NOW - HOUR, Some("104"), "running"),
        ],
        &[],
        &[lines[0].as_str()],
    );
    // One that dropped off the list still failed; an old one no longer matters.
    let keys = [NOW - HOUR, NOW - 30 * HOUR].map(|at| format!("task/{}", upid(at, "105")));
    let unknown = format!("? {}", keys[0]);
    check(Vec::new(), &[&keys[0], &keys[1]], &[&unknown]);
}

/// Backups of several guests: another job's success later in the night makes up for nothing.
#[test]
fn a_failed_job_is_made_good_by_its_own_next_run() {
    let failed = NOW - 23 * HOUR;
    let held = format!(
        "task/{}: Backup on pve failed: job errors.",
        upid(failed, "")
    );
    for (later, expect) in [
        (failed + 5 * HOUR / 2, vec![held.as_str()]),
        (failed + HOUR, vec![]),
        (failed + 23 * HOUR, vec![]),
    ] {
        let tasks = vec![task(failed, None, "failed"), task(later, None, "ok")];
        check(tasks, &[], &expect);
    }
}

#[test]
fn what_is_off_is_not_told() {
    let mut picture: Picture = base().into_iter().collect();
    picture.extend([
        node("a", &[("state", json!("offline"))]),
        guest(103, json!({ "at": null, "gap": true })),
    ]);
    let mut config = Config::default();
    config.notices.off = vec![NoticeKind::Backup];
    let survey = survey(&config, &picture, &BTreeSet::new(), Timestamp(NOW));
    let kinds: Vec<_> = survey.holds.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, ["node"]);
}

/// Names and errors come from other systems.
#[test]
fn sentences_are_bounded() {
    let (key, mut part) = task(NOW - HOUR, None, "failed");
    part["error"] = json!("x".repeat(5_000));
    let mut picture: Picture = base().into_iter().collect();
    picture.insert(key, part);
    let survey = survey(
        &Config::default(),
        &picture,
        &BTreeSet::new(),
        Timestamp(NOW),
    );
    assert_eq!(survey.holds[0].text.chars().count(), MAX_CHARS);
}
