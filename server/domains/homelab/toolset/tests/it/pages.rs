//! The data behind the pages of nodes, guests, storages and tasks.

use agent::ports::Toolset;
use homelab::Homelab;
use homelab_wire::{AboutPage, ChartsPage, LogPage};
use protocol::{ErrorBody, FromJson, Known, PageQuery, Timestamp, UserId};
use serde_json::Value;

use crate::lab::{Lab, NOW};

async fn raw(homelab: &Homelab, kind: &str, name: &str, part: &str) -> Result<Value, ErrorBody> {
    let query = PageQuery {
        kind: kind.to_owned(),
        name: name.to_owned(),
        part: part.to_owned(),
    };
    homelab.page(UserId::new(Timestamp(1), 1), &query).await
}

async fn ask<T: FromJson>(homelab: &Homelab, kind: &str, name: &str, part: &str) -> T {
    let value = raw(homelab, kind, name, part).await.unwrap();
    T::from_json(value).unwrap()
}

#[tokio::test]
async fn charts_over_four_spans() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    for (kind, name, charts) in [
        ("node", "pve", "CPU, Memory, Load, Network, Root disk, Swap"),
        ("guest", "100", "CPU, Memory, Network, Disk traffic"),
        ("guest", "200", "CPU, Memory, Network, Disk traffic, Disk"),
        ("storage", "nas", "Use"),
        ("storage", "pve/local-zfs", "Use"),
    ] {
        for (span, step, seconds) in [
            ("hour", 60, 3_600),
            ("day", 240, 86_400),
            ("week", 1_800, 604_800),
            ("month", 7_200, 2_592_000),
        ] {
            let page: ChartsPage = ask(&homelab, kind, name, &format!("charts/{span}")).await;
            assert_eq!(page.step, Some(step), "{kind} {name} {span}");
            let names: Vec<&str> = page
                .charts
                .iter()
                .map(|chart| chart.name.as_str())
                .collect();
            assert_eq!(names.join(", "), charts);
            for chart in &page.charts {
                for line in &chart.lines {
                    let length = line.values.len() as u64 * step;
                    assert!(
                        length <= seconds + step && length + 2 * step >= seconds,
                        "{span}: {length}"
                    );
                }
                assert!(
                    chart.lines[0].values.iter().flatten().count() > 10,
                    "{kind} {name} {span} {}",
                    chart.name
                );
            }
            assert!(page.source.ends_with(&format!("rrddata?timeframe={span}")));
        }
    }
    assert_eq!(lab.writes(), 0);
}

#[tokio::test]
async fn a_guest_without_its_secrets() {
    let lab = Lab::start().await;
    let page = raw(&lab.admin(), "guest", "101", "about").await.unwrap();
    let text = page.to_string();
    assert!(!text.contains("ssh-ed25519"), "{text}");
    let page = AboutPage::from_json(page).unwrap();
    let config = page.config.as_ref().and_then(Known::value).unwrap();
    let value = |key: &str| {
        let entry = config.iter().find(|entry| entry.key == key);
        entry.map(|entry| entry.value.is_some())
    };
    assert_eq!(value("cores"), Some(true));
    for secret in ["cipassword", "sshkeys", "ciuser"] {
        assert_eq!(value(secret), Some(false), "{secret}");
    }
    let backups = page.backups.as_ref().and_then(Known::value).unwrap();
    assert!(!backups.is_empty());
    assert!(backups.iter().all(|backup| backup.guest == Some(101)));
    assert!(backups.is_sorted_by(|a, b| a.at >= b.at));
    assert!(page.tasks.as_ref().and_then(Known::value).is_some());
    assert!(page.backups_lack.is_empty() && page.tasks_lack.is_empty());
    // At least one guest must have a snapshot.
    let mut kept = 0;
    for vmid in ["100", "101", "110", "111", "200"] {
        let page: AboutPage = ask(&lab.admin(), "guest", vmid, "about").await;
        let snapshots = page.snapshots.as_ref().and_then(Known::value).unwrap();
        assert!(snapshots.iter().all(|it| it.name != "current"));
        kept += snapshots.len();
    }
    assert!(kept > 0);
}

#[tokio::test]
async fn a_node_and_what_it_did() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let page: AboutPage = ask(&homelab, "node", "pve", "about").await;
    for detail in &page.details {
        assert!(detail.value.value().is_some(), "{detail:?}");
    }
    let services = page.services.as_ref().and_then(Known::value).unwrap();
    assert!(services.iter().any(|service| service.name == "pveproxy"));
    let tasks = page.tasks.as_ref().and_then(Known::value).unwrap();
    let ended = tasks.iter().find(|task| task.end.is_some()).unwrap();

    let log: LogPage = ask(&homelab, "task", &ended.upid, "log/0").await;
    assert_eq!((&log.task, log.from, log.more), (ended, 0, false));
    assert!(!log.lines.is_empty());
    assert_eq!(log.at.0, NOW as i64 * 1000);
    let rest: LogPage = ask(&homelab, "task", &ended.upid, "log/1").await;
    assert_eq!(rest.lines, log.lines[1..]);

    let pbs: AboutPage = ask(&homelab, "storage", "pbs", "about").await;
    let backups = pbs.backups.as_ref().and_then(Known::value).unwrap();
    assert!(backups.iter().all(|backup| backup.storage == "pbs"));
    assert!(!backups.is_empty());
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let lab = Lab::start().await;
    lab.sim.control().set_offline("agent1", true);
    lab.clock.advance(std::time::Duration::from_secs(20));
    let homelab = lab.admin();
    let silent = Some("node agent1 is offline");
    let node: AboutPage = ask(&homelab, "node", "agent1", "about").await;
    assert_eq!(node.services.as_ref().and_then(Known::reason), silent);
    assert_eq!(node.tasks.as_ref().and_then(Known::reason), silent);
    let guest: AboutPage = ask(&homelab, "guest", "221", "about").await;
    assert_eq!(guest.config.as_ref().and_then(Known::reason), silent);
    // Its backups are on another storage.
    assert!(guest.backups.as_ref().and_then(Known::value).is_some());
    let charts = raw(&homelab, "guest", "221", "charts/hour").await;
    assert!(charts.unwrap_err().message.contains("does not answer"));

    // An auditor's list of backups is empty, which proves nothing.
    let guest: AboutPage = ask(&lab.auditor(), "guest", "100", "about").await;
    let reason = guest.backups.as_ref().and_then(Known::reason).unwrap();
    assert!(
        reason.contains("missing privilege Datastore.AllocateSpace"),
        "{reason}"
    );

    for (kind, name, part, expect) in [
        ("node", "nowhere", "about", "There is no node"),
        ("guest", "999", "about", "There is no guest 999."),
        ("guest", "x", "about", "There is no such guest."),
        ("storage", "nowhere", "about", "There is no such storage"),
        (
            "storage",
            "nowhere/nas",
            "about",
            "There is no such storage",
        ),
        ("storage", "../nas", "about", "There is no such storage"),
        ("task", "UPID:pve:x", "log/0", "There is no such task."),
        (
            "task",
            "UPID:nowhere:0000C530:001C9BEC:677E934A:vzdump:100:root@pam:",
            "log/0",
            "There is no node",
        ),
        ("task", "UPID:pve:x", "log/x", "There is no such part"),
        ("node", "pve", "charts/decade", "There is no such span."),
        ("node", "pve", "secrets", "There is no such part"),
        ("user", "root", "about", "There is no such page."),
    ] {
        let error = raw(&homelab, kind, name, part).await.unwrap_err();
        assert!(
            error.message.starts_with(expect),
            "{kind} {name}: {error:?}"
        );
    }
    let bare = raw(&lab.bare(), "guest", "100", "about").await.unwrap_err();
    assert_eq!(
        bare.message,
        "Guest 100 is not visible: missing privilege VM.Audit on /vms/100."
    );
}
